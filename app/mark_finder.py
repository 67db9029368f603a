"""Finds what is worth a mark in what the engine and the sampler say."""

from app.marks import Mark, MarkKind
from app.sample_row import engine_gpu
from engine.events import (
    Collected,
    Compiled,
    Event,
    Failed,
    Finished,
    FinishReason,
    Loaded,
    LoadProgress,
    LoadStage,
    PromptReady,
)
from engine.samples import Sample, ThrottleReason
from engine.values import NoticeCode

_FALLBACKS = frozenset(
    {
        NoticeCode.GPU_NOT_IN_BUILD,
        NoticeCode.GPU_LAYERS_REDUCED,
        NoticeCode.GPU_NOT_IN_TORCH,
        NoticeCode.GPU_NOT_READY,
        NoticeCode.GPU_TOO_SMALL,
    }
)


class MarkFinder:
    """Looks at events and samples in their order. One thread only."""

    def __init__(self) -> None:
        """Begin before anything was said."""
        # The load that compiles, and since when.
        self._compiling: tuple[int, int] | None = None
        self._gpu_throttled = False
        self._cpu_count: int | None = None
        self._cpu_throttled = False

    def marks_of_sample(self, sample: Sample) -> list[Mark]:
        """Devices that began to slow themselves down: THROTTLING with "gpu" or "cpu", and why."""
        found: list[Mark] = []
        gpu = engine_gpu(sample.gpus)
        reasons = () if gpu is None else gpu.throttled or ()
        if reasons and not self._gpu_throttled:
            detail = ("gpu", *(reason.value for reason in reasons))
            found.append(Mark(kind=MarkKind.THROTTLING, t_ns=sample.t_ns, detail=detail))
        self._gpu_throttled = bool(reasons)
        count, before = sample.cpu_throttle_count, self._cpu_count
        has_risen = count is not None and before is not None and count > before
        if has_risen and not self._cpu_throttled:
            detail = ("cpu", ThrottleReason.HEAT.value)
            found.append(Mark(kind=MarkKind.THROTTLING, t_ns=sample.t_ns, detail=detail))
        self._cpu_count, self._cpu_throttled = count, has_risen
        return found

    def marks_of(self, event: Event) -> list[Mark]:
        """What happened with this event.

        Details: CACHE_REUSE tokens from the cache and of the prompt; CONTEXT_DROPPED messages
        left out; GARBAGE_COLLECTION nanoseconds it took and generation; COMPILE nanoseconds it
        took; CPU_FALLBACK the code of the notice; FAILED the code of the error.
        """
        t_ns = event.t_ns
        found = self._compiled_by(event)
        match event:
            case PromptReady(n_prompt_tokens=p, n_cached_tokens=c, n_dropped_messages=n_dropped):
                if c:
                    found.append(Mark(kind=MarkKind.CACHE_REUSE, t_ns=t_ns, detail=(c, p)))
                if n_dropped:
                    dropped = MarkKind.CONTEXT_DROPPED
                    found.append(Mark(kind=dropped, t_ns=t_ns, detail=(n_dropped,)))
            case Collected(duration_ns=duration_ns, generation=generation):
                detail = (duration_ns, generation)
                found.append(Mark(kind=MarkKind.GARBAGE_COLLECTION, t_ns=t_ns, detail=detail))
            case Compiled(duration_ns=duration_ns):
                found.append(Mark(kind=MarkKind.COMPILE, t_ns=t_ns, detail=(duration_ns,)))
            case Loaded(engine=engine):
                found += [
                    Mark(kind=MarkKind.CPU_FALLBACK, t_ns=t_ns, detail=(notice.code.value,))
                    for notice in engine.notices
                    if notice.code in _FALLBACKS
                ]
            case Finished(reason=FinishReason.CANCELLED):
                found.append(Mark(kind=MarkKind.STOP, t_ns=t_ns))
            case Failed(error=error):
                found.append(Mark(kind=MarkKind.FAILED, t_ns=t_ns, detail=(error.code.value,)))
            case _:
                pass
        return found

    def _compiled_by(self, event: Event) -> list[Mark]:
        """A load compiles from when it says so to what else it says."""
        compiles = isinstance(event, LoadProgress) and event.stage is LoadStage.COMPILE
        if compiles:
            if self._compiling is None or self._compiling[0] != event.request_id:
                self._compiling = event.request_id, event.t_ns
            return []
        if self._compiling is None or self._compiling[0] != event.request_id:
            return []
        _, since_ns = self._compiling
        self._compiling = None
        detail = (event.t_ns - since_ns,)
        return [Mark(kind=MarkKind.COMPILE, t_ns=event.t_ns, detail=detail)]
