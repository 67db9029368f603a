"""The stages of a load, and what each of them hands to the next."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import transformers

from engine.backend import LoadedModel
from engine.backends.torch_hf import compute_need, describe
from engine.backends.torch_hf import model as models
from engine.backends.torch_hf.compiling import record_steps
from engine.backends.torch_hf.devices import auto_dtype, choose_device, cpu, has_dtype, torch_dtype
from engine.backends.torch_hf.folder import read_folder
from engine.backends.torch_hf.kv_cache import KvCache, bytes_per_token
from engine.backends.torch_hf.mapped import mapped_bytes
from engine.backends.torch_hf.memory_errors import out_of_memory_as_error
from engine.backends.torch_hf.recurrent import goes_on_from_state
from engine.backends.torch_hf.refusals import LOAD_ERRORS, refused
from engine.backends.torch_hf.runner import Runner
from engine.backends.torch_hf.vocab import Vocab, read_tokenizer
from engine.backends.torch_hf.watch import LayerWatch, StoppedError
from engine.backends.torch_hf.weight_cache import WeightCache, key_of
from engine.context_size import context_notices, fitting_context, not_enough, wanted_context
from engine.errors import EngineError, ErrorCode
from engine.events import LoadStage
from engine.machine import cpu_name, usable_cores
from engine.threads import ThreadCache, ThreadChoice, ThreadKey, chosen_threads
from engine.values import Dtype, EngineInfo, LoadOptions, MemoryUse, Notice, NoticeCode

if TYPE_CHECKING:
    from contextlib import ExitStack

    from engine.backend import LoadCallback
    from engine.backends.torch_hf.devices import Device
    from engine.backends.torch_hf.fixed_step import RecordedSteps
    from engine.backends.torch_hf.model import Model
    from engine.log import EngineLog
    from engine.values import KvLayout

# The process itself with its libraries, beside weights and cache.
_PROCESS_BYTES = 500 << 20
# Left for activations and workspaces when the context is chosen.
_COMPUTE_BYTES = 512 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a finished load hands over. The exit stack of the load closes what is to be closed."""

    device: Device
    model: Model
    vocab: Vocab
    kv: KvCache
    runner: Runner
    watch: LayerWatch
    recorded: RecordedSteps | None
    threads: ThreadChoice | None
    loaded: LoadedModel


