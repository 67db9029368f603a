"""A machine that slept and a time of day that was put are told apart."""

from engine.samples import ClockFault
from engine.sleep import ClockWatch, SleepWatch

_S = 1_000_000_000


class Clocks:
    """Three clocks of a machine, as Linux has them: the first stands still during sleep."""

    def __init__(self) -> None:
        self.now_ns, self.wall_ns, self.asleep_ns = 5 * _S, 1_700_000_000 * _S, 3 * _S

    def pass_s(self, seconds: float) -> None:
        self.now_ns += round(seconds * _S)
        self.wall_ns += round(seconds * _S)

    def sleep_s(self, seconds: int) -> None:
        self.asleep_ns += seconds * _S
        self.wall_ns += seconds * _S

    def watch(self) -> ClockWatch:
        return ClockWatch(
            clock_ns=lambda: self.now_ns,
            wall_ns=lambda: self.wall_ns,
            clocks=(lambda: self.now_ns + self.asleep_ns, lambda: self.now_ns),
        )


def test_time_that_passes_is_nothing() -> None:
    clocks = Clocks()
    watch = clocks.watch()
    for seconds in (0.25, 1, 3600):
        clocks.pass_s(seconds)
        assert watch.look() is None


def test_sleep_is_said_once_and_is_no_jump() -> None:
    clocks = Clocks()
    watch = clocks.watch()
    clocks.sleep_s(600)
    clocks.pass_s(1)
    assert watch.look() == ClockFault(t_ns=clocks.now_ns, asleep_ns=600 * _S)
    clocks.pass_s(1)
    assert watch.look() is None


def test_a_time_of_day_that_is_put_is_said_in_both_directions() -> None:
    clocks = Clocks()
    watch = clocks.watch()
    clocks.wall_ns += 3600 * _S
    assert watch.look() == ClockFault(t_ns=clocks.now_ns, jump_ns=3600 * _S)
    clocks.wall_ns -= 5 * _S
    assert watch.look() == ClockFault(t_ns=clocks.now_ns, jump_ns=-5 * _S)
    # What a time server corrects little by little is nothing.
    clocks.wall_ns += _S // 10
    assert watch.look() is None


def test_both_at_once() -> None:
    clocks = Clocks()
    watch = clocks.watch()
    clocks.sleep_s(60)
    clocks.wall_ns -= 10 * _S
    fault = watch.look()
    assert fault == ClockFault(t_ns=clocks.now_ns, asleep_ns=60 * _S, jump_ns=-10 * _S)


def test_a_process_that_is_held_up_between_two_clocks_is_no_sleep() -> None:
    clocks = Clocks()
    held_up_s = 0.0

    def still_ns() -> int:
        clocks.pass_s(held_up_s)
        return clocks.now_ns

    watch = SleepWatch((lambda: clocks.now_ns + clocks.asleep_ns, still_ns))
    held_up_s = 0.5
    assert watch.look() == 0
    clocks.sleep_s(3)
    held_up_s = 0.0
    assert watch.look() == 3 * _S


def test_this_machine_did_not_sleep_since_a_moment_ago() -> None:
    watch = SleepWatch()
    assert watch.look() == 0
