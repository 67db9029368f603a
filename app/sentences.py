"""The sentence for each error and notice of an engine, with `{name}` places for its details."""

from PySide6.QtCore import QCoreApplication

from app.actions import Action
from engine.errors import ErrorCode, ErrorInfo
from engine.values import NoticeCode

translate = QCoreApplication.translate


Sentence = tuple[str, str, tuple[Action, ...]]
"""Title, text, actions."""


def sentence(error: ErrorInfo) -> Sentence:
    """Title, text and actions for an error; `{name}` stands for a detail of it."""
    match error.code:
        case ErrorCode.ENGINE_DIED:
            return _death_sentence(error)
        case ErrorCode.INVALID_OPTION:
            return _option_sentence(error)
        case ErrorCode.BACKEND_MISSING if error.detail("backend") == "torch":
            return _torch_missing_sentence()
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


def _torch_missing_sentence() -> Sentence:
    return (
        translate("Messages", "PyTorch is not installed"),
        translate(
            "Messages",
            "This model runs on PyTorch, which is large and so comes only when it is asked for. "
            "Install it with the button below, or with “make run TORCH=1” in a terminal. Then "
            "the model is loaded again.",
        ),
        (Action.INSTALL_TORCH, Action.OPEN_MODEL),
    )


def _file_sentence(code: ErrorCode) -> Sentence:
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
                    "{path} is not a file that can be read. Check that it is a file and not a "
                    "folder, and its permissions, then try again.",
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
                    "{path} should have at least {need_bytes} but has {have_bytes}. The download "
                    "was probably cut off: download it again, then open it.",
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


def _answer_sentence(code: ErrorCode) -> Sentence:
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


def _engine_sentence(code: ErrorCode) -> Sentence:
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
        case ErrorCode.NO_ENGINE:
            return (
                translate("Messages", "The engine could not be started"),
                translate(
                    "Messages",
                    "The system refused to start its process; the details say why. Close other "
                    "programs or free disk space, then load the model again.",
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


def _death_sentence(error: ErrorInfo) -> Sentence:
    match error.detail("reason"):
        case "killed":
            why = translate(
                "Messages",
                "Another program, or the system, ended it ({signal}). Load the model again.",
            )
        case "out_of_memory":
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


def _option_name(option: str) -> str:
    """What the engine settings call a field of `LoadOptions` or `GenerateRequest`."""
    names = {
        "n_ctx": translate("Messages", "Context size"),
        "n_batch": translate("Messages", "Batch"),
        "n_ubatch": translate("Messages", "Micro-batch"),
        "n_threads": translate("Messages", "Threads, decode"),
        "n_threads_prefill": translate("Messages", "Threads, prefill"),
        "kv_type": translate("Messages", "KV cache type"),
        "flash_attention": translate("Messages", "Flash attention"),
        "n_gpu_layers": translate("Messages", "GPU layers"),
        "max_tokens": translate("Messages", "Maximum length"),
    }
    return names.get(option, option)


def _option_sentence(error: ErrorInfo) -> Sentence:
    bounds = (error.detail("minimum") is not None, error.detail("maximum") is not None)
    match bounds:
        case _ if error.detail("reason") == "needs_flash_attention":
            why = translate("Messages", "a quantized KV cache needs flash attention.")
        case (True, True):
            why = translate("Messages", "it must lie between {minimum} and {maximum}.")
        case (True, False):
            why = translate("Messages", "it must be at least {minimum}.")
        case (False, True):
            why = translate("Messages", "it may be at most {maximum}.")
        case _:
            why = translate("Messages", "that does not go with this model and the other settings.")
    what = translate("Messages", "“{option}” is {value}:").replace(
        "{option}", _option_name(str(error.detail("option")))
    )
    remedy = translate("Messages", "Change it in the engine settings, then load the model again.")
    return (
        translate("Messages", "This setting cannot be used"),
        f"{what} {why} {remedy}",
        (Action.ENGINE_SETTINGS,),
    )


def notice_sentence(code: NoticeCode) -> tuple[str, str]:
    """Title and text for a notice; `{name}` stands for a detail of it."""
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
                    "There is a GPU ({gpu}), but the installed llama.cpp was built for the "
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
                    "Memory allows a context of {n_ctx} tokens here; {wanted} would be "
                    "usual for this model.",
                ),
            )
