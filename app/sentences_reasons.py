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
        case "layers_left_over":
            return translate("Messages", "the weights have more layers than config.json: {names}")
        case "config_too_large":
            return translate(
                "Messages",
                "the model of config.json has {n_expected} numbers, the weights have {n_found}",
            )
        case "file_too_large":
            return translate("Messages", "it is too large")
        case "no_weight_map":
            return translate("Messages", "it does not say in which file a tensor is")
        case "no_json_object":
            return translate("Messages", "it is not a JSON object")
        case "weights_too_large":
            return translate("Messages", "they are larger than all that is kept may be")
        case "disk_too_full":
            return translate("Messages", "the disk has no room for them")
        case _:
            return None
