"""What the figures under an answer say."""

import pytest

from app.transcript import Answer
from engine.events import Step
from engine.figures import RequestTrace
from ui.conversation.figures_text import broken_figures, figures_tooltip

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


@pytest.mark.parametrize(
    ("most", "lines"),
    [
        (99, ["end of answer · 50.0\u202ftok/s · context 159 / 8,192"]),
        (32, ["end of answer · 50.0\u202ftok/s", "context 159 / 8,192"]),
        (5, ["end of answer", "50.0\u202ftok/s", "context 159 / 8,192"]),
    ],
)
def test_the_line_breaks_between_figures_only_and_without_a_dot(
    most: int, lines: list[str]
) -> None:
    words = "end of answer · 50.0\u202ftok/s · context 159 / 8,192"
    found = broken_figures(words, lambda line: len(line) <= most)
    assert found.replace("\xa0", " ").split("\n") == lines
    assert " " not in found
