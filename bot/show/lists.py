"""From past games and ratings to what a page of a list says, in one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from babel.dates import format_date

from bot.rating.ratings import is_provisional
from bot.show.naming import drawn_title, named, stand_ins
from bot.show.titles import agent_title
from bot.store import PastGame, RatingRecord
from bot.words import Say
from engine.games import game_of
from renderers import Align, CardScene, Table

GAMES_A_PAGE, PLAYERS_A_PAGE = 8, 8
"""With more rows, the letters would be too small on a phone."""
Names = Mapping[int, str]


def history_card(
    title: str,
    family: str,
    games: Sequence[PastGame],
    names: Names,
    page: tuple[int, int],
    say: Say,
) -> CardScene:
    """One page of somebody's past games.

    Args:
        title: What the person is called.
        family: Which game.
        games: The page's games, the newest first.
        names: What the opponents are called, by user id.
        page: The page's number counted from 0, and how many there are.
        say: The texts.
    """
    columns = ("number", "date", "against", "result")
    others = stand_ins(_opponents(games, names), say)
    table = Table(
        tuple(say(f"history.{column}") for column in columns),
        tuple(_game_row(family, game, names, others, say) for game in games),
        sides=(Align.RIGHT, Align.RIGHT, Align.LEFT, Align.RIGHT),
    )
    return CardScene(
        title=drawn_title(title, say),
        subtitle=say("history.subtitle", game=say(f"game.{family}")),
        figures=(),
        table=table if games else None,
        footer=_footer(page, say),
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
    page: tuple[int, int],
    say: Say,
) -> CardScene:
    """One page of the best players; `kind` is `server` or `everywhere`."""
    columns = ("place", "player", "rating", "games")
    first = page[0] * PLAYERS_A_PAGE + 1
    others = stand_ins((names[player.user_id] for player in players), say)
    rows = tuple(
        _player_row(place, player, others.get(names[player.user_id], names[player.user_id]), say)
        for place, player in enumerate(players, first)
    )
    unsure = frozenset(i for i, player in enumerate(players) if is_provisional(player.rating))
    table = Table(
        tuple(say(f"leaders.{column}") for column in columns),
        rows,
        muted=unsure,
        sides=(Align.RIGHT, Align.LEFT, Align.RIGHT, Align.RIGHT),
    )
    empty = say("leaders.empty", game=say(f"command.{family}.name"))
    return CardScene(
        title=say("leaders.title"),
        subtitle=say(f"leaders.subtitle_{kind}", game=say(f"game.{family}")),
        figures=(),
        table=table if rows else None,
        footer=_footer(page, say),
        note="" if players else empty,
    )


def leaders_lines(players: Sequence[RatingRecord], names: Names, say: Say) -> str:
    """What a page of the best players leaves to words; may be empty.

    That is who stands behind the names that its picture cannot write, and what its mark means.
    """
    who = named(stand_ins((names[player.user_id] for player in players), say))
    unsure = any(is_provisional(player.rating) for player in players)
    return "\n".join(line for line in (who, say("leaders.note") if unsure else "") if line)


def _player_row(place: int, player: RatingRecord, name: str, say: Say) -> tuple[str, ...]:
    rating = say.rating(player.rating.value)
    if is_provisional(player.rating):
        rating = say("leaders.provisional", rating=rating)
    return (say.number(place), name, rating, say.number(player.rating.games))


def _game_row(
    family: str, game: PastGame, names: Names, others: Mapping[str, str], say: Say
) -> tuple[str, ...]:
    against = _against(family, game, names, say)
    day = datetime.fromtimestamp(game.at, UTC).date()
    return (
        str(game.id),
        format_date(day, format="short", locale=say.locale),
        others.get(against, against),
        _result(game, say),
    )


def _opponents(games: Sequence[PastGame], names: Names) -> list[str]:
    return [names[game.opponent] for game in games if game.opponent is not None]


def _against(family: str, game: PastGame, names: Names, say: Say) -> str:
    if game.agent is None:
        return names[game.opponent] if game.opponent is not None else say("name.unknown")
    return agent_title(game_of(family, game.variant), game.agent, say)


def _result(game: PastGame, say: Say) -> str:
    if game.won is None:
        return say("history.none" if game.ending == "stopped" else "history.drawn")
    return say("history.won" if game.won else "history.lost")


def _footer(page: tuple[int, int], say: Say) -> str:
    number, pages = page
    return say("history.page", page=number + 1, pages=pages) if pages > 1 else ""
