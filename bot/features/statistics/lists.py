"""The contents of lists and reports: past games, leaderboards, and figures of many games."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.features.statistics.cards import covered
from bot.features.statistics.rules import EVERYTHING, Coverage, Rank
from bot.features.statistics.store import GameFigures, LevelFigures, PastGame
from bot.i18n import Translator, escaped
from bot.ratings.glicko import PLACEMENT, is_provisional
from bot.ratings.levels import classes_of, known_game
from bot.show.texts import (
    day,
    drawn_title,
    group_of,
    group_title,
    has_sizes,
    number_words,
    opponent_sort_key,
    opponent_title,
    placement_words,
    score_words,
    size_title,
    stand_in_line,
    stand_ins,
)
from bot.store.records import Ending, Rating, RatingRecord
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from renderers import (
    Align,
    BarsScene,
    CardScene,
    LinesScene,
    Points,
    ReportScene,
    Result,
    ScatterScene,
    Series,
    Table,
)

logger = logging.getLogger(__name__)

UNKNOWN = "?"
"""The placeholder in a list for a value that cannot be shown."""

GAMES_A_PAGE, PLAYERS_A_PAGE = 8, 8
"""With more rows, the letters would be too small on a phone."""

Names = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class PageOf:
    """One page of a list."""

    number: int
    """Counted from 0."""
    pages: int
    coverage: Coverage = EVERYTHING
    """The selection of games in the whole list."""


def history_card(
    title: str,
    family: str,
    games: Sequence[PastGame],
    names: Names,
    page: PageOf,
    say: Translator,
) -> CardScene:
    """One page of a person's past games.

    Args:
        title: The person's name.
        family: Which game.
        games: The page's games, the newest first.
        names: The opponents' names, by user id.
        page: The page, and the heading of the list.
        say: The texts.
    """
    columns = ["number", "date", "against", "result"]
    sides = [Align.RIGHT, Align.RIGHT, Align.LEFT, Align.RIGHT]
    if has_sizes(family):
        columns.insert(2, "size")
        sides.insert(2, Align.LEFT)
    others = stand_ins(_opponents(games, names), say)
    table = Table(
        tuple(say(f"history.{column}") for column in columns),
        tuple(_game_row(family, game, names, others, say) for game in games),
        sides=tuple(sides),
    )
    return CardScene(
        title=drawn_title(title, say),
        subtitle=say("history.subtitle", game=say(f"game.{family}")),
        figures=(),
        table=table if games else None,
        footer=_footer(family, page, say),
        note="" if games else say("history.empty", game=say(f"command.{family}.name")),
    )


def history_lines(games: Sequence[PastGame], names: Names, say: Translator) -> str:
    """The opponents of a page whose names its picture cannot write; empty if there are none."""
    return stand_in_line(stand_ins(_opponents(games, names), say))


def option_text(family: str, game: PastGame, names: Names, say: Translator) -> str:
    """The text of a past game in a menu."""
    against, result = _against(family, game, names, say), _result(game, say)
    return say("history.option", id=game.id, against=against, result=result)


def leaders_card(
    kind: str,
    family: str,
    players: Sequence[RatingRecord],
    names: Names,
    page: PageOf,
    say: Translator,
) -> CardScene:
    """One page of the best players; `kind` is `server` or `everywhere`."""
    columns = ["place", "player", "rating", "games"]
    sides = [Align.RIGHT, Align.LEFT, Align.RIGHT, Align.RIGHT]
    if is_mixed := has_sizes(family) and page.coverage.size is None:
        columns.insert(2, "size")
        sides.insert(2, Align.LEFT)
    first = page.number * PLAYERS_A_PAGE + 1
    others = stand_ins((names[player.user_id] for player in players), say)
    sizes = {size.ladder: size_title(size, say) for size in classes_of(family)}
    rows = []
    for place, player in enumerate(players, first):
        name = names[player.user_id]
        try:
            row = _player_row(place, player, others.get(name, name), say)
        except (TypeError, ValueError):
            logger.exception("the rating of player %s cannot be shown", player.user_id)
            row = (say.number(place), others.get(name, name), UNKNOWN, UNKNOWN)
        rows.append((*row[:2], sizes[player.ladder], *row[2:]) if is_mixed else row)
    unsure = frozenset(i for i, player in enumerate(players) if is_provisional(player.rating))
    table = Table(
        tuple(say(f"leaders.{column}") for column in columns),
        tuple(rows),
        muted=unsure,
        sides=tuple(sides),
    )
    empty = say("leaders.empty", game=say(f"command.{family}.name"), of=PLACEMENT)
    return CardScene(
        title=say("leaders.title"),
        subtitle=say(f"leaders.subtitle_{kind}", game=say(f"game.{family}")),
        figures=(),
        table=table if rows else None,
        footer=_footer(family, page, say),
        note="" if players else empty,
    )


def leaders_lines(players: Sequence[RatingRecord], names: Names, own: str, say: Translator) -> str:
    """The text below a page of the best players; may be empty.

    It has names that the picture cannot write, the viewer's own place, and a legend.
    """
    who = stand_in_line(stand_ins((names[player.user_id] for player in players), say))
    unsure = any(is_provisional(player.rating) for player in players)
    note = say("leaders.note") if unsure else ""
    return "\n".join(line for line in (who, own, note) if line)


def own_line(name: str, rank: Rank | None, rating: Rating | None, say: Translator) -> str:
    """The viewer's own place; empty before their first rated game, and if they hide that."""
    if rating is None:
        return ""
    if placing := placement_words(rating, say):
        return say("leaders.own_placement", name=escaped(name), placement=placing)
    if rank is None:
        return ""
    place, of = say.number(rank.place), say.number(rank.of)
    return say("leaders.own", name=escaped(name), place=place, of=of)


