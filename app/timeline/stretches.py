"""The stretches of a request, one after the other, from its stamps."""

from dataclasses import dataclass, replace
from enum import StrEnum

from engine.figures import RequestTrace


class Stage(StrEnum):
    """What a stretch of a request was spent on."""

    QUEUE = "queue"
    LOAD = "load"
    COMPILE = "compile"
    PREPARE = "prepare"
    TEMPLATE = "template"
    TOKENIZE = "tokenize"
    LOOKUP = "lookup"
    PREFILL = "prefill"
    FIRST_TOKEN = "first_token"
    DECODE = "decode"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A stretch of one request, on the clock of its stamps.

    Attributes:
        stage: What it was spent on. PREPARE stands for template, tokenizer and search of the
            cache where they were not stamped apart.
        t0_ns: Its begin.
        t1_ns: Its end; None while it lasts.
        slept: Whether the machine slept meanwhile, so that nobody knows how long it took.
        n_before: Of a chunk of the prefill: prompt tokens in the KV cache when it began.
        n_tokens: Of a chunk: tokens that it computed; None while it lasts.
    """

    stage: Stage
    t0_ns: int
    t1_ns: int | None
    slept: bool = False
    n_before: int | None = None
    n_tokens: int | None = None

    def duration_ns(self, until_ns: int) -> int | None:
        """How long it took, or has lasted until `until_ns`; None where the machine slept."""
        return None if self.slept else (self.t1_ns or until_ns) - self.t0_ns


def stretches_of(trace: RequestTrace) -> list[Stretch]:
    """The stretches of a request so far, without gaps, each from the end of the one before.

    Those until the first token add up to `t_first - t_submit`, those after the queue to the
    engine's TTFT. A chunk is what lies between two reports of the prefill.
    """
    found: list[Stretch] = []
    begin_ns: int | None = trace.t_submit_ns

    def add(stage: Stage, end_ns: int | None) -> None:
        nonlocal begin_ns
        if begin_ns is not None:
            found.append(Stretch(stage=stage, t0_ns=begin_ns, t1_ns=end_ns or trace.t_end_ns))
        begin_ns = end_ns

    add(Stage.QUEUE, trace.t_start_ns)
    if trace.t_rendered_ns is not None and trace.t_tokenized_ns is not None:
        add(Stage.TEMPLATE, trace.t_rendered_ns)
        add(Stage.TOKENIZE, trace.t_tokenized_ns)
        add(Stage.LOOKUP, trace.t_prompt_ready_ns)
    else:
        # Stamps of the three come with the one of the last.
        add(Stage.PREPARE, trace.t_prompt_ready_ns)
    if begin_ns is not None:
        found += _chunks(trace)
        begin_ns = trace.t_prefill_end_ns
    add(Stage.FIRST_TOKEN, trace.t_first_ns)
    add(Stage.DECODE, trace.t_last_ns if trace.ended else None)
    if not trace.suspended_t_ns:
        return found
    return [replace(each, slept=True) if _slept(trace, each) else each for each in found]


def _slept(trace: RequestTrace, stretch: Stretch) -> bool:
    t0_ns, t1_ns = stretch.t0_ns, stretch.t1_ns
    return any(t0_ns < t_ns and (t1_ns is None or t_ns <= t1_ns) for t_ns in trace.suspended_t_ns)


def _chunks(trace: RequestTrace) -> list[Stretch]:
    begin_ns, n_before = trace.t_prompt_ready_ns, trace.n_cached_tokens
    assert begin_ns is not None, "there is a prefill"
    assert n_before is not None, "comes with the stamp"
    chunks: list[Stretch] = []

    def add(end_ns: int | None, n_tokens: int | None) -> None:
        assert begin_ns is not None
        chunks.append(
            Stretch(
                stage=Stage.PREFILL,
                t0_ns=begin_ns,
                t1_ns=end_ns,
                n_before=n_before,
                n_tokens=n_tokens,
            )
        )

    for t_ns, n_done in zip(trace.prefill_t_ns, trace.prefill_n_done_tokens, strict=True):
        if n_done > n_before:
            add(t_ns, n_done - n_before)
            begin_ns, n_before = t_ns, n_done
    end_ns, n_prompt = trace.t_prefill_end_ns, trace.n_prompt_tokens
    if end_ns is None or n_prompt is None:
        add(trace.t_end_ns, None)
    elif n_prompt > n_before or not chunks:
        add(end_ns, n_prompt - n_before)
    else:
        # The last report was of the whole prompt; the device was synchronised after it.
        last = chunks[-1]
        chunks[-1] = Stretch(
            stage=Stage.PREFILL,
            t0_ns=last.t0_ns,
            t1_ns=end_ns,
            n_before=last.n_before,
            n_tokens=last.n_tokens,
        )
    return chunks
