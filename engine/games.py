"""All games: the one place where a new game is registered.

What searches and proves is compiled, so it is imported when it is first called: the rules, and all
that only looks up which games there are, need not wait for that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import Any

from engine.analysis import Analysis, Verdict
from engine.arbiter import Arbiter
from engine.attention import Sight
from engine.boom import Boom
from engine.connect4 import Connect4
from engine.connect4_lessons import LESSONS as CONNECT4_LESSONS
from engine.game import Game, Position
from engine.gato import SQUARES, Gato
from engine.kinship import always, related_by
from engine.lesson import Lesson
from engine.placing import Board, place_boom, place_connect4, place_gato
from engine.prover import NoProver, Prover
from engine.search import Stop
from engine.symmetry import Images, gato_images, mirror_images, unchanged
from engine.threat import Threat

SMALL, CLASSIC = 25, 48
"""Squares up to which a board of Connect 4 is small, and classic; beyond that it is large."""


def no_threats(_position: Any) -> tuple[Threat, ...]:
    """See nothing: for games that nobody has taught the terms of."""
    return ()


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


def later(module: str, name: str) -> Callable[..., Any]:
    """A function that is imported when it is first called, which may compile what it calls."""

    @cache
    def function() -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(import_module(module), name)
        return found

    return lambda *given: function()(*given)


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
            load=later("engine.kernels.connect4.kernel", "load"),
            prove=later("engine.solver.proof", "prove"),
            prover=later("engine.solver.proof", "SolverProver"),
            verdicts=later("engine.solver.verdicts", "verdicts"),
            judging=Judging(depth=6, spread=20.0, unjudged=2),
            count_sequences=later("engine.kernels.connect4.kernel", "count_sequences"),
            longest=lambda game: game.rows * game.columns,
            size_class=connect4_class,
            more_parts=("connect4-more",),
            lessons=CONNECT4_LESSONS,
            sight=later("engine.kernels.connect4.kernel", "sight"),
            threats=later("engine.connect4_threats", "threats"),
            place=place_connect4,
            images=mirror_images,
            related=related_by(mirror_images),
            arbiter=later("engine.solver.verdicts", "SolverArbiter"),
        ),
        Family(
            key=Gato.key,
            from_variant=Gato.from_variant,
            variants=Gato.SIZES,
            usual="4x4",
            load=later("engine.kernels.gato.kernel", "load"),
            prove=later("engine.gato_proof", "prove"),
            prover=later("engine.gato_proof", "GatoProver"),
            verdicts=later("engine.gato_proof", "verdicts"),
            judging=Judging(depth=6, spread=8.0, unjudged=2),
            count_sequences=later("engine.kernels.gato.kernel", "count_sequences"),
            longest=lambda _game: SQUARES,
            sight=later("engine.kernels.gato.kernel", "sight"),
            threats=later("engine.gato_threats", "threats"),
            place=place_gato,
            images=gato_images,
            related=related_by(gato_images),
            arbiter=later("engine.gato_proof", "GatoArbiter"),
        ),
        Family(
            key=Boom.key,
            from_variant=Boom.from_variant,
            variants=Boom.VARIANTS,
            usual="7x7",
            load=later("engine.kernels.boom.kernel", "load"),
            prove=no_proof,
            prover=NoProver,
            verdicts=no_verdicts,
            judging=Judging(depth=5, spread=60.0, unjudged=3),
            count_sequences=later("engine.kernels.boom.kernel", "count_sequences"),
            longest=lambda _game: Boom.MOST_MOVEMENTS,
            sight=later("engine.kernels.boom.kernel", "sight"),
            threats=later("engine.boom_threats", "threats"),
            place=place_boom,
            images=mirror_images,
        ),
    )
}


def fills_its_board(game: Game) -> bool:
    """Whether a game ends at the latest with a full board, as stones stay where they are."""
    squares = len(game.start().cells()) * len(game.column_names)
    return FAMILIES[game.key].longest(game) == squares


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
