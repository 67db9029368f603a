"""The sentence for each error of an engine, with `{name}` places for its details."""

from PySide6.QtCore import QCoreApplication

from app.actions import Action
from app.sentences_answers import answer_sentence, too_long_sentence
from app.sentences_files import file_sentence, folder_sentence, split_file_sentence
from app.wording import Sentence
from engine.errors import ErrorCode, ErrorInfo

translate = QCoreApplication.translate


def sentence(error: ErrorInfo) -> Sentence:
    """Title, text and actions for an error; `{name}` stands for a detail of it."""
    match error.code:
        case ErrorCode.ENGINE_DIED:
            return _death_sentence(error)
        case ErrorCode.INVALID_OPTION:
            return _option_sentence(error)
        case ErrorCode.BACKEND_MISSING if error.detail("backend") == "torch":
            return _torch_missing_sentence()
        case ErrorCode.LOAD_FAILED if error.detail("reason") == "split_file":
            return split_file_sentence()
        case ErrorCode.PROMPT_TOO_LONG:
            return too_long_sentence(error)
        case ErrorCode.NOT_ENOUGH_MEMORY:
            return _memory_sentence(error)
        case (
            ErrorCode.FILE_NOT_FOUND
            | ErrorCode.FILE_UNREADABLE
            | ErrorCode.NOT_A_GGUF
            | ErrorCode.FILE_TRUNCATED
            | ErrorCode.UNKNOWN_ARCHITECTURE
            | ErrorCode.NOT_A_CHAT_MODEL
        ):
            return file_sentence(error)
        case (
            ErrorCode.FOLDER_WITHOUT_CONFIG
            | ErrorCode.FOLDER_WITHOUT_WEIGHTS
            | ErrorCode.UNSAFE_WEIGHTS
            | ErrorCode.CONFIG_UNREADABLE
            | ErrorCode.WEIGHTS_MISMATCH
            | ErrorCode.TOKENIZER_UNREADABLE
        ):
            return folder_sentence(error.code)
        case (
            ErrorCode.EMPTY_PROMPT
            | ErrorCode.TEMPLATE_FAILED
            | ErrorCode.DECODE_FAILED
            | ErrorCode.NO_MODEL
            | ErrorCode.BUSY
        ):
            return answer_sentence(error.code)
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
        (Action.INSTALL_TORCH, Action.ENGINE_SETTINGS, Action.OPEN_MODEL),
    )


