"""All games: the one place where a new game is registered.

What searches and proves is compiled, so it is imported when it is first called: the rules, and all
that only looks up which games there are, need not wait for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from engine.core.analysis import Analysis, Verdict
from engine.core.attention import Sight
from engine.core.boards import Board
from engine.core.exact import Arbiter, Prover
from engine.core.game import Game, Position
from engine.core.limits import Stop
from engine.core.problem import Lesson
from engine.core.symmetry import Images, always, unchanged
from engine.core.threat import Threat


@dataclass(frozen=True, slots=True)
class BenchPosition:
    """A position, given by its moves, and how deep to search it."""

    game: str
    variant: str
    moves: str
    depth: int


def no_threats(_position: Any) -> tuple[Threat, ...]:
    """See nothing: for games that nobody has taught the terms of."""
    return ()


@dataclass(frozen=True, slots=True)
class Judging:
    """How `engine.strength.judging` looks at finished games."""

    depth: int
    """Plies that its search looks ahead: 0.05 s a game, 0.15 s on a slow core."""
    spread: float
    """Evaluation points in which the odds of winning grow by e."""
    unjudged: int
    """First plies that are not judged: they decide little and take the longest to search."""


@dataclass(frozen=True, slots=True)
class Family:
    """A game in all its variants."""

    key: str
    from_variant: Callable[[str], Game]
    """Reads the text of a variant; raises UnknownVariant."""
    variants: tuple[str, ...]
    """All variants, as text; the usual one need not come first."""
    usual: str
    """The default variant."""
    load: Callable[[Any, int], Any]
    """Loads a position of this family for search: (position, table bits) to a `Kernel`."""
    prove: Callable[[Any, float, Stop | None], Analysis | None]
    """Proves the value of every move: (position, seconds, stop). None if that takes longer."""
    prover: Callable[[Any], Prover]
    """Makes what proves positions of a game one after the other."""
    verdicts: Callable[[Sequence[Any]], Sequence[Verdict | None]]
    """Finds who wins after every move of a game's positions; None where that takes too long."""
    judging: Judging
    count_sequences: Callable[[Any, int], int]
    """Counts the sequences of exactly `depth` moves from a position: (position, depth)."""
    longest: Callable[[Any], int]
    """Moves of a game that goes on for as long as the rules allow."""
    size_class: Callable[[Any], str] = attrgetter("key")
    """Names the ladder of a game: variants of one class are about as hard."""
    more_parts: tuple[str, ...] = ()
    """What proofs and seed agents need of `engine.kernels.PARTS` besides the part that is called
    like the family, which is all that a search needs."""
    sight: Callable[[Any], Sight] | None = None
    """A position as those see it who overlook lines; None where the kernel knows no such players.
    """
    threats: Callable[[Any], tuple[Threat, ...]] = no_threats
    """What is to be seen in a position that is not over, the most urgent first."""
    place: Callable[[Any, Board, int], Position] | None = None
    """Rebuilds a position from its board and the number of moves made; raises NotAPosition. None
    where that is not enough: then there are no position codes, and nothing is analysed."""
    images: Callable[[Any], Images] = unchanged
    """The symmetries of a game's board."""
    related: Callable[[Any, Any], bool] = always
    """Whether two positions, of any variants, may occur in one game, or in its mirror image."""
    lessons: tuple[Lesson, ...] = ()
    """What players can learn of it, in this order; none where nobody has written lessons."""
    arbiter: Callable[[Any, int], Arbiter] | None = None
    """Makes who says who wins, of one position after the other: (game, nodes). None for a game
    without an exact solver."""
