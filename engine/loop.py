"""The decode loop above all backends: one request in, its events out."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from engine.cells import CellMap, Prompt, prompt_of
from engine.errors import EngineError, ErrorCode, ErrorInfo
from engine.events import (
    CellsFound,
    Counted,
    Failed,
    Finished,
    FinishReason,
    MemoryChanged,
    PrefillDone,
    PromptReady,
    Started,
    Step,
)
from engine.fitting import fitting
from engine.inspection import pack
from engine.pauses import with_pauses
from engine.prefill import ChunkSize, prefill
from engine.prompt import AnswerRecord, PromptMemory
from engine.sampling_bounds import MAX_TOKENS_BOUNDS
from engine.text import StopMatcher, Utf8Stream, without_surrogates
from engine.values import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.backend import Backend, LoadedModel
    from engine.chat_format import ChatFormat
    from engine.events import CountCommand, Event, Loaded
    from engine.pauses import PauseWatch
    from engine.values import ChatMessage, GenerateRequest

    Emit = Callable[[Event], None]
    IsCancelled = Callable[[], bool]

# A character that one of these cut in half was never meant to end there: it is left out.
_CUTS = frozenset({FinishReason.CANCELLED, FinishReason.LENGTH, FinishReason.CONTEXT_FULL})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prompt:
    """The tokens of a prompt, how it was made, and when; as in `PromptReady`.

    `shown` is the conversation in it, where it is one.
    """

    tokens: list[int]
    n_dropped: int
    t_rendered_ns: int | None
    t_tokenized_ns: int | None
    shown: Prompt | None


def end_with_one_event(
    request_id: int,
    work: Callable[[], Finished | Loaded | Counted],
    *,
    emit: Emit,
    clock_ns: Callable[[], int],
) -> None:
    """Do `work` and emit the event it returns, or the `Failed` that its exception becomes.

    This is the one place of the engine process where any exception is caught: whatever is wrong
    with a model, a library or our own code, somebody waits for the end of this request.
    """
    last: Finished | Loaded | Counted | Failed
    try:
        last = work()
    except EngineError as error:
        last = Failed(request_id=request_id, t_ns=clock_ns(), error=error.info)
    except MemoryError:
        info = ErrorInfo(code=ErrorCode.NOT_ENOUGH_MEMORY, technical=traceback.format_exc())
        last = Failed(request_id=request_id, t_ns=clock_ns(), error=info)
    except BaseException:  # noqa: BLE001  # the documented boundary: panics of Rust are no Exception
        info = ErrorInfo(code=ErrorCode.INTERNAL, technical=traceback.format_exc())
        last = Failed(request_id=request_id, t_ns=clock_ns(), error=info)
    emit(last)


class DecodeLoop:
    """Answers requests with one loaded model. Every call comes from the backend's thread."""

    def __init__(
        self,
        backend: Backend,
        loaded: LoadedModel,
        chat_format: ChatFormat,
        *,
        pauses: Sequence[PauseWatch] = (),
        clock_ns: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        """Take a backend whose `load` gave `loaded`; `pauses` note what holds up a step."""
        self._backend = backend
        self._n_ctx = loaded.engine.n_ctx
        self._memory_use = loaded.memory
        self._format = chat_format
        self._pauses = pauses
        self._clock_ns = clock_ns
        self._prompts = PromptMemory(
            backend, bos_text=loaded.bos_text, is_plain=chat_format.is_plain
        )
        self._cells = CellMap(backend.shown_bytes)
        self._finished_id: int | None = None
        self._chunk_size = ChunkSize(
            loaded.engine.n_batch, is_interruptible=loaded.prefill_is_interruptible
        )

    def run(self, request: GenerateRequest, *, emit: Emit, is_cancelled: IsCancelled) -> None:
        """Produce an answer: `Started` first, exactly one `Finished` or `Failed` last.

        Args:
            request: What to answer.
            emit: Called with each event, in the order of their stamps.
            is_cancelled: Asked between steps and chunks, and from inside them.
        """
        if self._pauses:
            emit = with_pauses(emit, self._pauses)
        for watch in self._pauses:
            watch.start()
        try:
            end_with_one_event(
                request.request_id,
                lambda: self._answer(request, emit, is_cancelled),
                emit=emit,
                clock_ns=self._clock_ns,
            )
        finally:
            for watch in self._pauses:
                watch.stop()

    def find_cells(self, *, emit: Emit, is_awaited: IsCancelled) -> None:
        """Say what the tokens of the prompt that was just answered are: at most one `CellsFound`.

        None where the answer failed, where it was no conversation, or where `is_awaited`, asked
        now and then, says that there is something else to do.
        """
        request_id, self._finished_id = self._finished_id, None
        if request_id is None:
            return
        cells = self._cells.spans(self._format.render, is_awaited)
        if cells:
            emit(CellsFound(request_id=request_id, t_ns=self._clock_ns(), cells=cells))

    def count(self, command: CountCommand, *, emit: Emit) -> None:
        """Count tokens: exactly one `Counted` or `Failed`. Nothing else changes.

        A conversation counts as the prompt of an answer to it would, were it asked for now.
        """
        end_with_one_event(
            command.request_id,
            lambda: self._count(command),
            emit=emit,
            clock_ns=self._clock_ns,
        )

    def _count(self, command: CountCommand) -> Counted:
        messages, n_dropped = command.messages, 0
        n_tokens = n_left = self._count_prompt(messages) if messages else 0
        if messages and command.drop_oldest:
            messages, n_dropped = self._fitting(messages, command.max_tokens)
            n_left = self._count_prompt(messages) if n_dropped else n_tokens
        n_text_tokens = tuple(
            len(self._backend.tokenize(without_surrogates(text), add_special=False))
            for text in command.texts
        )
        return Counted(
            request_id=command.request_id,
            t_ns=self._clock_ns(),
            n_tokens=n_tokens,
            n_left_tokens=n_left,
            n_dropped_messages=n_dropped,
            n_text_tokens=n_text_tokens,
        )

    def _count_prompt(self, messages: Sequence[ChatMessage], *, continues: bool = False) -> int:
        return self._prompts.count(self._format.render(messages, continues=continues))

    def _fitting(
        self, messages: Sequence[ChatMessage], max_tokens: int | None, *, continues: bool = False
    ) -> tuple[tuple[ChatMessage, ...], int]:
        return fitting(
            messages,
            count=partial(self._count_prompt, continues=continues),
            max_tokens=max_tokens,
            n_ctx=self._n_ctx,
        )

    def _answer(self, request: GenerateRequest, emit: Emit, is_cancelled: IsCancelled) -> Finished:
        request_id, clock_ns = request.request_id, self._clock_ns
        emit(Started(request_id=request_id, t_ns=clock_ns()))
        least = MAX_TOKENS_BOUNDS.least
        if request.max_tokens is not None and request.max_tokens < least:
            raise EngineError(
                ErrorCode.INVALID_OPTION,
                f"max_tokens is less than {least}",
                option="max_tokens",
                value=request.max_tokens,
                minimum=least,
            )
        self._cells.prompt = None
        prompt = self._prompt(request)
        tokens = prompt.tokens
        if is_cancelled():
            return self._finished(request_id, FinishReason.CANCELLED, "", 0, emit)
        n_cached = self._backend.begin(
            tokens,
            request.sampling,
            reuse_cache=request.reuse_cache,
            inspect=request.inspect,
        )
        emit(
            PromptReady(
                request_id=request_id,
                t_ns=clock_ns(),
                n_prompt_tokens=len(tokens),
                n_cached_tokens=n_cached,
                n_dropped_messages=prompt.n_dropped,
                t_rendered_ns=prompt.t_rendered_ns,
                t_tokenized_ns=prompt.t_tokenized_ns,
                answer_number=0 if prompt.shown is None else prompt.shown.answer_number,
            )
        )
        self._cells.prompt = prompt.shown
        if not prefill(
            self._backend,
            tokens,
            n_cached,
            request_id=request_id,
            chunk_size=self._chunk_size,
            emit=emit,
            is_cancelled=is_cancelled,
            clock_ns=clock_ns,
        ):
            return self._finished(request_id, FinishReason.CANCELLED, "", 0, emit)
        emit(PrefillDone(request_id=request_id, t_ns=clock_ns()))
        record = AnswerRecord()
        try:
            return self._decode(request, len(tokens), record, emit, is_cancelled)
        finally:
            if request.messages:
                self._prompts.add_answer(record)

    def _prompt(self, request: GenerateRequest) -> _Prompt:
        """The tokens of the prompt, and how many messages were left out of it."""
        t_rendered_ns: int | None = None
        t_tokenized_ns: int | None = None
        shown: Prompt | None = None
        if request.messages and request.prompt_tokens:
            raise EngineError(
                ErrorCode.INVALID_OPTION,
                "both messages and prompt_tokens were given",
                option="prompt_tokens",
            )
        tokens, n_dropped = list(request.prompt_tokens), 0
        messages = request.messages
        if messages and messages[-1].content.strip():
            if request.drop_oldest:
                messages, n_dropped = self._fitting(
                    messages, request.max_tokens, continues=request.continues
                )
            text = self._format.render(messages, continues=request.continues)
            t_rendered_ns = self._clock_ns()
            tokens = self._prompts.tokenize(text)
            t_tokenized_ns = self._clock_ns()
            shown = prompt_of(request, messages, text, tokens)
        if not tokens:
            raise EngineError(ErrorCode.EMPTY_PROMPT, "there is nothing to answer")
        if len(tokens) >= self._n_ctx:
            raise EngineError(
                ErrorCode.PROMPT_TOO_LONG,
                f"{len(tokens)} prompt tokens leave no room in a context of {self._n_ctx}",
                n_prompt=len(tokens),
                n_ctx=self._n_ctx,
                n_messages=sum(item.role is not Role.SYSTEM for item in messages),
            )
        return _Prompt(
            tokens=tokens,
            n_dropped=n_dropped,
            t_rendered_ns=t_rendered_ns,
            t_tokenized_ns=t_tokenized_ns,
            shown=shown,
        )

    def _decode(
        self,
        request: GenerateRequest,
        n_prompt: int,
        record: AnswerRecord,
        emit: Emit,
        is_cancelled: IsCancelled,
    ) -> Finished:
        # Looked up once: this runs for every token.
        step, is_end, token_bytes = (
            self._backend.step,
            self._backend.is_end,
            self._backend.token_bytes,
        )
        clock_ns = self._clock_ns
        request_id, ignore_end = request.request_id, request.ignore_end
        inspects = request.inspect
        room = self._n_ctx - n_prompt
        max_tokens = request.max_tokens or room + 1
        utf8 = Utf8Stream()
        stops = StopMatcher(request.stop)
        n = 0
        reason: FinishReason | None = None

        def keep_going() -> bool:
            return not is_cancelled()

        while reason is None:
            tokens = step(keep_going)
            t_ns = clock_ns()
            if not tokens:
                if not is_cancelled():
                    raise EngineError(ErrorCode.DECODE_FAILED, "a step gave no token")
                reason = FinishReason.CANCELLED
                break
            n_before = n
            text = ""
            for token in tokens:
                n += 1
                if not ignore_end and is_end(token):
                    reason = FinishReason.END
                    break
                decoded = utf8.feed(token_bytes(token))
                record.add(token, decoded, utf8.at_boundary)
                text += stops.feed(decoded)
                if stops.stopped:
                    reason = FinishReason.STOP_STRING
                elif n >= max_tokens:
                    reason = FinishReason.LENGTH
                elif n >= room:
                    reason = FinishReason.CONTEXT_FULL
                if reason is not None:
                    break
            record.show(text)
            n_now = n - n_before
            inspected: tuple[bytes, ...] = ()
            if inspects:
                inspected = tuple(map(pack, self._backend.inspections()[:n_now]))
            emit(
                Step(
                    request_id=request_id,
                    t_ns=t_ns,
                    n_tokens=n_now,
                    text=text,
                    inspected=inspected,
                )
            )
            if reason is None and is_cancelled():
                reason = FinishReason.CANCELLED
        held = ""
        if reason is not FinishReason.STOP_STRING:
            held = stops.feed("" if reason in _CUTS else utf8.flush()) + stops.flush()
        record.show(held)
        return self._finished(request_id, reason, held, n, emit)

    def _finished(
        self, request_id: int, reason: FinishReason, text: str, n: int, emit: Emit
    ) -> Finished:
        memory = self._backend.memory()
        if memory != self._memory_use:
            self._memory_use = memory
            emit(MemoryChanged(request_id=request_id, t_ns=self._clock_ns(), memory=memory))
        self._finished_id = request_id
        return Finished(
            request_id=request_id,
            t_ns=self._clock_ns(),
            reason=reason,
            text=text,
            n_output_tokens=n,
        )
