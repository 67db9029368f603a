"""What can be chosen of each engine: the fields, what they mean, and the options they give."""

from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QSpinBox, QWidget

from app.engine_state import EngineState
from app.model_choice import TORCH
from engine.values import (
    CONTEXT_BOUNDS,
    GPU_LAYER_BOUNDS,
    THREAD_BOUNDS,
    Dtype,
    EngineInfo,
    FlashAttention,
    KvType,
    LoadOptions,
    NoticeCode,
)
from ui.format import format_count
from ui.option_fields import AutoSpinBox, batch_field, choice_field
from ui.option_form import OptionRow

translate = QCoreApplication.translate

_AUTO = ""
_DEVICES = (("cpu", "CPU"), ("cuda", "CUDA"), ("mps", "MPS"), ("xpu", "XPU"))


class EngineOptions(Protocol):
    """The fields of one engine. They are children of the dialog, which lays them out."""

    def rows(self) -> list[OptionRow]:
        """The fields, in their order."""
        ...

    def chosen(self, options: LoadOptions) -> LoadOptions:
        """`options` with what the fields say."""
        ...


class LlamaOptions:
    """The fields of llama.cpp."""

    def __init__(self, state: EngineState, options: LoadOptions, parent: QWidget) -> None:
        """Show `options`; `state` tells what the engine chose where they leave it to it."""
        engine = _running(state, options.backend)
        self._no_gpu = no_gpu_reason(state) if engine is not None else None
        self.context = _context_field(options, engine, parent)
        self.threads, self.threads_prefill = _thread_fields(options, engine, parent)
        self.kv_type = choice_field(
            [(kind.value, kind.value) for kind in KvType], options.kv_type.value, parent
        )
        self.flash_attention = choice_field(
            [
                (FlashAttention.AUTO.value, translate("EngineDialog", "Auto")),
                (FlashAttention.ON.value, translate("EngineDialog", "On")),
                (FlashAttention.OFF.value, translate("EngineDialog", "Off")),
            ],
            options.flash_attention.value,
            parent,
        )
        self.gpu_layers = AutoSpinBox(GPU_LAYER_BOUNDS, options.n_gpu_layers, 1, parent)
        self.gpu_layers.setSpecialValueText(translate("EngineDialog", "Auto"))
        self.gpu_layers.setEnabled(self._no_gpu is None)
        self.batch = batch_field(options.n_batch, parent)
        self.micro_batch = batch_field(options.n_ubatch, parent)

    def rows(self) -> list[OptionRow]:
        """The fields, in their order."""
        return [
            _context_row(self.context),
            *_thread_rows(self.threads, self.threads_prefill),
            OptionRow(
                name=translate("EngineDialog", "KV cache type"),
                field=self.kv_type,
                explanation=translate(
                    "EngineDialog",
                    "Number format of the cache. q8_0 and q4_0 take a half and a quarter of "
                    "the memory of f16, and are slower on most CPUs.",
                ),
            ),
            OptionRow(
                name=translate("EngineDialog", "Flash attention"),
                field=self.flash_attention,
                explanation=translate(
                    "EngineDialog",
                    "Attention as one fused step. Auto uses it where it is faster.",
                ),
            ),
            OptionRow(
                name=translate("EngineDialog", "GPU layers"),
                field=self.gpu_layers,
                explanation=self._no_gpu
                or translate(
                    "EngineDialog",
                    "Layers of the model on the GPU; the rest runs on the CPU. Auto puts there "
                    "all that fit.",
                ),
            ),
            *_batch_rows(self.batch, self.micro_batch),
        ]

    def chosen(self, options: LoadOptions) -> LoadOptions:
        """`options` with what the fields say."""
        return replace(
            options,
            n_ctx=self.context.choice(),
            n_threads=self.threads.choice(),
            n_threads_prefill=self.threads_prefill.choice(),
            kv_type=KvType(self.kv_type.currentData()),
            flash_attention=FlashAttention(self.flash_attention.currentData()),
            n_gpu_layers=self.gpu_layers.choice(),
            n_batch=self.batch.value(),
            n_ubatch=self.micro_batch.value(),
        )


class TorchOptions:
    """The fields of PyTorch."""

    def __init__(self, state: EngineState, options: LoadOptions, parent: QWidget) -> None:
        """Show `options`; `state` tells what the engine chose where they leave it to it."""
        engine = _running(state, TORCH)
        asked = state.options
        self._unused_gpu = _unused_gpu_reason(engine)
        # What the engine runs with is its own choice only where it was left to it.
        left_device = engine is not None and asked is not None and asked.device is None
        left_dtype = engine is not None and asked is not None and asked.dtype is None
        auto_device = engine.device if engine is not None and left_device else None
        auto_dtype = engine.dtype if engine is not None and left_dtype else None
        devices = [(_AUTO, _auto(auto_device)), *_DEVICES]
        device = options.device or _AUTO
        if device not in dict(devices):
            # One of several GPUs, such as "cuda:1".
            devices.append((device, device))
        self.device = choice_field(devices, device, parent)
        self.dtype = choice_field(
            [(_AUTO, _auto(auto_dtype)), *((dtype.value, dtype.value) for dtype in Dtype)],
            _AUTO if options.dtype is None else options.dtype.value,
            parent,
        )
        self.context = _context_field(options, engine, parent)
        self.threads, self.threads_prefill = _thread_fields(options, engine, parent)
        self.batch = batch_field(options.n_batch, parent)
        self.micro_batch = batch_field(options.n_ubatch, parent)

    def rows(self) -> list[OptionRow]:
        """The fields, in their order."""
        device = translate(
            "EngineDialog",
            "What computes. Auto takes the fastest that holds the model. CUDA is for GPUs of "
            "NVIDIA and AMD, MPS for those of Apple, XPU for those of Intel.",
        )
        return [
            OptionRow(
                name=translate("EngineDialog", "Device"),
                field=self.device,
                explanation=f"{device} {self._unused_gpu}" if self._unused_gpu else device,
            ),
            OptionRow(
                name=translate("EngineDialog", "Number format"),
                field=self.dtype,
                explanation=translate(
                    "EngineDialog",
                    "Of weights and KV cache. Auto takes bfloat16 where the device has it; "
                    "float32 is the most exact and takes twice the memory.",
                ),
            ),
            _context_row(self.context),
            *_thread_rows(self.threads, self.threads_prefill),
            *_batch_rows(self.batch, self.micro_batch),
        ]

    def chosen(self, options: LoadOptions) -> LoadOptions:
        """`options` with what the fields say."""
        dtype = str(self.dtype.currentData())
        return replace(
            options,
            device=str(self.device.currentData()) or None,
            dtype=Dtype(dtype) if dtype else None,
            n_ctx=self.context.choice(),
            n_threads=self.threads.choice(),
            n_threads_prefill=self.threads_prefill.choice(),
            n_batch=self.batch.value(),
            n_ubatch=self.micro_batch.value(),
        )


