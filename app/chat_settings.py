"""What a person sets for a chat: the system prompt, how tokens are chosen, when answers end."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum

from engine.errors import EngineError
from engine.sampling_bounds import MAX_TOKENS_BOUNDS, SAMPLING_BOUNDS, check
from engine.values import ChatMessage, Role, SamplingParams

_WHOLE_NUMBERS = ("top_k", "penalty_last_n", "seed")


class SettingsError(ValueError):
    """JSON that holds no settings; says in English what is wrong."""


class Overflow(StrEnum):
    """What happens when the conversation no longer fits into the context."""

    STOP = "stop"
    DROP_OLDEST = "drop_oldest"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSettings:
    """Settings of one chat. They hold from its next answer on.

    Attributes:
        system_prompt: Goes before all messages; blank is none.
        sampling: How tokens are chosen.
        max_tokens: Most tokens of an answer; None is bounded by the context only.
        stop: Texts that end the answer.
        overflow: What happens when the conversation no longer fits.
    """

    system_prompt: str = ""
    sampling: SamplingParams = field(default_factory=SamplingParams)
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    overflow: Overflow = Overflow.STOP

    def messages(self, history: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
        """`history` with the system prompt before it."""
        if not self.system_prompt.strip():
            return tuple(history)
        return (ChatMessage(role=Role.SYSTEM, content=self.system_prompt), *history)


def to_json(settings: ChatSettings) -> dict[str, object]:
    """`settings` as JSON has them; `from_json` gives them back."""
    return {**asdict(settings), "stop": list(settings.stop), "overflow": settings.overflow.value}


def from_json(value: object) -> ChatSettings:
    """The settings of JSON that may come from anywhere; raises SettingsError for what is not right.

    What is missing is as in new settings, what is unknown is left out.
    """
    given = _mapping(value)
    known = ChatSettings()
    system_prompt = given.get("system_prompt", known.system_prompt)
    max_tokens = given.get("max_tokens")
    stop = given.get("stop", [])
    overflow = str(given.get("overflow", known.overflow.value))
    if not isinstance(system_prompt, str):
        raise SettingsError("system_prompt is no text")
    if not isinstance(stop, list) or not all(isinstance(text, str) and text for text in stop):
        raise SettingsError("stop is no list of texts")
    if overflow not in [known.value for known in Overflow]:
        raise SettingsError("overflow is unknown")
    return ChatSettings(
        system_prompt=system_prompt,
        sampling=sampling_from_json(given.get("sampling", {})),
        max_tokens=_max_tokens(max_tokens),
        stop=tuple(stop),
        overflow=Overflow(overflow),
    )


def sampling_from_json(value: object) -> SamplingParams:
    """The sampling of JSON; raises SettingsError for numbers that no sampler takes."""
    numbers: dict[str, int | float | None] = {}
    given = _mapping(value)
    for name in (item.name for item in fields(SamplingParams)):
        if name not in given:
            continue
        number = given[name]
        if number is None and name == "seed":
            numbers[name] = None
            continue
        is_whole = name in _WHOLE_NUMBERS
        if isinstance(number, bool) or not isinstance(number, int if is_whole else int | float):
            raise SettingsError(f"{name} is no number that it can be")
        numbers[name] = number
    sampling = SamplingParams(**numbers)  # type: ignore[arg-type]  # names and kinds were checked
    try:
        check(sampling)
    except EngineError as error:
        raise SettingsError(str(error)) from error
    return sampling


def is_whole_number(name: str) -> bool:
    """Whether the field of `SamplingParams` called `name` has no fractions."""
    if name not in SAMPLING_BOUNDS:
        raise KeyError(name)
    return name in _WHOLE_NUMBERS


def _mapping(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise SettingsError("not an object")
    return value


def _max_tokens(value: object) -> int | None:
    if value is None:
        return None
    bounds = MAX_TOKENS_BOUNDS
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingsError("max_tokens is no whole number")
    if not bounds.least <= value <= bounds.most:
        raise SettingsError(f"max_tokens is not from {bounds.least} to {bounds.most}")
    return value
