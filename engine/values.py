"""Values that cross a process or a thread: what is asked of an engine, and what a model is."""

from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """Who speaks, in the words chat templates use."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class KvType(StrEnum):
    """Number format of the K and V tensors in the KV cache."""

    F16 = "f16"
    Q8_0 = "q8_0"
    Q4_0 = "q4_0"


class Dtype(StrEnum):
    """Number format that a torch model computes in, weights and KV cache alike."""

    BFLOAT16 = "bfloat16"
    FLOAT16 = "float16"
    FLOAT32 = "float32"


class FlashAttention(StrEnum):
    """Whether attention runs as one fused kernel. AUTO lets the engine choose what is faster."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One turn of a conversation, as the chat template sees it."""

    role: Role
    content: str

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled in half the time: a conversation may have tens of thousands."""
        return _message, (self.role, self.content)


def _message(role: Role, content: str) -> ChatMessage:
    return ChatMessage(role=role, content=content)


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """How the next token is chosen from the logits.

    Attributes:
        temperature: Divides the logits; 0 is greedy (always the most likely token).
        top_k: Keep the k most likely tokens; 0 keeps all.
        top_p: Keep the smallest set whose probabilities reach this sum; 1 keeps all.
        min_p: Drop tokens less likely than this share of the most likely; 0 drops none.
        repeat_penalty: Divides the logits of recently seen tokens; 1 is off.
        presence_penalty: Subtracted once from each recently seen token; 0 is off.
        frequency_penalty: Subtracted per occurrence of each recently seen token; 0 is off.
        penalty_last_n: How many recent tokens the penalties look at; 0 is off.
        seed: Seed of the sampler; None draws one.
    """

    temperature: float = 0.7
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    repeat_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    penalty_last_n: int = 64
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadOptions:
    """What to load and how. None means: let the engine choose, and say what it chose.

    Attributes:
        model_path: File of the model (GGUF), or for torch a directory of safetensors as well.
        backend: Name of the backend, as in `engine.backends.registry`.
        n_ctx: Context size in tokens; None takes the smaller of 8192 and the trained context.
        n_batch: Most prompt tokens handed to one decode call.
        n_ubatch: Most prompt tokens computed at once inside that call.
        n_threads: Threads for decode; None is measured.
        n_threads_prefill: Threads for prefill; None is measured.
        kv_type: Number format of the KV cache.
        flash_attention: Fused attention.
        n_gpu_layers: Layers on the GPU; None offloads all where the build has a GPU. llama.cpp
            only.
        device: What computes, for torch: "cpu", "cuda", "cuda:1", "mps", "xpu"; None takes the
            fastest that holds the model.
        dtype: Number format, for torch; None takes bfloat16 where the device has it.
        cache_dir: Folder that keeps measured thread counts and converted weights; None measures
            and converts at every load.
    """

    model_path: str
    backend: str = "llama"
    n_ctx: int | None = None
    n_batch: int = 2048
    n_ubatch: int = 512
    n_threads: int | None = None
    n_threads_prefill: int | None = None
    kv_type: KvType = KvType.F16
    flash_attention: FlashAttention = FlashAttention.AUTO
    n_gpu_layers: int | None = None
    device: str | None = None
    dtype: Dtype | None = None
    cache_dir: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The least and the most a number may be, both allowed."""

    least: int
    most: int