def _engine_sentence(code: ErrorCode) -> Sentence:
    match code:
        case ErrorCode.LOAD_CANCELLED:
            return (
                translate("Messages", "Loading was stopped"),
                translate("Messages", "No model is loaded. Load it again, or open another one."),
                (Action.RELOAD, Action.OPEN_MODEL),
            )
        case ErrorCode.CONTEXT_FAILED:
            return (
                translate("Messages", "The context could not be created"),
                translate(
                    "Messages",
                    "The engine refused these settings for this model. Choose a smaller context "
                    "or other settings.",
                ),
                (Action.ENGINE_SETTINGS, Action.OPEN_MODEL),
            )
        case ErrorCode.DTYPE_UNSUPPORTED:
            return (
                translate("Messages", "This number format cannot be used"),
                translate(
                    "Messages",
                    "The device “{device}” does not compute in {dtype}. Choose Auto or float32 in "
                    "the engine settings, then load the model again.",
                ),
                (Action.ENGINE_SETTINGS,),
            )
        case ErrorCode.DEVICE_MISSING:
            return (
                translate("Messages", "This device cannot be used"),
                translate(
                    "Messages",
                    "PyTorch has no device “{device}” here ({reason}). Choose Auto or another "
                    "device in the engine settings, then load the model again.",
                ),
                (Action.ENGINE_SETTINGS,),
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
        case ErrorCode.BACKEND_BROKEN:
            return (
                translate("Messages", "PyTorch does not load"),
                translate(
                    "Messages",
                    "It is installed, and cannot be used as it is ({reason}). “make clean” and "
                    "then “make run TORCH=1” in a terminal install everything afresh.",
                ),
                (Action.RELOAD, Action.ENGINE_SETTINGS),
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
                    "The engine refused it; the details have its own words. Try again, or choose "
                    "another model.",
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
                "It found an inner contradiction and gave up; the details have its last words. "
                "Try other settings, or another model.",
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


def _memory_sentence(error: ErrorInfo) -> Sentence:
    sizes_known = None not in (error.detail("need_bytes"), error.detail("have_bytes"))
    device = error.detail("device")
    if device is None:
        remedy = translate(
            "Messages",
            "Choose a smaller context or a smaller KV type, close other programs, or open a "
            "smaller model.",
        )
    elif str(device).lower() == "cpu":
        remedy = translate(
            "Messages",
            "Choose a smaller context or a smaller number format, close other programs, or open "
            "a smaller model.",
        )
    else:
        remedy = translate(
            "Messages",
            "Choose a smaller context, a smaller number format or the CPU, close other programs, "
            "or open a smaller model.",
        )
    match (device is None, sizes_known):
        case (True, True):
            why = translate(
                "Messages",
                "This model with this context needs about {need_bytes}, and {have_bytes} are free.",
            )
        case (True, False):
            why = translate("Messages", "This model with this context needs more than is free.")
        case (False, True):
            why = translate(
                "Messages",
                "This model with this context needs about {need_bytes}, and {have_bytes} are free "
                "on {device}.",
            )
        case _:
            why = translate(
                "Messages", "This model with this context needs more than is free on {device}."
            )
    actions = (Action.ENGINE_SETTINGS, Action.OPEN_MODEL)
    return translate("Messages", "Not enough memory"), f"{why} {remedy}", actions


def _option_name(option: str) -> str:
    """What the engine settings call a field of `LoadOptions`."""
    names = {
        "n_ctx": translate("Messages", "Context size"),
        "n_batch": translate("Messages", "Batch"),
        "n_ubatch": translate("Messages", "Micro-batch"),
        "n_threads": translate("Messages", "Threads, decode"),
        "n_threads_prefill": translate("Messages", "Threads, prefill"),
        "kv_type": translate("Messages", "KV cache type"),
        "flash_attention": translate("Messages", "Flash attention"),
        "n_gpu_layers": translate("Messages", "GPU layers"),
        "device": translate("Messages", "Device"),
        "dtype": translate("Messages", "Number format"),
    }
    return names.get(option, option)


def _chat_option_name(option: str) -> str | None:
    """What the chat settings call a field of `SamplingParams` or `GenerateRequest`."""
    names = {
        "temperature": translate("Messages", "Temperature"),
        "top_k": translate("Messages", "Top-k"),
        "top_p": translate("Messages", "Top-p"),
        "min_p": translate("Messages", "Min-p"),
        "repeat_penalty": translate("Messages", "Repeat penalty"),
        "presence_penalty": translate("Messages", "Presence penalty"),
        "frequency_penalty": translate("Messages", "Frequency penalty"),
        "penalty_last_n": translate("Messages", "Penalty window"),
        "seed": translate("Messages", "Seed"),
        "max_tokens": translate("Messages", "Maximum length"),
    }
    return names.get(option)


def _option_sentence(error: ErrorInfo) -> Sentence:
    bounds = (error.detail("minimum") is not None, error.detail("maximum") is not None)
    match bounds:
        case _ if error.detail("reason") == "needs_flash_attention":
            why = translate("Messages", "a quantized KV cache needs flash attention.")
        case _ if error.detail("reason") == "not_for_torch":
            why = translate("Messages", "only llama.cpp has this setting.")
        case (True, True):
            why = translate("Messages", "it must lie between {minimum} and {maximum}.")
        case (True, False):
            why = translate("Messages", "it must be at least {minimum}.")
        case (False, True):
            why = translate("Messages", "it may be at most {maximum}.")
        case _:
            why = translate("Messages", "that does not go with this model and the other settings.")
    option = str(error.detail("option"))
    chat_name = _chat_option_name(option)
    what = translate("Messages", "“{option}” is {value}:").replace(
        "{option}", chat_name or _option_name(option)
    )
    if chat_name is not None:
        remedy = translate("Messages", "Change it in the chat settings, then try again.")
        actions: tuple[Action, ...] = (Action.CHAT_SETTINGS, Action.RETRY)
    else:
        remedy = translate(
            "Messages", "Change it in the engine settings, then load the model again."
        )
        actions = (Action.ENGINE_SETTINGS,)
    title = translate("Messages", "This setting cannot be used")
    return title, f"{what} {why} {remedy}", actions
