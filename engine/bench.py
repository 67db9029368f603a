"""`main.py bench`: measures a model through the same engine process that the window uses."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from engine.values import (
    Dtype,
    FlashAttention,
    GenerateRequest,
    KvType,
    LoadOptions,
    SamplingParams,
)

if TYPE_CHECKING:
    from engine.errors import ErrorInfo
    from engine.events import Loaded
    from engine.figures import RequestTrace
    from engine.process import EngineProcess

_INTERRUPTED_EXIT_CODE = 130
# Spreads token ids over the vocabulary, the same in every run. A prime repeats none soon.
_TOKEN_STRIDE = 7919
# llama.cpp gives a context at least this many cells.
_LEAST_CTX = 256


class BenchFailedError(Exception):
    """The engine answered with an error."""

    def __init__(self, error: ErrorInfo) -> None:
        """Keep the error."""
        super().__init__(error.technical or error.code.value)
        self.error = error


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "--model", metavar="PATH", help="model file (GGUF), or folder; else the starter model"
    )
    parser.add_argument(
        "--backend", default="llama", help="backend that runs it: llama or torch (llama)"
    )
    parser.add_argument("--prompt-tokens", type=_positive, default=512, metavar="N")
    parser.add_argument("--output-tokens", type=_positive, default=128, metavar="N")
    parser.add_argument("--repeat", type=_positive, default=5, metavar="N", help="counted runs")
    parser.add_argument("--warm-up", type=_not_negative, default=1, metavar="N", help="uncounted")
    parser.add_argument("--json", metavar="FILE", help="write the machine, the build, every stamp")
    parser.add_argument("--threads", type=_positive, metavar="N", help="decode (measured)")
    parser.add_argument("--threads-prefill", type=_positive, metavar="N", help="prefill")
    parser.add_argument("--ctx", type=_positive, metavar="N", help="context size in tokens")
    parser.add_argument("--batch", type=_positive, default=2048, metavar="N")
    parser.add_argument("--ubatch", type=_positive, default=512, metavar="N")
    kv_types, flash_choices = [kind.value for kind in KvType], [way.value for way in FlashAttention]
    parser.add_argument("--kv-type", choices=kv_types, default=KvType.F16.value)
    parser.add_argument(
        "--flash-attention", choices=flash_choices, default=FlashAttention.AUTO.value
    )
    parser.add_argument("--device", metavar="NAME", help="for torch: cpu, cuda, cuda:1, mps, xpu")
    parser.add_argument(
        "--dtype", choices=[dtype.value for dtype in Dtype], help="for torch (the device's best)"
    )
    parser.add_argument("--gpu-layers", type=_not_negative, metavar="N", help="default: all")


def run(arguments: argparse.Namespace, cache_dir: Path | None = None) -> int:
    """Measure and print; returns the exit code. Ctrl+C leaves no process behind.

    Weights that are converted for torch are kept in `cache_dir`.
    """
    import tempfile

    from engine.bench_report import table, write_json
    from engine.counted import counted
    from engine.log import new_log_path
    from engine.model_name import display_name
    from engine.process import EngineProcess

    options = _load_options(arguments, cache_dir)
    with tempfile.TemporaryDirectory(prefix="oscillama-bench-") as folder:
        process = EngineProcess(log_path=new_log_path(Path(folder)))
        try:
            process.start()
            loaded = _load(process, options)
            _tell(f"{display_name(loaded.model)}: {counted(arguments.repeat, 'run')}")
            traces = _measure(process, loaded, arguments)
            rss_bytes = _rss_bytes(process)
        except BenchFailedError as failure:
            _tell(_sentence(failure.error))
            return 1
        except KeyboardInterrupt:
            _tell("interrupted")
            return _INTERRUPTED_EXIT_CODE
        finally:
            process.close()
    sys.stdout.write(table(loaded, traces, rss_bytes))
    if arguments.json:
        try:
            write_json(Path(arguments.json), loaded, options, traces, rss_bytes)
        except OSError as error:
            _tell(f"{arguments.json} was not written: {error.strerror or error}")
            return 1
    return 0


def _load_options(arguments: argparse.Namespace, cache_dir: Path | None) -> LoadOptions:
    named = arguments.model
    return LoadOptions(
        # A model that lies on a disk is called by its place there.
        model_path=str(Path(named).absolute()) if os.path.exists(named) else named,
        backend=arguments.backend,
        n_ctx=arguments.ctx or max(arguments.prompt_tokens + arguments.output_tokens, _LEAST_CTX),
        n_batch=arguments.batch,
        n_ubatch=arguments.ubatch,
        n_threads=arguments.threads,
        n_threads_prefill=arguments.threads_prefill,
        kv_type=KvType(arguments.kv_type),
        flash_attention=FlashAttention(arguments.flash_attention),
        n_gpu_layers=arguments.gpu_layers,
        device=arguments.device,
        dtype=None if arguments.dtype is None else Dtype(arguments.dtype),
        # llama.cpp has nothing to keep but thread counts, and a measurement measures them too.
        cache_dir=str(cache_dir) if cache_dir and arguments.backend == "torch" else None,
    )


def _load(process: EngineProcess, options: LoadOptions) -> Loaded:
    from engine.events import Failed, LoadCommand, Loaded

    process.send(LoadCommand(request_id=1, options=options))
    while True:
        event = process.receive()
        if event is None:
            raise BenchFailedError(process.death())
        if isinstance(event, Failed):
            raise BenchFailedError(event.error)
        if isinstance(event, Loaded):
            return event


def _measure(
    process: EngineProcess, loaded: Loaded, arguments: argparse.Namespace
) -> list[RequestTrace]:
    n_vocab = loaded.model.n_vocab or 1
    prompt = tuple(
        index * _TOKEN_STRIDE % n_vocab for index in range(1, arguments.prompt_tokens + 1)
    )
    traces = []
    for run_index in range(arguments.warm_up + arguments.repeat):
        request = GenerateRequest(
            request_id=2 + run_index,
            t_submit_ns=time.perf_counter_ns(),
            prompt_tokens=prompt,
            sampling=SamplingParams(temperature=0),
            max_tokens=arguments.output_tokens,
            ignore_end=True,
            reuse_cache=False,
        )
        trace = _generate(process, request)
        if run_index >= arguments.warm_up:
            traces.append(trace)
    return traces


def _generate(process: EngineProcess, request: GenerateRequest) -> RequestTrace:
    from engine.events import GenerateCommand
    from engine.figures import RequestTrace

    trace = RequestTrace(request.request_id, request.t_submit_ns)
    process.send(GenerateCommand(request=request))
    while not trace.ended:
        event = process.receive()
        if event is None:
            raise BenchFailedError(process.death())
        if event.request_id == request.request_id:
            trace.add(event)
    if trace.error is not None:
        raise BenchFailedError(trace.error)
    return trace


def _rss_bytes(process: EngineProcess) -> int | None:
    import psutil

    try:
        return int(psutil.Process(process.pid).memory_info().rss)
    except psutil.Error:
        return None


def _sentence(error: ErrorInfo) -> str:
    details = ", ".join(f"{name} {value}" for name, value in error.details if value != "")
    lines = [f"the engine failed: {error.code.value.replace('_', ' ')}"]
    if error.technical:
        lines.append(f"  {error.technical}")
    if details:
        lines.append(f"  {details}")
    if (remedy := _remedy(error)) is not None:
        lines.append(f"  {remedy}")
    return "\n".join(lines)


def _remedy(error: ErrorInfo) -> str | None:
    """The command that helps where a library is not there or does not load."""
    from engine.errors import ErrorCode

    needs_torch = error.detail("backend") == "torch"
    command = "make run TORCH=1" if needs_torch else "make run"
    match error.code:
        case ErrorCode.BACKEND_MISSING if needs_torch or error.detail("backend") == "llama":
            return f"`{command}` installs it"
        case ErrorCode.BACKEND_BROKEN:
            return f"`make clean` and then `{command}` install it afresh"
        case _:
            return None


def _tell(text: str) -> None:
    sys.stderr.write(text + "\n")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not a positive number")
    return value


def _not_negative(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{value} is negative")
    return value
