"""Turns and chats that are made of others, which stay as they are."""

from array import array
from collections.abc import Sequence
from dataclasses import replace

from app.ids import new_id
from app.reasoning import with_other_answer
from app.text import cut
from app.transcript import (
    MOST_TITLE_CHARACTERS,
    Answer,
    AnswerPhase,
    Conversation,
    Turn,
    UserTurn,
)
from engine.figures import RequestTrace


def edited_copy(answer: Answer, text: str) -> Answer:
    """A variant of an answer that says `text`, after what was thought before.

    Nothing was measured of it, and it has not ended: the model can go on in it.
    """
    trace = RequestTrace(0, 0)
    return Answer(
        trace=trace,
        figures=trace.figures(),
        text=with_other_answer(answer.text, text),
        phase=AnswerPhase.DONE,
        model_name=answer.model_name,
        is_edited=True,
    )


def chat_copy(chat: Conversation, title: str) -> Conversation:
    """A chat with everything that `chat` has, what is typed in it included."""
    copy = _copy(chat, chat.tree, chat.leaf_id, title)
    copy.draft, copy.draft_attachments = chat.draft, chat.draft_attachments
    return copy


def branch_copy(chat: Conversation, last: Turn, title: str) -> Conversation:
    """A chat with the turns of `chat` from the first one to `last`."""
    return _copy(chat, chat.branch_of(last), last.turn_id, title)


def _copy(
    chat: Conversation, turns: Sequence[Turn], leaf_id: str | None, title: str
) -> Conversation:
    """A chat of these turns under other ids; `title` is what becomes of its title.

    Each turn follows another one of them.
    """
    ids = {turn.turn_id: new_id() for turn in turns}
    room = MOST_TITLE_CHARACTERS - len(title)
    copy = Conversation(
        title=title.replace("{title}", cut(chat.title, room)) if chat.title else "",
        folder=chat.folder,
        settings=chat.settings,
        leaf_id=ids.get(leaf_id or ""),
        first_seen={ids[turn_id] for turn_id in chat.first_seen if turn_id in ids},
    )
    copy.fill([_turn(turn, ids) for turn in turns])
    return copy


def _turn(turn: Turn, ids: dict[str, str]) -> Turn:
    turn_id, parent_id = ids[turn.turn_id], ids.get(turn.parent_id or "")
    if isinstance(turn, UserTurn):
        return replace(turn, turn_id=turn_id, parent_id=parent_id)
    # Stamps and tokens belong to the request that was made; an answer that runs goes on in one.
    return replace(
        turn,
        turn_id=turn_id,
        parent_id=parent_id,
        trace=RequestTrace(0, 0),
        figures=turn.figures if turn.figures is not None else turn.trace.figures(),
        phase=turn.phase if turn.phase.is_over else AnswerPhase.STOPPED,
        step_ends=array("q"),
        inspected=[],
        continued_from=0,
        before=None,
    )
