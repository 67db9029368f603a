"""A history keeps the newest in full, the older in buckets, and never grows."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.series import History, Reduce


def _history(fine_rows: int = 100, coarse_rows: int = 50) -> History:
    columns = {"mean": Reduce.MEAN, "max": Reduce.MAX, "last": Reduce.LAST}
    return History(columns, fine_rows=fine_rows, coarse_rows=coarse_rows, bucket_s=1.0)


def _fill(history: History, t_s: np.ndarray) -> None:
    values = list(np.arange(len(t_s), dtype=float))
    history.append(t_s, mean=values, max=values, last=values)


def test_rows_come_back_with_one_neighbour_at_either_side() -> None:
    history = _history()
    _fill(history, np.arange(10) * 0.1)
    times, values = history.between(0.25, 0.55, "mean")
    assert list(times) == pytest.approx([0.2, 0.3, 0.4, 0.5, 0.6])
    assert list(values) == [2, 3, 4, 5, 6]


def test_older_rows_are_kept_as_buckets() -> None:
    history = _history(fine_rows=100, coarse_rows=200)
    _fill(history, np.arange(1000) * 0.1)
    times, mean, biggest, last = history.between(10.0, 12.5, "mean", "max", "last")
    assert list(times) == [9, 10, 11, 12, 13]
    assert list(mean[1:]) == pytest.approx([104.5, 114.5, 124.5, 134.5])
    assert list(biggest[1:]) == [109, 119, 129, 139]
    assert list(last[1:]) == [109, 119, 129, 139]


def test_buckets_and_rows_join_without_overlap() -> None:
    history = _history(fine_rows=100)
    _fill(history, np.arange(1000) * 0.1)
    (times,) = history.between(0.0, 100.0)
    assert np.all(np.diff(times) > 0)
    assert times[-1] == pytest.approx(99.9)
    assert times[0] <= 50


def test_unknown_values_do_not_enter_a_mean_and_a_pause_breaks_the_curve() -> None:
    history = _history(fine_rows=4)
    for t_s, value in [(0.1, None), (0.2, 4.0), (0.3, 6.0), (1.5, None), (1.6, None), (20.0, 1.0)]:
        history.append([t_s], mean=[value], max=[value], last=[value])
    for t_s in (21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0):
        history.append([t_s], mean=[2.0], max=[2.0], last=[2.0])
    times, mean = history.between(0.0, 21.5, "mean")
    assert mean[0] == 5.0
    assert np.isnan(mean[1])
    blank = np.flatnonzero(times == 19.0)
    assert len(blank) == 1
    assert np.isnan(mean[blank[0]])


def test_values_at_a_time() -> None:
    history = _history()
    history.append([1.0, 2.0], mean=[5.0, None], max=[1.0, 2.0], last=[1.0, 2.0])
    assert history.at(0.5, "mean") is None
    assert history.at(1.9, "mean") == 5.0
    assert history.at(2.5, "mean") is None
    assert history.last("max") == 2.0
    assert history.nearest(1.8, "max", within_s=0.3) == 2.0
    assert history.nearest(5.0, "max", within_s=0.3) is None


def test_the_integral_is_between_its_limits_only() -> None:
    history = _history()
    values = [4.0, 8.0, 8.0, 0.0]
    history.append([0.0, 1.0, 2.0, 3.0], mean=values, max=values, last=[1.0, None, 1.0, 1.0])
    assert history.integrate(0.0, 3.0, "mean", gap_s=1.0) == pytest.approx(6 + 8 + 4)
    assert history.integrate(0.5, 2.5, "mean", gap_s=1.0) == pytest.approx(3.5 + 8 + 3)
    assert history.integrate(1.2, 1.7, "mean", gap_s=1.0) == pytest.approx(4)
    assert history.integrate(-0.1, 2.0, "mean", gap_s=1.0) is None
    assert history.integrate(1.0, 3.1, "mean", gap_s=1.0) is None
    assert history.integrate(1.0, 3.0, "mean", gap_s=0.9) is None
    assert history.integrate(0.0, 3.0, "last", gap_s=1.0) is None


def test_an_empty_history_knows_nothing() -> None:
    history = _history()
    assert history.last("mean") is None
    assert history.at(1.0, "mean") is None
    assert history.nearest(1.0, "mean", within_s=1.0) is None
    assert history.integrate(0.0, 1.0, "mean", gap_s=1.0) is None
    assert [len(column) for column in history.between(0, 1, "mean")] == [0, 0]


@given(st.lists(st.lists(st.floats(0.001, 3.0), max_size=30), max_size=30))
def test_however_rows_arrive_the_newest_are_there_in_full(batches: list[list[float]]) -> None:
    history = History({"value": Reduce.MAX}, fine_rows=16, coarse_rows=8, bucket_s=1.0)
    everything: list[float] = []
    for steps in batches:
        start = everything[-1] if everything else 0.0
        t_s = list(start + np.cumsum(steps))
        history.append(t_s, value=t_s)
        everything += t_s
    (times,) = history.between(-1.0, 1e9)
    assert np.all(np.diff(times) >= 0)
    assert list(times[-16:]) == everything[-16:] or len(everything) < 16
    assert len(times) <= 2 * (16 + 8)


def test_an_hour_at_200_rows_a_second_keeps_its_size_and_the_last_half_hour() -> None:
    history = _history(fine_rows=32_768, coarse_rows=4096)

    def held_bytes() -> int:
        return sum(
            sys.getsizeof(tail._buffer.base if tail._buffer.base is not None else tail._buffer)
            for tail in (history._fine, history._coarse)
        )

    before = held_bytes()
    for minute in range(60):
        _fill(history, minute * 60 + np.arange(12_000) / 200)
    assert held_bytes() == before
    (times,) = history.between(1800.0, 3600.0)
    assert times[0] <= 1800
    assert len(times) < 70_000


def test_few_rows_are_drawn_as_they_are() -> None:
    history = _history(fine_rows=1000)
    _fill(history, np.arange(500) * 0.1)
    drawn = history.extremes(1.0, 20.0, "max", most_rows=200)
    assert [list(column) for column in drawn] == [
        list(column) for column in history.between(1.0, 20.0, "max")
    ]


@pytest.mark.parametrize("n_rows", [5_000, 5_017, 30_000])
def test_of_many_rows_no_peak_and_no_valley_is_lost(n_rows: int) -> None:
    history = _history(fine_rows=8_192, coarse_rows=4_000)
    rng = np.random.default_rng(3)
    values = np.array(rng.normal(100, 1, n_rows), np.float64)
    values[[7, 1234, n_rows - 3]] = (500, -500, 900)
    values[2_000:2_100] = np.nan
    t_s = np.arange(n_rows, dtype=np.float64) * 0.1
    for begin in range(0, n_rows, 777):
        part = slice(begin, begin + 777)
        history.append(t_s[part], mean=values[part], max=values[part], last=values[part])
    since_s = history.full_since_s
    first_s = 0.0 if since_s is None else since_s
    times, drawn = history.extremes(first_s, t_s[-1], "max", most_rows=1_000)
    seen = values[t_s >= first_s]
    assert len(times) < len(seen) / 20
    assert np.all(np.diff(times) >= 0)
    assert np.nanmax(drawn) == np.nanmax(seen) == 900
    assert np.nanmin(drawn) == np.nanmin(seen)
    # Each stands within a block of where it was.
    assert abs(times[np.nanargmax(drawn)] - t_s[n_rows - 3]) <= 6.4


def test_rows_that_come_after_a_look_are_drawn_too() -> None:
    history = _history(fine_rows=4_096)
    _fill(history, np.arange(2_000) * 0.1)
    history.extremes(0.0, 200.0, "max", most_rows=100)
    late = [210.0, 210.1]
    history.append(late, mean=[1.0, 2.0], max=[7_000.0, 1.0], last=[0.0, 0.0])
    _, drawn = history.extremes(0.0, 300.0, "max", most_rows=100)
    assert np.nanmax(drawn) == 7_000


def test_it_says_from_when_on_every_row_is_there() -> None:
    history = _history(fine_rows=100)
    _fill(history, np.arange(50) * 0.1)
    since_s = history.full_since_s
    assert since_s is None
    assert history.count(1.0, 2.0) == 10


@pytest.mark.parametrize("n_rows", [180, 1000])
def test_the_rows_kept_in_full_have_no_hole(n_rows: int) -> None:
    history = _history(fine_rows=100)
    _fill(history, np.arange(50) * 0.1)
    _fill(history, 5 + np.arange(n_rows) * 0.1)
    (times,) = history.between(0.0, 1000.0)
    since_s = history.full_since_s
    assert since_s is not None
    full = times[times >= since_s]
    assert np.allclose(np.diff(full), 0.1)
    assert 100 <= len(full) <= 200


def test_between_the_last_bucket_and_the_first_row_both_are_neighbours() -> None:
    history = _history(fine_rows=10)
    _fill(history, np.arange(0.0, 60.0, 0.3))
    (times,) = history.between(0.0, 60.0)
    first = times.tolist().index(history.full_since_s)
    at_s = (times[first - 1] + times[first]) / 2
    (found,) = history.between(at_s, at_s)
    assert found.tolist() == times[first - 1 : first + 1].tolist()


@pytest.mark.parametrize("fine_rows", [100, 2_000])
def test_a_stretch_that_is_dropped_was_never_added(fine_rows: int) -> None:
    t_s = np.arange(1_000) * 0.1
    dropped, never = _history(fine_rows, 200), _history(fine_rows, 200)
    _fill(dropped, t_s[:953])
    dropped.extremes(0.0, 100.0, "mean", most_rows=10)
    dropped.drop(92.05, 93.55)
    _fill(never, t_s[:921])
    values = np.arange(936.0, 953.0)
    never.append(list(t_s[936:953]), mean=values, max=values, last=values)
    for history in (dropped, never):
        _fill(history, t_s[953:])
    np.testing.assert_allclose(dropped._coarse.rows, never._coarse.rows)
    t0_s = 1.0 + max(dropped.full_since_s or 0.0, never.full_since_s or 0.0)
    for look in (History.between, History.extremes):
        found, expected = (look(each, t0_s, 100.0, "mean", "last") for each in (dropped, never))
        np.testing.assert_allclose(found, expected)


def test_all_dropped_is_as_new() -> None:
    history = _history(fine_rows=10)
    _fill(history, np.arange(1_000) * 0.1)
    history.drop()
    assert history.full_since_s is None
    assert history.last("mean") is None
    _fill(history, np.array([3.0, 4.0]))
    assert [list(found) for found in history.between(0, 9, "mean")] == [[3, 4], [0, 1]]


def test_a_break_stands_where_rows_were_dropped() -> None:
    history = _history()
    _fill(history, np.arange(10) * 0.1)
    history.drop(0.35, leaves_blank=True)
    assert history.at(0.34, "mean") == 3
    assert history.at(0.36, "mean") is None


def test_where_all_rows_in_full_are_dropped_older_ones_stay_buckets() -> None:
    history = _history(fine_rows=10, coarse_rows=200)
    _fill(history, np.arange(1_000) * 0.1)
    history.drop(50.0)
    assert history.full_since_s == 50
    times, mean = history.between(48.0, 60.0, "mean")
    assert list(times) == [47, 48, 49, 50]
    assert list(mean[:3]) == [474.5, 484.5, 494.5]
    assert np.isnan(mean[3])


def test_the_first_row_after_a_moment_is_the_last_where_there_is_no_later_one() -> None:
    rows = History({"value": Reduce.MEAN}, fine_rows=8)
    assert rows.first_after(1.0) is None
    rows.append([1.0, 2.0, 3.0], value=[1, 2, 3])
    assert [rows.first_after(t_s) for t_s in (0.5, 1.0, 2.5, 3.0, 9.0)] == [1.0, 2.0, 3.0, 3.0, 3.0]


def test_what_comes_after_rows_that_are_not_kept_in_full_is_not_told() -> None:
    rows = History({"value": Reduce.MEAN}, fine_rows=8)
    for second in range(100):
        rows.append([second], value=[second])
        since_s = rows.full_since_s
        assert rows.first_after(2.5) == (None if since_s and since_s > 2.5 else min(second, 3))
    since_s = rows.full_since_s
    assert since_s is not None
    assert (rows.first_after(since_s - 0.5), rows.first_after(since_s)) == (None, since_s + 1)


def test_a_bucket_of_a_counter_is_unknown_where_any_row_in_it_is() -> None:
    columns = {"counter": Reduce.WHOLE_MEAN, "value": Reduce.MEAN}
    history = History(columns, fine_rows=4)
    counter = [1.0, 3.0, 5.0, None, 9.0, 11.0, *([13.0] * 40)]
    history.append([0.5 * place for place in range(46)], counter=counter, value=counter)
    times, counters, values = history.between(0, 2, "counter", "value")
    assert times[:3].tolist() == [0, 1, 2]
    assert np.isnan(counters[:3]).tolist() == [False, True, False]
    assert (counters[0], counters[2]) == (2, 10)
    assert values[:3].tolist() == [2, 5, 10]
