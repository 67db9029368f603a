"""The columns of the list of runs: their names, words, and what they are sorted by."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from app.runs.compare import RunGroup
from app.runs.record import RunSummary
from app.sentences_runs import fault_words
from engine.titles import engine_title
from ui.engine_names import short_device
from ui.format import (
    UNKNOWN,
    Quantity,
    duration_ns,
    energy_j,
    energy_wh,
    format_count,
    format_date_time,
    rate,
)

translate = QCoreApplication.translate


class Column(StrEnum):
    """A column, in the order of the list."""

    MODEL = "model"
    QUANTIZATION = "quantization"
    ENGINE = "engine"
    DEVICE = "device"
    TOKENS = "n_output_tokens"
    TTFT = "ttft_ns"
    PREFILL_RATE = "prefill_rate_tok_per_s"
    DECODE_RATE = "decode_rate_tok_per_s"
    ITL_P50 = "itl_p50_ns"
    ITL_P95 = "itl_p95_ns"
    ENERGY = "energy_per_token_mj"
    DATE = "created_ms"
    LABEL = "label"
    ANSWER_ENERGY = "energy_mj"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a column is shown.

    Attributes:
        width_px: Its first width.
        is_number: Whether it stands at the right.
        words: The text of a run.
    """

    width_px: int
    is_number: bool
    words: Callable[[RunSummary], str]


def title(column: Column) -> str:
    """The name above a column."""
    return {
        Column.MODEL: translate("Runs", "Model"),
        Column.QUANTIZATION: translate("Runs", "Quantization"),
        Column.ENGINE: translate("Runs", "Engine"),
        Column.DEVICE: translate("Runs", "Device"),
        Column.TOKENS: translate("Runs", "Tokens"),
        Column.TTFT: translate("Runs", "TTFT"),
        Column.PREFILL_RATE: translate("Runs", "Prefill"),
        Column.DECODE_RATE: translate("Runs", "Decode"),
        Column.ITL_P50: translate("Runs", "ITL p50"),
        Column.ITL_P95: translate("Runs", "ITL p95"),
        Column.ENERGY: translate("Runs", "J/token"),
        Column.ANSWER_ENERGY: translate("Runs", "Energy"),
        Column.DATE: translate("Runs", "Date"),
        Column.LABEL: translate("Runs", "Label"),
    }[column]


def explanation(column: Column) -> str:
    """What a column is, for a tooltip; empty where its name says it."""
    return {
        Column.TOKENS: translate("Runs", "Prompt tokens and output tokens"),
        Column.TTFT: translate(
            "Runs", "Time to first token, from when the engine took the request"
        ),
        Column.PREFILL_RATE: translate(
            "Runs", "Prompt tokens computed per second; those from the cache are not counted"
        ),
        Column.DECODE_RATE: translate("Runs", "Output tokens per second after the first"),
        Column.ITL_P50: translate("Runs", "Median of the time between two engine steps"),
        Column.ITL_P95: translate(
            "Runs", "95 of 100 engine steps came at most this long after the one before"
        ),
        Column.ENERGY: translate(
            "Runs",
            "Energy of the GPU board (NVML) or the CPU package (RAPL) per output token, whichever "
            "computed, from start to end of the answer; blank where it has no counter",
        ),
        Column.ANSWER_ENERGY: translate("Runs", "The same energy of the whole answer"),
    }.get(column, "")


def figure(name: str, value: float | None) -> Quantity:
    """A figure of `RunSummary` with its unit, "—" where it is not known."""
    if name.endswith("_ns"):
        return duration_ns(value)
    if name.endswith("_tok_per_s"):
        return rate(value)
    return energy_wh(value) if name == Column.ANSWER_ENERGY.value else energy_j(value)


def figure_text(name: str, value: float | None) -> str:
    """The same in words."""
    return str(figure(name, value))


def words_of(run: RunSummary) -> str:
    """What a run is called in a legend."""
    parts = (run.label, run.model, run.quantization, run.device, inspected_text(run.is_inspected))
    return ", ".join(part for part in (*parts, format_date_time(run.created_ms)) if part)


def group_texts(group: RunGroup) -> tuple[str, str]:
    """Which model the runs of a group were of, and how it ran."""
    what = (group.model, group.quantization)
    how = (engine_title(group.engine), group.device, inspected_text(group.is_inspected))
    return " ".join(part for part in what if part), ", ".join(part for part in how if part)


def inspected_text(is_inspected: bool) -> str:
    """What makes these runs slower than others; empty where it was off."""
    return translate("Runs", "tokens inspected") if is_inspected else ""


def sort_key(column: Column, run: RunSummary) -> tuple[bool, float | str]:
    """Sorts runs by a column, and whether its value is not known."""
    value: float | str | None = getattr(run, column.value)
    if isinstance(value, str):
        return (not value, value.casefold())
    return (value is None, 0.0 if value is None else value)


def _tokens(run: RunSummary) -> str:
    return f"{format_count(run.n_prompt_tokens)} + {format_count(run.n_output_tokens)}"


def _model(run: RunSummary) -> str:
    return run.model or UNKNOWN if run.fault is None else fault_words(run.fault)


def _energy(column: Column) -> Callable[[RunSummary], str]:
    """The energy, and the device it is of."""

    def words(run: RunSummary) -> str:
        text = figure_text(column.value, getattr(run, column.value))
        return f"{text} {run.energy_source.upper()}" if run.energy_source else text

    return words


def _figure(column: Column) -> Callable[[RunSummary], str]:
    return lambda run: figure_text(column.value, getattr(run, column.value))


LOOKS: dict[Column, Look] = {
    Column.MODEL: Look(width_px=196, is_number=False, words=_model),
    Column.QUANTIZATION: Look(width_px=112, is_number=False, words=lambda run: run.quantization),
    Column.ENGINE: Look(width_px=80, is_number=False, words=lambda run: engine_title(run.engine)),
    Column.DEVICE: Look(width_px=74, is_number=False, words=lambda run: short_device(run.device)),
    Column.TOKENS: Look(width_px=122, is_number=True, words=_tokens),
    Column.TTFT: Look(width_px=70, is_number=True, words=_figure(Column.TTFT)),
    Column.PREFILL_RATE: Look(width_px=108, is_number=True, words=_figure(Column.PREFILL_RATE)),
    Column.DECODE_RATE: Look(width_px=108, is_number=True, words=_figure(Column.DECODE_RATE)),
    Column.ITL_P50: Look(width_px=72, is_number=True, words=_figure(Column.ITL_P50)),
    Column.ITL_P95: Look(width_px=72, is_number=True, words=_figure(Column.ITL_P95)),
    Column.ENERGY: Look(width_px=94, is_number=True, words=_energy(Column.ENERGY)),
    Column.DATE: Look(
        width_px=142, is_number=False, words=lambda run: format_date_time(run.created_ms)
    ),
    Column.LABEL: Look(width_px=70, is_number=False, words=lambda run: run.label),
    Column.ANSWER_ENERGY: Look(width_px=104, is_number=True, words=_energy(Column.ANSWER_ENERGY)),
}
