"""Files that go along with a message: what is kept of them, and how the model is given them."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from functools import lru_cache

from engine.foreign_json import json_value

MOST_BYTES = 1 << 20
"""Most text that is taken from one file."""
MOST_TOTAL_BYTES = 4 << 20
"""Most text of all files of one message."""
MOST_FILES = 12

_LONGEST_NAME = 120
_FENCES = re.compile(r"`{3,}")
# Control characters, and marks that turn the direction of text round.
_UNFIT_FOR_NAMES = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\ud800-\udfff]"
)
_LANGUAGE = re.compile(r"\.([A-Za-z0-9+#]{1,12})$")


class AttachmentKind(StrEnum):
    """What a file was."""

    TEXT = "text"
    PDF = "pdf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file as it was when it was attached.

    Attributes:
        name: Of the file, without its folder, fit to be shown.
        text: What was in it. Each page of a PDF begins with a line "--- page 1 ---".
        kind: What the file was.
        size_bytes: Of the file.
        encoding: How its bytes were read as text; "" for a PDF.
        n_pages: Of a PDF; None for others.
        n_pages_without_text: Pages of a PDF that gave no text, which may be pictures.
    """

    name: str
    text: str
    kind: AttachmentKind = AttachmentKind.TEXT
    size_bytes: int = 0
    encoding: str = "utf-8"
    n_pages: int | None = None
    n_pages_without_text: int = 0

    @property
    def block(self) -> str:
        """How the model is given it: its name, and its text in a fence that it cannot close."""
        # Looking for runs takes long in large text, and is done with every pause of typing.
        runs = [len(run) for run in _FENCES.findall(self.text)] if "```" in self.text else []
        fence = "`" * max(3, *(n + 1 for n in runs)) if runs else "```"
        found = _LANGUAGE.search(self.name) if self.kind is AttachmentKind.TEXT else None
        end = "" if self.text.endswith("\n") else "\n"
        return f"{self.name}:\n{fence}{found[1] if found else ''}\n{self.text}{end}{fence}"


def with_attachments(text: str, attachments: Sequence[Attachment]) -> str:
    """What the model is given of a message: what was typed, then the `block` of each file.

    An empty line stands between the parts. A message without files is what was typed.
    """
    parts = [text] if text.strip() else []
    return "\n\n".join([*parts, *(each.block for each in attachments)]) if attachments else text


def fit_name(name: str) -> str:
    """A file name without what could break a line or hide its ending."""
    return _UNFIT_FOR_NAMES.sub("\N{REPLACEMENT CHARACTER}", name)[:_LONGEST_NAME]


def named_apart(attachment: Attachment, others: Sequence[Attachment]) -> Attachment:
    """The same file with a name that none of `others` has: "notes (2).md"."""
    taken = {other.name for other in others}
    stem, dot, ending = attachment.name.rpartition(".")
    if not stem:
        stem, dot, ending = attachment.name, "", ""
    name, number = attachment.name, 1
    while name in taken:
        number += 1
        name = f"{stem} ({number}){dot}{ending}"
    return replace(attachment, name=name)


def to_json(attachments: Sequence[Attachment]) -> str | None:
    """A JSON list of objects with the fields of `Attachment`; None for no files."""
    if not attachments:
        return None
    return f"[{', '.join(map(_object_text, attachments))}]"


@lru_cache(maxsize=MOST_FILES)
def _object_text(attachment: Attachment) -> str:
    # Drafts are written with every pause of typing.
    return json.dumps(asdict(attachment), ensure_ascii=False)


def from_json(text: str | None) -> tuple[Attachment, ...]:
    """The reverse of `to_json`. What is not as it should be is left out."""
    if text is None:
        return ()
    try:
        found = json_value(text)
    except ValueError:
        return ()
    items = found if isinstance(found, list) else []
    made = [attachment_of(item) for item in items]
    return tuple(each for each in made if each is not None)


def problem_in(value: object) -> str | None:
    """Where a JSON value is not what `to_json` writes: "[0].text"; None where it is."""
    if not isinstance(value, list):
        return ""
    for index, item in enumerate(value):
        if not isinstance(item, dict) or set(item) != _NAMES:
            return f"[{index}]"
        wrong = next((name for name in _NAMES if not _fits(name, item[name])), None)
        if wrong is not None:
            return f"[{index}].{wrong}"
    return None


_NAMES = frozenset(field.name for field in fields(Attachment))
_TEXTS = frozenset({"name", "text", "encoding"})


def _fits(name: str, value: object) -> bool:
    if name in _TEXTS:
        return isinstance(value, str)
    if name == "kind":
        return value in list(AttachmentKind)
    if name == "n_pages" and value is None:
        return True
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 62


def attachment_of(item: object) -> Attachment | None:
    """One object of the list that `to_json` writes; None where it is not such an object."""
    if not isinstance(item, dict):
        return None
    values = {name: item[name] for name in _NAMES & set(item) if _fits(name, item[name])}
    if not {"name", "text"} <= set(values):
        return None
    kind = AttachmentKind(str(values.pop("kind", AttachmentKind.TEXT)))
    return Attachment(kind=kind, **values)
