"""Runs as one HTML page that needs nothing else: medians, every run, the plot."""

import html
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QDateTime

from app.runs.compare import FIGURES, grouped
from app.runs.record import RunRecord, RunSummary
from app.runs.summary import summary_of
from engine.titles import engine_title
from ui.format import format_date_time
from ui.runs.columns import LOOKS, Column, explanation, figure_text, group_texts, title

translate = QCoreApplication.translate

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1100px;
  padding: 0 1em; color: #1a2027; background: #fff; }
table { border-collapse: collapse; margin: 1em 0 2em; font-size: 13px; }
th, td { padding: 4px 10px; border-bottom: 1px solid #e2e6eb; text-align: left;
  vertical-align: top; }
th { color: #5b6672; font-weight: 600; } .wide td { white-space: nowrap; }
.n { text-align: right; font-variant-numeric: tabular-nums; } small { color: #5b6672; }
svg { max-width: 100%; height: auto; } dt { font-weight: 600; } dd { margin: 0 0 .6em; }
.wide { overflow-x: auto; }
"""


def report(runs: Sequence[RunRecord], svg: str) -> str:
    """The page. `svg` is the plot, as `svg_picture` makes it."""
    summaries = [summary_of(run, "", 0) for run in runs]
    now = format_date_time(QDateTime.currentMSecsSinceEpoch())
    heading = translate("Runs", "Recorded runs")
    medians = translate("Runs", "Medians, and the least and the most")
    every = translate("Runs", "Every run")
    machines = translate("Runs", "Machines and engines")
    figures = translate("Runs", "What the figures are")
    made = translate("Runs", "Made by Oscillama on {date}. No prompt and no answer is in it.")
    return f"""<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{_text(heading)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>{_STYLE}</style></head><body>
<h1>{_text(heading)}</h1><p><small>{_text(made.replace("{date}", now))}</small></p>
<h2>{_text(medians)}</h2>
<div class="wide">{_groups(summaries)}</div>
{_svg_element(svg)}
<h2>{_text(every)}</h2>
<div class="wide">{_table(summaries)}</div>
<h2>{_text(machines)}</h2>{_machines(runs)}
<h2>{_text(figures)}</h2>{_definitions()}
</body></html>
"""


def _groups(summaries: Sequence[RunSummary]) -> str:
    columns = _known(summaries, [Column(name) for name in FIGURES])
    names = [title(Column.MODEL), translate("Runs", "Runs"), *map(title, columns)]
    rows = []
    for group in grouped(summaries):
        what, how = group_texts(group)
        cells = [f"<td>{_text(what)}<br><small>{_text(how)}</small></td>"]
        cells.append(f'<td class="n">{group.n_runs}</td>')
        for name in (column.value for column in columns):
            median, least, most = group.figures[name]
            spread = f"{figure_text(name, least)} – {figure_text(name, most)}"
            small = "" if least == most else f"<br><small>{_text(spread)}</small>"
            cells.append(f'<td class="n">{_text(figure_text(name, median))}{small}</td>')
        rows.append("<tr>" + "".join(cells) + "</tr>")
    return _rows(names, [False, *[True] * (1 + len(columns))], rows)


def _table(summaries: Sequence[RunSummary]) -> str:
    columns = _known(summaries, list(Column))
    numbers = [LOOKS[column].is_number for column in columns]
    rows = []
    for run in summaries:
        cells = (_cell(LOOKS[column].words(run), LOOKS[column].is_number) for column in columns)
        rows.append("<tr>" + "".join(cells) + "</tr>")
    return _rows([title(column) for column in columns], numbers, rows)


def _known(summaries: Sequence[RunSummary], columns: Sequence[Column]) -> list[Column]:
    """`columns`, without energy where no run has any."""
    has_energy = any(run.energy_mj is not None for run in summaries)
    of_energy = (Column.ENERGY, Column.ANSWER_ENERGY)
    return [column for column in columns if has_energy or column not in of_energy]


def _rows(names: Sequence[str], numbers: Sequence[bool], rows: Sequence[str]) -> str:
    head = "".join(
        f'<th class="n">{_text(name)}</th>' if is_number else f"<th>{_text(name)}</th>"
        for name, is_number in zip(names, numbers, strict=True)
    )
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _cell(words: str, is_number: bool) -> str:
    return f'<td class="n">{_text(words)}</td>' if is_number else f"<td>{_text(words)}</td>"


def _machines(runs: Sequence[RunRecord]) -> str:
    found: dict[str, None] = {}
    for run in runs:
        machine, engine = run.machine, None if run.loaded is None else run.loaded.engine
        parts = [str(machine.get(name)) for name in ("cpu", "system") if machine.get(name)]
        if engine is not None:
            parts += [engine.device, engine_title(engine.backend), engine.build]
            parts += [f"n_ctx {engine.n_ctx}", f"KV {engine.kv_type}"]
            if engine.n_threads is not None:
                parts.append(f"n_threads {engine.n_threads}")
        found.setdefault("; ".join(dict.fromkeys(parts)))
    return "<ul>" + "".join(f"<li>{_text(words)}</li>" for words in found) + "</ul>"


def _definitions() -> str:
    terms = ((title(column), explanation(column)) for column in Column)
    rows = [f"<dt>{_text(term)}</dt><dd>{_text(words)}</dd>" for term, words in terms if words]
    return f"<dl>{''.join(rows)}</dl>"


def _svg_element(svg: str) -> str:
    """The element alone: a page has no XML declaration and no document type in its middle."""
    return svg[svg.index("<svg") :]


def _text(words: str) -> str:
    return html.escape(words)
