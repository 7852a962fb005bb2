"""The contents of lists and reports: past games, leaderboards, and results by level."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.features.statistics.cards import game_words, near_day, since_words, tally_words
from bot.features.statistics.rules import EVERYTHING, Coverage, LeaderboardPage, ListedGame
from bot.features.statistics.store import LevelFigures, PastGame
from bot.game.session import Session
from bot.i18n import Translator, escaped
from bot.ratings.levels import known_game
from bot.show.texts import (
    drawn_title,
    group_of,
    group_title,
    opponent_sort_key,
    opponent_title,
    placement_words,
    score_words,
    stand_in_line,
    stand_ins,
)
from bot.store.records import Ending, RatingRecord
from engine.core.registry import game_of, package_of
from engine.core.registry import games as all_games
from renderers import (
    Face,
    Figure,
    HistoryScene,
    Leader,
    LeadersScene,
    LevelResults,
    PastGameRow,
    ReportScene,
    Result,
    SmallBoard,
)

logger = logging.getLogger(__name__)

UNKNOWN = "?"
"""The placeholder in a list for a value that cannot be shown."""

GAMES_A_PAGE, PLAYERS_A_PAGE = 5, 8
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
    games: int = 0
    """The number of games in the whole list."""
    reader: int = 0
    """Whose games they are, or who asked for the leaderboard."""
    now: float = 0.0
    """The present time."""


def history_scene(
    family: str, games: Sequence[ListedGame], names: Names, page: PageOf, say: Translator
) -> HistoryScene:
    """One page of a person's past games.

    Args:
        family: Which game.
        games: The page's games; at least one.
        names: The opponents' names, by user id.
        page: The page of the list.
        say: The texts.
    """
    others = stand_ins(_opponents(games, names), say)
    parts = [game_words(family, page.coverage.size, say), say.count("listed_games", page.games)]
    if page.pages > 1:
        parts.append(say("history.page", page=page.number + 1, pages=page.pages))
    return HistoryScene(
        say("history.title"),
        " · ".join(parts),
        tuple(_past_row(family, game, names, others, page, say) for game in games),
    )


def history_lines(games: Sequence[ListedGame], names: Names, say: Translator) -> str:
    """The opponents of a page whose names its picture cannot write; empty if there are none."""
    return stand_in_line(stand_ins(_opponents(games, names), say))


def option_text(family: str, listed: ListedGame, names: Names, say: Translator) -> str:
    """The text of a past game in a menu."""
    title = _title(family, listed.game, names, {}, say)
    level = _level(family, listed.game, say)
    number = [] if listed.number is None else [say.number(listed.number)]
    return " · ".join([*number, title, *([level] if level else [])])


def _past_row(
    family: str,
    listed: ListedGame,
    names: Names,
    others: Mapping[str, str],
    page: PageOf,
    say: Translator,
) -> PastGameRow:
    game, session = listed.game, listed.session
    change, remark = _change(session, page.reader, say)
    return PastGameRow(
        _result(game),
        _title(family, game, names, others, say),
        _details(family, listed, page, say),
        None if session is None else last_board(session),
        change,
        "" if game.watched is not None else remark,
        "" if listed.number is None else say.number(listed.number),
    )


def _result(game: PastGame) -> Result | None:
    if game.watched is not None or game.ending is Ending.STOPPED:
        return None
    return {True: Result.WON, None: Result.DRAWN, False: Result.LOST}[game.won]


def _title(
    family: str, game: PastGame, names: Names, others: Mapping[str, str], say: Translator
) -> str:
    """What happened, from the point of view of the person whose history it is."""
    if game.watched is not None:
        board = known_game(family, game.variant)
        first, second = (
            say("name.channel") if name is None else opponent_title(board, name, say, auto=False)
            for name in game.watched
        )
        return say("history.watched", first=first, second=second)
    name = say("history.me")
    if game.agent is None:
        name = names[game.opponent] if game.opponent is not None else say("name.unknown")
        name = others.get(name, name)
    result = _result(game)
    return say(f"history.{'stopped' if result is None else result}", name=name)


def _level(family: str, game: PastGame, say: Translator) -> str:
    """The level of an agent that a person played; empty for other games."""
    if game.agent is None or game.watched is not None:
        return ""
    return opponent_title(known_game(family, game.variant), game.agent, say, auto=game.auto)


def _details(family: str, listed: ListedGame, page: PageOf, say: Translator) -> str:
    game, session = listed.game, listed.session
    parts = []
    if game.watched is not None and game.winner is not None:
        parts.append(score_words(game.winner))
    parts.append(_level(family, game, say))
    if game.variant != all_games()[family].usual:
        parts.append(say.variant(family, game.variant))
    if session is not None and session.moves:
        parts.append(say.count("moves", own_moves(session, page.reader)))
    parts.append(near_day(game.at, page.now, say))
    return " · ".join(part for part in parts if part)


def own_moves(session: Session, user_id: int) -> int:
    """The moves of the winner, or of a person in a game without a winner; of both if neither."""
    player = session.winner or session.side_of(user_id)
    made = [move.player for move in session.moves]
    return len(made) if player is None else made.count(player)


def last_board(session: Session) -> SmallBoard:
    """The last position of a game."""
    position = session.position
    return SmallBoard(
        package_of(session.game).drawing, tuple(tuple(row) for row in position.cells())
    )


def _change(session: Session | None, reader: int, say: Translator) -> tuple[int | None, str]:
    """The change of the reader's number by a game, or the words shown instead."""
    if session is None or session.rating_due:
        return None, ""
    for change in session.changes:
        if change.user_id == reader:
            before, after = change.before.shown, change.after.shown
            if before is None or after is None:
                return None, say("history.placement")
            return round(after) - round(before), ""
    return None, say("history.unrated")


