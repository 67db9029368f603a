"""The table that a check ends in."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A figure, what it must reach, and whether it does; None where nothing is asked of it."""

    name: str
    value: str
    goal: str = ""
    reached: bool | None = None


@dataclass(slots=True)
class Results:
    """Rows in the order in which they were found."""

    rows: list[Row] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        return any(row.reached is False for row in self.rows)

    def tell(self, name: str, value: str) -> None:
        self._add(Row(name=name, value=value))

    def at_most(self, name: str, value: float, goal: float, unit: str = "") -> None:
        self._add(
            Row(
                name=name,
                value=f"{value:.4g} {unit}".strip(),
                goal=f"<= {goal:g}",
                reached=value <= goal,
            )
        )

    def at_least(self, name: str, value: float, goal: float, unit: str = "") -> None:
        self._add(
            Row(
                name=name,
                value=f"{value:.4g} {unit}".strip(),
                goal=f">= {goal:g}",
                reached=value >= goal,
            )
        )

    def holds(self, name: str, *, is_true: bool, found: str = "") -> None:
        value = found or ("yes" if is_true else "no")
        self._add(Row(name=name, value=value, goal="yes", reached=is_true))

    def broke(self, name: str) -> None:
        self._add(Row(name=name, value="ended in an error", goal="ends", reached=False))

    def print_table(self) -> None:
        width = max(len(row.name) for row in self.rows)
        print()
        for row in self.rows:
            sign = {None: "    ", True: "ok  ", False: "FAIL"}[row.reached]
            print(f"{sign} {row.name:<{width}}  {row.value:<28} {row.goal}".rstrip())

    def _add(self, row: Row) -> None:
        self.rows.append(row)
        print(f"   {row.name}: {row.value} {row.goal}".rstrip(), flush=True)
