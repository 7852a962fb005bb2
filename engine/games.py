"""All games: the one place where a new game is registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from engine.analysis import Analysis, Verdict
from engine.attention import Sight
from engine.boom import Boom
from engine.connect4 import Connect4
from engine.game import Game
from engine.gato import Gato
from engine.gato_proof import prove as prove_gato
from engine.gato_proof import verdicts as gato_verdicts
from engine.kernels.boom import kernel as boom
from engine.kernels.connect4 import kernel as connect4
from engine.kernels.gato import kernel as gato
from engine.search import Stop
from engine.solver.proof import prove
from engine.solver.verdicts import verdicts

SMALL, CLASSIC = 25, 48
"""Squares up to which a board of Connect 4 is small, and classic; beyond that it is large."""


@dataclass(frozen=True, slots=True)
class Judging:
    """How `engine.quality` looks at finished games."""

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
    verdicts: Callable[[Sequence[Any]], Sequence[Verdict | None]]
    """Finds who wins after every move of a game's positions; None where that takes too long."""
    judging: Judging
    count_sequences: Callable[[Any, int], int]
    """Counts the sequences of exactly `depth` moves from a position: (position, depth)."""
    size_class: Callable[[Any], str] = attrgetter("key")
    """Names the ladder of a game: variants of one class are about as hard."""
    sight: Callable[[Any], Sight] | None = None
    """A position as those see it who overlook lines; None where the kernel knows no such players.
    """


def connect4_class(game: Connect4) -> str:
    """The size class of a board of Connect 4."""
    squares = game.rows * game.columns
    size = "small" if squares <= SMALL else "classic" if squares <= CLASSIC else "large"
    return f"{game.key}-{size}"


def no_proof(_position: Any, _seconds: float, _stop: Stop | None = None) -> None:
    """Prove nothing: for games without an exact solver."""


def no_verdicts(positions: Sequence[Any]) -> list[None]:
    """Know nothing: for games without an exact solver."""
    return [None] * len(positions)


FAMILIES: Mapping[str, Family] = {
    family.key: family
    for family in (
        Family(
            key=Connect4.key,
            from_variant=Connect4.from_variant,
            variants=Connect4.SIZES,
            usual="6x7",
            load=connect4.load,
            prove=prove,
            verdicts=verdicts,
            judging=Judging(depth=6, spread=20.0, unjudged=2),
            count_sequences=connect4.count_sequences,
            size_class=connect4_class,
            sight=connect4.sight,
        ),
        Family(
            key=Gato.key,
            from_variant=Gato.from_variant,
            variants=Gato.SIZES,
            usual="4x4",
            load=gato.load,
            prove=prove_gato,
            verdicts=gato_verdicts,
            judging=Judging(depth=6, spread=8.0, unjudged=2),
            count_sequences=gato.count_sequences,
        ),
        Family(
            key=Boom.key,
            from_variant=Boom.from_variant,
            variants=Boom.VARIANTS,
            usual="7x7",
            load=boom.load,
            prove=no_proof,
            verdicts=no_verdicts,
            judging=Judging(depth=5, spread=60.0, unjudged=3),
            count_sequences=boom.count_sequences,
            sight=boom.sight,
        ),
    )
}


def game_of(key: str, variant: str) -> Game:
    """The game with this key and variant; raises KeyError or UnknownVariant."""
    return FAMILIES[key].from_variant(variant)


def game_called(text: str) -> Game:
    """The game that a word on a command line names: `boom`, `boom:7x7-draw`, or just `6x7`.

    A family's key means its usual variant; anything else is a variant of the first family. Raises
    UnknownVariant.
    """
    key, colon, variant = text.strip().partition(":")
    if key in FAMILIES:
        return game_of(key, variant if colon else FAMILIES[key].usual)
    return next(iter(FAMILIES.values())).from_variant(text)
