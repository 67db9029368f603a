"""What is in view of the time axis that all panels share."""

import pytest

from ui.panels.time_axis import TimeAxis


def test_a_moment_without_length_can_be_looked_at_and_zoomed(qapp: object) -> None:
    axis = TimeAxis(shortest_s=0.1)
    axis.set_followed(0.0, 10.0)
    axis.look_at(4.0, 4.0)
    assert axis.view_s == pytest.approx((4.0, 4.1))
    axis.zoom(2.0, 4.0)
    assert axis.view_s == pytest.approx((4.0, 4.2))
    axis.look_at(10.0, 10.0)
    assert axis.view_s == pytest.approx((9.9, 10.0))
