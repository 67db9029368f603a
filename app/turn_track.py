"""The turns that panels and the timeline show, and those that run."""

from collections import deque

from app.turns import CELL_TURNS, Turn

_MOST_TURNS = 1024


class TurnTrack:
    """The last 1,024 turns, and trials until they are forgotten.

    Attributes:
        kept: Those that are no trials, oldest first.
        running: By request id, trials among them.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.kept: deque[Turn] = deque(maxlen=_MOST_TURNS)
        self.running: dict[int, Turn] = {}
        self._trials: list[Turn] = []
        self._last: Turn | None = None

    @property
    def last(self) -> Turn | None:
        """The one sent last, which may be a trial."""
        return self._last

    def find(self, request_id: int) -> Turn | None:
        """The turn of a request; None where it is not kept."""
        turns = (*self.kept, *self._trials)
        return next((turn for turn in turns if turn.request_id == request_id), None)

    def is_trial(self, request_id: int) -> bool:
        """Whether a request that runs is one."""
        turn = self.running.get(request_id)
        return turn is not None and turn.is_trial

    def begin(self, turn: Turn) -> None:
        """A turn was sent."""
        (self._trials if turn.is_trial else self.kept).append(turn)
        self.running[turn.request_id] = self._last = turn
        if len(self.kept) > CELL_TURNS:
            self.kept[-CELL_TURNS - 1].prompt_cells = ()

    def close(self, request_id: int) -> None:
        """A turn is over."""
        self.running.pop(request_id).close()

    def forget_trials(self) -> list[Turn]:
        """Let go of trials, and return them."""
        trials, self._trials = self._trials, []
        for turn in trials:
            self.running.pop(turn.request_id, None)
        if self._last in trials:
            self._last = self.kept[-1] if self.kept else None
        return trials

    def lose_cells(self) -> None:
        """What turns left in the KV cache is there no longer; one that waits is still to come."""
        for turn in self.kept:
            turn.in_cache = turn.in_cache and turn.n_prompt_tokens is None
