"""What the timeline says, in words."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from app.marks import Mark, MarkKind
from app.timeline.between import Between
from app.timeline.moment import Moment
from app.timeline.stretches import Stage, Stretch
from engine.samples import ThrottleReason
from engine.values import NoticeCode
from ui.counts import token_count
from ui.format import energy_j, format_bytes, format_count, format_duration_ns, format_rate

if TYPE_CHECKING:
    from ui.palette import ColorName

translate = QCoreApplication.translate
DOT = "  ·  "


class Counted(QObject):
    """Words with a number that decides about their ending."""

    def steps(self, n: int) -> str:
        """Engine steps."""
        return self.tr("%Ln step(s)", "", n)

    def messages(self, n: int) -> str:
        """Messages that were left out."""
        return self.tr("%Ln message(s), the oldest, left out to make room", "", n)

    def prefill(self, n: int) -> str:
        """A chunk of the prefill; has room for "time"."""
        return self.tr("prefill of %Ln token(s), {time}", "", n)

    def cache(self, n: int) -> str:
        """What the KV cache holds; has room for "size"."""
        return self.tr("KV cache %Ln token(s), {size}", "", n)


STAGE_COLORS: "dict[Stage, ColorName]" = {
    Stage.QUEUE: "phase_waiting",
    Stage.LOAD: "phase_load",
    Stage.COMPILE: "phase_compile",
    Stage.PREPARE: "phase_template",
    Stage.TEMPLATE: "phase_template",
    Stage.TOKENIZE: "phase_tokenize",
    Stage.LOOKUP: "phase_lookup",
    Stage.PREFILL: "phase_prefill",
    Stage.FIRST_TOKEN: "phase_decode",
    Stage.DECODE: "phase_decode",
}

MARK_COLORS: "dict[MarkKind, ColorName]" = {
    MarkKind.CACHE_REUSE: "phase_cached",
    MarkKind.CONTEXT_DROPPED: "warning",
    MarkKind.CPU_FALLBACK: "warning",
    MarkKind.COMPILE: "phase_compile",
    MarkKind.GARBAGE_COLLECTION: "muted",
    MarkKind.THROTTLING: "phase_stopped",
    MarkKind.STOP: "phase_stopped",
    MarkKind.FAILED: "phase_stopped",
    MarkKind.SUSPENDED: "muted",
    MarkKind.CLOCK_JUMPED: "muted",
    MarkKind.SAMPLER_RESTARTED: "muted",
    MarkKind.SAMPLES_MISSING: "muted",
    MarkKind.MEASURING: "accent",
}


def stage_name(stage: Stage) -> str:
    """What a stretch is called."""
    return {
        Stage.QUEUE: translate("Timeline", "queue"),
        Stage.LOAD: translate("Timeline", "load the model"),
        Stage.COMPILE: translate("Timeline", "compile"),
        Stage.PREPARE: translate("Timeline", "prepare the prompt"),
        Stage.TEMPLATE: translate("Timeline", "template"),
        Stage.TOKENIZE: translate("Timeline", "tokenize"),
        Stage.LOOKUP: translate("Timeline", "search of the cache"),
        Stage.PREFILL: translate("Timeline", "prefill"),
        Stage.FIRST_TOKEN: translate("Timeline", "first token"),
        Stage.DECODE: translate("Timeline", "decode"),
    }[stage]


def chunk_name(n_tokens: int | None) -> str:
    """What a part of the prefill is called; of one that lasts nothing is known yet."""
    if n_tokens is None:
        return stage_name(Stage.PREFILL)
    return translate("Timeline", "prefill +{n}").format(n=format_count(n_tokens))


def mark_name(kind: MarkKind) -> str:
    """What a mark is called, in few letters."""
    return {
        MarkKind.CACHE_REUSE: translate("Timeline", "cache reused"),
        MarkKind.CONTEXT_DROPPED: translate("Timeline", "context dropped"),
        MarkKind.CPU_FALLBACK: translate("Timeline", "CPU instead of GPU"),
        MarkKind.COMPILE: translate("Timeline", "compile"),
        MarkKind.GARBAGE_COLLECTION: translate("Timeline", "garbage collection"),
        MarkKind.THROTTLING: translate("Timeline", "throttled"),
        MarkKind.STOP: translate("Timeline", "stopped"),
        MarkKind.FAILED: translate("Timeline", "failed"),
        MarkKind.SUSPENDED: translate("Timeline", "machine slept"),
        MarkKind.CLOCK_JUMPED: translate("Timeline", "clock changed"),
        MarkKind.SAMPLER_RESTARTED: translate("Timeline", "sampler restarted"),
        MarkKind.SAMPLES_MISSING: translate("Timeline", "samples missing"),
        MarkKind.MEASURING: translate("Timeline", "measuring"),
    }[kind]


def mark_sentence(mark: Mark) -> str:
    """What happened, with its values."""
    detail = mark.detail
    match mark.kind:
        case MarkKind.CACHE_REUSE if len(detail) == 2:
            text = translate("Timeline", "{cached} of {prompt} prompt tokens came from the cache")
            return text.format(cached=_count(detail[0]), prompt=_count(detail[1]))
        case MarkKind.CONTEXT_DROPPED if detail:
            return Counted().messages(int(detail[0]))
        case MarkKind.CPU_FALLBACK if detail and detail[0] == NoticeCode.GPU_LAYERS_REDUCED.value:
            return translate("Timeline", "part of the model runs on the CPU: the GPU is too small")
        case MarkKind.CPU_FALLBACK:
            return translate("Timeline", "the model runs on the CPU, though there is a GPU")
        case MarkKind.GARBAGE_COLLECTION if detail:
            text = translate("Timeline", "Python collected garbage in the engine for {time}")
            return text.format(time=format_duration_ns(float(detail[0])))
        case MarkKind.COMPILE if detail:
            text = translate("Timeline", "the engine compiled code for {time}")
            return text.format(time=format_duration_ns(float(detail[0])))
        case MarkKind.THROTTLING if detail:
            return _throttled(str(detail[0]), {str(part) for part in detail[1:]})
        case MarkKind.SUSPENDED if detail:
            text = translate("Timeline", "the machine slept for {time}")
            return text.format(time=format_duration_ns(float(detail[0])))
        case MarkKind.CLOCK_JUMPED if detail:
            return _jumped(float(detail[0]))
        case MarkKind.SAMPLER_RESTARTED if detail:
            text = translate(
                "Timeline", "what takes samples ended with code {code}, and was started again"
            )
            return text.format(code=detail[0])
        case MarkKind.SAMPLES_MISSING if detail:
            return _missing(detail[0])
        case MarkKind.MEASURING if detail:
            text = translate("Timeline", "what watching costs was measured for {time} until here")
            return text.format(time=format_duration_ns(float(detail[0])))
        case MarkKind.MEASURING:
            return translate(
                "Timeline", "what watching costs is measured from here: no steps of an answer"
            )
        case _:
            return mark_name(mark.kind)


def _jumped(by_ns: float) -> str:
    if by_ns < 0:
        text = translate("Timeline", "the time of day was put back by {time}")
    else:
        text = translate("Timeline", "the time of day was put forward by {time}")
    return text.format(time=format_duration_ns(abs(by_ns)))


def _missing(what: str | int | float) -> str:
    """As `SampleWatch` says it."""
    if what == "gpu":
        return translate("Timeline", "a GPU was no longer there")
    if what == "energy":
        return translate("Timeline", "an energy counter was lost, or went backwards")
    text = translate("Timeline", "no sample was taken for {time}")
    return text.format(time=format_duration_ns(float(what)))


def _throttled(device: str, reasons: set[str]) -> str:
    if device == "cpu":
        return translate("Timeline", "the CPU slowed itself down: it was too hot")
    if ThrottleReason.HEAT.value in reasons:
        return translate("Timeline", "the GPU slowed itself down: it was too hot")
    if ThrottleReason.POWER.value in reasons:
        return translate("Timeline", "the GPU slowed itself down: it was at its limit of power")
    return translate("Timeline", "the GPU was slowed down by its board")


def stretch_text(stretch: Stretch, until_ns: int) -> str:
    """A stretch and how long it took, or has lasted until `until_ns`."""
    taken = format_duration_ns(stretch.duration_ns(until_ns))
    if stretch.stage is Stage.PREFILL and stretch.n_tokens is not None:
        return Counted().prefill(stretch.n_tokens).format(time=taken)
    return f"{stage_name(stretch.stage)} {taken}"


def moment_text(moment: Moment, until_ns: int, token: str | None) -> str:
    """What was going on at a moment; empty where nothing was."""
    parts = []
    if moment.turn is not None:
        text = translate("Timeline", "Answer {n}, {time} after it was sent")
        since = format_duration_ns(moment.since_submit_ns)
        parts.append(text.format(n=format_count(moment.number), time=since))
    if moment.stretch is not None:
        parts.append(stretch_text(moment.stretch, until_ns))
    if moment.way_to_screen_ns is not None:
        text = translate("Timeline", "the first text was on its way to the screen for {time}")
        parts.append(text.format(time=format_duration_ns(moment.way_to_screen_ns)))
    step = moment.step
    if step is not None and moment.turn is not None:
        parts.append(translate("Timeline", "step {n}").format(n=format_count(step.index + 1)))
        if token:
            parts.append(translate("Timeline", "“{token}”").format(token=token))
        if step.itl_ns is not None:
            text = translate("Timeline", "{time} since the step before")
            parts.append(text.format(time=format_duration_ns(step.itl_ns)))
    if moment.kv_tokens is not None:
        text = Counted().cache(int(moment.kv_tokens))
        parts.append(text.format(size=format_bytes(moment.kv_bytes)))
    return DOT.join(parts)


def apart_text(found: Between) -> str:
    """How far the cursors are apart."""
    return translate("Timeline", "Δ {time}").format(time=format_duration_ns(found.duration_ns))


def between_text(found: Between) -> str:
    """What lies between the cursors."""
    parts = []
    if found.n_steps is None:
        parts.append(translate("Timeline", "steps of then are not kept one by one"))
    else:
        parts.append(Counted().steps(found.n_steps))
        parts.append(token_count(found.n_tokens or 0))
    if found.rate_tok_per_s is not None:
        parts.append(
            translate("Timeline", "{rate} over this time").format(
                rate=format_rate(found.rate_tok_per_s)
            )
        )
    if found.energy_mj is not None:
        text = translate("Timeline", "{joules} of the GPU")
        parts.append(text.format(joules=energy_j(found.energy_mj)))
    if found.cpu_energy_mj is not None:
        text = translate("Timeline", "{joules} of the CPU")
        parts.append(text.format(joules=energy_j(found.cpu_energy_mj)))
    return DOT.join(parts)


def _count(value: str | int | float) -> str:
    return format_count(value) if isinstance(value, int) else str(value)
