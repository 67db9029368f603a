"""What a model is called on screen."""

import re
from pathlib import Path

from engine.values import ModelInfo


def display_name(model: ModelInfo) -> str:
    """The name of the file, which is what people choose by, without its quantization.

    What a file says of itself (`ModelInfo.name`) is often the name of a training run.
    """
    stem = Path(model.path).stem if model.path.endswith(".gguf") else model.name
    if model.quantization is None:
        return stem
    return re.sub(rf"[-_.]{re.escape(model.quantization)}$", "", stem, flags=re.IGNORECASE)
