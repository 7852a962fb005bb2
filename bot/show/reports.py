"""From the figures of many games to what a report says, in one language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.show.titles import level_of
from bot.store import GameFigures, LevelFigures
from bot.words import Say
from engine.games import FAMILIES, game_of
from engine.ladder import Ladder, ladder_of
from renderers import (
    BarsScene,
    LinesScene,
    Points,
    ReportScene,
    Result,
    ScatterScene,
    Series,
    Table,
)

COLUMNS = ("level", "games", "time", "nodes", "engine", "won", "lost", "hints")
"""What the table tells of each level; the texts stand under `report.<column>`."""
POINTS = 40
"""Into how many steps the chart of hints is divided at most."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Whose games a report is about, and which."""

    title: str
    family: str


def report_scene(
    heading: Heading, levels: Sequence[LevelFigures], games: Sequence[GameFigures], say: Say
) -> ReportScene:
    """The table by level and the three charts of the games that people played against agents.

    Args:
        heading: What stands above.
        levels: The sums for every agent.
        games: The single games, the oldest first.
        say: The texts.
    """
    ladder = ladder_of(game_of(heading.family, FAMILIES[heading.family].usual))
    sums = _by_level(levels, ladder)
    names = tuple(say(f"level.{level}") for level in sums)
    order = {level: index for index, level in enumerate(sums)}
    return ReportScene(
        title=heading.title,
        subtitle=say("report.subtitle", game=say(f"game.{heading.family}")),
        table=Table(
            tuple(say(f"report.{column}") for column in COLUMNS),
            tuple(_row(name, sums[level], say) for name, level in zip(names, sums, strict=True)),
        ),
        bars=_bars(names, tuple(sums.values()), say),
        lines=_lines(games, say),
        scatter=_scatter(names, games, lambda agent: order[level_of(agent, ladder)], say),
        footer=say(
            "report.footer", games=say.count("finished_games", sum(s.games for s in sums.values()))
        ),
        note="" if levels else say("report.none"),
    )


def _by_level(levels: Sequence[LevelFigures], ladder: Ladder) -> Mapping[str, LevelFigures]:
    """The sums of each level, the weakest first, then those of the other agents."""
    groups: dict[str, list[LevelFigures]] = defaultdict(list)
    for figures in levels:
        groups[level_of(figures.agent, ladder)].append(figures)
    known = [rung.level for rung in ladder.rungs if rung.level]
    order = [*(n for n in known if n in groups), *sorted(n for n in groups if n not in known)]
    return {level: _sum(level, groups[level]) for level in order}


def _sum(level: str, parts: Sequence[LevelFigures]) -> LevelFigures:
    return LevelFigures(
        agent=level,
        games=sum(p.games for p in parts),
        won=sum(p.won for p in parts),
        drawn=sum(p.drawn for p in parts),
        seconds=sum(p.seconds for p in parts),
        person_moves=sum(p.person_moves for p in parts),
        hinted=sum(p.hinted for p in parts),
        engine_moves=sum(p.engine_moves for p in parts),
        engine_nodes=sum(p.engine_nodes for p in parts),
        engine_seconds=sum(p.engine_seconds for p in parts),
    )


def _row(name: str, level: LevelFigures, say: Say) -> tuple[str, ...]:
    lost = level.games - level.won - level.drawn
    moves = max(level.engine_moves, 1)
    return (
        name,
        say.number(level.games),
        say.duration(level.seconds / level.games),
        say.number(level.engine_nodes / moves),
        say.duration(level.engine_seconds / moves),
        _percent(level.won, level.games, say),
        _percent(lost, level.games, say),
        _percent(level.hinted, level.person_moves, say),
    )


def _percent(part: int, whole: int, say: Say) -> str:
    if not whole:
        return say("stats.nothing")
    return say("stats.percent", value=say.number(100 * part / whole))


def _bars(names: tuple[str, ...], levels: Sequence[LevelFigures], say: Say) -> BarsScene:
    won = tuple(100 * level.won / level.games for level in levels)
    lost = tuple(100 * (level.games - level.won - level.drawn) / level.games for level in levels)
    series = (Series(say("report.people"), won), Series(say("report.cuatro"), lost))
    return BarsScene(say("report.bars"), names, series)


def _lines(games: Sequence[GameFigures], say: Say) -> LinesScene:
    """The share of moves with a hint over the games that were won, and over those lost."""
    lines = []
    for result in (Result.WON, Result.LOST):
        chosen = [game for game in games if game.won is (result is Result.WON)]
        lines.append(Points(say(f"report.games_{result}"), result, _hint_shares(chosen)))
    return LinesScene(say("report.lines"), say("report.axis"), tuple(lines))


def _hint_shares(games: Sequence[GameFigures]) -> tuple[tuple[int, float], ...]:
    """At the last game of each step, the share of the step's moves that had a hint."""
    size = max(1, -(-len(games) // POINTS))
    places = []
    for at in range(0, len(games), size):
        step = games[at : at + size]
        moves = sum(game.person_moves for game in step)
        share = 100 * sum(game.hinted for game in step) / moves if moves else 0.0
        places.append((at + len(step), share))
    return tuple(places)


def _scatter(
    names: tuple[str, ...], games: Sequence[GameFigures], group: Callable[[str], int], say: Say
) -> ScatterScene:
    clouds = []
    for result, won in ((Result.WON, True), (Result.DRAWN, None), (Result.LOST, False)):
        places = tuple((group(g.agent), float(g.moves)) for g in games if g.won is won)
        clouds.append(Points(say(f"report.games_{result}"), result, places))
    return ScatterScene(say("report.scatter"), names, tuple(clouds))