# llama.cpp caps the batch at the context, and decoding more than the batch aborts the process: a
# context of one token dies at the first prompt. Below the least no chat template fits; beyond the
# most, padding overflows 32-bit positions.
CONTEXT_BOUNDS = Bounds(least=64, most=1 << 30)
BATCH_BOUNDS = Bounds(least=8, most=1 << 16)
THREAD_BOUNDS = Bounds(least=1, most=512)
GPU_LAYER_BOUNDS = Bounds(least=0, most=100_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerateRequest:
    """One answer to produce. Exactly one of `messages` and `prompt_tokens` is given.

    Attributes:
        request_id: Positive, larger than every earlier one of this engine.
        t_submit_ns: When the person sent it, `time.perf_counter_ns()`.
        messages: The conversation, rendered with the model's chat template.
        prompt_tokens: The prompt as token ids, used as they are.
        sampling: How tokens are chosen.
        max_tokens: Most output tokens; None is bounded by the context only.
        stop: Texts that end the answer; they are not part of it.
        ignore_end: Go on past end-of-generation tokens (for measuring).
        reuse_cache: Keep the longest common prefix of the KV cache.
        drop_oldest: Leave out the oldest messages where the conversation does not fit with room
            for the answer; else it fails then.
        continues: The last of `messages` is the beginning of the answer: it goes on from there,
            and only what is new is output.
        n_earlier: How many messages of a role came before these, where whoever asks has left
            out the beginning of the conversation; for what cells are called.
        inspect: Say with each token how it was chosen, where the backend can. Costs time.
    """

    request_id: int
    t_submit_ns: int
    messages: tuple[ChatMessage, ...] = ()
    prompt_tokens: tuple[int, ...] = ()
    sampling: SamplingParams = field(default_factory=SamplingParams)
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    ignore_end: bool = False
    reuse_cache: bool = True
    drop_oldest: bool = False
    continues: bool = False
    n_earlier: tuple[tuple[Role, int], ...] = ()
    inspect: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCost:
    """What one token costs, in weights.

    Attributes:
        read_bytes: Bytes of weights that one decode step reads.
        n_multiplied: Weights that each prompt token is multiplied by: two operations each.
        n_step_multiplied: The same of a decode step: with those of the output matrix.
    """

    read_bytes: int
    n_multiplied: int
    n_step_multiplied: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """What the model file says about itself; None where it says nothing.

    Attributes:
        path: Where it was read from.
        name: Its own name, else the file name without suffix.
        architecture: As in GGUF `general.architecture`, for example "llama".
        n_parameters: Number of weights.
        size_bytes: Bytes of all tensors.
        quantization: For example "Q4_1".
        n_layers: Transformer blocks.
        n_heads: Query heads (the largest, where layers differ).
        n_kv_heads: Key/value heads (the largest, where layers differ).
        n_embd: Width of the residual stream.
        n_vocab: Tokens in the vocabulary.
        n_ctx_train: Context size it was trained for, in tokens.
        chat_template: Jinja source, None where the model has none.
        step_cost: What a token costs; None where the files do not tell.
    """

    path: str
    name: str
    architecture: str | None = None
    n_parameters: int | None = None
    size_bytes: int | None = None
    quantization: str | None = None
    n_layers: int | None = None
    n_heads: int | None = None
    n_kv_heads: int | None = None
    n_embd: int | None = None
    n_vocab: int | None = None
    n_ctx_train: int | None = None
    chat_template: str | None = None
    step_cost: StepCost | None = None


class NoticeCode(StrEnum):
    """Something the person should know about a load that succeeded."""

    NO_CHAT_TEMPLATE = "no_chat_template"
    UNUSABLE_CHAT_TEMPLATE = "unusable_chat_template"
    SYSTEM_FOLDED = "system_folded"
    GPU_NOT_IN_BUILD = "gpu_not_in_build"
    GPU_LAYERS_REDUCED = "gpu_layers_reduced"
    CONTEXT_BEYOND_TRAINING = "context_beyond_training"
    CONTEXT_REDUCED = "context_reduced"
    GPU_NOT_IN_TORCH = "gpu_not_in_torch"
    GPU_NOT_READY = "gpu_not_ready"
    GPU_TOO_SMALL = "gpu_too_small"
    COMPILE_FAILED = "compile_failed"
    WEIGHTS_NOT_KEPT = "weights_not_kept"
    CACHE_NOT_REUSABLE = "cache_not_reusable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notice with the values its sentence needs, as (name, value) pairs.

    Details by code: GPU_NOT_IN_BUILD and GPU_NOT_IN_TORCH "gpu"; GPU_NOT_READY "gpu", "reason";
    GPU_TOO_SMALL "gpu", "need_bytes", "have_bytes"; COMPILE_FAILED and WEIGHTS_NOT_KEPT "reason";
    GPU_LAYERS_REDUCED "n_gpu_layers", "n_layers"; CONTEXT_BEYOND_TRAINING "n_ctx",
    "n_ctx_train"; CONTEXT_REDUCED "n_ctx", "wanted".
    """

    code: NoticeCode
    details: tuple[tuple[str, str | int | float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineInfo:
    """What the engine runs with, after every choice was made.

    Attributes:
        backend: Name of the backend ("llama", "torch").
        build: Version of the library that runs the model, and what it was built with.
        device: What computes, in words, for example "CPU" or the GPU's name.
        n_ctx: Context size in tokens.
        n_batch: As in `LoadOptions`.
        n_ubatch: As in `LoadOptions`.
        n_threads: Threads for decode; None where the backend has none.
        n_threads_prefill: Threads for prefill.
        kv_type: Number format of the KV cache, for example "f16" or "bfloat16".
        flash_attention: Whether it is on; None where the library chooses for itself.
        n_gpu_layers: Layers on a GPU.
        dtype: Number format that it computes in; None where weights of several formats do.
        notices: What the person should know.
    """

    backend: str
    build: str
    device: str
    n_ctx: int
    n_batch: int
    n_ubatch: int
    n_threads: int | None
    n_threads_prefill: int | None
    kv_type: str
    flash_attention: bool | None
    n_gpu_layers: int
    dtype: Dtype | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KvGroup:
    """Layers of a KV cache that store tokens alike.

    Attributes:
        bytes_per_token: K and V of one token, all layers of the group together.
        max_tokens: Most tokens kept (sliding window); None keeps the whole context.
        n_layers: How many layers; None where it is not known.
        n_kv_heads: Key/value heads of each layer; None where they differ or are not known.
        k_head_size: Numbers in a key of one head; None as above.
        v_head_size: Numbers in a value of one head; 0 where keys and values are one latent.
    """

    bytes_per_token: int
    max_tokens: int | None = None
    n_layers: int | None = None
    n_kv_heads: int | None = None
    k_head_size: int | None = None
    v_head_size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KvLayout:
    """How the KV cache stores tokens, and what it has reserved.

    Attributes:
        groups: Layers that store tokens alike.
        fixed_bytes: State that does not grow with tokens (recurrent layers).
        reserved_bytes: Bytes allocated for the whole cache, or, unless `is_reserved`, those that it
            takes when it is full.
        reserved_tokens: Tokens that fit.
        type_name: Number format, for display ("f16").
        block_values: Numbers that are packed together; None where it is not known.
        block_bytes: Bytes that so many take.
        is_reserved: All of it was allocated at the load; else layers take memory as they fill.
    """

    groups: tuple[KvGroup, ...]
    fixed_bytes: int
    reserved_bytes: int
    reserved_tokens: int
    type_name: str
    block_values: int | None = None
    block_bytes: int | None = None
    is_reserved: bool = True

    def used_bytes(self, n_tokens: int) -> int:
        """Bytes that hold `n_tokens` tokens."""
        if n_tokens <= 0:
            return 0
        return self.fixed_bytes + sum(
            group.bytes_per_token
            * (n_tokens if group.max_tokens is None else min(n_tokens, group.max_tokens))
            for group in self.groups
        )

    def held_bytes(self, begin: int, end: int, n_tokens: int) -> int:
        """Bytes of the tokens from `begin` up to `end`, where `n_tokens` are in the cache.

        Of a sliding window only the last tokens count; state that does not grow belongs to none.
        """
        held = 0
        for group in self.groups:
            oldest = 0 if group.max_tokens is None else max(n_tokens - group.max_tokens, 0)
            held += group.bytes_per_token * max(min(end, n_tokens) - max(begin, oldest), 0)
        return held


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUse:
    """What the engine reports having allocated, bytes; None where it cannot say.

    `weights_bytes` of a mapped file are bytes of the mapping, and `mapped_bytes` are those of them
    that are: memory holds them only once they were read. `compute_bytes` is what the engine holds
    besides weights and KV cache: buffers, workspaces, unused blocks of its allocator. `on_gpu` says
    where they lie; of these, `host_weights_bytes`, `host_kv_bytes` and `host_compute_bytes` are in
    the machine's own memory all the same.
    """

    weights_bytes: int | None
    kv_bytes: int | None
    compute_bytes: int | None
    on_gpu: bool = False
    mapped_bytes: int = 0
    host_weights_bytes: int = 0
    host_kv_bytes: int = 0
    host_compute_bytes: int = 0