def _player_row(place: int, player: RatingRecord, name: str, say: Translator) -> tuple[str, ...]:
    rating = player.rating
    return (say.number(place), name, number_words(rating, say), say.number(rating.games))


def _game_row(
    family: str, game: PastGame, names: Names, others: Mapping[str, str], say: Translator
) -> tuple[str, ...]:
    against = _against(family, game, names, say)
    size = (game.variant,) if has_sizes(family) else ()
    name = others.get(against, against)
    return (str(game.id), day(game.at, say), *size, name, _result(game, say))


def _opponents(games: Sequence[PastGame], names: Names) -> list[str]:
    return [names[game.opponent] for game in games if game.opponent is not None]


def _against(family: str, game: PastGame, names: Names, say: Translator) -> str:
    board = known_game(family, game.variant)
    if game.watched is not None:
        first, second = (
            say("name.channel") if name is None else opponent_title(board, name, say, auto=False)
            for name in game.watched
        )
        return say("history.watched", first=first, second=second)
    if game.agent is None:
        return names[game.opponent] if game.opponent is not None else say("name.unknown")
    return opponent_title(board, game.agent, say, auto=game.auto)


def _result(game: PastGame, say: Translator) -> str:
    if game.watched is not None and game.winner is not None:
        return score_words(game.winner)
    if game.won is None:
        return say("history.none" if game.ending is Ending.STOPPED else "history.drawn")
    return say("history.won" if game.won else "history.lost")


def _footer(family: str, page: PageOf, say: Translator) -> str:
    about = covered(page.coverage, family, say)
    if page.pages < 2:
        return about
    return f"{about} · {say('history.page', page=page.number + 1, pages=page.pages)}"


COLUMNS = ("level", "games", "time", "nodes", "engine", "won", "lost", "hints")
"""The columns of the table by level; the texts are under `report.<column>`."""

POINTS = 40
"""The most steps of the chart of hints."""

MAX_GROUPS = 6
"""The most levels in the charts: with more, their letters would be too small."""

MAX_CHARACTERS = 1800
"""The most characters of a report's text; Discord takes 2,000."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a report: its title, the family of games and their selection."""

    title: str
    family: str
    coverage: Coverage = EVERYTHING


def report_scene(
    heading: Heading,
    levels: Sequence[LevelFigures],
    games: Sequence[GameFigures],
    say: Translator,
    learned: str = "",
) -> ReportScene:
    """The table by level and the three charts of the games that people played against agents.

    Args:
        heading: The report's heading.
        levels: The sums for every agent.
        games: The single games, the oldest first.
        say: The texts.
        learned: A sentence on whether a person's own moves have improved.
    """
    family = heading.family
    groups = _by_opponent(family, levels)
    sums = {group: _sum(group, parts) for group, parts in groups.items()}
    most = sorted(sums, key=lambda group: sums[group].games, reverse=True)[:MAX_GROUPS]
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


def report_lines(heading: Heading, scene: ReportScene, say: Translator) -> str:
    """The table of a report, which does not fit in its picture: a line of Markdown per level.

    Below it comes the note of the picture, if any.
    """
    about = covered(heading.coverage, heading.family, say)
    lines = [f"**{escaped(heading.title)}** · {about}"]
    for name, *cells in scene.table.rows:
        pairs = zip(scene.table.headers[1:], cells, strict=True)
        line = f"**{name}**: " + " · ".join(f"{label} {value}" for label, value in pairs)
        if sum(map(len, lines)) + len(line) < MAX_CHARACTERS:
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
    return {
        group: groups[group] for group in sorted(groups, key=lambda g: opponent_sort_key(game, g))
    }


def _sum(level: str, parts: Sequence[LevelFigures]) -> LevelFigures:
    return LevelFigures(level, **{name: sum(getattr(p, name) for p in parts) for name in SUMMED})


SUMMED = (
    "games", "won", "drawn", "seconds", "person_moves", "hinted", "engine_moves", "engine_nodes",
    "engine_seconds",
)  # fmt: skip


def _row(name: str, level: LevelFigures, say: Translator) -> tuple[str, ...]:
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


def _percent(part: int, whole: int, say: Translator) -> str:
    if not whole:
        return say("stats.nothing")
    return say("stats.percent", value=say.number(100 * part / whole))


def _bars(names: tuple[str, ...], levels: Sequence[LevelFigures], say: Translator) -> BarsScene:
    won = tuple(100 * level.won / level.games for level in levels)
    lost = tuple(100 * (level.games - level.won - level.drawn) / level.games for level in levels)
    series = (Series(say("report.people"), won), Series(say("report.cuatro"), lost))
    return BarsScene(say("report.bars"), names, series)


def _lines(games: Sequence[GameFigures], say: Translator) -> LinesScene:
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
    say: Translator,
) -> ScatterScene:
    clouds = []
    for result, won in ((Result.WON, True), (Result.DRAWN, None), (Result.LOST, False)):
        found = ((group_of(g.agent, auto=g.auto), float(g.moves)) for g in games if g.won is won)
        places = tuple((order[group], moves) for group, moves in found if group in order)
        clouds.append(Points(say(f"report.games_{result}"), result, places))
    return ScatterScene(say("report.scatter"), names, tuple(clouds))
