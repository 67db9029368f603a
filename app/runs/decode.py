"""The JSON of a run file as values of the engine.

Raises `ValueError`, `TypeError` or `KeyError` where something is not what it should be.
"""

import json
import math
from dataclasses import fields
from types import UnionType
from typing import TypeVar, get_args, get_origin

from app.marks import Mark, MarkKind
from app.runs.record import MOST_DATE_MS
from engine.errors import ErrorCode, ErrorInfo
from engine.events import CellKind, CellSpan, FinishReason, Loaded
from engine.figures import RequestTrace
from engine.foreign_json import json_value
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
# 36 years: two of these can be added and subtracted in 64 bits.
MOST_NS = 1 << 60
# Qt counts with 31 bits, also the tokens of a prompt and its answer together.
MOST_COUNT = 1_000_000_000
_DURATIONS = (
    MarkKind.GARBAGE_COLLECTION,
    MarkKind.COMPILE,
    MarkKind.SUSPENDED,
    MarkKind.CLOCK_JUMPED,
)
_LOST = ("gpu", "energy")


def parsed(content: bytes) -> dict[str, object]:
    """A JSON object, without what JSON can say and nothing here can take: infinity, say."""
    document = mapping(json_value(content, number=_finite))
    # JSON can have half of a character, which no file and no widget takes.
    json.dumps(document, ensure_ascii=False).encode()
    return document


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


def count(value: object) -> int:
    """How many there are of something."""
    if not 0 <= (found := whole(value)) <= MOST_COUNT:
        raise ValueError(f"not a count: {found}")
    return found


def stamp_ns(value: object) -> int:
    """A moment or a duration, nanoseconds."""
    if not -MOST_NS <= (found := whole(value)) <= MOST_NS:
        raise ValueError(f"too far away: {found} ns")
    return found


def date_ms(value: object) -> int:
    """A date of the years 1970 to 9999, Unix time in milliseconds."""
    if not 0 <= (found := whole(value)) <= MOST_DATE_MS:
        raise ValueError(f"not a date: {found}")
    return found


def stamp_or_none(value: object) -> int | None:
    """A moment or a duration, or nothing."""
    return None if value is None else stamp_ns(value)


def stamp_list(value: object) -> list[int]:
    """Moments."""
    if not isinstance(value, list):
        raise TypeError(f"not a list: {type(value).__name__}")
    return [stamp_ns(item) for item in value]


def text(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"not a text: {type(value).__name__}")
    return value


def constants_of(value: object) -> dict[str, str | int | None]:
    """What does not change from sample to sample."""
    found = mapping(value)
    if not all(_fits(item, str | int | None) for item in found.values()):
        raise TypeError("sample_constants are texts and whole numbers")
    return found  # type: ignore[return-value] # looked at above


def machine_of(value: object) -> dict[str, object]:
    """What the machine was."""
    found = mapping(value)
    if not _fits(found.get("cpu"), str | None):
        raise TypeError("cpu is a name")
    return found


def request_of(value: object) -> dict[str, object]:
    """How the answer was asked for."""
    found = mapping(value)
    if not _fits(found.get("inspect"), bool | None):
        raise TypeError("inspect is true or false")
    temperature = mapping(found.get("sampling", {})).get("temperature")
    if not isinstance(temperature, int | float | None) or abs(temperature or 0) > MOST_COUNT:
        raise ValueError("not a temperature")
    return found


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
    load_ns = stamp_or_none(document.get("load_ns"))
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
    mark = Mark(
        kind=MarkKind(text(value["kind"])), t_ns=stamp_ns(value["t_ns"]), detail=tuple(detail)
    )
    _check_detail(mark)
    return mark


def _check_detail(mark: Mark) -> None:
    """Refuse what the sentence about it cannot say."""
    numbers = [part for part in mark.detail if not isinstance(part, str)]
    if any(abs(number) > MOST_NS for number in numbers):
        raise ValueError("a number in the detail of a mark is too large")
    first = next(iter(mark.detail), 0)
    if mark.kind is MarkKind.CONTEXT_DROPPED:
        count(first)
    needs_number = mark.kind in _DURATIONS or (
        mark.kind is MarkKind.SAMPLES_MISSING and first not in _LOST
    )
    if needs_number and isinstance(first, str):
        raise TypeError(f"the detail of {mark.kind} is a duration")


def cells_of(value: object, n_prompt_tokens: object) -> tuple[CellSpan, ...]:
    """What the tokens of the prompt are, in order and without gaps."""
    if not isinstance(value, list):
        raise TypeError("prompt_cells is a list")
    found: list[CellSpan] = []
    begin = 0
    for span in value:
        kind, number, last = span
        end = count(last)
        if end <= begin:
            raise ValueError("prompt_cells are not in order")
        cell = CellSpan(kind=CellKind(text(kind)), number=count(number), begin=begin, end=end)
        found.append(cell)
        begin = end
    if found and begin > count(n_prompt_tokens):
        raise ValueError("more prompt_cells than prompt")
    return tuple(found)


def check_order(trace: RequestTrace) -> None:
    """Refuse what ended before it began, and more of a prompt than there is."""
    at = [
        trace.t_submit_ns,
        trace.t_start_ns,
        trace.t_rendered_ns,
        trace.t_tokenized_ns,
        trace.t_prompt_ready_ns,
        *trace.prefill_t_ns[:1],
        *trace.prefill_t_ns[-1:],
        trace.t_prefill_end_ns,
        trace.t_first_ns,
        trace.t_last_ns,
        trace.t_end_ns,
    ]
    known = [t_ns for t_ns in at if t_ns is not None]
    if known != sorted(known):
        raise ValueError(f"stamps are not in order: {known}")
    n_prompt = trace.n_prompt_tokens or 0
    if max([trace.n_cached_tokens or 0, *trace.prefill_n_done_tokens]) > n_prompt:
        raise ValueError("more of the prompt is done than there is")


def span_of(value: object) -> tuple[int, int] | None:
    """Begin and end of something, or nothing."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise TypeError("a span is a begin and an end")
    return stamp_ns(value[0]), stamp_ns(value[1])


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
    if not all(_fits(detail, str | int | float | bool) for _, detail in pairs):
        raise TypeError("details are texts and numbers")
    return Notice(code=NoticeCode(text(value["code"])), details=pairs)


def _made(kind: type[_T], value: dict[str, object]) -> _T:
    """`kind` with the values that it knows; what is unknown is left out."""
    hints = {field.name: field.type for field in fields(kind)}  # type: ignore[arg-type] # a dataclass
    known = {name: item for name, item in value.items() if name in hints}
    for name, item in known.items():
        if not _fits(item, hints[name]):
            raise TypeError(f"{kind.__name__}.{name} is no {type(item).__name__}")
        is_count = name.endswith("_tokens") or (name[:2] == "n_" and name != "n_parameters")
        if is_count and isinstance(item, int) and abs(item) > MOST_COUNT:
            raise ValueError(f"{kind.__name__}.{name} is too large")
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
    return isinstance(hint, type) and isinstance(value, hint)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"not a number: {text}")
    return value
