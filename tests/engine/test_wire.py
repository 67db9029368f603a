"""Every event crosses the pipe as it was."""

from __future__ import annotations

import pytest

from engine.errors import ErrorCode, ErrorInfo
from engine.events import Event, Failed, Finished, FinishReason, PrefillProgress, Step
from engine.wire import decode, encode


@pytest.mark.parametrize(
    "event",
    [
        Step(request_id=3, t_ns=1 << 60, n_tokens=4, text="漢🚀\ufffd"),
        PrefillProgress(request_id=1, t_ns=2, n_done_tokens=3),
        Finished(request_id=1, t_ns=2, reason=FinishReason.CANCELLED, text="", n_output_tokens=0),
        Failed(
            request_id=1,
            t_ns=2,
            error=ErrorInfo(code=ErrorCode.PROMPT_TOO_LONG, details=(("n_ctx", 5),)),
        ),
    ],
)
def test_events_arrive_as_they_were_sent(event: Event) -> None:
    assert decode(encode(event)) == event
    assert type(decode(encode(event))) is type(event)


def test_a_step_carries_no_class_name() -> None:
    step = Step(request_id=3, t_ns=1 << 60, n_tokens=1, text=" word")
    assert b"engine" not in encode(step)
