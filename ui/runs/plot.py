"""Runs laid over each other: decode rate and ITL over the time since each was sent."""

from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.labels import PlainLabel
from ui.panels.follow_button import FollowButton
from ui.panels.graph import Graph
from ui.panels.sizes import PLOT_RIGHT
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
        self.fit_button = FollowButton(
            self.axis, self.tr("Fit"), self.tr("Show all of the runs (Home, or a double click)")
        )
        self._axis_words = PlainLabel(theme, font="caption", color="muted")
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, PLOT_RIGHT, 0)
        foot.addWidget(self.fit_button)
        foot.addStretch(1)
        foot.addWidget(self._axis_words)
        layout.addLayout(foot)
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
        self._axis_words.setText(self.tr("time since each was sent") if self._runs else "")

    def _hover_text(self, curve: Curve, t_s: float) -> str:
        return hover_text(curve, self._runs, t_s)
