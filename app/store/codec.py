"""Turns as records of the database, and back.

`figures` of a message is a JSON object: the fields of `engine.figures.Figures`, and beside them
`n_ctx` (context size in tokens), `felt_ttft_ns`, `n_continuations` of an answer that was
continued, whose other figures are those of the last time, and `is_edited` (true) of one that a
person has changed. `error` has the fields of `UserMessage`.
"""

import json
from collections.abc import Container, Sequence
from dataclasses import asdict, fields

from app.actions import Action
from app.attachments import from_json as attachments_of
from app.attachments import to_json as attachments_json
from app.chat_settings import ChatSettings, SettingsError, from_json, to_json
from app.messages import Severity, UserMessage
from app.store.records import ChatRecord, MessageRecord, StoreContent
from app.text import whole_text
from app.transcript import Answer, AnswerPhase, Conversation, Turn, UserTurn
from engine.events import FinishReason
from engine.figures import Figures, RequestTrace
from engine.foreign_json import json_value
from engine.values import Role

_FIGURES = tuple(field.name for field in fields(Figures))
_COUNTS = frozenset(name for name in _FIGURES if name.endswith("_tokens"))
# More than that no window can show, and no machine has measured.
_MOST, _MOST_COUNTED = 1 << 53, 1 << 31
_MOST_TITLE, _MOST_TEXT, _MOST_TECHNICAL = 200, 2_000, 20_000
# Of nearly all chats; made anew for each, they would take as long as all else.
_NEW_SETTINGS = ChatSettings()
_N_CTX, _FELT, _CONTINUED, _EDITED = "n_ctx", "felt_ttft_ns", "n_continuations", "is_edited"


def chat_record(chat: Conversation) -> ChatRecord:
    """A chat without its turns and the files of its draft, which may be too large to write here."""
    return ChatRecord(
        chat_id=chat.chat_id,
        title=whole_text(chat.title),
        created_ms=chat.created_ms,
        changed_ms=chat.changed_ms,
        pinned=chat.is_pinned,
        archived=chat.is_archived,
        folder=chat.folder,
        draft=whole_text(chat.draft),
        leaf_id=chat.leaf_id,
        settings=_settings_text(chat.settings),
    )


def chats_of(content: StoreContent, but: Container[str]) -> list[Conversation]:
    """The chats of a database, without those whose ids are in `but`."""
    return [
        chat_of(record, content.unread.get(record.chat_id, ()))
        for record in content.chats
        if record.chat_id not in but
    ]


def chat_of(record: ChatRecord, draft_paths: tuple[str, ...] = ()) -> Conversation:
    """A chat whose turns are still to be read, as are the files at `draft_paths`."""
    return Conversation(
        chat_id=record.chat_id,
        title=record.title,
        created_ms=record.created_ms,
        changed_ms=record.changed_ms,
        is_pinned=record.pinned,
        is_archived=record.archived,
        folder=record.folder,
        draft=record.draft,
        leaf_id=record.leaf_id,
        settings=_settings(record.settings),
        draft_attachments=attachments_of(record.draft_attachments),
        draft_paths=draft_paths,
        is_read=False,
    )


def _settings_text(settings: ChatSettings) -> str | None:
    if settings == _NEW_SETTINGS:
        return None
    return whole_text(json.dumps(to_json(settings), ensure_ascii=False))


def _settings(text: str | None) -> ChatSettings:
    """Settings as they were kept; those of a new chat where they are not what they should be."""
    if text is None:
        return _NEW_SETTINGS
    try:
        return from_json(json_value(text))
    except (ValueError, SettingsError):
        return _NEW_SETTINGS


def message_record(turn: Turn) -> MessageRecord:
    """A turn as it is now."""
    if isinstance(turn, UserTurn):
        return MessageRecord(
            message_id=turn.turn_id,
            parent_id=turn.parent_id,
            role=Role.USER.value,
            text=whole_text(turn.text),
            created_ms=turn.created_ms,
            attachments=attachments_json(turn.attachments),
        )
    return MessageRecord(
        message_id=turn.turn_id,
        parent_id=turn.parent_id,
        role=Role.ASSISTANT.value,
        text=whole_text(turn.text),
        created_ms=turn.created_ms,
        phase=turn.phase.value,
        finish_reason=turn.finish_reason.value if turn.finish_reason is not None else None,
        model=_whole(turn.model_name),
        engine=_whole(turn.engine_name),
        figures=_figures_json(turn),
        settings=_whole(turn.settings),
        error=_error_json(turn.error),
    )


