"""What an engine says while it works. One class an event, `request_id` and `t_ns` in each.

`t_ns` is `time.perf_counter_ns()` taken in the engine process when the thing happened. On the
systems we run on that clock is one for the whole machine, so that stamps of the engine, of the
sampler and of the window can stand on one axis.
"""

from dataclasses import dataclass
from enum import StrEnum

from engine.errors import ErrorInfo
from engine.values import (
    ChatMessage,
    EngineInfo,
    GenerateRequest,
    KvLayout,
    LoadOptions,
    MemoryUse,
    ModelInfo,
)


class LoadStage(StrEnum):
    """What a load is doing."""

    IMPORT = "import"
    CONVERT = "convert"
    READ = "read"
    CONTEXT = "context"
    WARM_UP = "warm_up"
    COMPILE = "compile"
    MEASURE_THREADS = "measure_threads"


class FinishReason(StrEnum):
    """How an answer ended."""

    END = "end"
    LENGTH = "length"
    CONTEXT_FULL = "context_full"
    STOP_STRING = "stop_string"
    CANCELLED = "cancelled"


class CellKind(StrEnum):
    """What cells of the KV cache hold.

    `ADDED_SYSTEM` is a system prompt that the template adds where there is none.
    """

    SYSTEM = "system"
    USER = "user"
    ANSWER = "answer"
    TEMPLATE = "template"
    UNKNOWN = "unknown"
    ADDED_SYSTEM = "added_system"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellSpan:
    """The cells (tokens) from `begin` up to `end`, of a prompt.

    `number` says which message of its role it is, from 1; 0 for what is no message.
    """

    kind: CellKind
    begin: int
    end: int
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadProgress:
    """How far a load is, 0 to 1 within its stage; None where it cannot tell.

    `predicted` is what it is expected to allocate; None before that is known.
    """

    request_id: int
    t_ns: int
    stage: LoadStage
    fraction: float | None
    predicted: MemoryUse | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A load ended well. `t_start_ns` is when the engine took the command.

    `predicted` is what the memory was expected to be before it was taken; None where nobody did.
    `slept` says that the machine slept meanwhile, so that how long it took is not known.
    """

    request_id: int
    t_ns: int
    t_start_ns: int
    model: ModelInfo
    engine: EngineInfo
    kv: KvLayout
    memory: MemoryUse
    predicted: MemoryUse | None = None
    slept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """The engine took the request: `t_start`."""

    request_id: int
    t_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptReady:
    """The prompt is rendered and tokenized, and the cache was searched for its prefix.

    `n_prompt_tokens` is p, `n_cached_tokens` is c of the design. Prefill starts at `t_ns`.
    `n_dropped_messages` of the conversation were left out, the oldest after the system prompt.
    The template was rendered at `t_rendered_ns`, what does not fit left out by then; the text was
    tokenized at `t_tokenized_ns`. Both are None for a prompt that came as tokens.
    `answer_number` says which answer of the conversation this is, as in `CellSpan`; 0 is unknown.
    """

    request_id: int
    t_ns: int
    n_prompt_tokens: int
    n_cached_tokens: int
    n_dropped_messages: int = 0
    t_rendered_ns: int | None = None
    t_tokenized_ns: int | None = None
    answer_number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefillProgress:
    """`n_done_tokens` of the prompt are in the KV cache, those from the cache included."""

    request_id: int
    t_ns: int
    n_done_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefillDone:
    """The whole prompt is in the KV cache, and the device is synchronised."""

    request_id: int
    t_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChanged:
    """What the engine has allocated is another than it last said."""

    request_id: int
    t_ns: int
    memory: MemoryUse


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """Python collected garbage in the engine process during a request, until `t_ns`.

    Said of collections only that take so long that a step is late because of them.
    """

    request_id: int
    t_ns: int
    duration_ns: int
    generation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """The engine's library compiled something during a request, until `t_ns`."""

    request_id: int
    t_ns: int
    duration_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspended:
    """The machine slept for `asleep_ns` before the event that has the same `t_ns`.

    What ends with that event cannot be measured. It comes before `Started` where the machine slept
    while the request waited for a load, or for another request.
    """

    request_id: int
    t_ns: int
    asleep_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One engine step sampled `n_tokens` tokens at `t_ns`.

    `text` is what became readable: incomplete UTF-8 and the possible start of a stop string are
    held back, so it may be empty. The end token, where one was sampled, is counted.
    `inspected` has how each token was chosen, as `engine.inspection.pack` writes it, where the
    request asked for it.
    """

    request_id: int
    t_ns: int
    n_tokens: int
    text: str
    inspected: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """An answer ended. `text` is what was still held back; `t_ns` is when the engine was idle."""

    request_id: int
    t_ns: int
    reason: FinishReason
    text: str
    n_output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CellsFound:
    """What the tokens of the prompt of an answer are: told after its end, if at all.

    It is found while nothing else waits, and not told of what was no conversation.
    """

    request_id: int
    t_ns: int
    cells: tuple[CellSpan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What was asked for by a `CountCommand`.

    Attributes:
        request_id: Of the command.
        t_ns: When it was counted.
        n_tokens: The conversation as a prompt.
        n_dropped_messages: How many of the oldest an answer would leave out so that it fits.
        n_left_tokens: The prompt without these; `n_tokens` where none is left out.
        n_text_tokens: Each text alone.
    """

    request_id: int
    t_ns: int
    n_tokens: int
    n_left_tokens: int
    n_dropped_messages: int = 0
    n_text_tokens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A load, an answer or a count ended with an error."""

    request_id: int
    t_ns: int
    error: ErrorInfo


Event = (
    LoadProgress
    | Loaded
    | Started
    | PromptReady
    | PrefillProgress
    | PrefillDone
    | MemoryChanged
    | Collected
    | Compiled
    | Suspended
    | Step
    | Finished
    | CellsFound
    | Counted
    | Failed
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadCommand:
    """Load a model. Answered by `LoadProgress`, then one `Loaded` or `Failed`."""

    request_id: int
    options: LoadOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerateCommand:
    """Produce an answer. Ends in exactly one `Finished` or `Failed`; `CellsFound` may follow."""

    request: GenerateRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class CountCommand:
    """Count tokens. Ends in exactly one `Counted` or `Failed`, and changes nothing.

    Attributes:
        request_id: As in `GenerateRequest`.
        messages: Counted as the prompt that an answer to them would have; empty is 0 tokens.
        max_tokens: As in `GenerateRequest`.
        drop_oldest: As in `GenerateRequest`.
        texts: Each counted by itself, without a template.
    """

    request_id: int
    messages: tuple[ChatMessage, ...] = ()
    max_tokens: int | None = None
    drop_oldest: bool = False
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseCommand:
    """Free everything and leave the process."""


Command = LoadCommand | GenerateCommand | CountCommand | CloseCommand
