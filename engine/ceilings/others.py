"""What else a machine did meanwhile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable


class OthersWatch:
    """Watches the cores while this process uses them: who else does?"""

    def __init__(
        self,
        cpu_s: Callable[[], tuple[float, float]] | None = None,
        own_s: Callable[[], float] = time.process_time,
    ) -> None:
        """Begin to watch.

        Args:
            cpu_s: As `machine_cpu_s`.
            own_s: CPU time of this process, seconds.
        """
        self._cpu_s = cpu_s or machine_cpu_s
        self._own_s = own_s
        self._before = (*self._cpu_s(), own_s())

    def share(self) -> float | None:
        """The part of all cores' time since then that was not this process's, 0 to 1.

        None where the system counts too coarsely to tell.
        """
        busy0_s, all0_s, own0_s = self._before
        busy1_s, all1_s = self._cpu_s()
        if all1_s <= all0_s:
            return None
        others_s = busy1_s - busy0_s - (self._own_s() - own0_s)
        return min(1.0, max(0.0, others_s / (all1_s - all0_s)))


def machine_cpu_s() -> tuple[float, float]:
    """What all cores did since the system began: busy, and in all, seconds.

    What the host of a virtual machine took (steal) is busy.
    """
    spent = psutil.cpu_times()
    # Time of guests is part of that of users.
    all_s = sum(spent) - getattr(spent, "guest", 0.0) - getattr(spent, "guest_nice", 0.0)
    return all_s - spent.idle - getattr(spent, "iowait", 0.0), all_s
