"""All games, by their keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from engine.core.exact import NoProver
from engine.core.game import Game
from engine.core.limits import Stop
from engine.core.package import Family, Judging
from engine.core.symmetry import mirror_images, related_by
from engine.games.boom.rules import Boom, place_boom
from engine.games.connect4.lessons import LESSONS as CONNECT4_LESSONS
from engine.games.connect4.rules import Connect4, place_connect4
from engine.games.gato.rules import SQUARES, Gato, gato_images, place_gato

SMALL, CLASSIC = 25, 48
"""Squares up to which a board of Connect 4 is small, and classic; beyond that it is large."""


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
            load=later("engine.games.connect4.kernel", "load"),
            prove=later("engine.games.connect4.solver.exact", "prove"),
            prover=later("engine.games.connect4.solver.exact", "SolverProver"),
            verdicts=later("engine.games.connect4.solver.exact", "verdicts"),
            judging=Judging(depth=6, spread=20.0, unjudged=2),
            count_sequences=later("engine.games.connect4.kernel", "count_sequences"),
            longest=lambda game: game.rows * game.columns,
            size_class=connect4_class,
            more_parts=("connect4-more",),
            lessons=CONNECT4_LESSONS,
            sight=later("engine.games.connect4.kernel", "sight"),
            threats=later("engine.games.connect4.threats", "threats"),
            place=place_connect4,
            images=mirror_images,
            related=related_by(mirror_images),
            arbiter=later("engine.games.connect4.solver.exact", "SolverArbiter"),
        ),
        Family(
            key=Gato.key,
            from_variant=Gato.from_variant,
            variants=Gato.SIZES,
            usual="4x4",
            load=later("engine.games.gato.kernel", "load"),
            prove=later("engine.games.gato.exact", "prove"),
            prover=later("engine.games.gato.exact", "GatoProver"),
            verdicts=later("engine.games.gato.exact", "verdicts"),
            judging=Judging(depth=6, spread=8.0, unjudged=2),
            count_sequences=later("engine.games.gato.kernel", "count_sequences"),
            longest=lambda _game: SQUARES,
            sight=later("engine.games.gato.kernel", "sight"),
            threats=later("engine.games.gato.threats", "threats"),
            place=place_gato,
            images=gato_images,
            related=related_by(gato_images),
            arbiter=later("engine.games.gato.exact", "GatoArbiter"),
        ),
        Family(
            key=Boom.key,
            from_variant=Boom.from_variant,
            variants=Boom.VARIANTS,
            usual="7x7",
            load=later("engine.games.boom.kernel", "load"),
            prove=no_proof,
            prover=NoProver,
            verdicts=no_verdicts,
            judging=Judging(depth=5, spread=60.0, unjudged=3),
            count_sequences=later("engine.games.boom.kernel", "count_sequences"),
            longest=lambda _game: Boom.MOST_MOVEMENTS,
            sight=later("engine.games.boom.kernel", "sight"),
            threats=later("engine.games.boom.threats", "threats"),
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
