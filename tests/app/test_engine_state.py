"""How often the window looks at what the engine streams."""

import os
from dataclasses import replace

import pytest

from app.engine_state import frame_s, wants_all_cores
from tests.ui.fakes import loaded_model


@pytest.mark.parametrize(
    ("n_threads", "n_cores", "wants"),
    [(2, 2, True), (3, 2, True), (1, 2, False), (2, None, False), (None, 2, False)],
)
def test_an_engine_wants_all_cores_when_it_has_as_many_threads(
    n_threads: int | None, n_cores: int | None, wants: bool
) -> None:
    loaded = loaded_model()
    loaded = replace(loaded, engine=replace(loaded.engine, n_threads=n_threads))
    assert wants_all_cores(loaded, n_cores) is wants
    assert not wants_all_cores(None, n_cores)


def test_text_comes_less_often_where_that_costs_and_where_nobody_sees_it() -> None:
    loaded = loaded_model()
    all_cores = replace(loaded, engine=replace(loaded.engine, n_threads=os.cpu_count()))
    some = replace(loaded, engine=replace(loaded.engine, n_threads=0))
    assert frame_s(None, seen=True) == frame_s(some, seen=True) < frame_s(all_cores, seen=True)
    assert frame_s(some, seen=False) == frame_s(all_cores, seen=False) > 0.1
