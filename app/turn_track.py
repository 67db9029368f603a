"""The turns that panels and the timeline show, and those that run."""

from collections import deque

from app.turns import CELL_TURNS, Turn

_MOST_TURNS = 1024


class TurnTrack:
    """The last 1,024 turns.

    Attributes:
        kept: Oldest first.
        running: By request id.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.kept: deque[Turn] = deque(maxlen=_MOST_TURNS)
        self.running: dict[int, Turn] = {}

    @property
    def last(self) -> Turn | None:
        """The one sent last."""
        return self.kept[-1] if self.kept else None

    def find(self, request_id: int) -> Turn | None:
        """The turn of a request; None where it is not kept."""
        return next((turn for turn in self.kept if turn.request_id == request_id), None)

    def begin(self, turn: Turn) -> None:
        """A turn was sent."""
        self.kept.append(turn)
        self.running[turn.request_id] = turn
        if len(self.kept) > CELL_TURNS:
            self.kept[-CELL_TURNS - 1].prompt_cells = ()

    def close(self, request_id: int) -> None:
        """A turn is over."""
        self.running.pop(request_id).close()

    def forget_trials(self) -> list[Turn]:
        """Let go of trials, and return them."""
        trials = [turn for turn in self.kept if turn.is_trial]
        for turn in trials:
            self.kept.remove(turn)
            self.running.pop(turn.request_id, None)
        return trials

    def lose_cells(self) -> None:
        """What turns left in the KV cache is there no longer; one that waits is still to come."""
        for turn in self.kept:
            turn.in_cache = turn.in_cache and turn.n_prompt_tokens is None