def leaders_scene(
    kind: str,
    family: str,
    found: LeaderboardPage,
    names: Names,
    page: PageOf,
    say: Translator,
    *,
    is_private: bool = False,
) -> LeadersScene:
    """One page of the best players, at least one; `kind` is `server` or `everywhere`."""
    players = found.players
    others = stand_ins((names[player.user_id] for player in players), say)
    first = page.number * PLAYERS_A_PAGE + 1
    rows = tuple(
        _leader(place, player, names, others, found, page, say, is_private=is_private)
        for place, player in enumerate(players, first)
    )
    own, rank = None, found.own.rank
    if rank is not None and found.own.record and not any(row.is_reader for row in rows):
        own = _leader(
            rank.place, found.own.record, names, others, found, page, say, is_private=is_private
        )
    game = game_words(family, page.coverage.size, say)
    return LeadersScene(say("leaders.title"), say(f"leaders.{kind}", game=game), rows, own)


def _leader(
    place: int,
    player: RatingRecord,
    names: Names,
    others: Mapping[str, str],
    found: LeaderboardPage,
    page: PageOf,
    say: Translator,
    *,
    is_private: bool,
) -> Leader:
    name = names[player.user_id]
    drawn = others.get(name) or drawn_title(name, say)
    is_reader = player.user_id == page.reader
    try:
        number = say.rating(player.rating.shown or 0.0)
    except (TypeError, ValueError):
        logger.exception("the rating of player %s cannot be shown", player.user_id)
        number = UNKNOWN
    return Leader(
        place,
        Face(drawn, player.user_id),
        say("leaders.you", name=drawn) if is_reader and is_private else drawn,
        number,
        found.changes.get(player.user_id),
        is_reader,
    )


def leaders_lines(players: Sequence[RatingRecord], names: Names, own: str, say: Translator) -> str:
    """The text above a page of the best players; may be empty.

    It has names that the picture cannot write, and the reader's placement.
    """
    who = stand_in_line(stand_ins((names[player.user_id] for player in players), say))
    return "\n".join(line for line in (who, own) if line)


def own_line(name: str, record: RatingRecord | None, say: Translator) -> str:
    """The progress of the reader's placement; empty once they have a rating, and before it."""
    if record is None:
        return ""
    placing = placement_words(record.rating, say)
    return say("leaders.own_placement", name=escaped(name), placement=placing) if placing else ""


def _opponents(games: Sequence[ListedGame], names: Names) -> list[str]:
    return [names[one.game.opponent] for one in games if one.game.opponent is not None]


MAX_LEVELS = 6
"""The most levels in a report: with more, its letters would be too small."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a report: its title, the family of games and their selection."""

    title: str
    family: str
    coverage: Coverage = EVERYTHING
    face: int | None = None
    """The person whose games they are; None for a server."""
    now: float = 0.0
    """The present time."""


def report_scene(heading: Heading, levels: Sequence[LevelFigures], say: Translator) -> ReportScene:
    """The results by level of the games that people played against agents; at least one game.

    With many levels, the ones that were played least are left out; they count in the sums.
    """
    family = heading.family
    groups = _by_opponent(family, levels)
    counts = {group: _counts(parts) for group, parts in groups.items()}
    most = sorted(counts, key=lambda group: sum(counts[group]), reverse=True)[:MAX_LEVELS]
    total = _counts(levels)
    game = game_words(family, heading.coverage.size, say)
    title = drawn_title(heading.title, say)
    return ReportScene(
        title=title,
        subtitle=say("report.subtitle", game=game),
        number=Figure(say("report.won"), _percent(total, say)),
        levels=tuple(
            LevelResults(
                group_title(family, group, groups[group], say),
                counts[group],
                _percent(counts[group], say),
            )
            for group in groups
            if group in most
        ),
        tally=tally_words(total, say),
        footer=since_words(sum(total), heading.coverage.since, heading.now, say),
        face=None if heading.face is None else Face(title, heading.face),
    )


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


def _counts(parts: Sequence[LevelFigures]) -> tuple[int, int, int]:
    """Games won by the people, drawn and lost."""
    games, won, drawn = (
        sum(getattr(part, name) for part in parts) for name in ("games", "won", "drawn")
    )
    return won, drawn, games - won - drawn


def _percent(counts: tuple[int, int, int], say: Translator) -> str:
    return say("stats.percent", value=say.number(100 * counts[0] / sum(counts)))
