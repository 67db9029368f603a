"""Curves become pixels: no peak is lost, gaps stay gaps, and cost does not grow with length."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from ui.panels.canvas import Canvas
from ui.panels.scales import Scale

INK = QColor("#ff0000")


def _canvas(top: float = 10.0) -> Canvas:
    return Canvas(area=QRectF(0, 0, 100, 50), t0_s=0.0, t1_s=10.0, top=top)


def _painted(canvas: Canvas) -> np.ndarray:
    """Redness, rows by columns."""
    image = QImage(100, 50, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)
    painter = QPainter(image)
    canvas.paint(painter)
    painter.end()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(50, 100, 4)
    return rows[:, :, 2].copy()


pytestmark = pytest.mark.usefixtures("qapp")


def test_a_curve_stands_at_its_value_with_a_fill_below() -> None:
    canvas = _canvas()
    canvas.curve(np.array([0.0, 10.0]), np.array([5.0, 5.0]), INK)
    red = _painted(canvas)
    assert red[24:27, 50].max() > 100
    assert 20 < red[40, 50] < 80
    assert red[10, 50] == 0


def test_a_gap_stays_a_gap() -> None:
    canvas = _canvas()
    values = np.array([5.0, 5.0, np.nan, 5.0, 5.0])
    canvas.curve(np.array([0.0, 3.0, 4.0, 7.0, 10.0]), values, INK)
    red = _painted(canvas)
    assert red[:, 50].max() == 0
    assert red[:, 20].max() > 100
    assert red[:, 80].max() > 100


def test_one_peak_in_a_hundred_thousand_points_is_seen() -> None:
    canvas = _canvas()
    values = np.full(100_000, 1.0)
    values[43_210] = 9.0
    canvas.curve(np.linspace(0, 10, 100_000), values, INK, filled=False)
    red = _painted(canvas)
    assert red[8, 41:46].max() > 100
    assert red[8, 60] == 0


def test_the_highest_of_bars_that_share_a_column_wins() -> None:
    canvas = _canvas()
    values = np.full(5000, 1.0)
    values[2500] = 8.0
    canvas.bars(np.linspace(0, 9.99, 5000), values, INK)
    red = _painted(canvas)
    assert red[12, 49:52].max() > 100
    assert red[12, 30] == 0
    assert red[48, 30] > 100


def test_nothing_known_draws_nothing() -> None:
    canvas = _canvas()
    canvas.curve(np.array([0.0, 1.0]), np.array([np.nan, np.nan]), INK)
    canvas.bars(np.array([0.0]), np.array([np.nan]), INK)
    canvas.band(np.empty(0), np.empty(0), np.empty(0), INK)
    assert canvas.is_empty


def test_a_band_lies_between_its_curves() -> None:
    canvas = _canvas()
    t_s = np.array([0.0, 10.0])
    canvas.band(t_s, np.array([2.0, 2.0]), np.array([6.0, 6.0]), INK)
    red = _painted(canvas)
    assert red[30, 50] > 150
    assert red[45, 50] == 0
    assert red[15, 50] == 0


@pytest.mark.parametrize(
    ("values", "tops"),
    [
        ([5, 46, 49, 51], [10, 50, 50, 60]),
        ([46, 30, 21, 10], [50, 50, 50, 15]),
        ([None, float("nan")], [10, 10]),
    ],
)
def test_an_axis_grows_at_once_and_shrinks_late(
    values: list[float | None], tops: list[float]
) -> None:
    scale = Scale(smallest=10)
    assert [scale.fit(value) for value in values] == tops


def test_an_axis_of_bytes_ends_at_whole_binary_units(qapp: QApplication) -> None:
    scale = Scale(smallest=1 << 20, is_binary=True)
    assert scale.fit(421 * 2**20) == 500 * 2**20
    assert scale.fit(1.2 * 2**30) == 1.5 * 2**30
