"""Conversations as they are after an answer."""

from pytestqt.qtbot import QtBot

from app.library import ChatLibrary
from app.messages import Severity, UserMessage
from app.store.records import SearchHit
from app.transcript import Answer, AnswerPhase, Conversation, UserTurn, title_of
from engine.events import (
    Event,
    Finished,
    FinishReason,
    PrefillDone,
    PromptReady,
    Started,
    Step,
)
from engine.figures import RequestTrace
from tests.waiting import WAIT_MS

MS = 1_000_000
ERROR = UserMessage(severity=Severity.ERROR, title="It failed", text="Why: {x}", technical="-3")


def running_answer(text: str = "") -> Answer:
    answer = Answer(trace=RequestTrace(7, 0), text=text, phase=AnswerPhase.DECODE, n_ctx=8192)
    events: list[Event] = [
        Started(request_id=7, t_ns=1 * MS),
        PromptReady(request_id=7, t_ns=2 * MS, n_prompt_tokens=96, n_cached_tokens=30),
        PrefillDone(request_id=7, t_ns=40 * MS),
        *(Step(request_id=7, t_ns=(50 + 10 * i) * MS, n_tokens=1, text="x") for i in range(5)),
    ]
    for event in events:
        answer.trace.add(event)
    answer.model_name = "SmolLM2-135M-Instruct"
    answer.engine_name = "llama"
    answer.settings = '{"temperature": 0.8}'
    return answer


def finish(answer: Answer, reason: FinishReason = FinishReason.END) -> None:
    n_tokens = answer.trace.n_output_tokens
    answer.trace.add(
        Finished(request_id=7, t_ns=100 * MS, reason=reason, text="", n_output_tokens=n_tokens)
    )
    answer.finish_reason = reason
    answer.phase = AnswerPhase.DONE
    answer.figures = answer.trace.figures()
    answer.felt_ttft_ns = 60 * MS


def talk(library: ChatLibrary, question: str, reply: str) -> Conversation:
    """A chat with one question and its answer."""
    chat = library.new_chat()
    chat.title = title_of(question)
    library.add_turn(chat, UserTurn(text=question))
    answer = running_answer(reply)
    library.add_turn(chat, answer)
    finish(answer)
    library.note_change(answer)
    return chat


def found(library: ChatLibrary, text: str, qtbot: QtBot) -> list[SearchHit]:
    """What a search gives."""
    with qtbot.waitSignal(library.found, timeout=WAIT_MS) as waiter:
        library.search(text)
    assert waiter.args is not None
    assert waiter.args[0] == text
    return list(waiter.args[1])
