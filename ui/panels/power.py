"""Panel: power of the CPU, and the energy of the last answer in words, of CPU and GPU."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout

from app.energy import EnergySource
from app.telemetry import TelemetryStore
from engine.samples import CpuEnergyAbsence
from ui.format import energy_j, energy_wh, format_power_mw, power_mw
from ui.labels import PlainLabel
from ui.panels.canvas import Canvas
from ui.panels.explain.legend import LegendEntry
from ui.panels.layouts import BuiltIn
from ui.panels.panel import LivePanel, Reading
from ui.panels.stack import held
from ui.panels.time_axis import TimeAxis
from ui.theme import Theme

ALLOW_COMMAND = "sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj"
"""Lets everybody read the counters until the machine is started again."""

_ALLOW_RULE = 'SUBSYSTEM=="powercap", ACTION=="add", RUN+="/bin/chmod a+r %S%p/energy_uj"'
_LINES = 3
_RULE_FILE = "/etc/udev/rules.d/90-rapl.rules"


def energy_text(store: TelemetryStore, source: EnergySource) -> str:
    """Energy of the last answer on a device, by token and in all; empty where not known."""
    turn = store.turn
    found = () if turn is None else store.energies(turn)
    for energy in found:
        if energy.source is source:
            return QCoreApplication.translate("Energy", "{joules} per token  ·  {all}").format(
                joules=energy_j(energy.per_token_mj), all=energy_wh(energy.total_mj)
            )
    return ""


class CpuPowerPanel(LivePanel):
    """Power of the CPU packages; where the system refuses to tell, how to allow it."""

    key = "cpu_power"
    layouts = frozenset({BuiltIn.HARDWARE})
    is_slow = True
    smallest_top = 10_000.0

    def __init__(self, store: TelemetryStore, theme: Theme, axis: TimeAxis) -> None:
        """Show nothing known yet."""
        super().__init__(store, theme, axis)
        self._reason = PlainLabel(theme, font="caption", color="muted", wrap=True)
        # The panel does not grow with what is said in it.
        self._reason.setMinimumHeight(_LINES * self._reason.fontMetrics().lineSpacing() + 4)
        self.copy_button = QPushButton(self.tr("Copy the command"))
        lasting = self.tr("For good, write this line to {file}:").format(file=_RULE_FILE)
        self.copy_button.setToolTip(f"{ALLOW_COMMAND}\n\n{lasting}\n{_ALLOW_RULE}")
        self.copy_button.clicked.connect(self._copy)
        row = QHBoxLayout()
        row.setContentsMargins(13, 0, 8, 0)
        row.addWidget(self._reason, 1)
        row.addWidget(self.copy_button)
        body = self.widget().layout()
        assert isinstance(body, QVBoxLayout)
        body.addLayout(row)
        self.refresh_text()

    @property
    def reason_text(self) -> str:
        """What stands below the graph; empty where power is known."""
        return self._reason.text()

    def definition(self) -> str:
        """What the figure is."""
        return self.tr(
            "Power of all CPU packages (cores, caches and memory controller), from the energy "
            "counters of the processor (RAPL), whatever runs on them. Energy of an output token "
            "is the difference of the counters over the answer, prefill included, divided by its "
            "output tokens. It is blank where the counter went backwards, or samples are missing."
        )

    def absence(self) -> str:
        """Why there is no counter; a refusal is shown in the panel, with what to do."""
        match self.store.machine.cpu_energy_absence:
            case CpuEnergyAbsence.NO_COUNTER:
                return self.tr("this machine shows no energy counter (RAPL)")
            case CpuEnergyAbsence.FAILED:
                return self.tr("its energy counter (RAPL) cannot be read")
            case _:
                return "" if self.store.machine.is_sampled else self.tr("not looked for yet")

    def empty_text(self) -> str:
        """When it shows."""
        if self._is_refused():
            return self.tr("Not readable")
        return super().empty_text()

    def read(self) -> Reading:
        """Power, energy of a token and of the answer."""
        sample = self.store.sample
        value = power_mw(None if sample is None else sample.cpu_power_mw)
        return Reading(value=value, context=energy_text(self.store, EnergySource.CPU))

    def plain(self) -> str:
        """In one sentence."""
        return self.tr("How much electricity the processor draws now, all its cores together.")

    def legend(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return (("phase_load", self.tr("power")),)

    def value_at(self, t_s: float) -> str:
        """Power at the hover line."""
        value = self.store.sample_at(t_s, "cpu_power")
        return "" if value is None else format_power_mw(value)

    def refresh_text(self) -> None:
        """Show what is known now."""
        super().refresh_text()
        is_refused = self._is_refused()
        self._reason.setVisible(is_refused)
        self.copy_button.setVisible(is_refused)
        if is_refused:
            self._reason.setText(
                self.tr(
                    "Only root may read the energy counter here. This command lets every program "
                    "read it until the next restart."
                )
            )

    def draw(self, canvas: Canvas) -> None:
        """Power over time."""
        times, values = self.store.samples.between(canvas.t0_s, canvas.t1_s, "cpu_power")
        self.fit(canvas, values)
        self.label_top(canvas, power_mw(canvas.top))
        until_s = min(canvas.t1_s, self.store.now_s)
        canvas.curve(*held(times, values, until_s), self.theme.color("phase_load"))

    def _is_refused(self) -> bool:
        return self.store.machine.cpu_energy_absence is CpuEnergyAbsence.NOT_ALLOWED

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(ALLOW_COMMAND)
