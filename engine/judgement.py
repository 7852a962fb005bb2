"""The judgement of a finished game: all that a review of it needs to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.analysis import Analysis, Verdict
from engine.game import Move, Player


@dataclass(frozen=True, slots=True)
class Finding:
    """One move of a finished game, and what it was worth beside the others."""

    ply: int
    """How many moves had been made before it."""
    player: Player
    move: Move
    searched: Analysis | None = None
    """The position before the move as a search of fixed depth sees it, with every legal move; None
    where the move was not judged."""
    verdict: Verdict | None = None
    """Who wins after every move under perfect play; None where that takes too long to find out."""
    worth: Mapping[Move, float] | None = None
    """What every move promised, as an expected score from 0 to 1: what the search makes of it, and
    the verdict where there is one. None where the move was not judged."""
    loss: float | None = None
    """What the move gave away of that; None where all moves are about equal, or not judged."""

    @property
    def before(self) -> float | None:
        """What the position promised to the player before the move."""
        return None if self.worth is None else max(self.worth.values())

    @property
    def after(self) -> float | None:
        """What the player was left with after it."""
        return None if self.worth is None else self.worth[self.move]

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that promised most; none where the move was not judged."""
        if self.worth is None:
            return ()
        top = max(self.worth.values())
        return tuple(move for move, worth in self.worth.items() if worth == top)

    @property
    def is_proven(self) -> bool:
        """Whether it is known who wins after every move."""
        return self.verdict is not None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The findings about a game, one for each of its moves."""

    findings: tuple[Finding, ...]

    @property
    def losses(self) -> tuple[float | None, ...]:
        """The loss of every move; None where all moves are about equal, or not judged."""
        return tuple(finding.loss for finding in self.findings)