class Loading:
    """One load, after the libraries were imported. What it opens is closed by `stack`.

    Attributes:
        predicted: What it is expected to allocate.
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
            EngineError: See `TorchBackend.load`.
        """
        options = self._options
        path = Path(options.model_path)
        # Unlike Path.is_dir, this calls a name that is too long no folder.
        header = None if os.path.isdir(path) else models.read_gguf(path)
        folder = read_folder(path) if header is None else None
        n_parameters = describe.n_parameters(folder, header)
        device, dtype = self._choose_device(n_parameters)
        self.predicted = MemoryUse(
            weights_bytes=n_parameters * torch_dtype(dtype).itemsize,
            kv_bytes=None,
            compute_bytes=None,
            on_gpu=device.is_gpu,
        )
        if device.is_cuda:
            # What names no device, such as a stream, means this one.
            torch.cuda.set_device(device.name)
        kept = None if header is None else self._kept_weights(path, dtype)
        self._check_memory(
            device, n_parameters, dtype, converts=header is not None and kept is None
        )
        self._report(LoadStage.READ, None)
        if folder is not None:
            model = models.load_folder(folder, device, dtype, self._on_progress)
            tokenizer = read_tokenizer(path)
        else:
            model, tokenizer = self._from_gguf(path, kept, device, dtype)
        vocab = Vocab(tokenizer, model.end_tokens)
        self._report(LoadStage.CONTEXT, None)
        n_ctx = self._choose_context(model, device, dtype)
        per_token = bytes_per_token(model.text_config, torch_dtype(dtype).itemsize)
        self.predicted = replace(
            self.predicted,
            kv_bytes=per_token * n_ctx,
            # On a GPU the allocator of torch keeps much more than tensors take.
            compute_bytes=None
            if device.is_gpu
            else compute_need.predicted_bytes(
                model.config,
                dtype,
                n_ctx=n_ctx,
                n_tokens=min(options.n_ubatch, options.n_batch, n_ctx),
            ),
        )
        # A view of the whole would be another shape to the compiler than all smaller ones.
        kv = KvCache(model.config, n_ctx, n_spare=1 if device.is_cuda else 0)
        runner = Runner(model, kv, device)
        watch = LayerWatch(model.module, 0 if device.is_gpu else model.n_layers)
        self._stack.callback(watch.close)
        layout = self._warm_up(model, kv, runner, watch, device, dtype)
        self._log.write(
            f"oscillama: {type(model.module).__name__}, {dtype}, {device.name}, "
            f"{model.weights_bytes >> 20} MiB of weights, KV cache {layout.reserved_bytes >> 20} "
            f"MiB for {n_ctx} tokens\n"
        )
        recorded = None
        if device.is_cuda:
            recorded, notice = record_steps(
                model,
                kv,
                runner,
                device,
                dtype,
                options.cache_dir,
                self._on_progress,
                self._log,
            )
            self._notices += [notice] if notice is not None else []
        threads = None if device.is_gpu else self._choose_threads(model, kv, runner, dtype)
        info = describe.model_info(model, vocab, path, folder, header)
        loaded = LoadedModel(
            model=info,
            engine=EngineInfo(
                backend="torch",
                build=describe.build_text(device),
                device=device.title,
                n_ctx=n_ctx,
                n_batch=options.n_batch,
                n_ubatch=min(options.n_ubatch, options.n_batch),
                n_threads=None if threads is None else threads.decode,
                n_threads_prefill=None if threads is None else threads.prefill,
                kv_type=dtype.value,
                flash_attention=None,
                n_gpu_layers=model.n_layers if device.is_gpu else 0,
                dtype=dtype,
                notices=tuple(self._notices),
            ),
            kv=layout,
            memory=describe.memory_use(
                model, kv, device, mapped_bytes=mapped_bytes(model.module.parameters())
            ),
            bos_text=vocab.bos_text,
            eos_text=vocab.eos_text,
            prefill_is_interruptible=watch.can_look,
        )
        return Parts(
            device=device,
            model=model,
            vocab=vocab,
            kv=kv,
            runner=runner,
            watch=watch,
            recorded=recorded,
            threads=threads,
            loaded=loaded,
        )

    def _choose_device(self, n_parameters: int) -> tuple[Device, Dtype]:
        options = self._options
        # Every GPU that torch knows computes in two bytes a number.
        n_bytes = 4 if options.dtype is Dtype.FLOAT32 else 2
        device = choose_device(options.device, n_parameters * n_bytes)
        self._notices += device.notices
        dtype = options.dtype or auto_dtype(device.name)
        if not has_dtype(device.name, dtype):
            raise EngineError(
                ErrorCode.DTYPE_UNSUPPORTED,
                f"{device.title} has no arithmetic in {dtype}",
                device=device.title,
                dtype=dtype.value,
            )
        return device, dtype

    def _check_memory(
        self, device: Device, n_parameters: int, dtype: Dtype, *, converts: bool
    ) -> None:
        need = n_parameters * torch_dtype(dtype).itemsize
        needs = [(device, need)]
        if converts:
            # The converter holds all weights in float32 until the last is put in its place.
            needs = [(cpu(), n_parameters * 4), *([(device, need)] if device.is_gpu else [])]
        for place, n_bytes in needs:
            n_bytes += _PROCESS_BYTES
            if n_bytes > place.free_bytes:
                raise not_enough(n_bytes, place.free_bytes, device=place.title)

    def _weight_cache(self) -> WeightCache | None:
        folder = self._options.cache_dir
        return None if folder is None else WeightCache(Path(folder) / "weights")

    def _kept_weights(self, path: Path, dtype: Dtype) -> Path | None:
        cache = self._weight_cache()
        return None if cache is None else cache.get(key_of(path, dtype))

    def _from_gguf(
        self, path: Path, kept: Path | None, device: Device, dtype: Dtype
    ) -> tuple[Model, Any]:
        from engine.backends.torch_hf.gguf_reading import header_is_read_once

        cache, key = self._weight_cache(), key_of(path, dtype)
        if cache is not None and kept is not None:
            try:
                model = models.load_folder(read_folder(kept), device, dtype, self._on_progress)
                return model, read_tokenizer(kept)
            except EngineError as error:
                if error.info.code in (ErrorCode.LOAD_CANCELLED, ErrorCode.NOT_ENOUGH_MEMORY):
                    raise
                self._log.write(f"oscillama: kept weights are unusable: {error}\n")
                cache.remove(key)
        self._report(LoadStage.CONVERT, None)
        with header_is_read_once(self._on_progress):
            tokenizer = read_tokenizer(path.parent, gguf_file=path.name)
            self._report(LoadStage.CONVERT, None)
            model = models.load_gguf(path, device, dtype, self._on_progress)
        if cache is not None:
            self._report(LoadStage.CONVERT, 1.0)
            try:
                cache.put(key, model, tokenizer)
            except OSError as error:
                # Without the path, which names the person.
                reason = error.strerror or str(error)
                self._notices.append(
                    Notice(code=NoticeCode.WEIGHTS_NOT_KEPT, details=(("reason", reason),))
                )
        return model, tokenizer

    def _choose_context(self, model: Model, device: Device, dtype: Dtype) -> int:
        options, trained = self._options, model.n_ctx_train or 0
        asked = options.n_ctx or 0
        if model.has_learned_positions and 0 < trained < asked:
            raise EngineError(
                ErrorCode.INVALID_OPTION,
                f"the model has learned {trained} positions and no more",
                option="n_ctx",
                value=asked,
                maximum=trained,
            )
        per_token = bytes_per_token(model.text_config, torch_dtype(dtype).itemsize)
        have = max(device.free_bytes_now() - _COMPUTE_BYTES, 0)

        def missing(n_ctx: int) -> tuple[int, int] | None:
            need = per_token * n_ctx
            return (need, have) if need > have else None

        wanted = wanted_context(options, trained)
        try:
            n_ctx = fitting_context(options, wanted, missing)
        except EngineError as error:
            details = dict(error.info.details)
            need = int(details["need_bytes"])
            raise not_enough(need, have, device=device.title) from error
        self._notices += context_notices(n_ctx, wanted=wanted, n_ctx_train=trained)
        return n_ctx

    def _warm_up(
        self,
        model: Model,
        kv: KvCache,
        runner: Runner,
        watch: LayerWatch,
        device: Device,
        dtype: Dtype,
    ) -> KvLayout:
        """Compute one token, which makes the cache, and give its layout."""
        self._report(LoadStage.WARM_UP, None)
        watch.start(lambda done: self._on_progress(LoadStage.WARM_UP, done))
        try:
            with out_of_memory_as_error(device.title, device.free_bytes_now):
                runner.compute([0])
                device.synchronize()
                layout = kv.layout(dtype.value)
                self._check_cache(model, kv, layout)
                if not kv.can_go_back:
                    runner.one_by_one = not goes_on_from_state(runner, kv)
        except StoppedError as error:
            raise EngineError(ErrorCode.LOAD_CANCELLED, "cancelled in warm-up") from error
        except LOAD_ERRORS as error:
            raise refused(error, Path(self._options.model_path)) from error
        finally:
            watch.stop()
        if not kv.can_go_back:
            self._notices.append(Notice(code=NoticeCode.CACHE_NOT_REUSABLE))
        kv.clear()
        return layout

    def _check_cache(self, model: Model, kv: KvCache, layout: KvLayout) -> None:
        architecture = str(model.config.model_type)
        if not layout.reserved_bytes:
            # An encoder that is taken for a decoder sees the last token only.
            raise EngineError(
                ErrorCode.NOT_A_CHAT_MODEL,
                "it keeps nothing of the tokens before",
                path=self._options.model_path,
                architecture=architecture,
            )
        if not all(kv.states()):
            raise EngineError(
                ErrorCode.UNKNOWN_ARCHITECTURE,
                f"{type(model.module).__name__} keeps its state outside the cache",
                path=self._options.model_path,
                architecture=architecture,
                backend="torch",
            )

    def _choose_threads(
        self, model: Model, kv: KvCache, runner: Runner, dtype: Dtype
    ) -> ThreadChoice:
        def step(count: int) -> bool:
            torch.set_num_threads(count)
            if not self._on_progress(LoadStage.MEASURE_THREADS, None):
                return False
            kv.clear()
            runner.compute_one(0)
            return True

        cores = usable_cores()
        key = ThreadKey(
            cpu=cpu_name(),
            physical=cores.physical,
            logical=cores.logical,
            library=f"torch {torch.__version__}, transformers {transformers.__version__}",
            architecture=str(model.text_config.model_type),
            model_bytes=model.weights_bytes,
            quantization="",
            kv_type=dtype.value,
            flash_attention=True,
            n_gpu_layers=0,
        )
        folder = self._options.cache_dir
        choice = chosen_threads(
            self._options,
            None if folder is None else ThreadCache(Path(folder)),
            key,
            cores,
            step,
            self._log,
        )
        kv.clear()
        torch.set_num_threads(choice.prefill)
        return choice

    def _report(self, stage: LoadStage, fraction: float | None) -> None:
        if not self._on_progress(stage, fraction):
            raise EngineError(ErrorCode.LOAD_CANCELLED, f"cancelled before {stage}")
