"""Sentences for answers that could not be given."""

from PySide6.QtCore import QCoreApplication

from app.actions import Action
from app.wording import Sentence
from engine.errors import ErrorCode, ErrorInfo

translate = QCoreApplication.translate


def answer_sentence(code: ErrorCode) -> Sentence:
    """Title, text and actions for an error of a request."""
    match code:
        case ErrorCode.EMPTY_PROMPT:
            return (
                translate("Messages", "There was nothing to answer"),
                translate("Messages", "The prompt came out empty. Type a message, then send it."),
                (),
            )
        case ErrorCode.TEMPLATE_FAILED:
            return (
                translate("Messages", "The model's chat template refused this conversation"),
                translate(
                    "Messages",
                    "The template that comes with the model failed: {reason} Try a new chat, or "
                    "another model.",
                ),
                (Action.NEW_CHAT, Action.OPEN_MODEL),
            )
        case ErrorCode.DECODE_FAILED:
            return (
                translate("Messages", "The engine could not go on"),
                translate(
                    "Messages",
                    "It reported an error while computing; the details have its own words. What "
                    "had arrived is kept. Try again, or load the model again.",
                ),
                (Action.RETRY, Action.RELOAD),
            )
        case ErrorCode.BUSY:
            return (
                translate("Messages", "The engine is busy"),
                translate(
                    "Messages",
                    "It works on something else. Wait for it, or stop it, then try again.",
                ),
                (Action.RETRY,),
            )
        case _:
            return (
                translate("Messages", "No model was there to answer"),
                translate(
                    "Messages",
                    "The model did not load, so this message was not answered. Load one, then "
                    "try again.",
                ),
                (Action.RETRY, Action.OPEN_MODEL),
            )


def too_long_sentence(error: ErrorInfo) -> Sentence:
    """Title, text and actions for a conversation that does not fit into the context."""
    title = translate("Messages", "The conversation no longer fits")
    if error.detail("n_messages") == 1:
        text = translate(
            "Messages",
            "The last message and the system prompt take {n_prompt} tokens, and the context "
            "holds {n_ctx}. Nothing was cut or lost. Shorten them, or load the model with a "
            "larger context.",
        )
        return title, text, (Action.ENGINE_SETTINGS, Action.CHAT_SETTINGS)
    text = translate(
        "Messages",
        "It takes {n_prompt} tokens, and the context holds {n_ctx}. Nothing was cut "
        "or lost. Leave out the oldest turns, which stay on screen but are no longer "
        "seen by the model, shorten the message, start a new chat, or load the model "
        "with a larger context.",
    )
    return title, text, (Action.DROP_OLDEST, Action.ENGINE_SETTINGS, Action.NEW_CHAT)
