"""A chat session without an engine: tests say what it does."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from app.answer_events import note_figures
from app.engine_state import EngineState, EngineStatus
from app.library import ChatLibrary
from app.messages import still_answering
from app.session import ChatSession
from app.transcript import Answer, Conversation, UserTurn, title_of
from engine.errors import ErrorCode, ErrorInfo
from engine.events import Event, Failed, Finished, FinishReason, Loaded, PromptReady, Started, Step
from engine.figures import RequestTrace
from engine.values import (
    EngineInfo,
    GenerateRequest,
    KvGroup,
    KvLayout,
    KvType,
    LoadOptions,
    MemoryUse,
    ModelInfo,
    Notice,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.attachments import Attachment
    from app.messages import UserMessage

MS = 1_000_000
T0 = 1_000 * MS


def loaded_model(
    *,
    name: str = "Smollm2 Mix1 Ep2",
    n_ctx: int = 8192,
    notices: tuple[Notice, ...] = (),
    path: str = "/models/SmolLM2-135M-Instruct.Q4_1.gguf",
) -> Loaded:
    """A load that ended well."""
    return Loaded(
        request_id=1,
        t_ns=T0,
        t_start_ns=T0 - 60 * MS,
        model=ModelInfo(
            path=path,
            name=name,
            architecture="llama",
            n_parameters=134_515_008,
            size_bytes=96_600_000,
            quantization="Q4_1",
            n_layers=30,
            n_heads=9,
            n_kv_heads=3,
            n_embd=576,
            n_vocab=49_152,
            n_ctx_train=8192,
            chat_template="{{ messages }}",
        ),
        engine=EngineInfo(
            backend="llama",
            build="llama.cpp",
            device="CPU",
            n_ctx=n_ctx,
            n_batch=2048,
            n_ubatch=512,
            n_threads=2,
            n_threads_prefill=2,
            kv_type=KvType.F16,
            flash_attention=True,
            n_gpu_layers=0,
            notices=notices,
        ),
        kv=KvLayout(
            groups=(KvGroup(bytes_per_token=23_040),),
            fixed_bytes=0,
            reserved_bytes=23_040 * n_ctx,
            reserved_tokens=n_ctx,
            type_name="f16",
        ),
        memory=MemoryUse(weights_bytes=96_600_000, kv_bytes=23_040 * n_ctx, compute_bytes=None),
    )


class FakeSession(ChatSession):
    """Keeps chats as the real one does; a test plays the engine's part.

    Attributes:
        calls: What the window asked for: (name, argument) pairs.
        refuse_send: Take nothing, and say this instead.
        last_count_id: Request id of the last count asked for.
    """

    def __init__(self, library: ChatLibrary | None = None) -> None:
        # The inference thread is what this class does without.
        super(ChatSession, self).__init__(library or ChatLibrary())
        self.calls: list[tuple[str, object]] = []
        self.refuse_send: UserMessage | None = None
        self.last_count_id = 0
        # Called when turns were added, of which a view learns at once but which it shows later.
        self.on_added: Callable[[], None] | None = None
        self._ids = count(1)
        self._state = EngineState()
        self._running = {}

    def load(self, options: LoadOptions) -> None:
        self.calls.append(("load", options))
        self.set_state(EngineState(status=EngineStatus.LOADING, options=options))

    def cancel_load(self) -> None:
        self.calls.append(("cancel_load", None))

    def stop(self) -> None:
        self.calls.append(("stop", None))

    def send(self, text: str, attachments: Sequence[Attachment] = ()) -> bool:
        self.calls.append(("send", text))
        if attachments:
            self.calls.append(("send_attachments", tuple(attachments)))
        if self.refuse_send is not None:
            self.message_raised.emit(self.refuse_send)
            return False
        if not text.strip() and not attachments:
            return False
        self.add_turns(text, attachments)
        return True

    def count(
        self, typed: str, attachments: Sequence[Attachment] = (), texts: tuple[str, ...] = ()
    ) -> int | None:
        if self._state.status is not EngineStatus.READY:
            return None
        self.calls += [("count", typed), ("count_texts", texts)]
        self.calls.append(("count_attachments", tuple(attachments)))
        self.last_count_id = next(self._ids)
        return self.last_count_id

    def try_out(self, request: GenerateRequest) -> int | None:
        self.calls.append(("try_out", request))
        return next(self._ids)

    def stop_trial(self) -> None:
        self.calls.append(("stop_trial", None))

    def _can_answer(self) -> bool:
        if self._running:
            self.message_raised.emit(still_answering())
        return not self._running

    def _new_trace(self) -> RequestTrace:
        return RequestTrace(next(self._ids), T0)

    def _submit(self, chat: Conversation, answer: Answer) -> None:
        self.calls.append(("submit", answer))
        answer.n_ctx = 8192
        self._running[answer.trace.request_id] = answer

    def shutdown(self) -> None:
        self.calls.append(("shutdown", None))

    # What the engine does, played by the test.

    def set_state(self, state: EngineState) -> None:
        self._set_state(state)

    def become_ready(self, loaded: Loaded | None = None) -> None:
        """A model is loaded."""
        loaded = loaded or loaded_model()
        options = self._state.options or LoadOptions(model_path=loaded.model.path)
        self.set_state(EngineState(status=EngineStatus.READY, options=options, loaded=loaded))

    def add_turns(self, text: str, attachments: Sequence[Attachment] = ()) -> Answer:
        """The person's turn and the answer that waits."""
        user = UserTurn(text=text, attachments=tuple(attachments))
        title = title_of(text) or (attachments[0].name if attachments else "")
        self._current.title = self._current.title or title
        self.library.add_turn(self._current, user)
        self.turn_added.emit(user)
        answer = Answer(trace=RequestTrace(next(self._ids), T0))
        answer.n_ctx = 8192
        self.library.add_turn(self._current, answer)
        self._running[answer.trace.request_id] = answer
        self.turn_added.emit(answer)
        if self.on_added is not None:
            self.on_added()
        return answer

    def prefill(
        self, answer: Answer, *, prompt: int = 96, cached: int = 0, done: int | None = None
    ) -> None:
        """The prompt is tokenized and partly read."""
        request_id = answer.trace.request_id
        self._take(answer, Started(request_id=request_id, t_ns=T0 + 2 * MS))
        self._take(
            answer,
            PromptReady(
                request_id=request_id,
                t_ns=T0 + 4 * MS,
                n_prompt_tokens=prompt,
                n_cached_tokens=cached,
            ),
        )
        answer.n_prefilled_tokens = cached if done is None else done
        self.answer_changed.emit(answer)

    def stream(self, answer: Answer, text: str, *, n_tokens: int = 1, t_ms: int = 0) -> None:
        """One step."""
        t_ns = T0 + 184 * MS + (t_ms or 20 * len(answer.trace.step_t_ns)) * MS
        step = Step(request_id=answer.trace.request_id, t_ns=t_ns, n_tokens=n_tokens, text=text)
        self._take(answer, step)
        self.answer_changed.emit(answer)

    def finish(self, answer: Answer, reason: FinishReason = FinishReason.END) -> None:
        """The answer ends."""
        trace = answer.trace
        end = Finished(
            request_id=trace.request_id,
            t_ns=trace.t_last_ns or T0,
            reason=reason,
            text="",
            n_output_tokens=trace.n_output_tokens,
        )
        self._end(answer, end)

    def fail(self, answer: Answer, error: ErrorInfo | None = None) -> None:
        """The answer fails."""
        info = error or ErrorInfo(code=ErrorCode.DECODE_FAILED, technical="llama_decode gave -3")
        self._end(answer, Failed(request_id=answer.trace.request_id, t_ns=T0, error=info))

    def _take(self, answer: Answer, event: Event) -> None:
        self._apply(event, answer)

    def _end(self, answer: Answer, event: Finished | Failed) -> None:
        self._apply(event, answer)
        del self._running[answer.trace.request_id]
        note_figures(answer)
        self.library.note_change(answer)
        self.answer_changed.emit(answer)
