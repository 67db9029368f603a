"""What the KV cache holds, cell by cell, and what it costs."""

from collections import Counter

from app.kv_cells import CellHistory, CellRun, Origin, free_bytes, kv_facts, tokens_held, turns_of
from app.memory_map import memory_maps
from app.telemetry import TelemetryStore
from app.turns import Turn
from engine.events import CellKind
from ui.format import format_bytes, format_count, format_percent
from ui.palette import ColorName
from ui.panels.explain.cell_grid import CELL_COLORS, CellGrid
from ui.panels.explain.facts import Facts
from ui.panels.explain.halves import Halves
from ui.panels.explain.kv_words import facts, kind_text, origin_text, origins_text, run_text
from ui.panels.explain.legend import Entry, Legend
from ui.panels.explain.stack_bar import Segment, StackBar
from ui.panels.explain.text_row import TextRow
from ui.panels.explain.view import ExplainView
from ui.theme import Theme

_GAP = 6
_SECTION_GAP = 8
_BAR_HEIGHT = 10
_ORIGIN_COLORS: dict[Origin, ColorName] = {
    Origin.REUSED: "phase_cached",
    Origin.READ: "phase_prefill",
    Origin.WRITTEN: "phase_decode",
}


class KvView(ExplainView):
    """Squares for cells, the last request as a bar, and the figures with their formulas."""

    def __init__(self, store: TelemetryStore, theme: Theme) -> None:
        """Show nothing yet; `refresh` does."""
        super().__init__()
        self._store = store
        self._pointed: CellRun | None = None
        self._n_cells = 0
        self._is_lost = False
        self._runs: list[CellRun] = []
        self._history = CellHistory()
        self.whole = TextRow(theme, font="control", color="text")
        self.whole_bar = StackBar(theme, _BAR_HEIGHT)
        self.whole_bar.setAccessibleName(self.tr("All of the KV cache"))
        self.title = TextRow(theme, font="control", color="text")
        self.grid = CellGrid(theme, self._describe)
        self.grid.setAccessibleName(self.tr("Cells of the KV cache; arrow keys go through them"))
        self.undrawn = TextRow(theme)
        self.reading = TextRow(theme)
        self.legend = Legend(theme)
        self.legend.setAccessibleName(self.tr("What the colours of the cells mean"))
        self.request = TextRow(theme, font="control", color="text")
        self.bar = StackBar(theme, _BAR_HEIGHT)
        self.bar.setAccessibleName(self.tr("Tokens of the last request"))
        self.origins = Legend(theme)
        self.origins.setAccessibleName(self.tr("What the colours of the bar mean"))
        self.facts = Facts(theme)
        self.facts.setAccessibleName(self.tr("Figures of the KV cache"))
        cells = (self.whole, self.whole_bar, None, self.title, self.grid, self.undrawn)
        request = (self.request, self.bar, self.origins)
        self.add_block(
            Halves(
                (*cells, self.reading, self.legend),
                (*request, None, self.facts),
                gap=_GAP,
                wide=_SECTION_GAP,
            )
        )
        self.grid.pointed.connect(self._on_pointed)
        self.grid.raster_changed.connect(self._show_title)

    def refresh(self) -> None:
        """Show what is known now."""
        loaded = self._store.loaded
        turns = turns_of(self._store.turns, loaded)
        lost = [] if turns else turns_of(self._store.turns, loaded, with_lost=True)
        self._is_lost, turns = bool(lost), turns or lost
        runs = self._history.runs(turns)
        self._runs, self._n_cells = runs, runs[-1].end if runs else 0
        has_cells = loaded is not None and bool(loaded.kv.groups)
        for widget in (self.whole, self.whole_bar, self.title, self.grid, self.reading):
            widget.setVisible(has_cells)
        n_reserved = 0 if loaded is None else loaded.kv.reserved_tokens
        self.grid.set_cells(runs if has_cells else [], n_reserved)
        self.legend.set_entries(self._entries(runs) if has_cells else [])
        self._show_whole(runs, n_reserved)
        self._show_title()
        self._show_reading()
        self._show_request(turns, runs)
        if loaded is None:
            self.facts.set_facts([])
            return
        memory = self._store.memory
        maps = memory_maps(self._store.sample, memory, self._store.predicted)
        free = free_bytes(maps, memory, self._store.gpu)
        known = kv_facts(loaded, self._n_cells, free)
        self.facts.set_facts(facts(loaded, known, is_told=self._is_told))

    @property
    def _is_told(self) -> bool:
        """Whether anybody knows what the cache holds, or held for the conversation."""
        return self._store.loaded is None or tokens_held(self._store) is not None

    def _show_title(self) -> None:
        loaded, n_undrawn = self._store.loaded, self.grid.n_undrawn
        self.undrawn.setVisible(n_undrawn > 0 and not self.grid.isHidden())
        self.undrawn.set_texts("", self.tr("… and %Ln more empty", "", n_undrawn))
        if loaded is None:
            self.title.set_texts("")
            return
        n = self.grid.n_per_square
        a_token = sum(group.bytes_per_token for group in loaded.kv.groups)
        scale = self.tr("1 square = %Ln tokens = {bytes}", "", n)
        name = self.tr("What the cells held") if self._is_lost else self.tr("What the cells hold")
        self.title.set_texts(name, scale.format(bytes=format_bytes(n * a_token)))

    def _show_whole(self, runs: list[CellRun], n_reserved: int) -> None:
        """How much of all cells is in use, true to scale."""
        counts = _tokens_by_kind(runs)
        used = self.tr("{share} was in use") if self._is_lost else self.tr("{share} in use")
        used = used.format(share=format_percent(self._n_cells / n_reserved if n_reserved else None))
        self.whole.set_texts(self.tr("All of it, to scale"), used if self._is_told else "")
        self.whole_bar.set_segments(
            [
                Segment(color=CELL_COLORS[kind], size=n, text=_kind_count(kind, n))
                for kind, n in counts
            ],
            n_reserved,
            self.tr("empty {n}").format(n=format_count(max(n_reserved - self._n_cells, 0))),
        )

    def _show_reading(self) -> None:
        if self._pointed is not None:
            pointed = self._pointed
            origins = {
                run.origin
                for run in self._runs
                if run.begin < pointed.end and run.end > pointed.begin
            }
            self.reading.set_texts(self._describe(pointed), origins_text(origins))
            return
        if self._is_lost:
            self.reading.set_texts(
                self.tr("A measurement used them since; the next answer fills them.")
            )
            return
        if not self._is_told:
            self.reading.set_texts(
                self.tr("Not known since watching was measured: the next answer tells.")
            )
            return
        self.reading.set_texts(self.tr("Point at a square to see what it holds."))

    def _show_request(self, turns: list[Turn], runs: list[CellRun]) -> None:
        counts = _tokens_by_origin(runs)
        n_prompt = turns[-1].n_prompt_tokens if turns else None
        for widget in (self.request, self.bar, self.origins):
            widget.setVisible(n_prompt is not None)
        if n_prompt is None:
            return
        share = self.tr("{n} of {all} prompt tokens reused").format(
            n=format_count(counts[Origin.REUSED]), all=format_count(n_prompt)
        )
        self.request.set_texts(self.tr("The last request"), share)
        named = [(origin, counts[origin]) for origin in Origin if counts[origin]]
        self.bar.set_segments(
            [
                Segment(color=_ORIGIN_COLORS[origin], size=n, text=origin_text(origin, n))
                for origin, n in named
            ],
            n_prompt + counts[Origin.WRITTEN],
            self.tr("still to be read"),
        )
        self.origins.set_entries(
            [
                Entry(color=_ORIGIN_COLORS[origin], text=origin_text(origin, n))
                for origin, n in named
            ]
        )

    def _describe(self, run: CellRun) -> str:
        loaded = self._store.loaded
        if loaded is None:
            return ""
        return run_text(run, loaded.kv, self._n_cells)

    def _on_pointed(self, run: CellRun | None) -> None:
        self._pointed = run
        self._show_reading()

    def _entries(self, runs: list[CellRun]) -> list[Entry]:
        entries = _kinds(runs)
        if any(run.origin is Origin.REUSED for run in runs):
            pale = self.tr("pale: reused")
            entries.append(Entry(color="text", text=pale, is_pale=True))
        if entries:
            loaded = self._store.loaded
            n_empty = 0 if loaded is None else max(loaded.kv.reserved_tokens - self._n_cells, 0)
            text = self.tr("empty {n}").format(n=format_count(n_empty))
            entries.append(Entry(color="faint", text=text, is_hollow=True))
        return entries


def _tokens_by_origin(runs: list[CellRun]) -> Counter[Origin]:
    counts: Counter[Origin] = Counter()
    for run in runs:
        counts[run.origin] += run.end - run.begin
    return counts


def _tokens_by_kind(runs: list[CellRun]) -> list[tuple[CellKind, int]]:
    counts: Counter[CellKind] = Counter()
    for run in runs:
        counts[run.kind] += run.end - run.begin
    return [(kind, counts[kind]) for kind in CellKind if counts[kind]]


def _kind_count(kind: CellKind, n_tokens: int) -> str:
    return f"{kind_text(kind)} {format_count(n_tokens)}"


def _kinds(runs: list[CellRun]) -> list[Entry]:
    return [
        Entry(color=CELL_COLORS[kind], text=_kind_count(kind, n))
        for kind, n in _tokens_by_kind(runs)
    ]
