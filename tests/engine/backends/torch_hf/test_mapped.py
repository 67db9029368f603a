"""Weights that stay in their file are told from those in memory of their own."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch
from safetensors.torch import load_file, save_file

from engine.backends.torch_hf.mapped import mapped_bytes
from engine.values import Dtype

if TYPE_CHECKING:
    from tests.engine.backends.torch_hf.conftest import Loader


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which memory is a file")
def test_weights_computed_in_as_they_are_stored_stay_in_their_file(
    tiny_folder: Path, tmp_path: Path, open_tiny: Loader
) -> None:
    _, stored = open_tiny(tiny_folder, dtype=Dtype.FLOAT32)
    weights = stored.memory.weights_bytes
    assert weights is not None
    # Buffers, such as the frequencies of positions, are in no file.
    assert 0.9 * weights < stored.memory.mapped_bytes <= weights
    half = Path(shutil.copytree(tiny_folder, tmp_path / "half"))
    for file in half.glob("*.safetensors"):
        tensors = {name: tensor.bfloat16() for name, tensor in load_file(file).items()}
        save_file(tensors, file, metadata={"format": "pt"})
    backend, converted = open_tiny(half, dtype=Dtype.FLOAT32)
    assert converted.memory.mapped_bytes == 0
    assert backend.memory() == converted.memory


def test_a_system_that_does_not_tell_has_none(tmp_path: Path) -> None:
    tensor = torch.zeros(4)
    assert mapped_bytes([tensor], tmp_path / "maps") == 0
    maps = tmp_path / "some"
    begin = tensor.data_ptr() - 64
    maps.write_text(f"{begin:x}-{begin + 4096:x} r--p 0 08:01 7 /models/a b.safetensors\n")
    assert mapped_bytes([tensor, torch.zeros(1 << 20)], maps) == 16
    maps.write_text(f"{begin:x}-{begin + 4096:x} r--p 0 08:01 7 /lib/other.so\n")
    assert mapped_bytes([tensor], maps) == 0