def _whole(text: str | None) -> str | None:
    return None if text is None else whole_text(text)


def turns_of(records: Sequence[MessageRecord]) -> list[Turn]:
    """Turns of an earlier run. An answer that was running then counts as stopped."""
    return [_turn(record) for record in records]


def _turn(record: MessageRecord) -> Turn:
    if record.role == Role.USER.value:
        return UserTurn(
            turn_id=record.message_id,
            parent_id=record.parent_id,
            text=record.text,
            attachments=attachments_of(record.attachments),
            created_ms=record.created_ms,
        )
    answer = Answer(
        turn_id=record.message_id,
        parent_id=record.parent_id,
        trace=RequestTrace(0, 0),
        text=record.text,
        created_ms=record.created_ms,
        model_name=record.model,
        engine_name=record.engine,
        settings=record.settings,
        phase=_phase(record.phase),
        finish_reason=_finish_reason(record.finish_reason),
        error=_error(record.error),
    )
    measured = _object(record.figures)
    answer.n_ctx = _count(measured.get(_N_CTX))
    answer.felt_ttft_ns = _int(measured.get(_FELT))
    answer.n_continuations = _count(measured.get(_CONTINUED)) or 0
    answer.is_edited = measured.get(_EDITED) is True
    answer.figures = _figures(measured)
    return answer


def is_edited(message: MessageRecord) -> bool:
    """Whether a person has changed what the model had said."""
    return _object(message.figures).get(_EDITED) is True


def _figures_json(answer: Answer) -> str | None:
    figures = answer.figures if answer.figures is not None else answer.trace.figures()
    measured = {
        _N_CTX: answer.n_ctx,
        _FELT: answer.felt_ttft_ns,
        _CONTINUED: answer.n_continuations or None,
        _EDITED: answer.is_edited or None,
        # They are plain numbers; `asdict` would copy each of them deeply.
        **{name: getattr(figures, name) for name in _FIGURES},
    }
    if answer.is_edited and figures.ttft_ns is None:
        # How many tokens the words of a person have nobody counted; they are not none.
        del measured["n_output_tokens"]
    return json.dumps({name: value for name, value in measured.items() if value is not None})


def _figures(measured: dict[str, object]) -> Figures:
    """What a file says was measured; what it says wrongly is unknown."""
    values = {
        name: _figure(name, measured[name]) if name in measured else None for name in _FIGURES
    }
    n_output = values["n_output_tokens"] or 0
    return Figures(**values | {"n_output_tokens": n_output})  # type: ignore[arg-type] # names


def _figure(name: str, value: object) -> int | float | None:
    return _count(value) if name in _COUNTS else _number(value)


def _error_json(error: UserMessage | None) -> str | None:
    return None if error is None else whole_text(json.dumps(asdict(error), ensure_ascii=False))


def _error(text: str | None) -> UserMessage | None:
    if not text:
        return None
    error = _object(text)
    try:
        names = error["actions"]
        every = [Action(str(name)) for name in names] if isinstance(names, list) else []
        # None of ours is longer; what an import brings would be laid out for seconds.
        return UserMessage(
            severity=Severity(str(error["severity"])),
            title=str(error["title"])[:_MOST_TITLE],
            text=str(error["text"])[:_MOST_TEXT],
            actions=tuple(dict.fromkeys(every)),
            technical=str(error["technical"])[:_MOST_TECHNICAL],
        )
    except (KeyError, ValueError):
        return None


def _phase(name: str | None) -> AnswerPhase:
    try:
        phase = AnswerPhase(name or "")
    except ValueError:
        return AnswerPhase.DONE
    return phase if phase.is_over else AnswerPhase.STOPPED


def _finish_reason(name: str | None) -> FinishReason | None:
    try:
        return FinishReason(name or "")
    except ValueError:
        return None


def _object(text: str | None) -> dict[str, object]:
    if not text:
        return {}
    try:
        found = json_value(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _number(value: object) -> int | float | None:
    """A number that can be measured; neither NaN nor infinite is below anything."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return value if abs(value) < _MOST else None


def _int(value: object) -> int | None:
    number = _number(value)
    return number if isinstance(number, int) else None


def _count(value: object) -> int | None:
    number = _int(value)
    return number if number is not None and 0 <= number < _MOST_COUNTED else None
