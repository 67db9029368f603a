"""The JSON of a run file as values of the engine.

Raises `ValueError`, `TypeError` or `KeyError` where something is not what it should be.
"""

from dataclasses import fields
from types import UnionType
from typing import TypeVar, get_args, get_origin

from app.marks import Mark, MarkKind
from engine.errors import ErrorCode, ErrorInfo
from engine.events import FinishReason, Loaded
from engine.values import (
    Dtype,
    EngineInfo,
    FlashAttention,
    KvGroup,
    KvLayout,
    KvType,
    LoadOptions,
    MemoryUse,
    ModelInfo,
    Notice,
    NoticeCode,
    StepCost,
)

_T = TypeVar("_T")

# SQLite, NumPy and Qt take whole numbers of 64 bits.
_LEAST_WHOLE, _MOST_WHOLE = -(1 << 63), (1 << 63) - 1
# The last of the year 9999: dates end there.
_MOST_MS = 253_402_300_799_999


def mapping(value: object) -> dict[str, object]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise TypeError(f"not an object: {type(value).__name__}")
    return value


def whole(value: object) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"not a whole number: {type(value).__name__}")
    if not _LEAST_WHOLE <= value <= _MOST_WHOLE:
        raise ValueError("a whole number of more than 64 bits")
    return value


def date_ms(value: object) -> int:
    """A date of the years 1970 to 9999, Unix time in milliseconds."""
    if not 0 <= (found := whole(value)) <= _MOST_MS:
        raise ValueError(f"not a date: {found}")
    return found


def whole_or_none(value: object) -> int | None:
    """A whole number, or nothing."""
    return None if value is None else whole(value)


def whole_list(value: object) -> list[int]:
    """Whole numbers."""
    if not isinstance(value, list):
        raise TypeError(f"not a list: {type(value).__name__}")
    return [whole(item) for item in value]


def text(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"not a text: {type(value).__name__}")
    # JSON can have half of a character, which no file and no widget takes.
    value.encode()
    return value


def loaded_of(document: dict[str, object]) -> Loaded | None:
    """The load; its stamps say only how long it took. None where there was none."""
    if document.get("model") is None:
        return None
    kv = mapping(document["kv"])
    engine = mapping(document["engine"])
    groups = kv["groups"]
    notices = engine.get("notices") or []
    if not isinstance(groups, list) or not isinstance(notices, list):
        raise TypeError("groups and notices are lists")
    dtype = engine.get("dtype")
    load_ns = whole_or_none(document.get("load_ns"))
    predicted = document.get("predicted_memory")
    return Loaded(
        request_id=0,
        t_ns=0,
        t_start_ns=-(load_ns or 0),
        slept=load_ns is None,
        model=_model(mapping(document["model"])),
        engine=_made(
            EngineInfo,
            engine
            | {
                "dtype": None if dtype is None else Dtype(text(dtype)),
                "notices": tuple(_notice(mapping(notice)) for notice in notices),
            },
        ),
        kv=_made(KvLayout, kv | {"groups": tuple(_made(KvGroup, mapping(g)) for g in groups)}),
        memory=memory_of(document["memory"]),
        predicted=None if predicted is None else memory_of(predicted),
    )


def memory_of(value: object) -> MemoryUse:
    """What the engine had allocated."""
    return _made(MemoryUse, mapping(value))


def options_of(value: object) -> LoadOptions | None:
    """How the model was asked to be loaded; its path is the last part only."""
    if value is None:
        return None
    options = mapping(value)
    dtype = options.get("dtype")
    return _made(
        LoadOptions,
        options
        | {
            "kv_type": KvType(text(options["kv_type"])),
            "flash_attention": FlashAttention(text(options["flash_attention"])),
            "dtype": None if dtype is None else Dtype(text(dtype)),
        },
    )


def marks_of(value: object) -> tuple[Mark, ...]:
    """What happened meanwhile; none in files of before that was written."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise TypeError("marks are a list")
    return tuple(map(_mark, map(mapping, value)))


def _mark(value: dict[str, object]) -> Mark:
    detail = value["detail"]
    if not isinstance(detail, list):
        raise TypeError("the detail of a mark is a list")
    if not all(_fits(part, str | int | float) for part in detail):
        raise TypeError("the detail of a mark is texts and numbers")
    kind = MarkKind(text(value["kind"]))
    return Mark(kind=kind, t_ns=whole(value["t_ns"]), detail=tuple(detail))


def span_of(value: object) -> tuple[int, int] | None:
    """Begin and end of something, or nothing."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise TypeError("a span is a begin and an end")
    return whole(value[0]), whole(value[1])


def finish_reason_of(value: object) -> FinishReason | None:
    """How the answer ended; None where it failed."""
    return None if value is None else FinishReason(text(value))


def error_of(value: object) -> ErrorInfo | None:
    """Why it failed: the code alone."""
    return None if value is None else ErrorInfo(code=ErrorCode(text(value)))


def _model(value: dict[str, object]) -> ModelInfo:
    cost = value.get("step_cost")
    return _made(
        ModelInfo,
        value | {"step_cost": None if cost is None else _made(StepCost, mapping(cost))},
    )


def _notice(value: dict[str, object]) -> Notice:
    details = value.get("details") or []
    if not isinstance(details, list):
        raise TypeError("details are a list")
    pairs = tuple((text(name), detail) for name, detail in details)
    if not all(isinstance(detail, str | int | float) for _, detail in pairs):
        raise TypeError("details are texts and numbers")
    return Notice(code=NoticeCode(text(value["code"])), details=pairs)


def _made(kind: type[_T], value: dict[str, object]) -> _T:
    """`kind` with the values that it knows; what is unknown is left out."""
    hints = {field.name: field.type for field in fields(kind)}  # type: ignore[arg-type] # a dataclass
    known = {name: item for name, item in value.items() if name in hints}
    for name, item in known.items():
        if not _fits(item, hints[name]):
            raise TypeError(f"{kind.__name__}.{name} is no {type(item).__name__}")
    return kind(**known)


def _fits(value: object, hint: object) -> bool:
    """Whether `value` is what a field of a dataclass of the engine has."""
    if isinstance(hint, UnionType):
        return any(_fits(value, part) for part in get_args(hint))
    if get_origin(hint) is tuple:
        return isinstance(value, tuple)
    if isinstance(value, bool):
        return hint is bool
    if isinstance(value, int):
        whole(value)
    elif isinstance(value, str):
        text(value)
    return isinstance(hint, type) and isinstance(value, hint)
