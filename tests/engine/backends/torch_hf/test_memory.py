"""Memory: what happens when it runs out in an answer, and that it is given back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import torch
from transformers import LlamaConfig

from app import messages
from engine.errors import EngineError, ErrorCode
from tests.engine.backends.torch_hf.conftest import GREEDY, answer
from tests.engine.backends.torch_hf.tiny_files import SHAPE, save_folder

if TYPE_CHECKING:
    from engine.backends.torch_hf.backend import TorchBackend
    from tests.engine.backends.torch_hf.conftest import Loader

ROOT = Path(__file__).parents[4]
MIB = 1 << 20
PROMPT = [(index * 37 + 11) % 256 for index in range(50)]
linux = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")

_HEAD = """
import json, resource, sys
from pathlib import Path
from engine.backends.torch_hf.backend import TorchBackend
from engine.backends.torch_hf.libraries import import_libraries
from engine.errors import EngineError
from engine.values import Dtype, LoadOptions, SamplingParams

class Log:
    def write(self, text): pass
    def tail(self, max_lines=40): return ""

def status_bytes(name):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024

def go_on(*_): return True

def answer(prompt, reuse_cache=True):
    done = backend.begin(prompt, SamplingParams(temperature=0), reuse_cache=reuse_cache)
    backend.prefill(prompt[done:], go_on)
    return [backend.step(lambda: True)[0] for _ in range(4)]

import_libraries(go_on)
backend = TorchBackend(Log())
options = LoadOptions(model_path=sys.argv[1], backend="torch", device="cpu", dtype=Dtype.FLOAT32,
                      n_ctx=8192, n_batch=8192, n_ubatch=8192, n_threads=1, n_threads_prefill=1)
"""

_RUNS_OUT = """
backend.load(options, go_on)
first = list(range(200))
right = answer(first, reuse_cache=False)
held = backend.kv_tokens()
limit = status_bytes("VmSize") + (150 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
long = first + [index % 250 for index in range(6000)]
backend.begin(long, SamplingParams(temperature=0), reuse_cache=True)
try:
    backend.prefill(long[backend.kv_tokens():], go_on)
    code, details = None, {}
except EngineError as error:
    code, details = error.info.code, dict(error.info.details)
left = backend.kv_tokens()
again = answer(first)
backend.close()
print(json.dumps([code, details, held, left, right, again]))
"""

_GIVES_BACK = """
before = status_bytes("VmRSS")
backend.load(options, go_on)
answer(list(range(250)))
loaded = status_bytes("VmRSS")
weights = backend.memory().weights_bytes
backend.close()
print(json.dumps([before, loaded, weights, status_bytes("VmRSS")]))
"""


def run(script: str, folder: Path) -> Any:  # noqa: ANN401
    done = subprocess.run(
        [sys.executable, "-c", _HEAD + script, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@linux
@pytest.mark.slow
def test_a_prompt_that_takes_more_memory_than_there_is(tmp_path: Path) -> None:
    # Of 6,000 tokens one layer computes 400 MB.
    config = LlamaConfig(**{**SHAPE, "intermediate_size": 16_384, "max_position_embeddings": 8192})
    code, details, held, left, right, again = run(_RUNS_OUT, save_folder(tmp_path, config))
    assert code == ErrorCode.NOT_ENOUGH_MEMORY
    assert details["device"] == "CPU"
    # The first answer is still in the cache, and the next request finds it.
    assert held == 203
    assert left == 200
    assert again == right


@linux
@pytest.mark.slow
def test_what_a_model_took_is_given_back(tmp_path: Path) -> None:
    config = LlamaConfig(
        **{**SHAPE, "hidden_size": 1024, "intermediate_size": 8192, "num_hidden_layers": 2}
    )
    before, loaded, weights, after = run(_GIVES_BACK, save_folder(tmp_path, config))
    assert weights > 200 * MIB
    assert loaded - before > 0.9 * weights
    assert after - before < 100 * MIB


def fail_after_layer(backend: TorchBackend, error: Exception) -> Any:  # noqa: ANN401
    """Raises once the second layer has written its keys and values."""

    def fail(*_arguments: Any) -> None:  # noqa: ANN401
        handle.remove()
        raise error

    handle = backend._ready().model.module.model.layers[1].register_forward_hook(fail)
    return handle


def test_memory_that_runs_out_between_layers_leaves_the_cache_as_it_was(
    tiny_folder: Path, open_tiny: Loader
) -> None:
    backend, _ = open_tiny(tiny_folder)
    right = answer(backend, PROMPT, 5)
    answer(backend, PROMPT[:20], 1)
    assert backend.kv_tokens() == 20
    fail_after_layer(
        backend, torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 9000.00 GiB.")
    )
    assert backend.begin(PROMPT, GREEDY, reuse_cache=True) == 20
    with pytest.raises(EngineError) as raised:
        backend.prefill(PROMPT[20:], lambda _n: True)
    info = raised.value.info
    assert info.code is ErrorCode.NOT_ENOUGH_MEMORY
    assert info.detail("device") == "CPU"
    assert info.detail("need_bytes") == 9000 << 30
    assert "8.8 TiB" in messages.of_error(info).text
    assert backend.kv_tokens() == 20
    assert answer(backend, PROMPT, 5) == right


def test_memory_that_runs_out_in_a_step_leaves_the_cache_as_it_was(
    tiny_folder: Path, open_tiny: Loader
) -> None:
    backend, _ = open_tiny(tiny_folder)
    right = answer(backend, PROMPT, 5)
    tokens = answer(backend, PROMPT, 2, reuse_cache=False)
    fail_after_layer(backend, MemoryError())
    with pytest.raises(EngineError) as raised:
        backend.step(lambda: True)
    assert raised.value.info.details == (("device", "CPU"),)
    assert "more than is free on CPU" in messages.of_error(raised.value.info).text
    assert backend.kv_tokens() == len(PROMPT) + 1
    # The same step can be tried again.
    tokens += [*backend.step(lambda: True), *backend.step(lambda: True)]
    assert tokens == right[:4]


def test_a_load_that_runs_out_of_memory_says_so(tiny_folder: Path, open_tiny: Loader) -> None:
    def fail(*_arguments: Any, **_named: Any) -> Any:  # noqa: ANN401
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 MiB.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.nn.Module, "to", fail)
        with pytest.raises(EngineError) as raised:
            open_tiny(tiny_folder)
    assert raised.value.info.code is ErrorCode.NOT_ENOUGH_MEMORY
    # So little is free that the number would only puzzle.
    assert raised.value.info.details == (("device", "CPU"),)
