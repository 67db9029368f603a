"""Layouts of the live panels: how one is written down, and the person's own, kept with names."""

import base64
import binascii
import json
from collections.abc import Collection
from dataclasses import dataclass
from itertools import count

from PySide6.QtCore import QByteArray, QCoreApplication, QSettings

from app.presets import MOST_NAME_CHARACTERS
from app.text import is_clean_name
from engine.foreign_json import json_value

translate = QCoreApplication.translate

LAYOUTS_KEY = "window/layouts"
ARRANGEMENT_KEY = "window/panels"
# What the first versions kept: the state alone, which Qt begins so.
_STATE_BEGIN = b"\x00\x00\x00\xff"
# What could not be read waits here, for the person or for the version that wrote it.
_ASIDE_SUFFIX = "_unread"


class LayoutError(Exception):
    """What is stored is no layout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """Which panels stand where.

    Attributes:
        order: Keys of all panels from top to bottom, hidden ones where they would stand.
        shown: Keys of those that are not hidden.
        floating: Keys of those in windows of their own.
        is_large: Whether they are large and explained.
        state: Sizes and places, as Qt keeps them.
        layout: The key of the layout that this is, empty where it is none with a name.
    """

    order: tuple[str, ...]
    shown: tuple[str, ...]
    floating: tuple[str, ...]
    is_large: bool
    state: bytes
    layout: str = ""

    def is_like(self, other: "Arrangement") -> bool:
        """Whether a person would say that both are the same; sizes do not count."""
        mine, theirs = (
            (tuple(key for key in each.order if key in each.shown), each.floating, each.is_large)
            for each in (self, other)
        )
        return mine == theirs

    def strangers(self, known: Collection[str]) -> list[str]:
        """Panels shown in it that this version does not have."""
        return [key for key in self.shown if key not in known]


def to_json(arrangement: Arrangement) -> dict[str, object]:
    """What is written down."""
    return {
        "order": list(arrangement.order),
        "shown": list(arrangement.shown),
        "floating": list(arrangement.floating),
        "large": arrangement.is_large,
        "state": base64.b64encode(arrangement.state).decode(),
        "layout": arrangement.layout,
    }


def from_json(stored: object) -> Arrangement:
    """What was written down; LayoutError where it is something else."""
    if not isinstance(stored, dict):
        raise LayoutError
    is_large, layout = stored.get("large", False), stored.get("layout", "")
    if not isinstance(is_large, bool) or not isinstance(layout, str):
        raise LayoutError
    try:
        state = base64.b64decode(str(stored["state"]), validate=True)
    except (KeyError, ValueError, binascii.Error) as error:
        raise LayoutError from error
    return Arrangement(
        order=_keys(stored.get("order")),
        shown=_keys(stored.get("shown", [])),
        floating=_keys(stored.get("floating", [])),
        is_large=is_large,
        state=state,
        layout=layout,
    )


def _keys(stored: object) -> tuple[str, ...]:
    if not isinstance(stored, list) or not all(isinstance(key, str) for key in stored):
        raise LayoutError
    return tuple(stored)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutProblem:
    """A kept layout that is not offered.

    Attributes:
        name: Its name, empty where not even that could be read.
        stranger: The panel in it that this version does not have, empty where it is damaged.
        kept_as: The key of the settings that keeps it.
    """

    name: str
    stranger: str
    kept_as: str


def kept_arrangement(settings: QSettings) -> Arrangement | None:
    """How the panels stood last; None where that was not kept, or cannot be read."""
    stored = settings.value(ARRANGEMENT_KEY)
    if not isinstance(stored, QByteArray):
        return None
    kept = bytes(stored.data())
    if kept.startswith(_STATE_BEGIN):
        return Arrangement(order=(), shown=(), floating=(), is_large=False, state=kept)
    try:
        return from_json(json_value(kept))
    except (ValueError, LayoutError):
        return None


def put_aside(settings: QSettings, key: str) -> str:
    """Keep a value that cannot be read under another key, and all earlier ones; gives that key."""
    names = (f"{key}{_ASIDE_SUFFIX}{'' if n == 1 else n}" for n in count(1))
    aside = next(name for name in names if not settings.contains(name))
    settings.setValue(aside, settings.value(key))
    settings.remove(key)
    return aside


class LayoutStore:
    """The person's own layouts, in the settings. Main thread.

    Entries that cannot be used are not offered, and written back as they were.
    """

    def __init__(self, settings: QSettings, reserved: Collection[str] = ()) -> None:
        """None are there until they are read; none may be called as one of `reserved`."""
        self._settings = settings
        self._reserved = [name.casefold() for name in reserved]
        self._layouts: dict[str, Arrangement] = {}
        self._unusable: list[object] = []

    def read(self, known: Collection[str]) -> list[LayoutProblem]:
        """Read what is kept, once; gives what cannot be used, and why.

        Args:
            known: The keys of the panels that there are.
        """
        stored = self._settings.value(LAYOUTS_KEY)
        if stored is None:
            return []
        try:
            entries = json_value(str(stored))
        except ValueError:
            entries = None
        if not isinstance(entries, list):
            aside = put_aside(self._settings, LAYOUTS_KEY)
            return [LayoutProblem(name="", stranger="", kept_as=aside)]
        problems = [self._read_entry(entry, known) for entry in entries]
        return [problem for problem in problems if problem is not None]

    @property
    def names(self) -> tuple[str, ...]:
        """Of the layouts that can be chosen."""
        return tuple(sorted(self._layouts, key=str.casefold))

    def get(self, name: str) -> Arrangement | None:
        """The layout of that name; None where there is none."""
        return self._layouts.get(name)

    def problem_of_name(self, name: str, renamed: str | None = None) -> str | None:
        """Why a layout cannot be called `name`, in the person's words; None where it can."""
        if not name.strip():
            return translate("LayoutStore", "Give it a name.")
        if len(name) > MOST_NAME_CHARACTERS:
            return translate("LayoutStore", "The name is too long.")
        if not is_clean_name(name):
            return translate("LayoutStore", "The name has characters that cannot be shown.")
        taken = {each.casefold() for each in self._taken_names() if each != renamed}
        if name.casefold() in taken.union(self._reserved):
            return translate("LayoutStore", "There is a layout of that name already.")
        return None

    def save(self, name: str, arrangement: Arrangement) -> None:
        """Keep an arrangement under a name that has no problem."""
        self._layouts[name] = arrangement
        self._write()

    def rename(self, name: str, to: str) -> None:
        """Give a layout another name that has no problem."""
        self._layouts[to] = self._layouts.pop(name)
        self._write()

    def delete(self, name: str) -> None:
        """Forget a layout."""
        del self._layouts[name]
        self._write()

    def _taken_names(self) -> list[str]:
        unusable = [each.get("name") for each in self._unusable if isinstance(each, dict)]
        return [*self._layouts, *(name for name in unusable if isinstance(name, str))]

    def _read_entry(self, entry: object, known: Collection[str]) -> LayoutProblem | None:
        name = entry.get("name") if isinstance(entry, dict) else None
        name = name if isinstance(name, str) and _is_name(name) else ""
        try:
            arrangement = from_json(entry)
        except LayoutError:
            arrangement = None
        strangers = [] if arrangement is None else arrangement.strangers(known)
        if arrangement is not None and not strangers and name and name not in self._layouts:
            self._layouts[name] = arrangement
            return None
        self._unusable.append(entry)
        stranger = strangers[0] if strangers else ""
        return LayoutProblem(name=name, stranger=stranger, kept_as=LAYOUTS_KEY)

    def _write(self) -> None:
        entries = [
            {"name": name, **to_json(arrangement)} for name, arrangement in self._layouts.items()
        ]
        self._settings.setValue(LAYOUTS_KEY, json.dumps([*entries, *self._unusable]))


def _is_name(name: str) -> bool:
    """Whether this can be a name at all; a settings file may hold anything."""
    return len(name) <= MOST_NAME_CHARACTERS and is_clean_name(name)
