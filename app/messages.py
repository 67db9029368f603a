"""Sentences for people: what happened, why, what to do next."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale

from app.actions import Action
from app.presets import PresetProblem
from app.sentences import sentence
from app.sentences_notices import notice_sentence
from app.sentences_reasons import reason_words
from engine.errors import ErrorCode, ErrorInfo
from engine.values import Notice

translate = QCoreApplication.translate

# What files say of themselves may be any length.
_LONGEST_DETAIL = 300
_LARGEST = (1 << 63) - 1


class Severity(StrEnum):
    """How much a message matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """A message on screen, translated already.

    Attributes:
        severity: How much it matters.
        title: What happened, a few words.
        text: Why, and what to do next. Plain text.
        actions: Buttons, the most helpful first.
        technical: English details for a fold, may be empty.
    """

    severity: Severity
    title: str
    text: str
    actions: tuple[Action, ...] = ()
    technical: str = ""


def nothing_typed() -> UserMessage:
    """The person sent an empty message."""
    return UserMessage(
        severity=Severity.INFO,
        title=translate("Messages", "Nothing to send yet"),
        text=translate("Messages", "Type a message first, then press Enter."),
    )


def empty_answer() -> UserMessage:
    """The person left nothing of an answer."""
    return UserMessage(
        severity=Severity.INFO,
        title=translate("Messages", "Nothing is left of the answer"),
        text=translate(
            "Messages", "Keep some words, so that the model can go on from them, or press Escape."
        ),
    )


def still_answering() -> UserMessage:
    """The person sent while an answer runs."""
    return UserMessage(
        severity=Severity.INFO,
        title=translate("Messages", "Still answering"),
        text=translate(
            "Messages",
            "The model answers one message at a time. Your text stays here: send it when the "
            "answer is done, or stop the answer first.",
        ),
        actions=(Action.STOP,),
    )


def variant_deleted() -> UserMessage:
    """A variant of a turn was deleted, and can be brought back."""
    return UserMessage(
        severity=Severity.INFO,
        title=translate("Messages", "The variant was deleted"),
        text=translate("Messages", "What followed it went with it."),
        actions=(Action.UNDO_DELETE,),
    )


def no_model() -> UserMessage:
    """The person sent without a model."""
    return UserMessage(
        severity=Severity.WARNING,
        title=translate("Messages", "No model is loaded"),
        text=translate(
            "Messages",
            "Open a model file (GGUF) or a model folder to chat with. Your text stays here.",
        ),
        actions=(Action.OPEN_MODEL,),
    )


def sampler_restarted() -> UserMessage:
    """The process that samples memory, CPU and GPU died and was started again."""
    return UserMessage(
        severity=Severity.INFO,
        title=translate("Messages", "The live samples were interrupted"),
        text=translate(
            "Messages",
            "The process that reads memory, CPU and GPU ended and was started again; the graphs "
            "have a gap. The chat is not affected. If GPU graphs stay empty, the driver is the "
            "likely cause.",
        ),
    )


def panels_missing(technical: str = "") -> UserMessage:
    """The live panels could not be made."""
    return UserMessage(
        severity=Severity.WARNING,
        title=translate("Messages", "The live panels cannot be shown"),
        text=translate(
            "Messages",
            "Something went wrong while the live panels were made; the log of the window says "
            "what. Chats are not affected. Start Oscillama again to try once more.",
        ),
        technical=technical,
    )


def logs_elsewhere(wanted: Path, used: Path) -> UserMessage:
    """The log folder cannot be written, so a temporary one is used."""
    text = translate(
        "Messages",
        "{wanted} is not writable, so logs go to {used} and may be gone after a restart. Check "
        "that the folder is yours and that the disk is not full.",
    )
    return UserMessage(
        severity=Severity.WARNING,
        title=translate("Messages", "Logs are kept elsewhere"),
        text=_filled(text, (("wanted", str(wanted)), ("used", str(used)))),
    )


def presets_unread(problem: PresetProblem) -> UserMessage:
    """The file of the person's presets is damaged or cannot be read."""
    if problem.moved_to is not None:
        title = translate("Messages", "Your presets were damaged")
        text = translate(
            "Messages",
            "{path} could not be understood. It was moved to {moved_to}, and the presets that "
            "come with Oscillama are there. Nothing else is affected.",
        )
    else:
        title = translate("Messages", "Your presets could not be read")
        text = translate(
            "Messages",
            "{path} could not be read ({reason}). It was left alone, so presets cannot be "
            "changed now. Check that the file is yours and of this version, then start Oscillama "
            "again.",
        )
    details = (
        ("path", str(problem.path)),
        ("moved_to", str(problem.moved_to)),
        ("reason", problem.reason),
    )
    return UserMessage(severity=Severity.WARNING, title=title, text=_filled(text, details))


def of_error(error: ErrorInfo) -> UserMessage:
    """The sentence for an error of the engine."""
    title, text, actions = sentence(error)
    technical = "\n\n".join(part for part in (error.technical, error.log_tail) if part)
    stopped = error.code is ErrorCode.LOAD_CANCELLED
    return UserMessage(
        severity=Severity.INFO if stopped else Severity.ERROR,
        title=title,
        text=_filled(text, error.details),
        actions=actions,
        technical=technical,
    )


def model_refused(problem: ErrorInfo) -> UserMessage:
    """There is no model in what was chosen, so the one in use stays."""
    message = of_error(problem)
    stays = translate("Messages", "The model in use stays as it is.")
    return replace(message, text=f"{message.text} {stays}")


def of_notice(notice: Notice) -> UserMessage:
    """The sentence for a notice of a load that succeeded."""
    title, text = notice_sentence(notice)
    return UserMessage(severity=Severity.WARNING, title=title, text=_filled(text, notice.details))


def _filled(text: str, details: tuple[tuple[str, str | int | float], ...]) -> str:
    """Put values into `{name}` places, counts and bytes written as the locale has them."""
    locale = QLocale()
    words = reason_words(str(dict(details).get("reason", "")))
    if words is not None:
        # First, since they may have places of their own.
        text = text.replace("{reason}", words)
    for name, value in details:
        if isinstance(value, str):
            shown = value if len(value) <= _LONGEST_DETAIL else value[:_LONGEST_DETAIL] + "…"
        elif name.endswith("_bytes"):
            shown = locale.formattedDataSize(int(min(value, _LARGEST)), 1)
        elif isinstance(value, int):
            shown = locale.toString(max(-_LARGEST, min(value, _LARGEST)))
        else:
            shown = locale.toString(float(value), "g", 3)
        text = text.replace(f"{{{name}}}", shown)
    return text
