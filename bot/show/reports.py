"""From the figures of many games to what a report says, in one language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.rating.standing import EVERYTHING, Coverage
from bot.show.coverage import covered
from bot.show.naming import drawn_title
from bot.show.titles import group_of, group_title, listed
from bot.store import GameFigures, LevelFigures
from bot.words import Say
from bot.words.plain import escaped
from engine.core.registry import game_of
from engine.core.registry import games as all_games
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
"""The columns of the table by level; the texts stand under `report.<column>`."""
POINTS = 40
"""Into how many steps the chart of hints is divided at most."""
MOST_GROUPS = 6
"""The most levels in the charts: with more, their letters would be too small."""
MOST_CHARACTERS = 1800
"""The most characters of a report's text; Discord takes 2,000."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Whose games a report is about, and which."""

    title: str
    family: str
    coverage: Coverage = EVERYTHING


def report_scene(
    heading: Heading,
    levels: Sequence[LevelFigures],
    games: Sequence[GameFigures],
    say: Say,
    learned: str = "",
) -> ReportScene:
    """The table by level and the three charts of the games that people played against agents.

    Args:
        heading: What stands above.
        levels: The sums for every agent.
        games: The single games, the oldest first.
        say: The texts.
        learned: Whether a person's own moves have got better, as a sentence.
    """
    family = heading.family
    groups = _by_opponent(family, levels)
    sums = {group: _sum(group, parts) for group, parts in groups.items()}
    most = sorted(sums, key=lambda group: sums[group].games, reverse=True)[:MOST_GROUPS]
    drawn = [group for group in sums if group in most]
    names = tuple(group_title(family, group, groups[group], say, "short") for group in drawn)
    order = {group: index for index, group in enumerate(drawn)}
    count = say.count("finished_games", sum(figures.games for figures in sums.values()))
    footer = say("report.footer", games=count)
    return ReportScene(
        title=drawn_title(heading.title, say),
        subtitle=say("report.subtitle", game=say(f"game.{family}")),
        table=Table(
            tuple(say(f"report.{column}") for column in COLUMNS),
            tuple(_row(group_title(family, g, groups[g], say), sums[g], say) for g in groups),
        ),
        bars=_bars(names, [sums[group] for group in drawn], say),
        lines=_lines(games, say),
        scatter=_scatter(names, games, order, say),
        footer=f"{footer} · {covered(heading.coverage, family, say)}",
        note=learned if levels else say("report.none"),
    )


def report_lines(heading: Heading, scene: ReportScene, say: Say) -> str:
    """The table of a report, which its picture has no room for: a line of Markdown a level.

    Below it, what stands out in the picture.
    """
    told = covered(heading.coverage, heading.family, say)
    lines = [f"**{escaped(heading.title)}** · {told}"]
    for name, *cells in scene.table.rows:
        pairs = zip(scene.table.headers[1:], cells, strict=True)
        line = f"**{name}**: " + " · ".join(f"{label} {value}" for label, value in pairs)
        if sum(map(len, lines)) + len(line) < MOST_CHARACTERS:
            lines.append(line)
    if scene.table.rows and scene.note:
        lines.append(scene.note)
    return "\n".join(lines)


def _by_opponent(
    family: str, levels: Sequence[LevelFigures]
) -> Mapping[str, Sequence[LevelFigures]]:
    """The sums that belong together: `auto`, the levels from the weakest on, other agents."""
    groups: dict[str, list[LevelFigures]] = defaultdict(list)
    for figures in levels:
        groups[group_of(figures.agent, auto=figures.auto)].append(figures)
    game = game_of(family, all_games()[family].usual)
    return {group: groups[group] for group in sorted(groups, key=lambda g: listed(game, g))}


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
    names: tuple[str, ...],
    games: Sequence[GameFigures],
    order: Mapping[str, int],
    say: Say,
) -> ScatterScene:
    clouds = []
    for result, won in ((Result.WON, True), (Result.DRAWN, None), (Result.LOST, False)):
        found = ((group_of(g.agent, auto=g.auto), float(g.moves)) for g in games if g.won is won)
        places = tuple((order[group], moves) for group, moves in found if group in order)
        clouds.append(Points(say(f"report.games_{result}"), result, places))
    return ScatterScene(say("report.scatter"), names, tuple(clouds))
