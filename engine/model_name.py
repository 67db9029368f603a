"""What a model is called on screen."""

import re
from pathlib import Path

from engine.values import ModelInfo


def display_name(model: ModelInfo) -> str:
    """The name of the file or folder, which is what people choose by, without its quantization.

    What a file says of itself (`ModelInfo.name`) is often the name of a training run; it is all
    that a model has which lies on no disk.
    """
    stem = path_name(model.path) if Path(model.path).is_absolute() else model.name
    if model.quantization is None:
        return stem
    return re.sub(rf"[-_.]{re.escape(model.quantization)}$", "", stem, flags=re.IGNORECASE)


def path_name(path: str) -> str:
    """What is at a path in a word or two: the name of a file without ".gguf", or of a folder.

    In the cache of huggingface_hub the folder of a model is ".../models--OWNER--NAME/snapshots/
    COMMIT", where only NAME says anything.
    """
    parts = Path(path)
    repository = parts.parent.parent.name
    if parts.parent.name == "snapshots" and repository.startswith("models--"):
        return repository.rpartition("--")[2]
    return parts.stem if path.endswith(".gguf") else parts.name
