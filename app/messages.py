"""Sentences for people: what happened, why, what to do next."""

from dataclasses import dataclass
from enum import StrEnum


class Action(StrEnum):
    """What a message offers to do."""

    OPEN_MODEL = "open_model"
    RELOAD = "reload"
    RETRY = "retry"
    NEW_CHAT = "new_chat"
    ENGINE_SETTINGS = "engine_settings"
    DISMISS = "dismiss"


class Severity(StrEnum):
    """How much a message matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """A message on screen, translated already.

    Attributes:
        severity: How much it matters.
        title: What happened, a few words.
        text: Why, and what to do next. Plain text.
        actions: Buttons, the most helpful first.
        technical: English details for a fold, may be empty.
    """

    severity: Severity
    title: str
    text: str
    actions: tuple[Action, ...] = ()
    technical: str = ""
