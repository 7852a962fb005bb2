"""What games against agents took, by level: moves, nodes, time and hints, as lines and a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from bot.features.statistics.effort_store import LevelEffort
from bot.i18n import Translator
from bot.ratings.levels import class_of, classes_of, known_game
from bot.show.texts import csv_text, group_of, group_title, opponent_sort_key, size_title
from engine.core.registry import game_of
from engine.core.registry import games as all_games

MAX_LETTERS = 1900
"""The most characters of the lines; a message holds 2000."""


@dataclass(frozen=True, slots=True)
class _Group:
    """The games against one level on boards of one size class."""

    size: str
    """The name of the size class."""
    agent: str
    """As `group_of` gives it."""


@dataclass(frozen=True, slots=True)
class _Means:
    """Means over games; None where there is nothing to take a mean of."""

    moves_per_game: float | None
    moves_when_people_won: float | None
    moves_when_agent_won: float | None
    seconds_per_game: float | None
    nodes_per_game: float | None
    nodes_per_move: float | None
    engine_seconds_per_move: float | None
    hints_per_move: float | None


def _means(parts: Sequence[LevelEffort]) -> _Means:
    def total(name: str) -> float:
        return float(sum(getattr(part, name) for part in parts))

    games, moves = total("games"), total("engine_moves")
    return _Means(
        moves_per_game=_ratio(total("moves"), games),
        moves_when_people_won=_ratio(total("won_moves"), total("won")),
        moves_when_agent_won=_ratio(total("lost_moves"), total("lost")),
        seconds_per_game=_ratio(total("seconds"), games),
        nodes_per_game=_ratio(total("engine_nodes"), games),
        nodes_per_move=_ratio(total("engine_nodes"), moves),
        engine_seconds_per_move=_ratio(total("engine_seconds"), moves),
        hints_per_move=_ratio(total("hinted"), total("person_moves")),
    )


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


_COUNTS = ("games", "won", "drawn", "lost")

FIELDS = ("family", "variant", "level", "auto", *_COUNTS, *(one.name for one in fields(_Means)))
"""The columns of the table."""


def efforts_as_csv(family: str, efforts: Sequence[LevelEffort]) -> str:
    """A header, then a line for each agent and variant, from the weakest agent on.

    `won` and `lost` are from the people's point of view, and moves are those of both sides.
    """
    usual = all_games()[family].usual

    def key(one: LevelEffort) -> tuple[Any, ...]:
        board = known_game(family, one.variant)
        return (one.variant != usual, one.variant, opponent_sort_key(board, one.agent), one.auto)

    return csv_text(FIELDS, (_line(family, one) for one in sorted(efforts, key=key)))


def _line(family: str, one: LevelEffort) -> dict[str, Any]:
    means = _means([one])
    written = {each.name: _written(getattr(means, each.name)) for each in fields(_Means)}
    counts = {name: getattr(one, name) for name in _COUNTS}
    named = {"family": family, "variant": one.variant, "level": one.agent, "auto": one.auto}
    return {**named, **counts, **written}


def _written(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}".rstrip("0").rstrip(".")


def effort_lines(family: str, efforts: Sequence[LevelEffort], say: Translator) -> str:
    """A line for each level on each size class, and a legend; the table has what does not fit."""
    groups: dict[_Group, list[LevelEffort]] = defaultdict(list)
    for one in efforts:
        size = class_of(family, known_game(family, one.variant).variant).name
        groups[_Group(size, group_of(one.agent, auto=one.auto))].append(one)
    sizes = [size.name for size in classes_of(family)]
    usual = game_of(family, all_games()[family].usual)

    def key(group: _Group) -> tuple[Any, ...]:
        return (sizes.index(group.size), opponent_sort_key(usual, group.agent))

    named = len(sizes) > 1
    lines = [
        _told(family, group, groups[group], say, named=named) for group in sorted(groups, key=key)
    ]
    legend = say("report.legend")
    while sum(len(line) + 1 for line in lines) + len(legend) > MAX_LETTERS:
        lines.pop()
    return "\n".join((*lines, legend))


def _told(
    family: str, group: _Group, parts: Sequence[LevelEffort], say: Translator, *, named: bool
) -> str:
    title, means = group_title(family, group.agent, parts, say), _means(parts)
    if named:
        size = next(one for one in classes_of(family) if one.name == group.size)
        title = say("stats.sized", game=title, size=size_title(size, say))
    nothing = say("stats.nothing")

    def told(value: float | None, digits: int = 1) -> str:
        return nothing if value is None else say.number(value, digits)

    seconds, hints = means.engine_seconds_per_move, means.hints_per_move
    return say(
        "report.line",
        level=title,
        games=say.count("listed_games", sum(part.games for part in parts)),
        moves=told(means.moves_per_game),
        won=told(means.moves_when_people_won),
        lost=told(means.moves_when_agent_won),
        nodes=told(means.nodes_per_game, 0),
        seconds=nothing if seconds is None else say.decimal(seconds),
        hints=nothing if hints is None else say("stats.percent", value=say.number(100 * hints)),
    )
