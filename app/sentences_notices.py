"""Sentences for notices: what to know about a load that succeeded."""

from PySide6.QtCore import QCoreApplication

from engine.values import Notice, NoticeCode

translate = QCoreApplication.translate


def notice_sentence(notice: Notice) -> tuple[str, str]:
    """Title and text for a notice; `{name}` stands for a detail of it."""
    match notice.code:
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
                    "The template that comes with the model failed, so the conversation is given "
                    "as plain text. Answers may be odd.",
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
        case NoticeCode.GPU_NOT_IN_TORCH:
            return (
                translate("Messages", "The GPU is not used"),
                translate(
                    "Messages",
                    "There is a GPU ({gpu}), but the installed PyTorch was built without support "
                    "for it. The README says how to install one that has it.",
                ),
            )
        case NoticeCode.GPU_NOT_READY:
            return (
                translate("Messages", "The GPU is not used"),
                translate(
                    "Messages",
                    "PyTorch could not use the GPU {gpu} ({reason}). Often its driver is too old: "
                    "update it, then load the model again.",
                ),
            )
        case NoticeCode.GPU_TOO_SMALL:
            return (
                translate("Messages", "The GPU is not used"),
                translate(
                    "Messages",
                    "The model needs about {need_bytes} to be computed, and {have_bytes} are free "
                    "on the GPU ({gpu}), so the CPU computes. A smaller number format or a "
                    "smaller model may fit.",
                ),
            )
        case NoticeCode.COMPILE_FAILED:
            return (
                translate("Messages", "Answers are slower than they could be"),
                translate(
                    "Messages",
                    "The decode step could not be compiled for this device ({reason}). It runs "
                    "without, and gives the same answers. Newer versions of PyTorch and of the "
                    "driver may help.",
                ),
            )
        case NoticeCode.WEIGHTS_NOT_KEPT if ("reason", "weights_too_large") in notice.details:
            return (
                translate("Messages", "The next load takes as long again"),
                translate(
                    "Messages",
                    "The converted weights are larger than all that is kept on the disk may be. A "
                    "smaller number format may fit, and a folder of safetensors is not converted.",
                ),
            )
        case NoticeCode.WEIGHTS_NOT_KEPT:
            return (
                translate("Messages", "The next load takes as long again"),
                translate(
                    "Messages",
                    "The converted weights could not be kept ({reason}). Free disk space, then "
                    "load the model again.",
                ),
            )
        case NoticeCode.CACHE_NOT_REUSABLE:
            return (
                translate("Messages", "Changes are read from the beginning"),
                translate(
                    "Messages",
                    "This model goes on from where it is but cannot go back. After a step back in "
                    "the conversation, or a stop while a prompt is read, the conversation is read "
                    "again from its beginning, which takes longer.",
                ),
            )
