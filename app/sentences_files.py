"""Sentences for model files and folders that cannot be opened."""

from PySide6.QtCore import QCoreApplication

from app.actions import Action
from app.wording import Sentence
from engine.errors import ErrorCode, ErrorInfo

translate = QCoreApplication.translate


def file_sentence(error: ErrorInfo) -> Sentence:
    """Title, text and actions for a path that is no model which the engine runs."""
    match error.code:
        case ErrorCode.FILE_NOT_FOUND:
            return (
                translate("Messages", "The model is not there"),
                translate(
                    "Messages",
                    "Nothing was found at {path}. It may have been moved, or its disk is not "
                    "connected. Choose it again.",
                ),
                (Action.OPEN_MODEL,),
            )
        case ErrorCode.FILE_UNREADABLE:
            return (
                translate("Messages", "The model cannot be read"),
                translate(
                    "Messages",
                    "{path} is not a file or folder that can be read. Check what it is, and its "
                    "permissions, then try again.",
                ),
                (Action.RELOAD, Action.OPEN_MODEL),
            )
        case ErrorCode.NOT_A_GGUF:
            return (
                translate("Messages", "This is not a model file"),
                translate(
                    "Messages",
                    "{path} is not in the GGUF format. Choose a file whose name ends in .gguf, or "
                    "a folder of safetensors; if this one should be right, download it again.",
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
            return _architecture_sentence(error)
        case _:
            return (
                translate("Messages", "This is not a chat model"),
                translate(
                    "Messages",
                    "It holds a part or a kind of model (“{architecture}”) that cannot answer on "
                    "its own. Choose the language model itself.",
                ),
                (Action.OPEN_MODEL,),
            )


def _architecture_sentence(error: ErrorInfo) -> Sentence:
    title = translate("Messages", "This kind of model is not known here")
    if error.detail("backend") != "torch":
        text = translate(
            "Messages",
            "The file is for the architecture “{architecture}”, which this version of "
            "llama.cpp cannot run. Choose another model, or update Oscillama.",
        )
        return title, text, (Action.OPEN_MODEL,)
    text = translate(
        "Messages",
        "The model is of the architecture “{architecture}”, which the installed transformers "
        "library cannot run with PyTorch; code that comes with a model is never run. Choose "
        "another model or, for a GGUF file, llama.cpp in the engine settings.",
    )
    return title, text, (Action.OPEN_MODEL, Action.ENGINE_SETTINGS)


def split_file_sentence() -> Sentence:
    """Title, text and actions for a GGUF model that PyTorch would need in one file."""
    return (
        translate("Messages", "The model could not be loaded"),
        translate(
            "Messages",
            "PyTorch reads a GGUF model from one file, and this one is split over several. Merge "
            "them with “llama-gguf-split --merge”, or choose llama.cpp in the engine settings.",
        ),
        (Action.ENGINE_SETTINGS, Action.OPEN_MODEL),
    )


def folder_sentence(code: ErrorCode) -> Sentence:
    """Title, text and actions for a folder of safetensors that is not what it should be."""
    match code:
        case ErrorCode.FOLDER_WITHOUT_CONFIG:
            return (
                translate("Messages", "This folder is not a model"),
                translate(
                    "Messages",
                    "{path} has no config.json, which says how a model is built. Choose the "
                    "folder that has one beside the weights, or download the model again.",
                ),
                (Action.OPEN_MODEL,),
            )
        case ErrorCode.FOLDER_WITHOUT_WEIGHTS:
            return (
                translate("Messages", "The weights are missing"),
                translate(
                    "Messages",
                    "{path} describes a model but does not hold its weights (.safetensors). "
                    "Download the whole model, or choose the folder that has them.",
                ),
                (Action.OPEN_MODEL, Action.RELOAD),
            )
        case ErrorCode.UNSAFE_WEIGHTS:
            return (
                translate("Messages", "These weights are not safe to open"),
                translate(
                    "Messages",
                    "{path} has its weights only in a format that can run code when it is opened "
                    "({file}), so they were left closed. Get this model as safetensors or GGUF.",
                ),
                (Action.OPEN_MODEL,),
            )
        case ErrorCode.CONFIG_UNREADABLE:
            return (
                translate("Messages", "The model's configuration cannot be read"),
                translate(
                    "Messages",
                    "{file} in {path} is damaged or not what it should be ({reason}). Download "
                    "the model again, or choose another one.",
                ),
                (Action.OPEN_MODEL, Action.RELOAD),
            )
        case ErrorCode.WEIGHTS_MISMATCH:
            return (
                translate("Messages", "The weights do not fit the configuration"),
                translate(
                    "Messages",
                    "The files in {path} contradict each other ({reason}). They may be of two "
                    "versions of the model, or a download was cut off: download it whole again.",
                ),
                (Action.OPEN_MODEL, Action.RELOAD),
            )
        case _:
            return (
                translate("Messages", "The tokenizer cannot be read"),
                translate(
                    "Messages",
                    "What turns text into tokens is missing or damaged in {path} ({reason}). "
                    "Download the model again with its tokenizer, or choose another one.",
                ),
                (Action.OPEN_MODEL, Action.RELOAD),
            )
