"""Sentences for people: what happened, why, what to do next."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication, QLocale

from engine.errors import ErrorCode, ErrorInfo
from engine.values import Notice, NoticeCode

translate = QCoreApplication.translate


class Action(StrEnum):
    """What a message offers to do."""

    OPEN_MODEL = "open_model"
    RELOAD = "reload"
    RETRY = "retry"
    NEW_CHAT = "new_chat"
    ENGINE_SETTINGS = "engine_settings"
    STOP = "stop"


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


def no_model() -> UserMessage:
    """The person sent without a model."""
    return UserMessage(
        severity=Severity.WARNING,
        title=translate("Messages", "No model is loaded"),
        text=translate("Messages", "Open a model file (GGUF) to chat with. Your text stays here."),
        actions=(Action.OPEN_MODEL,),
    )


def of_error(error: ErrorInfo) -> UserMessage:
    """The sentence for an error of the engine."""
    title, text, actions = _sentence(error)
    technical = "\n\n".join(part for part in (error.technical, error.log_tail) if part)
    stopped = error.code is ErrorCode.LOAD_CANCELLED
    return UserMessage(
        severity=Severity.INFO if stopped else Severity.ERROR,
        title=title,
        text=_filled(text, error.details),
        actions=actions,
        technical=technical,
    )


def of_notice(notice: Notice) -> UserMessage:
    """The sentence for a notice of a load that succeeded."""
    title, text = _notice_sentence(notice.code)
    return UserMessage(severity=Severity.WARNING, title=title, text=_filled(text, notice.details))


def _filled(text: str, details: tuple[tuple[str, str | int | float], ...]) -> str:
    """Put values into `{name}` places, counts and bytes written as the locale has them."""
    locale = QLocale()
    for name, value in details:
        if isinstance(value, str):
            shown = value
        elif name.endswith("_bytes"):
            shown = locale.formattedDataSize(int(value), 1)
        elif isinstance(value, int):
            shown = locale.toString(value)
        else:
            shown = locale.toString(float(value), "g", 3)
        text = text.replace(f"{{{name}}}", shown)
    return text


_Sentence = tuple[str, str, tuple[Action, ...]]


def _sentence(error: ErrorInfo) -> _Sentence:
    match error.code:
        case ErrorCode.ENGINE_DIED:
            return _death_sentence(error)
        case ErrorCode.INVALID_OPTION:
            return _option_sentence(error)
        case (
            ErrorCode.FILE_NOT_FOUND
            | ErrorCode.FILE_UNREADABLE
            | ErrorCode.NOT_A_GGUF
            | ErrorCode.FILE_TRUNCATED
            | ErrorCode.UNKNOWN_ARCHITECTURE
            | ErrorCode.NOT_A_CHAT_MODEL
        ):
            return _file_sentence(error.code)
        case (
            ErrorCode.EMPTY_PROMPT
            | ErrorCode.PROMPT_TOO_LONG
            | ErrorCode.TEMPLATE_FAILED
            | ErrorCode.DECODE_FAILED
            | ErrorCode.NO_MODEL
            | ErrorCode.BUSY
        ):
            return _answer_sentence(error.code)
        case _:
            return _engine_sentence(error.code)


def _file_sentence(code: ErrorCode) -> _Sentence:
    match code:
        case ErrorCode.FILE_NOT_FOUND:
            return (
                translate("Messages", "The model file is not there"),
                translate(
                    "Messages",
                    "Nothing was found at {path}. It may have been moved, or its disk is not "
                    "connected. Choose the file again.",
                ),
                (Action.OPEN_MODEL,),
            )
        case ErrorCode.FILE_UNREADABLE:
            return (
                translate("Messages", "The model file cannot be read"),
                translate(
                    "Messages",
                    "The system refused to read {path}. Check its permissions, then try again.",
                ),
                (Action.RELOAD, Action.OPEN_MODEL),
            )
        case ErrorCode.NOT_A_GGUF:
            return (
                translate("Messages", "This is not a model file"),
                translate(
                    "Messages",
                    "{path} is not in the GGUF format that llama.cpp runs. Choose a file whose "
                    "name ends in .gguf; if this one does, download it again.",
                ),
                (Action.OPEN_MODEL,),
            )
        case ErrorCode.FILE_TRUNCATED:
            return (
                translate("Messages", "The model file is incomplete"),
                translate(
                    "Messages",
                    "{path} should have {need_bytes} but has {have_bytes}. The download was "
                    "probably cut off: download it again, then open it.",
                ),
                (Action.OPEN_MODEL, Action.RELOAD),
            )
        case ErrorCode.UNKNOWN_ARCHITECTURE:
            return (
                translate("Messages", "This kind of model is not known here"),
                translate(
                    "Messages",
                    "The file is for the architecture “{architecture}”, which this version of "
                    "llama.cpp cannot run. Choose another model, or update Oscillama.",
                ),
                (Action.OPEN_MODEL,),
            )
        case _:
            return (
                translate("Messages", "This file is not a chat model"),
                translate(
                    "Messages",
                    "It holds a part or a kind of model (“{architecture}”) that cannot answer on "
                    "its own. Choose the language model itself.",
                ),
                (Action.OPEN_MODEL,),
            )


def _answer_sentence(code: ErrorCode) -> _Sentence:
    match code:
        case ErrorCode.EMPTY_PROMPT:
            return (
                translate("Messages", "There was nothing to answer"),
                translate("Messages", "The prompt came out empty. Type a message, then send it."),
                (),
            )
        case ErrorCode.PROMPT_TOO_LONG:
            return (
                translate("Messages", "The conversation no longer fits"),
                translate(
                    "Messages",
                    "It takes {n_prompt} tokens, and the context holds {n_ctx}. Nothing was cut "
                    "or lost. Shorten the message, start a new chat, or load the model with a "
                    "larger context.",
                ),
                (Action.ENGINE_SETTINGS, Action.NEW_CHAT),
            )
        case ErrorCode.TEMPLATE_FAILED:
            return (
                translate("Messages", "The model's chat template refused this conversation"),
                translate(
                    "Messages",
                    "The template inside the model file failed: {reason} Try a new chat, or "
                    "another model.",
                ),
                (Action.NEW_CHAT, Action.OPEN_MODEL),
            )
        case ErrorCode.DECODE_FAILED:
            return (
                translate("Messages", "The engine could not go on"),
                translate(
                    "Messages",
                    "llama.cpp reported an error while computing. What had arrived is kept.",
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


def _engine_sentence(code: ErrorCode) -> _Sentence:
    match code:
        case ErrorCode.LOAD_CANCELLED:
            return (
                translate("Messages", "Loading was stopped"),
                translate("Messages", "No model is loaded. Load it again, or open another one."),
                (Action.RELOAD, Action.OPEN_MODEL),
            )
        case ErrorCode.NOT_ENOUGH_MEMORY:
            return (
                translate("Messages", "Not enough memory"),
                translate(
                    "Messages",
                    "This model with this context needs about {need_bytes}, and {have_bytes} are "
                    "free. Choose a smaller context or a smaller KV type, close other programs, "
                    "or open a smaller model.",
                ),
                (Action.ENGINE_SETTINGS, Action.OPEN_MODEL),
            )
        case ErrorCode.CONTEXT_FAILED:
            return (
                translate("Messages", "The context could not be created"),
                translate(
                    "Messages",
                    "llama.cpp refused these settings for this model. Choose a smaller context "
                    "or other settings.",
                ),
                (Action.ENGINE_SETTINGS, Action.OPEN_MODEL),
            )
        case ErrorCode.BACKEND_MISSING:
            return (
                translate("Messages", "The engine is not installed"),
                translate(
                    "Messages",
                    "The library that runs this model is missing. Run “make run” again to "
                    "install it.",
                ),
                (Action.RELOAD,),
            )
        case ErrorCode.ENGINE_HUNG:
            return (
                translate("Messages", "The engine did not stop in time"),
                translate(
                    "Messages", "It was ended and is being started again. What had arrived is kept."
                ),
                (Action.RETRY,),
            )
        case ErrorCode.LOAD_FAILED:
            return (
                translate("Messages", "The model could not be loaded"),
                translate(
                    "Messages",
                    "llama.cpp refused the file; the details have its own words. Try again, or "
                    "choose another file.",
                ),
                (Action.OPEN_MODEL, Action.RELOAD),
            )
        case _:
            return (
                translate("Messages", "Something went wrong inside the engine"),
                translate(
                    "Messages",
                    "This is a fault of Oscillama; the details say more. The conversation is "
                    "kept. Try again, or load the model again.",
                ),
                (Action.RETRY, Action.RELOAD),
            )


def _death_sentence(error: ErrorInfo) -> _Sentence:
    match error.detail("reason"):
        case "out_of_memory" | "killed":
            why = translate(
                "Messages",
                "The system ended it ({signal}), most often because memory ran out. Choose a "
                "smaller context or model, or close other programs.",
            )
        case "assertion":
            why = translate(
                "Messages",
                "llama.cpp found an inner contradiction and gave up; the details have its last "
                "words. Try other settings, or another model.",
            )
        case "file_changed":
            why = translate(
                "Messages",
                "The model file changed or its disk went away while it was in use. Check the "
                "file, then load it again.",
            )
        case _:
            why = translate(
                "Messages", "It crashed; the details have its last words. Load the model again."
            )
    kept = translate("Messages", "What had arrived is kept, and sending again starts it anew.")
    actions = (Action.RETRY, Action.RELOAD, Action.ENGINE_SETTINGS)
    return translate("Messages", "The engine stopped unexpectedly"), f"{why} {kept}", actions


def _option_sentence(error: ErrorInfo) -> _Sentence:
    bounds = (error.detail("minimum") is not None, error.detail("maximum") is not None)
    match bounds:
        case (True, True):
            why = translate("Messages", "it must lie between {minimum} and {maximum}.")
        case (True, False):
            why = translate("Messages", "it must be at least {minimum}.")
        case (False, True):
            why = translate("Messages", "it may be at most {maximum}.")
        case _:
            why = translate("Messages", "that does not go with this model and the other settings.")
    what = translate("Messages", "The setting “{option}” is {value}:")
    remedy = translate("Messages", "Change it in the engine settings, then load the model again.")
    return (
        translate("Messages", "This setting cannot be used"),
        f"{what} {why} {remedy}",
        (Action.ENGINE_SETTINGS,),
    )


def _notice_sentence(code: NoticeCode) -> tuple[str, str]:
    match code:
        case NoticeCode.NO_CHAT_TEMPLATE:
            return (
                translate("Messages", "No chat template"),
                translate(
                    "Messages",
                    "This model was not made for conversations: it continues text, and may not "
                    "answer like an assistant.",
                ),
            )
        case NoticeCode.UNUSABLE_CHAT_TEMPLATE:
            return (
                translate("Messages", "The chat template does not work"),
                translate(
                    "Messages",
                    "The template inside the model file failed, so the conversation is given as "
                    "plain text. Answers may be odd.",
                ),
            )
        case NoticeCode.SYSTEM_FOLDED:
            return (
                translate("Messages", "No system prompt"),
                translate(
                    "Messages",
                    "This model's template has no place for a system prompt: it is put before "
                    "your first message.",
                ),
            )
        case NoticeCode.GPU_NOT_IN_BUILD:
            return (
                translate("Messages", "The GPU is not used"),
                translate(
                    "Messages",
                    "There is a GPU ({device}), but the installed llama.cpp was built for the "
                    "CPU only. The README says how to build it for the GPU.",
                ),
            )
        case NoticeCode.GPU_LAYERS_REDUCED:
            return (
                translate("Messages", "Part of the model is on the CPU"),
                translate(
                    "Messages",
                    "{n_gpu_layers} of {n_layers} layers fit on the GPU; the rest is slower.",
                ),
            )
        case NoticeCode.CONTEXT_BEYOND_TRAINING:
            return (
                translate("Messages", "Context beyond training"),
                translate(
                    "Messages",
                    "The context is {n_ctx} tokens, and the model was trained on {n_ctx_train}. "
                    "Answers may fall apart past that.",
                ),
            )
        case NoticeCode.CONTEXT_REDUCED:
            return (
                translate("Messages", "Smaller context"),
                translate(
                    "Messages",
                    "Memory allows a context of {n_ctx} tokens here; {n_ctx_wanted} would be "
                    "usual for this model.",
                ),
            )
