"""What the engine is asked for a chat: its messages, and how to answer them."""

from collections import Counter
from collections.abc import Sequence

from app.attachments import Attachment
from app.chat_settings import Overflow
from app.text import whole_text
from app.transcript import Answer, Conversation, Turn, UserTurn
from engine.values import ChatMessage, GenerateRequest, Role


def prompt_if_sent(
    chat: Conversation, typed: str, attachments: Sequence[Attachment] = ()
) -> tuple[ChatMessage, ...]:
    """What the model would be given if this were sent; blank without files adds nothing."""
    more: list[Turn] = []
    if typed.strip() or attachments:
        more.append(UserTurn(text=whole_text(typed), attachments=tuple(attachments)))
    return chat.settings.messages(chat.seen.messages(chat.turns[chat.n_left_out :], *more))


def request_of(chat: Conversation, answer: Answer) -> GenerateRequest:
    """Asks for an answer of a chat, or where it has text already, for what comes after that."""
    settings, trace = chat.settings, answer.trace
    branch, n_left_out = _before(chat, answer)
    left_out = chat.unseen.messages(branch[:n_left_out])
    history = chat.seen.messages(branch[n_left_out:])
    if answer.text:
        # As the model wrote it, reasoning included: it goes on in the middle of it.
        begun = ChatMessage(role=Role.ASSISTANT, content=answer.text)
        history = (*history, begun)
    return GenerateRequest(
        request_id=trace.request_id,
        t_submit_ns=trace.t_submit_ns,
        messages=settings.messages(history),
        sampling=settings.sampling,
        max_tokens=settings.max_tokens,
        stop=settings.stop,
        drop_oldest=settings.overflow is Overflow.DROP_OLDEST,
        continues=bool(answer.text),
        n_earlier=tuple(Counter(message.role for message in left_out).items()),
    )


def n_turns_left_out(chat: Conversation, n_messages: int) -> int:
    """How many turns go when the first `n_messages` of `prompt_if_sent` do."""
    return chat.seen.n_turns(chat.turns[chat.n_left_out :], n_messages)


def leave_out(chat: Conversation, answer: Answer, n_messages: int) -> None:
    """Note that the engine left out the first `n_messages` of what `request_of` gave it.

    A system prompt is never left out and not counted.
    """
    branch, n_left_out = _before(chat, answer)
    seen = branch[n_left_out:]
    n_turns = chat.seen.n_turns(seen, n_messages)
    if n_turns < len(seen):
        chat.first_seen.add(seen[n_turns].turn_id)


def _before(chat: Conversation, answer: Answer) -> tuple[list[Turn], int]:
    """The turns before an answer, and how many of the first are left out."""
    branch = chat.branch_of(answer)
    return branch[:-1], chat.n_left_out_of(branch)