def no_gpu_reason(state: EngineState) -> str | None:
    """Why layers cannot go to a GPU, None when they can or when it is not known."""
    if state.loaded is None or state.loaded.engine.n_gpu_layers > 0:
        return None
    codes = {notice.code for notice in state.loaded.engine.notices}
    if NoticeCode.GPU_NOT_IN_BUILD in codes:
        return translate("EngineDialog", "The installed llama.cpp was built for the CPU only.")
    asked = state.options.n_gpu_layers if state.options is not None else None
    if asked == 0 or NoticeCode.GPU_LAYERS_REDUCED in codes:
        return None
    return translate("EngineDialog", "The engine has found no GPU that it can use.")


def _unused_gpu_reason(engine: EngineInfo | None) -> str | None:
    codes = {notice.code for notice in engine.notices} if engine is not None else set()
    if NoticeCode.GPU_NOT_IN_TORCH in codes:
        return translate(
            "EngineDialog", "The installed PyTorch was built without support for the GPU here."
        )
    if NoticeCode.GPU_NOT_READY in codes:
        return translate("EngineDialog", "PyTorch could not use the GPU.")
    if NoticeCode.GPU_TOO_SMALL in codes:
        return translate("EngineDialog", "The GPU had too little free memory for this model.")
    return None


def _running(state: EngineState, backend: str) -> EngineInfo | None:
    """What an engine runs with; None where another one runs, or none."""
    engine = state.loaded.engine if state.loaded is not None else None
    return engine if engine is not None and engine.backend == backend else None


def _context_field(options: LoadOptions, engine: EngineInfo | None, parent: QWidget) -> AutoSpinBox:
    field = AutoSpinBox(CONTEXT_BOUNDS, options.n_ctx, 1024, parent)
    field.setSpecialValueText(_auto_count(engine.n_ctx if engine else None))
    return field


def _thread_fields(
    options: LoadOptions, engine: EngineInfo | None, parent: QWidget
) -> tuple[AutoSpinBox, AutoSpinBox]:
    decode = AutoSpinBox(THREAD_BOUNDS, options.n_threads, 1, parent)
    decode.setSpecialValueText(_auto_count(engine.n_threads if engine else None))
    prefill = AutoSpinBox(THREAD_BOUNDS, options.n_threads_prefill, 1, parent)
    prefill.setSpecialValueText(_auto_count(engine.n_threads_prefill if engine else None))
    return decode, prefill


def _context_row(field: QSpinBox) -> OptionRow:
    return OptionRow(
        name=translate("EngineDialog", "Context size"),
        field=field,
        explanation=translate(
            "EngineDialog",
            "Tokens the model can see: the conversation and its answer. A larger context takes "
            "more memory from the start.",
        ),
    )


def _thread_rows(decode: QSpinBox, prefill: QSpinBox) -> list[OptionRow]:
    return [
        OptionRow(
            name=translate("EngineDialog", "Threads, decode"),
            field=decode,
            explanation=translate(
                "EngineDialog",
                "CPU threads while tokens are produced. Auto measures which number is fastest "
                "here.",
            ),
        ),
        OptionRow(
            name=translate("EngineDialog", "Threads, prefill"),
            field=prefill,
            explanation=translate("EngineDialog", "CPU threads while the prompt is read."),
        ),
    ]


def _batch_rows(batch: QSpinBox, micro_batch: QSpinBox) -> list[OptionRow]:
    return [
        OptionRow(
            name=translate("EngineDialog", "Batch"),
            field=batch,
            explanation=translate(
                "EngineDialog", "Most prompt tokens handed to the engine in one call."
            ),
        ),
        OptionRow(
            name=translate("EngineDialog", "Micro-batch"),
            field=micro_batch,
            explanation=translate(
                "EngineDialog",
                "Most prompt tokens computed at once inside a call. Larger is faster and takes "
                "more memory.",
            ),
        ),
    ]


def _auto_count(chosen: int | None) -> str:
    return _auto(None if chosen is None else format_count(chosen))


def _auto(chosen: str | None) -> str:
    if chosen is None:
        return translate("EngineDialog", "Auto")
    return translate("EngineDialog", "Auto ({n})").format(n=chosen)
