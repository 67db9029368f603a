"""What other programs do is told apart from what this one does."""

import time

import pytest

from engine.ceilings.others import OthersWatch

_PATIENCE_S = 60.0


class Cores:
    """Two cores and this process, in seconds."""

    def __init__(self) -> None:
        self.busy_s, self.all_s, self.own_s = 50.0, 1000.0, 3.0

    def watch(self) -> OthersWatch:
        return OthersWatch(lambda: (self.busy_s, self.all_s), lambda: self.own_s)

    def pass_s(self, seconds: float, *, own: float, others: float) -> None:
        self.all_s += 2 * seconds
        self.own_s += own
        self.busy_s += own + others


def test_others_have_the_share_that_is_not_our_own() -> None:
    cores = Cores()
    watch = cores.watch()
    cores.pass_s(2, own=3, others=1)
    assert watch.share() == pytest.approx(0.25)


@pytest.mark.parametrize(("others", "share"), [(-0.1, 0.0), (9.0, 1.0)])
def test_a_share_is_one_where_two_clocks_do_not_agree(others: float, share: float) -> None:
    cores = Cores()
    watch = cores.watch()
    cores.pass_s(2, own=3, others=others)
    assert watch.share() == share


def test_before_the_system_counts_on_nothing_is_known() -> None:
    assert Cores().watch().share() is None


def test_this_machine_tells() -> None:
    watch = OthersWatch()
    share = None
    deadline_s = time.monotonic() + _PATIENCE_S
    while share is None and time.monotonic() < deadline_s:
        share = watch.share()
    assert share is not None
    assert 0 <= share <= 1
