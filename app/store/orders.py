"""What the thread of the database is told to do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.database import Database

Job = Callable[["Database"], None]
Question = Callable[["Database"], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """Run `job`; the write that was ordered with this number."""

    number: int
    key: str
    job: Job
    durable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Answer `question`; where it is replaceable, unless a newer one was asked."""

    number: int
    question: Question
    replaceable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """Write what is left, and end."""


Order = Write | Ask | Close
