"""What the engine's events do to the answer they belong to."""

from dataclasses import fields

from app import messages
from app.transcript import Answer, AnswerPhase, Measured
from engine.events import (
    Event,
    Failed,
    Finished,
    FinishReason,
    Loaded,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Step,
)
from engine.figures import RequestTrace
from engine.model_name import display_name


def take_event(answer: Answer, event: Event) -> None:
    """Note in `answer` what the engine said about it."""
    answer.trace.add(event)
    match event:
        case Started():
            answer.phase = AnswerPhase.PREPARING
        case PromptReady():
            answer.phase = AnswerPhase.PREFILL
            answer.n_prefilled_tokens = event.n_cached_tokens
        case PrefillProgress():
            answer.n_prefilled_tokens = event.n_done_tokens
        case PrefillDone():
            answer.n_prefilled_tokens = answer.trace.n_prompt_tokens
        case Step():
            answer.phase = AnswerPhase.DECODE
            answer.text += event.text
            answer.step_ends.append(len(answer.text))
            answer.inspected.append(event.inspected)
        case Finished():
            answer.text += event.text
            answer.finish_reason = event.reason
            stopped = event.reason is FinishReason.CANCELLED
            answer.phase = AnswerPhase.STOPPED if stopped else AnswerPhase.DONE
        case Failed():
            answer.phase = AnswerPhase.FAILED
            answer.error = messages.of_error(event.error)
        case _:
            pass


def begin_again(answer: Answer, trace: RequestTrace) -> None:
    """Let an answer that is over wait for the engine as a new one does, measured by `trace`."""
    answer.text = ""
    answer.n_continuations = 0
    answer.is_edited = False
    answer.before = None
    answer.felt_ttft_ns = None
    _wait(answer, trace)


def go_on(answer: Answer, trace: RequestTrace) -> None:
    """Let an answer wait for the engine to append to it; `trace` measures what is appended."""
    answer.before = Measured(
        **{field.name: getattr(answer, field.name) for field in fields(Measured)}
    )
    answer.n_continuations += 1
    answer.felt_ttft_ns = None
    _wait(answer, trace)


def note_figures(answer: Answer) -> None:
    """Note the final figures of an answer that is over.

    They are those of its last continuation, if that gave anything at all.
    """
    answer.figures = answer.trace.figures()
    if answer.before is not None and not answer.trace.n_output_tokens:
        for field in fields(Measured):
            setattr(answer, field.name, getattr(answer.before, field.name))
        answer.n_continuations -= 1
    answer.before = None


def _wait(answer: Answer, trace: RequestTrace) -> None:
    answer.trace = trace
    answer.continued_from = len(answer.text)
    del answer.step_ends[:]
    answer.inspected.clear()
    answer.phase = AnswerPhase.WAITING
    answer.n_prefilled_tokens = None
    answer.figures = None
    answer.finish_reason = None
    answer.error = None


def note_engine(answer: Answer, loaded: Loaded | None) -> None:
    """Note what answers; None where no model is loaded yet.

    An answer that another model goes on with has the names of both.
    """
    answer.n_ctx = loaded.engine.n_ctx if loaded is not None else None
    names = [answer.before.model_name] if answer.before is not None else []
    names += [display_name(loaded.model)] if loaded is not None else []
    answer.model_name = " + ".join(dict.fromkeys(name for name in names if name)) or None
    answer.engine_name = loaded.engine.backend if loaded is not None else None
    answer.kv = loaded.kv if loaded is not None else None
