"""Opens a model file: checks, progress, cancel, and what the model says about itself."""

import ctypes
import os
from pathlib import Path
from typing import Any

from engine.backend import LoadCallback
from engine.backends.llama.log_tap import LogTap
from engine.backends.llama.report import parse
from engine.errors import EngineError, ErrorCode
from engine.events import LoadStage
from engine.gguf import GgufHeader, read_header, shard_paths
from engine.gguf_kind import check_kind
from engine.log import EngineLog
from engine.step_cost import gguf_step_cost
from engine.values import ModelInfo


def check_file(path: Path) -> tuple[GgufHeader, ...]:
    """Read the headers of a model's files; the first describes the model.

    Raises:
        EngineError: FILE_NOT_FOUND, FILE_UNREADABLE, NOT_A_GGUF, FILE_TRUNCATED,
            NOT_A_CHAT_MODEL or LOAD_FAILED.
    """
    header = read_header(path)
    check_kind(header)
    return (header, *(read_header(shard) for shard in shard_paths(header)[1:]))


class ModelFile:
    """Owns a `llama_model`."""

    def __init__(
        self,
        llama: Any,  # noqa: ANN401
        path: Path,
        n_gpu_layers: int,
        on_progress: LoadCallback,
        tap: LogTap,
        log: EngineLog,
    ) -> None:
        """Map the file and read the vocabulary, calling `on_progress` with READ and a fraction.

        Raises:
            EngineError: LOAD_CANCELLED, UNKNOWN_ARCHITECTURE, LOAD_FAILED or NOT_A_CHAT_MODEL.
        """
        self._llama = llama
        self.handle: Any = None
        cancelled = False
        raised: list[BaseException] = []

        def progressed(fraction: float, _data: int | None) -> bool:
            nonlocal cancelled
            try:
                cancelled = cancelled or not on_progress(LoadStage.READ, fraction)
            except BaseException as error:  # noqa: BLE001 - native frames are below: raised later
                raised.append(error)
                cancelled = True
            return not cancelled

        parameters = llama.llama_model_default_params()
        parameters.n_gpu_layers = n_gpu_layers
        callback = llama.llama_progress_callback(progressed)
        parameters.progress_callback = callback
        self.handle = llama.llama_model_load_from_file(os.fsencode(path), parameters) or None
        if raised:
            self.close()
            raise raised[0]
        if cancelled:
            self.close()
            raise EngineError(ErrorCode.LOAD_CANCELLED, "cancelled while reading", path=str(path))
        if self.handle is None:
            raise _load_failed(path, tap, log)
        if not llama.llama_model_has_decoder(self.handle) or llama.llama_model_has_encoder(
            self.handle
        ):
            self.close()
            raise EngineError(
                ErrorCode.NOT_A_CHAT_MODEL, "the model has an encoder", path=str(path)
            )

    def close(self) -> None:
        """Free the model. May be called twice."""
        if self.handle is not None:
            self._llama.llama_model_free(self.handle)
            self.handle = None

    def metadata(self, key: str) -> str | None:
        """A value of the file's metadata as text; None where there is none."""
        raw = key.encode()
        size = self._llama.llama_model_meta_val_str(self.handle, raw, None, 0)
        if size < 0:
            return None
        buffer = ctypes.create_string_buffer(size + 1)
        self._llama.llama_model_meta_val_str(self.handle, raw, buffer, size + 1)
        return buffer.value.decode("utf-8", "replace")

    def info(self, headers: tuple[GgufHeader, ...]) -> ModelInfo:
        """What the model says about itself."""
        llama, model, header = self._llama, self.handle, headers[0]
        n_layers = int(llama.llama_model_n_layer(model))
        template = llama.llama_model_chat_template(model, None)
        return ModelInfo(
            path=str(header.path),
            name=self.metadata("general.name") or header.path.stem,
            architecture=header.architecture,
            n_parameters=int(llama.llama_model_n_params(model)) or None,
            size_bytes=int(llama.llama_model_size(model)) or None,
            quantization=header.quantization,
            n_layers=n_layers or None,
            n_heads=_largest(header, "attention.head_count", n_layers)
            or int(llama.llama_model_n_head(model))
            or None,
            n_kv_heads=_largest(header, "attention.head_count_kv", n_layers)
            or int(llama.llama_model_n_head_kv(model))
            or None,
            n_embd=int(llama.llama_model_n_embd(model)) or None,
            n_vocab=int(llama.llama_vocab_n_tokens(llama.llama_model_get_vocab(model))) or None,
            n_ctx_train=int(llama.llama_model_n_ctx_train(model)) or None,
            chat_template=template.decode("utf-8", "replace") if template else None,
            step_cost=gguf_step_cost(headers),
        )


def _largest(header: GgufHeader, key: str, n_layers: int) -> int | None:
    counts = header.per_layer(key, n_layers)
    return max(counts) if counts else None


def _load_failed(path: Path, tap: LogTap, log: EngineLog) -> EngineError:
    unknown = parse(tap.captured()).unknown_architecture
    if unknown is not None:
        return EngineError(
            ErrorCode.UNKNOWN_ARCHITECTURE,
            f"llama.cpp does not know {unknown!r}",
            log_tail=log.tail(),
            path=str(path),
            architecture=unknown,
        )
    return EngineError(
        ErrorCode.LOAD_FAILED,
        "llama_model_load_from_file returned nothing",
        log_tail=log.tail(),
        path=str(path),
    )
