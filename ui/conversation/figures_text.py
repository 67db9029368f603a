"""The line of figures under an answer, in words."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from app.transcript import Answer, AnswerPhase
from engine.events import FinishReason
from engine.figures import Figures
from ui.counts import token_count, tokens_of
from ui.format import UNKNOWN, format_count, format_duration_ns, format_rate

_SEPARATOR = " · "
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
translate = QCoreApplication.translate


def figures_line(answer: Answer) -> str:
    """The phase and what is known so far, one line."""
    match answer.phase:
        case AnswerPhase.WAITING:
            return translate("Figures", "waiting for the model")
        case AnswerPhase.PREPARING:
            return translate("Figures", "preparing the prompt")
        case AnswerPhase.PREFILL:
            return _prefill(answer)
        case AnswerPhase.DECODE:
            word = translate("Figures", "decoding")
            return _SEPARATOR.join([word, *_results(answer, figures_of(answer))])
        case AnswerPhase.DONE | AnswerPhase.STOPPED | AnswerPhase.FAILED:
            return _SEPARATOR.join([*_endings(answer), *_results(answer, figures_of(answer))])


def broken_figures(line: str, fits: Callable[[str], bool]) -> str:
    """A line of figures as lines that fit, broken between figures only; no dot where it breaks."""
    lines: list[str] = []
    for figure in line.replace(_SEPARATOR, "\n").splitlines():
        longer = f"{lines[-1]}{_SEPARATOR}{figure}" if lines else figure
        if lines and fits(longer):
            lines[-1] = longer
        else:
            lines.append(figure)
    return "\n".join(lines).replace(" ", _NO_BREAK_SPACE)


def figures_tooltip(answer: Answer) -> str:
    """What the figures mean, and the ones that the line leaves out. Plain text."""
    figures = figures_of(answer)
    if answer.is_edited and answer.phase.is_over and figures.ttft_ns is None:
        return translate(
            "Figures",
            "This answer was edited, so nothing was measured of it. What the model itself said is "
            "another variant, with its figures.",
        )
    lines = [
        translate(
            "Figures",
            "TTFT, time to first token: from the engine taking the request to "
            "the first token sampled.",
        ),
        translate(
            "Figures", "    engine {engine}   ·   felt, from sending to text on screen {felt}"
        ).format(
            engine=format_duration_ns(figures.ttft_ns), felt=format_duration_ns(answer.felt_ttft_ns)
        ),
        translate(
            "Figures",
            "tok/s, decode rate: output tokens after the first, by the time since the first.",
        ),
        translate("Figures", "    {rate}   ·   TPOT, time per output token {tpot}").format(
            rate=format_rate(figures.decode_rate_tok_per_s),
            tpot=format_duration_ns(figures.tpot_ns),
        ),
        translate("Figures", "ITL, inter-token latency: from one engine step to the next."),
        translate("Figures", "    p50 {p50}   ·   p95 {p95}   ·   p99 {p99}").format(
            p50=format_duration_ns(figures.itl_p50_ns),
            p95=format_duration_ns(figures.itl_p95_ns),
            p99=format_duration_ns(figures.itl_p99_ns),
        ),
        translate("Figures", "Latency: from sending to the last token sampled."),
        f"    {format_duration_ns(figures.latency_ns)}",
        translate("Figures", "Prefill: reading the part of the prompt that is not in the cache."),
        translate("Figures", "    {rate}   ·   {prompt} prompt tokens, {cached} from cache").format(
            rate=format_rate(figures.prefill_rate_tok_per_s),
            prompt=format_count(figures.n_prompt_tokens),
            cached=format_count(figures.n_cached_tokens),
        ),
        translate("Figures", "Context: prompt and output tokens, of the context size."),
    ]
    if answer.n_continuations:
        continued = translate(
            "Figures",
            "This answer was continued. The figures are those of the last continuation: what "
            "was there before it is part of its prompt.",
        )
        lines.insert(0, continued)
    return "\n".join(lines)


def figures_of(answer: Answer) -> Figures:
    """The final figures, or those so far."""
    return answer.figures if answer.figures is not None else answer.trace.figures()


def context_text(
    used: int | None, size: int | None, *, reserve: int = 0, is_stale: bool = False
) -> str:
    """Tokens used, and kept for an answer, of the context size: "214 + 512 / 8,192".

    An ellipsis says that `used` is the last number known.
    """
    shown = format_count(used)
    if is_stale:
        shown = "…" if used is None else f"{shown}…"
    if reserve:
        shown = f"{shown} + {format_count(reserve)}"
    return f"{shown} / {format_count(size)}"


def _prefill(answer: Answer) -> str:
    trace = answer.trace
    tokens = tokens_of(answer.n_prefilled_tokens, trace.n_prompt_tokens)
    text = translate("Figures", "reading {tokens}").format(tokens=tokens)
    if not trace.n_cached_tokens:
        return text
    cached = translate("Figures", "{n} from cache").format(n=format_count(trace.n_cached_tokens))
    return _SEPARATOR.join([text, cached])


def _results(answer: Answer, figures: Figures) -> list[str]:
    if figures.ttft_ns is None:
        return []
    results = [
        translate("Figures", "TTFT {ttft}").format(ttft=format_duration_ns(figures.ttft_ns)),
        format_rate(figures.decode_rate_tok_per_s),
        token_count(figures.n_output_tokens),
    ]
    if answer.n_continuations:
        results[0] = translate("Figures", "since continuing: {figure}").format(figure=results[0])
    if figures.context_used_tokens is not None and answer.n_ctx is not None:
        context = context_text(figures.context_used_tokens, answer.n_ctx)
        results.append(translate("Figures", "context {context}").format(context=context))
    return [result for result in results if result != UNKNOWN]


def _endings(answer: Answer) -> list[str]:
    if not answer.is_edited:
        return [_ending(answer)]
    edited = translate("Figures", "edited")
    is_over = answer.phase is AnswerPhase.DONE and answer.finish_reason is None
    return [edited] if is_over else [edited, _ending(answer)]


def _ending(answer: Answer) -> str:
    if answer.phase is AnswerPhase.FAILED:
        return translate("Figures", "failed")
    match answer.finish_reason:
        case FinishReason.END | FinishReason.STOP_STRING:
            return translate("Figures", "end of answer")
        case FinishReason.LENGTH:
            return translate("Figures", "length limit")
        case FinishReason.CONTEXT_FULL:
            return translate("Figures", "context full")
        case FinishReason.CANCELLED | None:
            return translate("Figures", "stopped")
