"""The stages of a load, and what each of them hands to the next."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.backend import LoadCallback, LoadedModel
from engine.backends.llama import gpu, memory_need, native
from engine.backends.llama import options as llama_options
from engine.backends.llama.context import DECODED, Context
from engine.backends.llama.flash import resolve as resolve_flash
from engine.backends.llama.kv_layout import build_layout, layer_bytes
from engine.backends.llama.log_tap import LogTap
from engine.backends.llama.model import ModelFile, check_file
from engine.backends.llama.native import build_text, import_llama
from engine.backends.llama.report import LoadReport, parse
from engine.backends.llama.vocab import Vocab
from engine.backends.llama.watch import UbatchProgress, Watch
from engine.context_size import context_notices
from engine.errors import EngineError, ErrorCode
from engine.events import LoadStage
from engine.gguf import GgufHeader
from engine.log import EngineLog
from engine.machine import cpu_name, usable_cores
from engine.threads import (
    ThreadCache,
    ThreadChoice,
    ThreadKey,
    chosen_threads,
    prefill_threads,
)
from engine.values import (
    EngineInfo,
    FlashAttention,
    LoadOptions,
    MemoryUse,
    Notice,
)

# How buffers that are a mapped file are called.
_MAPPED = "_Mapped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a finished load hands over. The exit stack of the load owns all of it."""

    llama: Any
    context: Context
    vocab: Vocab
    watch: Watch
    progress: UbatchProgress
    loaded: LoadedModel


