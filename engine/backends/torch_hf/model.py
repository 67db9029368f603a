"""Loads a causal language model with transformers: what it checks, and what it refuses."""

from __future__ import annotations

import copy
import inspect
import re
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING

from engine.backends.torch_hf.devices import Device, torch_dtype
from engine.backends.torch_hf.memory_errors import out_of_memory_as_error
from engine.backends.torch_hf.progress import loops_report
from engine.backends.torch_hf.refusals import LOAD_ERRORS, first_line, refused
from engine.errors import EngineError, ErrorCode
from engine.events import LoadStage
from engine.gguf import read_header
from engine.gguf_kind import check_kind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from engine.backend import LoadCallback
    from engine.backends.torch_hf.folder import ModelFolder
    from engine.gguf import GgufHeader
    from engine.values import Dtype

_N_NAMED = 3
_LAYER = re.compile(r"\blayers\.(\d+)\.")
_MOST_POSITIONS = (1 << 31) - 1
# A model so much larger than its weights is refused before it is built; what is nearer is built,
# and then said tensor by tensor.
_MOST_GROWTH = 4
_POSITION_TABLES = frozenset({"wpe", "embed_positions", "positions_embed", "position_embeddings"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model that is loaded.

    Attributes:
        module: The `PreTrainedModel`, on its device, not training.
        config: Its configuration; that of the text part is `text_config`.
        text_config: The configuration of the decoder.
        cache_argument: What its forward calls the KV cache.
        keeps_last_logits: Whether its forward can leave out the logits of other tokens.
        end_tokens: Tokens that end an answer, as the model says.
    """

    module: Any
    config: Any
    text_config: Any
    cache_argument: str
    keeps_last_logits: bool
    end_tokens: frozenset[int]

    @property
    def n_layers(self) -> int:
        """Transformer blocks; 0 where the configuration does not say."""
        return int(getattr(self.text_config, "num_hidden_layers", None) or 0)

    @property
    def n_ctx_train(self) -> int | None:
        """Context size it was trained for; None where the configuration does not say."""
        found = getattr(self.text_config, "max_position_embeddings", None)
        return found if isinstance(found, int) and 0 < found <= _MOST_POSITIONS else None

    @property
    def n_tokens(self) -> int:
        """Tokens that it can be given: rows of its embeddings."""
        return int(self.module.get_input_embeddings().weight.shape[0])

    @property
    def has_learned_positions(self) -> bool:
        """Whether it has a table of positions, beyond which there is nothing."""
        return any(
            isinstance(part, torch.nn.Embedding) and name.rpartition(".")[2] in _POSITION_TABLES
            for name, part in self.module.named_modules()
        )

    @property
    def weights_bytes(self) -> int:
        """Bytes of all parameters and buffers; shared ones count once."""
        tensors = [*self.module.parameters(), *self.module.buffers()]
        return sum({tensor.data_ptr(): int(tensor.nbytes) for tensor in tensors}.values())

    @property
    def n_parameters(self) -> int:
        """Number of weights; shared ones count once."""
        return sum(int(parameter.numel()) for parameter in self.module.parameters())


def check_config(config: Mapping[str, Any], path: Path) -> None:
    """Raise UNKNOWN_ARCHITECTURE or NOT_A_CHAT_MODEL for what is not a language model known here.

    Code that a model brings along is never run, so its architecture counts as unknown.
    """
    name = config.get("model_type")
    named = config.get("architectures")
    classes = named if isinstance(named, list) else []
    shown = name if isinstance(name, str) else str(classes[0]) if classes else ""
    if not isinstance(name, str) or name not in CONFIG_MAPPING:
        raise EngineError(
            ErrorCode.UNKNOWN_ARCHITECTURE,
            f"transformers does not know model_type {name!r}",
            path=str(path),
            architecture=shown,
            backend="torch",
        )
    writes_on = CONFIG_MAPPING[name] in MODEL_FOR_CAUSAL_LM_MAPPING
    is_other_kind = bool(classes) and not any(
        str(found).endswith(("ForCausalLM", "LMHeadModel", "ForConditionalGeneration"))
        for found in classes
    )
    if not writes_on or is_other_kind or config.get("is_encoder_decoder"):
        raise EngineError(
            ErrorCode.NOT_A_CHAT_MODEL,
            f"{name} ({', '.join(map(str, classes))}) writes no text",
            path=str(path),
            architecture=shown,
        )


def load_folder(
    folder: ModelFolder, device: Device, dtype: Dtype, on_progress: LoadCallback
) -> Model:
    """Load the safetensors of a folder onto a device, reporting READ.

    Raises:
        EngineError: UNKNOWN_ARCHITECTURE, NOT_A_CHAT_MODEL, WEIGHTS_MISMATCH, CONFIG_UNREADABLE,
            NOT_ENOUGH_MEMORY, LOAD_FAILED or LOAD_CANCELLED.
    """
    check_config(folder.config, folder.path)
    try:
        config = AutoConfig.from_pretrained(
            str(folder.path), local_files_only=True, trust_remote_code=False
        )
    except LOAD_ERRORS as error:
        raise EngineError(
            ErrorCode.CONFIG_UNREADABLE,
            f"{type(error).__name__}: {error}",
            path=str(folder.path),
            file="config.json",
            reason=first_line(error),
        ) from error
    _check_built(config, folder)
    # With accelerate the weights go to a GPU one by one, without it through host memory.
    goes_there = device.is_gpu and find_spec("accelerate") is not None
    placed = {"device_map": {"": device.name}} if goes_there else {}
    return _load(
        folder.path,
        device,
        on_progress,
        LoadStage.READ,
        config=config,
        dtype=torch_dtype(dtype),
        use_safetensors=True,
        **placed,
    )


def _check_built(config: Any, folder: ModelFolder) -> None:  # noqa: ANN401
    """Raise for what is only seen once the defaults of the architecture are filled in."""
    if getattr(config, "is_encoder_decoder", False):
        raise EngineError(
            ErrorCode.NOT_A_CHAT_MODEL,
            f"{config.model_type} has an encoder",
            path=str(folder.path),
            architecture=str(config.model_type),
        )
    n_layers = getattr(config.get_text_config(decoder=True), "num_hidden_layers", None) or 0
    if n_layers < 0:
        raise EngineError(
            ErrorCode.CONFIG_UNREADABLE,
            f"num_hidden_layers is {n_layers}",
            path=str(folder.path),
            file="config.json",
            reason=f"num_hidden_layers: {n_layers}",
        )
    _check_layers(n_layers, folder.n_tensors, folder.path)
    if folder.config.get("quantization_config"):
        # Such weights are packed: their numbers are not those of the model.
        return
    plain = copy.deepcopy(config)
    # The attention is never run, and must not be code of somebody else.
    plain._attn_implementation = "eager"
    try:
        with torch.device("meta"):
            empty = AutoModelForCausalLM.from_config(plain, trust_remote_code=False)
    except LOAD_ERRORS as error:
        raise refused(error, folder.path) from error
    # transformers would make room for the rest, and fill it with random numbers.
    n_parameters = sum(int(parameter.numel()) for parameter in empty.parameters())
    if n_parameters > folder.n_parameters * _MOST_GROWTH:
        reason = f"{n_parameters} numbers by config.json, {folder.n_parameters} in the weights"
        raise EngineError(
            ErrorCode.WEIGHTS_MISMATCH,
            reason,
            path=str(folder.path),
            reason="config_too_large",
            n_expected=n_parameters,
            n_found=folder.n_parameters,
        )


def read_gguf(path: Path) -> GgufHeader:
    """The header of a GGUF file that transformers may be able to convert.

    Raises:
        EngineError: FILE_NOT_FOUND, FILE_UNREADABLE, NOT_A_GGUF, FILE_TRUNCATED, NOT_A_CHAT_MODEL,
            WEIGHTS_MISMATCH, or LOAD_FAILED for a model in several files or unknown formats.
    """
    header = read_header(path)
    check_kind(header)
    n_files = header.metadata.get("split.count")
    if isinstance(n_files, int) and n_files > 1:
        raise EngineError(
            ErrorCode.LOAD_FAILED,
            f"transformers reads one file, and this model is split over {n_files}",
            path=str(path),
            reason="split_file",
        )
    unknown = {tensor.type_id for tensor in header.tensors if tensor.n_bytes is None}
    if unknown:
        reason = f"its tensors are of types that are not known here: {sorted(unknown)}"
        raise EngineError(ErrorCode.LOAD_FAILED, reason, path=str(path), reason=reason)
    _check_layers(header.integer("block_count") or 0, len(header.tensors), path)
    return header


def _check_layers(n_layers: int, n_tensors: int, path: Path) -> None:
    # Building layers takes time and memory: not for more than there can be weights of.
    if n_layers > n_tensors:
        raise EngineError(
            ErrorCode.WEIGHTS_MISMATCH,
            f"for {n_layers} layers there are only {n_tensors} tensors",
            path=str(path),
            reason="too_few_tensors",
            n_layers=n_layers,
            n_tensors=n_tensors,
        )


def load_gguf(path: Path, device: Device, dtype: Dtype, on_progress: LoadCallback) -> Model:
    """Convert the weights of a GGUF file and put them on a device, reporting CONVERT.

    Raises:
        EngineError: As `load_folder`.
    """
    model = _load(
        path,
        device,
        on_progress,
        LoadStage.CONVERT,
        gguf_file=path.name,
        dtype=torch_dtype(dtype),
    )
    # The weights are plain numbers now: nothing is left to say how they were quantized.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    return model


def _load(
    path: Path,
    device: Device,
    on_progress: LoadCallback,
    stage: LoadStage,
    **named: Any,  # noqa: ANN401
) -> Model:
    try:
        with (
            loops_report(on_progress, stage),
            out_of_memory_as_error(device.title, device.free_bytes_now),
        ):
            module, info = AutoModelForCausalLM.from_pretrained(
                str(path.parent if "gguf_file" in named else path),
                # The model's best: sdpa wherever its attention can be had that way. Not left out,
                # since a configuration may name code of somebody else.
                attn_implementation=None,
                local_files_only=True,
                trust_remote_code=False,
                ignore_mismatched_sizes=True,
                output_loading_info=True,
                **named,
            )
            module = module.to(device.name).eval()
    except LOAD_ERRORS as error:
        raise refused(error, path) from error
    text_config = module.config.get_text_config(decoder=True)
    _check_weights(info, getattr(text_config, "num_hidden_layers", None) or 0, path)
    return wrap(module, path)


def wrap(module: Any, path: Path) -> Model:  # noqa: ANN401
    """A model of transformers that is on its device already.

    Raises:
        EngineError: UNKNOWN_ARCHITECTURE where its state is not kept in a cache that one can give;
            NOT_A_CHAT_MODEL for an encoder.
    """
    if _looks_ahead(module):
        raise EngineError(
            ErrorCode.NOT_A_CHAT_MODEL,
            f"{type(module).__name__} is set up to look at all of a text at once",
            path=str(path),
            architecture=str(module.config.model_type),
        )
    parameters = inspect.signature(module.forward).parameters
    # Older versions of transformers call it past_key_values.
    cache_argument = "cache" if "cache" in parameters else "past_key_values"
    if cache_argument not in parameters:
        raise EngineError(
            ErrorCode.UNKNOWN_ARCHITECTURE,
            f"{type(module).__name__} keeps its state in a way of its own",
            path=str(path),
            architecture=str(module.config.model_type),
            backend="torch",
        )
    return Model(
        module=module,
        config=module.config,
        text_config=module.config.get_text_config(decoder=True),
        cache_argument=cache_argument,
        keeps_last_logits="logits_to_keep" in parameters,
        end_tokens=_end_tokens(module),
    )


def _check_weights(info: Mapping[str, Any], n_layers: int, path: Path) -> None:
    """Raise WEIGHTS_MISMATCH where transformers would go on with random numbers."""
    mismatched = sorted(str(entry[0]) for entry in info.get("mismatched_keys") or ())
    missing = sorted(map(str, info.get("missing_keys") or ()))
    # Without its last layers a model loads, and talks nonsense.
    left = sorted(
        name
        for name in map(str, info.get("unexpected_keys") or ())
        if (match := _LAYER.search(name)) and int(match[1]) >= n_layers > 0
    )
    for names, reason in (
        (mismatched, "tensors_of_another_shape"),
        (missing, "tensors_missing"),
        (left, "layers_left_over"),
    ):
        if names:
            more = ["…"] if len(names) > _N_NAMED else []
            raise EngineError(
                ErrorCode.WEIGHTS_MISMATCH,
                f"{reason}: {', '.join(names)}",
                path=str(path),
                reason=reason,
                names=", ".join([*names[:_N_NAMED], *more]),
            )


def _looks_ahead(module: Any) -> bool:  # noqa: ANN401
    """Whether no attention is causal: an encoder in the shape of a decoder."""
    found = {getattr(part, "is_causal", None) for part in module.modules()}
    return False in found and True not in found


def _end_tokens(module: Any) -> frozenset[int]:  # noqa: ANN401
    found: set[int] = set()
    for config in (getattr(module, "generation_config", None), module.config):
        ids = getattr(config, "eos_token_id", None)
        several = ids if isinstance(ids, list | tuple) else (ids,)
        # Files say what they like: what is no token ends nothing.
        found.update(token for token in several if isinstance(token, int))
    return frozenset(found)


def release(device: Device) -> None:
    """Give memory of objects that nobody holds any more back to the device and the system."""
    import ctypes
    import gc
    import sys

    gc.collect()
    device.empty_cache()
    if device.is_cuda:
        torch.cuda.ipc_collect()
    if sys.platform == "linux":
        # glibc keeps what is freed between two blocks that are not.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
