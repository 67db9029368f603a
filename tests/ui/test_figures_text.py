"""What the figures under an answer say."""

from app.transcript import Answer
from engine.events import Step
from engine.figures import RequestTrace
from ui.conversation.figures_text import figures_tooltip, unbroken_figures

MS = 1_000_000


def _answer(*steps_ms: int) -> Answer:
    """Sent at 1 ms; an engine step ended at each of these."""
    trace = RequestTrace(7, 1 * MS)
    for t_ms in steps_ms:
        trace.add(Step(request_id=7, t_ns=t_ms * MS, n_tokens=1, text="x"))
    return Answer(trace=trace)


def test_the_tooltip_tells_percentiles_and_latency() -> None:
    # 98 steps 10 ms apart, then one of 30 ms and one of 70 ms.
    steps_ms = [100 + 10 * i for i in range(99)]
    answer = _answer(*steps_ms, steps_ms[-1] + 30, steps_ms[-1] + 100)
    lines = figures_tooltip(answer).splitlines()
    assert "    p50 10.0\u202fms   ·   p95 10.0\u202fms   ·   p99 30.0\u202fms" in lines
    assert lines[lines.index("Latency: from sending to the last token sampled.") + 1] == (
        "    1.18\u202fs"
    )


def test_the_tooltip_is_blank_where_nothing_is_known() -> None:
    lines = figures_tooltip(_answer()).splitlines()
    assert "    p50 —   ·   p95 —   ·   p99 —" in lines
    assert lines[lines.index("Latency: from sending to the last token sampled.") + 1] == "    —"


def test_the_line_breaks_between_figures_only() -> None:
    line = unbroken_figures("end of answer · 50.0\u202ftok/s · context 159 / 8,192")
    assert line.replace("\xa0", " ") == "end of answer · 50.0\u202ftok/s · context 159 / 8,192"
    assert [part.replace("\xa0", " ") for part in line.split(" ")] == [
        "end of answer ·",
        "50.0\u202ftok/s ·",
        "context 159 / 8,192",
    ]
