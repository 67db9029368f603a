"""What the engine's own reasons say inside a sentence, in parentheses."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def reason_words(reason: str) -> str | None:
    """The words for a reason code, with `{name}` places; None for what a library says."""
    match reason:
        case "no_such_device":
            return translate("Messages", "it finds none of this name")
        case "gpu_not_seen":
            return translate("Messages", "PyTorch does not see it")
        case "built_without_cuda":
            return translate("Messages", "the installed PyTorch was built without CUDA")
        case "no_tokenizer_file":
            return translate("Messages", "there is no tokenizer.json")
        case "makes_no_tokens":
            return translate("Messages", "it makes no tokens of a text")
        case "too_few_tensors":
            return translate(
                "Messages", "there are fewer tensors than layers: {n_tensors} and {n_layers}"
            )
        case "tensors_missing":
            return translate("Messages", "tensors are missing: {names}")
        case "tensors_of_another_shape":
            return translate("Messages", "tensors have another shape: {names}")
        case "disk_too_full":
            return translate("Messages", "the disk has no room for them")
        case _:
            return None
