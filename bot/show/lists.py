"""From past games and ratings to what a page of a list says, in one language."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.rating.numbers import PLACEMENT, is_unsure
from bot.rating.size_classes import classes_of, known_game
from bot.rating.standing import EVERYTHING, Coverage, Rank
from bot.show.coverage import covered, day, has_sizes, size_title
from bot.show.naming import drawn_title, named, stand_ins
from bot.show.numbers import number_words, placement_words
from bot.show.titles import opponent_title, score_words
from bot.store import PastGame, Rating, RatingRecord
from bot.words import Say
from bot.words.plain import escaped
from renderers import Align, CardScene, Table

logger = logging.getLogger(__name__)

UNKNOWN = "?"
"""What a list says in place of a value that cannot be shown."""
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
    """What the whole list is about."""


def history_card(
    title: str,
    family: str,
    games: Sequence[PastGame],
    names: Names,
    page: PageOf,
    say: Say,
) -> CardScene:
    """One page of somebody's past games.

    Args:
        title: What the person is called.
        family: Which game.
        games: The page's games, the newest first.
        names: What the opponents are called, by user id.
        page: Which page, of what.
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


def history_lines(games: Sequence[PastGame], names: Names, say: Say) -> str:
    """The opponents of a page whose names its picture cannot write; empty where there are none."""
    return named(stand_ins(_opponents(games, names), say))


def option_text(family: str, game: PastGame, names: Names, say: Say) -> str:
    """What a menu says of one past game."""
    against, result = _against(family, game, names, say), _result(game, say)
    return say("history.option", id=game.id, against=against, result=result)


def leaders_card(
    kind: str,
    family: str,
    players: Sequence[RatingRecord],
    names: Names,
    page: PageOf,
    say: Say,
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
    unsure = frozenset(i for i, player in enumerate(players) if is_unsure(player.rating))
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


def leaders_lines(players: Sequence[RatingRecord], names: Names, own: str, say: Say) -> str:
    """What a page of the best players leaves to words; may be empty.

    That is who stands behind the names that its picture cannot write, where whoever looks at it
    stands, and what its mark means.
    """
    who = named(stand_ins((names[player.user_id] for player in players), say))
    unsure = any(is_unsure(player.rating) for player in players)
    note = say("leaders.note") if unsure else ""
    return "\n".join(line for line in (who, own, note) if line)


def own_line(name: str, rank: Rank | None, rating: Rating | None, say: Say) -> str:
    """Where somebody stands; empty before their first rated game, and for who hides that."""
    if rating is None:
        return ""
    if placing := placement_words(rating, say):
        return say("leaders.own_placement", name=escaped(name), placement=placing)
    if rank is None:
        return ""
    place, of = say.number(rank.place), say.number(rank.of)
    return say("leaders.own", name=escaped(name), place=place, of=of)


def _player_row(place: int, player: RatingRecord, name: str, say: Say) -> tuple[str, ...]:
    rating = player.rating
    return (say.number(place), name, number_words(rating, say), say.number(rating.games))


def _game_row(
    family: str, game: PastGame, names: Names, others: Mapping[str, str], say: Say
) -> tuple[str, ...]:
    against = _against(family, game, names, say)
    size = (game.variant,) if has_sizes(family) else ()
    told = others.get(against, against)
    return (str(game.id), day(game.at, say), *size, told, _result(game, say))


def _opponents(games: Sequence[PastGame], names: Names) -> list[str]:
    return [names[game.opponent] for game in games if game.opponent is not None]


def _against(family: str, game: PastGame, names: Names, say: Say) -> str:
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


def _result(game: PastGame, say: Say) -> str:
    if game.watched is not None and game.winner is not None:
        return score_words(game.winner)
    if game.won is None:
        return say("history.none" if game.ending == "stopped" else "history.drawn")
    return say("history.won" if game.won else "history.lost")


def _footer(family: str, page: PageOf, say: Say) -> str:
    told = covered(page.coverage, family, say)
    if page.pages < 2:
        return told
    return f"{told} · {say('history.page', page=page.number + 1, pages=page.pages)}"
