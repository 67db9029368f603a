"""The axis that all panels share, while time goes on."""

import pytest
from PySide6.QtWidgets import QApplication

from ui.panels.time_axis import TimeAxis


@pytest.mark.parametrize(
    ("begin_s", "end_s", "is_all"),
    [(2.0, 10.3, True), (0.0, 10.3, False), (2.0, 15.0, False)],
    ids=["now", "before", "idle"],
)
def test_zooming_out_to_all_follows_again_where_nothing_else_is_known(
    qapp: QApplication, begin_s: float, end_s: float, is_all: bool
) -> None:
    now_s = [10.0]
    axis = TimeAxis(known_s=lambda: (begin_s, now_s[0]))
    axis.set_followed(2.0, 10.0)
    axis.zoom(0.5, 5.0)
    assert axis.view_s == (3.5, 7.5)
    # The clock runs on after the last frame.
    now_s[0] = end_s
    axis.zoom(8.0, 5.0)
    assert axis.is_following is is_all
    assert axis.view_s == ((2.0, 10.0) if is_all else (begin_s, end_s))