class Loading:
    """One load. What it opens is closed by `stack`, in reverse order.

    Attributes:
        predicted: What it is expected to allocate: by the header, then as the model was read.
    """

    def __init__(
        self, options: LoadOptions, on_progress: LoadCallback, log: EngineLog, stack: ExitStack
    ) -> None:
        """Prepare; nothing is opened yet."""
        self._options = options
        self._on_progress = on_progress
        self._log = log
        self._stack = stack
        self._notices: list[Notice] = []
        self.predicted: MemoryUse | None = None

    def run(self) -> Parts:
        """Go through every stage.

        Raises:
            EngineError: See `LlamaBackend.load`.
        """
        options = self._options
        llama_options.check(options)
        path = Path(options.model_path)
        headers = check_file(path)
        header, weights_bytes = headers[0], sum(part.tensor_bytes for part in headers)
        self._report(LoadStage.READ, None)
        llama = import_llama()
        tap = LogTap(llama, self._log)
        self._stack.callback(tap.close)
        tap.start_capture()
        llama.llama_backend_init()
        offload = gpu.choose(llama, options, header, weights_bytes)
        weights = memory_need.place_weights(headers, offload.n_layers)
        memory_need.check_weights(weights.host_bytes)
        self._notices.extend(offload.notices)
        build = build_text(llama)
        self.predicted = memory_need.predict(
            options,
            header,
            weights,
            n_gpu_layers=offload.n_layers,
            resolve_flash=lambda n_ctx: self._flash(build, header, n_ctx, offload.n_layers),
        )
        model = ModelFile(llama, path, offload.n_layers, self._on_progress, tap, self._log)
        self._stack.callback(model.close)
        self._report(LoadStage.CONTEXT, None)
        context, report, flash = self._open_context(llama, model, header, weights, tap, build)
        n_gpu_layers = report.n_offloaded
        watch = Watch(llama, context.handle)
        vocab = Vocab(llama, model.handle)
        progress = self._warm_up(context, watch, vocab.bos_token() or 0)
        key = ThreadKey(
            cpu=cpu_name(),
            physical=usable_cores().physical,
            logical=usable_cores().logical,
            library=build,
            architecture=header.architecture or "",
            model_bytes=weights_bytes,
            quantization=header.quantization or "",
            kv_type=options.kv_type.value,
            flash_attention=flash,
            n_gpu_layers=n_gpu_layers,
        )
        threads = self._choose_threads(context, key)
        context.set_threads(threads.decode, threads.prefill)
        context.reset_timings()
        tap.stop_capture()
        info = model.info(headers)
        layout = build_layout(
            report,
            n_ctx=context.n_ctx,
            kv_type=options.kv_type.value,
            has_v=_has_v(header),
            kv_heads=memory_need.kv_heads(header),
            state_bytes=memory_need.state_bytes(header),
        )
        loaded = LoadedModel(
            model=info,
            engine=EngineInfo(
                backend="llama",
                build=key.library,
                device=offload.device if n_gpu_layers else "CPU",
                n_ctx=context.n_ctx,
                n_batch=context.n_batch,
                n_ubatch=context.n_ubatch,
                n_threads=threads.decode,
                n_threads_prefill=threads.prefill,
                kv_type=options.kv_type.value,
                flash_attention=flash,
                n_gpu_layers=n_gpu_layers,
                notices=tuple(self._notices),
            ),
            kv=layout,
            memory=_memory(report, layout.reserved_bytes),
            bos_text=vocab.bos_text(),
            eos_text=vocab.eos_text(),
            prefill_is_interruptible=n_gpu_layers == 0,
        )
        return Parts(
            llama=llama,
            context=context,
            vocab=vocab,
            watch=watch,
            progress=progress,
            loaded=loaded,
        )

    def _open_context(
        self,
        llama: Any,  # noqa: ANN401
        model: ModelFile,
        header: GgufHeader,
        weights: memory_need.WeightsPlace,
        tap: LogTap,
        build: str,
    ) -> tuple[Context, LoadReport, bool]:
        options = self._options
        before = parse(tap.captured())
        trained = int(llama.llama_model_n_ctx_train(model.handle))
        choice = memory_need.choose_context(
            options,
            header,
            layer_bytes(before, options.kv_type.value, has_v=_has_v(header)),
            _placement(llama, before, weights.all_bytes),
            n_ctx_train=trained,
            sliding_window=before.sliding_window,
            resolve_flash=lambda n_ctx: self._flash(build, header, n_ctx, before.n_offloaded),
        )
        self.predicted = memory_need.placed(
            weights, choice.kv_bytes, choice.scratch_bytes, gpu_ratio=before.gpu_ratio
        )
        self._notices += context_notices(choice.n_ctx, wanted=choice.wanted, n_ctx_train=trained)
        cores = usable_cores()
        context = Context(
            llama,
            model.handle,
            replace(options, flash_attention=choice.flash),
            n_ctx=choice.n_ctx,
            # The warm-up reads memory and needs no more; every core, on a machine that has other
            # work, takes a hundred times as long, since threads spin for one that is not running.
            n_threads=options.n_threads or max(cores.physical // 2, 1),
            n_threads_prefill=options.n_threads_prefill or prefill_threads(cores),
            log=self._log,
        )
        self._stack.callback(context.close)
        report = parse(tap.captured())
        is_on = choice.flash is not FlashAttention.OFF and not report.flash_attention_refused
        return context, report, is_on

    def _flash(
        self, build: str, header: GgufHeader, n_ctx: int, n_gpu_layers: int
    ) -> FlashAttention:
        return resolve_flash(
            self._options,
            build,
            n_heads=memory_need.most_heads(header),
            n_ctx=n_ctx,
            n_gpu_layers=n_gpu_layers,
        )

    def _warm_up(self, context: Context, watch: Watch, token: int) -> UbatchProgress:
        """Decode once, which maps the weights in, and count callbacks."""
        self._report(LoadStage.WARM_UP, None)
        self._decode(context, watch, token, LoadStage.WARM_UP)
        context.clear()
        return UbatchProgress(context.n_ubatch, watch.count)

    def _choose_threads(self, context: Context, key: ThreadKey) -> ThreadChoice:
        options, cores = self._options, usable_cores()
        prefill = options.n_threads_prefill or prefill_threads(cores)

        def step(count: int) -> bool:
            context.set_threads(count, prefill)
            if not self._on_progress(LoadStage.MEASURE_THREADS, None):
                return False
            result = context.decode_one(0)
            # A GPU is still at work when the call returns.
            context.synchronize()
            return result == DECODED

        folder = options.cache_dir
        cache = ThreadCache(Path(folder)) if folder is not None else None
        choice = chosen_threads(options, cache, key, cores, step, self._log)
        context.clear()
        return choice

    def _decode(self, context: Context, watch: Watch, token: int, stage: LoadStage) -> None:
        watch.start(lambda _count: self._on_progress(stage, None))
        try:
            result = context.decode_one(token)
            context.synchronize()
        finally:
            watch.stop()
        watch.check()
        if watch.stopped:
            raise EngineError(ErrorCode.LOAD_CANCELLED, f"cancelled in {stage}")
        if result != DECODED:
            raise EngineError(
                ErrorCode.DECODE_FAILED,
                f"the first decode returned {result}",
                log_tail=self._log.tail(),
            )

    def _report(self, stage: LoadStage, fraction: float | None) -> None:
        if not self._on_progress(stage, fraction):
            raise EngineError(ErrorCode.LOAD_CANCELLED, f"cancelled before {stage}")


def _has_v(header: GgufHeader) -> bool:
    return not header.integer("attention.kv_lora_rank")


def _placement(
    llama: Any,  # noqa: ANN401
    report: LoadReport,
    weights_bytes: int,
) -> memory_need.Placement:
    taken = sum(n for name, n in report.model_buffers if not name.endswith(_MAPPED))
    gpus = native.gpus(llama) if report.gpu_ratio else []
    return memory_need.Placement(
        host_weights_bytes=max(weights_bytes - round(taken), 0),
        gpu_ratio=report.gpu_ratio,
        gpu_free_bytes=sum(device.free_bytes for device in gpus),
    )


def _memory(report: LoadReport, kv_bytes: int) -> MemoryUse:
    on_gpu = any(not _is_host(name) for name, _ in report.kv_buffers)
    host_kv = sum(n for name, n in report.kv_buffers if _is_host(name))
    return MemoryUse(
        weights_bytes=round(sum(n for _, n in report.model_buffers)) or None,
        kv_bytes=kv_bytes,
        compute_bytes=round(sum(n for _, n in report.scratch_buffers)) or None,
        on_gpu=on_gpu,
        mapped_bytes=round(sum(n for name, n in report.model_buffers if name.endswith(_MAPPED))),
        host_weights_bytes=round(sum(n for name, n in report.model_buffers if _is_host(name))),
        host_kv_bytes=round(host_kv) if on_gpu else kv_bytes,
        host_compute_bytes=round(sum(n for name, n in report.scratch_buffers if _is_host(name))),
    )


def _is_host(buffer: str) -> bool:
    """Whether a buffer of that name is in the machine's memory: `CPU_Mapped`, `CUDA_Host`."""
    return buffer.startswith("CPU") or buffer.endswith("_Host")
