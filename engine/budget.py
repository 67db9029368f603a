"""What a chat template may use: time, and characters it produces."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_MAX_NODES = 100_000
_MAX_INT_BITS = 512
_MAX_WIDTH = 10_000
_NUMBER = re.compile(r"\d+")


class TemplateLimitError(Exception):
    """A template asked for more than it may have."""


class Budget:
    """Counts what one rendering uses and raises `TemplateLimitError` past a limit.

    A template can only repeat work in a loop, a call or a filter, and each of these asks
    `check`. A single operation that could make something huge is estimated before it is done.
    """

    def __init__(
        self, *, max_s: float, max_chars: int, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        """Start the clock."""
        self._clock_s = clock_s
        self._deadline_s = clock_s() + max_s
        self._max_s = max_s
        self._max_chars = max_chars
        self._n_chars = 0

    def check(self) -> None:
        """Raise past the time limit."""
        if self._clock_s() > self._deadline_s:
            raise TemplateLimitError(f"the template ran for more than {self._max_s:g} s")

    def charge(self, n_chars: int) -> None:
        """Book characters, or what items of a list weigh in characters, that are about to be."""
        self._n_chars += n_chars
        if self._n_chars > self._max_chars:
            raise TemplateLimitError(
                f"the template made more than {self._max_chars} characters of text"
            )

    def loop(self, items: Iterable[object]) -> Iterator[object]:
        """The items, with the clock looked at before each."""
        for item in items:
            self.check()
            yield item

    def result(self, value: object) -> object:
        """Book what an operation gave, and give it on."""
        self.check()
        if isinstance(value, (str, bytes, list, tuple, dict)):
            self.charge(_n_chars(value))
        elif isinstance(value, int):
            check_int_bits(value.bit_length())
        return value

    def text(self, value: object) -> str:
        """`str(value)`, booked; containers are counted before, as they may share their items."""
        if not isinstance(value, str):
            check_nodes(value)
            value = str(value)
        self.charge(len(value))
        return value

    def binary(self, operator: str, left: object, right: object) -> None:
        """Estimate `left operator right` before it is computed."""
        self.check()
        if operator == "*":
            for items, times in ((left, right), (right, left)):
                if isinstance(items, (str, list, tuple)) and isinstance(times, int):
                    self.charge(_n_chars(items) * max(0, times))
                    return
        if isinstance(left, int) and isinstance(right, int):
            if operator == "**":
                check_int_bits(left.bit_length() * max(0, right))
            elif operator == "*":
                check_int_bits(left.bit_length() + right.bit_length())
        elif operator == "+" and isinstance(left, (str, list, tuple)):
            if isinstance(right, (str, list, tuple)):
                self.charge(_n_chars(left) + _n_chars(right))
        elif operator == "%" and isinstance(left, str):
            check_format(left, right)

    def method(self, owner: str, name: str, args: tuple[object, ...]) -> None:
        """Estimate a call of a method of a string whose result may be much larger than it."""
        numbers = [arg for arg in args if isinstance(arg, int)]
        texts = [arg for arg in args if isinstance(arg, str)]
        if name in {"center", "ljust", "rjust", "zfill", "indent"}:
            self.charge(sum(map(abs, numbers)) * (owner.count("\n") + 1))
        elif name == "expandtabs":
            self.charge((owner.count("\t") + 1) * max([8, *map(abs, numbers)]))
        elif name == "replace" and len(texts) >= 2:
            self.charge(len(owner) + owner.count(texts[0]) * len(texts[1]))
        elif name in {"format", "format_map"}:
            check_format(owner, args)
        elif name == "join" and args and isinstance(args[0], (list, tuple)):
            items = args[0]
            self.charge(sum(len(item) for item in items if isinstance(item, str)))
            self.charge(len(owner) * len(items))


def _n_chars(value: str | bytes | list[object] | tuple[object, ...] | dict[object, object]) -> int:
    return len(value) if isinstance(value, (str, bytes)) else 8 * len(value)


def check_int_bits(n_bits: int) -> None:
    """Raise for integers that no template needs and that take long to compute."""
    if n_bits > _MAX_INT_BITS:
        raise TemplateLimitError(f"the template computed a number of {n_bits} bits")


def check_width(value: object) -> None:
    """Raise for a count, or width, that only an attack asks for."""
    if isinstance(value, int) and abs(value) > _MAX_WIDTH:
        raise TemplateLimitError(f"the template asked for a width of {value}")


def check_format(pattern: str, values: object) -> None:
    """Raise where a format pattern, or a width given to it as a value, makes huge text."""
    for number in _NUMBER.findall(pattern):
        check_width(int(number[:9]))
    if "*" in pattern or "{}" in pattern or pattern.count("{") > pattern.count("}"):
        for value in values if isinstance(values, (tuple, list)) else (values,):
            check_width(value)


def check_nodes(value: object) -> None:
    """Raise for a container that prints too long: one that holds itself many times over."""
    n_nodes = 0
    waiting = [value]
    while waiting:
        item = waiting.pop()
        n_nodes += 1 + (len(item) // 64 if isinstance(item, str) else 0)
        if n_nodes > _MAX_NODES:
            raise TemplateLimitError("the template printed a structure that is too large")
        if isinstance(item, dict):
            waiting.extend(item.keys())
            waiting.extend(item.values())
        elif isinstance(item, (list, tuple, set)):
            waiting.extend(item)
