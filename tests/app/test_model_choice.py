"""Which engine runs what is opened, and with which choices."""

from pathlib import Path

import pytest

import main
from app.model_choice import for_engine, options_for
from app.paths import app_paths
from engine.values import Dtype, KvType, LoadOptions

ON_LLAMA = LoadOptions(
    model_path="/m/a.gguf", n_ctx=512, kv_type=KvType.Q8_0, n_threads=3, cache_dir="cache"
)
ON_TORCH = LoadOptions(
    model_path="/m/x", backend="torch", device="cuda:1", dtype=Dtype.FLOAT16, n_ctx=2048
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "Qwen2.5-0.5B"
    made.mkdir()
    (made / "model.safetensors").touch()
    return made


@pytest.mark.parametrize("previous", [ON_LLAMA, ON_TORCH])
def test_a_gguf_file_stays_with_the_engine_and_its_choices(previous: LoadOptions) -> None:
    opened = options_for("/m/b.gguf", previous)

    assert opened.model_path == "/m/b.gguf"
    assert options_for(previous.model_path, opened) == previous


@pytest.mark.parametrize("name", ["", "model.safetensors"])
def test_a_folder_goes_to_torch_also_by_a_file_of_its_weights(folder: Path, name: str) -> None:
    opened = options_for(str(folder / name), ON_LLAMA)

    assert opened == LoadOptions(
        model_path=str(folder), backend="torch", n_ctx=512, cache_dir="cache"
    )


def test_an_engine_that_was_asked_before_gets_its_own_choices_again(folder: Path) -> None:
    opened = options_for(str(folder), ON_LLAMA, {"torch": ON_TORCH, "llama": ON_LLAMA})

    assert (opened.device, opened.dtype, opened.n_ctx) == ("cuda:1", Dtype.FLOAT16, 2048)
    assert (opened.model_path, opened.cache_dir) == (str(folder), "cache")


def test_there_and_back_loses_nothing() -> None:
    kept = {"llama": ON_LLAMA}
    there = for_engine("torch", ON_LLAMA, kept)

    assert there.kv_type is KvType.F16
    assert for_engine("llama", there, kept) == ON_LLAMA


def test_a_folder_given_on_the_command_line_is_run_by_torch(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    arguments = main.parse_arguments(["--model", folder.name])
    options = main.first_load(arguments.model, app_paths())

    assert options is not None
    assert (options.backend, options.model_path) == ("torch", str(folder))
    assert options.cache_dir is not None


def test_what_is_not_there_stays_with_the_engine() -> None:
    assert options_for("/nowhere/at all", ON_LLAMA).backend == "llama"
