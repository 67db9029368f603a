"""Runs laid over each other: decode rate and ITL over the time since each was sent."""

from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.format import format_duration_ns
from ui.labels import PlainLabel
from ui.panels.graph import PLOT_LEFT, PLOT_RIGHT, Graph
from ui.panels.time_axis import TimeAxis
from ui.runs.drawing import Curve, PlottedRun, curve_title, hover_text, last_s, make_canvas
from ui.theme import Theme


class RunPlot(QWidget):
    """Two graphs on one time axis: wheel zooms, dragging pans, a double click shows all."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: list[PlottedRun] = []
        self.axis = TimeAxis(self)
        self.graphs: dict[Curve, Graph] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for curve in Curve:
            graph = Graph(theme, self.axis, partial(self._hover_text, curve))
            graph.setAccessibleName(curve_title(curve))
            graph.stale.connect(self._draw)
            theme.changed.connect(graph.restyle)
            layout.addWidget(PlainLabel(theme, curve_title(curve), font="secondary", color="muted"))
            layout.addWidget(graph, 1)
            self.graphs[curve] = graph
        self._begin = PlainLabel(theme, font="caption", color="faint")
        self._end = PlainLabel(theme, font="caption", color="faint")
        ends = QHBoxLayout()
        ends.setContentsMargins(PLOT_LEFT, 0, PLOT_RIGHT, 0)
        ends.addWidget(self._begin)
        ends.addStretch(1)
        ends.addWidget(self._end)
        layout.addLayout(ends)
        self.axis.view_changed.connect(self._draw)
        self._draw()

    @property
    def runs(self) -> list[PlottedRun]:
        """What it shows."""
        return self._runs

    def show_runs(self, runs: list[PlottedRun]) -> None:
        """Show these, and all of each."""
        self._runs = runs
        self.axis.set_followed(0.0, last_s(runs))
        self._draw()

    def _draw(self) -> None:
        view_s = self.axis.view_s
        for curve, graph in self.graphs.items():
            graph.set_canvas(make_canvas(curve, self._runs, graph.area, view_s))
        has_any = bool(self._runs)
        begin, end = (format_duration_ns(t_s * 1e9) if t_s else "0" for t_s in view_s)
        self._begin.setText(begin if has_any else "")
        since = self.tr("{time} since it was sent").format(time=end)
        self._end.setText(since if has_any else "")

    def _hover_text(self, curve: Curve, t_s: float) -> str:
        return hover_text(curve, self._runs, t_s)
