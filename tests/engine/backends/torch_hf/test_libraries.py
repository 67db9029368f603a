"""Libraries that are not installed, and such as are and do not load."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from engine.backends.torch_hf.libraries import INSTALLED, not_imported
from engine.errors import ErrorCode
from tests.engine.backends.torch_hf.tiny_files import refusal, save_gguf

ROOT = Path(__file__).parents[4]
TIMEOUT_S = 120
# Prints the error of an import in a process of its own, after `before` was run there.
SCRIPT = """
import json, sys
{before}
from engine.backends.torch_hf.libraries import import_libraries
from engine.errors import EngineError
try:
    import_libraries(lambda _stage, _fraction: True)
except EngineError as error:
    print(json.dumps([error.info.code, dict(error.info.details)]))
"""


# Makes a package be as if it were not installed.
WITHOUT = """
class Without:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Without())
"""


def failed_import(before: str) -> tuple[ErrorCode, dict[str, str]]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(before=before)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    code, details = json.loads(done.stdout)
    return ErrorCode(code), details


@pytest.mark.parametrize("name", ["torch", "safetensors", "transformers", "tokenizers"])
def test_what_is_not_installed_is_missing(name: str) -> None:
    code, details = failed_import(WITHOUT.format(name=name))
    assert code is ErrorCode.BACKEND_MISSING
    assert details["backend"] == "torch"
    assert details["reason"]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise OSError('libcudart.so.13: cannot open shared object file')", "libcudart.so.13"),
        ("import torch._C", "torch._C"),
        ("raise ImportError('numpy is too new')", "numpy is too new"),
        ("import antigravity_9", "antigravity_9"),
        ("None | None", "unsupported operand"),
    ],
)
def test_what_is_installed_and_does_not_load_is_broken(
    tmp_path: Path, source: str, reason: str
) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text(source)
    code, details = failed_import(f"sys.path.insert(0, {str(tmp_path)!r})")
    assert code is ErrorCode.BACKEND_BROKEN
    assert details["backend"] == "torch"
    assert reason in details["reason"]


def test_a_cause_within_another_error_counts() -> None:
    cause = ModuleNotFoundError("No module named 'huggingface_hub'", name="huggingface_hub")
    error = ModuleNotFoundError("Could not import module 'AutoTokenizer'.")
    error.__cause__ = cause
    assert not_imported(error).info.code is ErrorCode.BACKEND_MISSING


def test_all_that_is_installed_with_torch_is_known() -> None:
    lines = (ROOT / "requirements-torch.lock").read_text(encoding="utf-8").splitlines()
    names = {line.partition("==")[0] for line in lines if "==" in line}
    assert "torch" in names
    by_import = packages_distributions()
    known = {
        re.sub(r"[-_.]+", "-", distribution).lower()
        for name in INSTALLED
        for distribution in by_import.get(name, ())
    }
    assert names - known == set()


@pytest.mark.parametrize("name", ["gguf", "accelerate"])
def test_a_conversion_without_its_libraries_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = save_gguf(tmp_path / "model.gguf")
    monkeypatch.setitem(sys.modules, name, None)
    info = refusal(path)
    assert info.code is ErrorCode.BACKEND_MISSING
    assert info.detail("backend") == "torch"
    assert name in str(info.detail("reason"))
