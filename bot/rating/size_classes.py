"""The sizes that share a ladder: what statistics cover, and what there is a rating for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from bot.table.refusal import Refusal
from engine.core.game import Game, UnknownVariant
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from engine.strength.ladder import size_class

ALL = "all"
"""What people type for all sizes, which is also the default."""


@dataclass(frozen=True, slots=True)
class SizeClass:
    """The variants of one family that share a ladder."""

    family: str
    ladder: str
    variants: tuple[str, ...]

    @property
    def name(self) -> str:
        """What sets it apart from the other classes, such as `classic`; empty if there are none."""
        return self.ladder.removeprefix(self.family).lstrip("-")

    @property
    def usual(self) -> str:
        """The variant to name it by: the family's usual one, else the largest."""
        usual = all_games()[self.family].usual
        return usual if usual in self.variants else self.variants[-1]


@cache
def classes_of(family: str) -> tuple[SizeClass, ...]:
    """The size classes of a family, from the smallest boards on."""
    groups: dict[str, list[str]] = {}
    for variant in all_games()[family].variants:
        groups.setdefault(size_class(game_of(family, variant)), []).append(variant)
    return tuple(SizeClass(family, ladder, tuple(found)) for ladder, found in groups.items())


def class_of(family: str, variant: str) -> SizeClass:
    """The size class of a variant."""
    ladder = size_class(game_of(family, variant))
    return next(found for found in classes_of(family) if found.ladder == ladder)


def known_game(family: str, variant: str) -> Game:
    """The game of a stored variant; in the usual one if there is no such variant (any more).

    For lists of many games, in which one that is damaged or outdated must not spoil the rest.
    """
    try:
        return game_of(family, variant)
    except UnknownVariant:
        return game_of(family, all_games()[family].usual)


def class_called(family: str, text: str | None) -> SizeClass | None:
    """The class that somebody asks for by its name or by any of its sizes; None for all sizes.

    Raises Refusal for what is neither.
    """
    typed = (text or ALL).strip().lower().replace("×", "x")
    if typed == ALL or not typed:
        return None
    for found in classes_of(family):
        if typed in (found.name, found.ladder):
            return found
    try:
        return class_of(family, game_of(family, typed).variant)
    except UnknownVariant as error:
        raise Refusal("unknown_size", typed=typed) from error
