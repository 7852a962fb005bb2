"""From past games and ratings to what a page of a list says, in one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from babel.dates import format_date

from bot.rating.ratings import is_provisional
from bot.show.titles import agent_title
from bot.store import PastGame, RatingRecord
from bot.words import Say
from engine.games import game_of
from renderers import Align, CardScene, Table

GAMES_A_PAGE, PLAYERS_A_PAGE = 10, 10
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
    columns = ("number", "date", "against", "result", "moves")
    table = Table(
        tuple(say(f"history.{column}") for column in columns),
        tuple(_game_row(family, game, names, say) for game in games),
        sides=(Align.RIGHT, Align.RIGHT, Align.LEFT, Align.LEFT, Align.RIGHT),
    )
    return CardScene(
        title=title,
        subtitle=say("history.subtitle", game=say(f"game.{family}")),
        figures=(),
        table=table if games else None,
        footer=_footer(page, say),
        note="" if games else say("history.empty", game=say(f"command.{family}.name")),
    )


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
    rows = tuple(
        _player_row(place, player, names, say) for place, player in enumerate(players, first)
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
        note="" if players and not unsure else say("leaders.note") if players else empty,
    )


def _player_row(place: int, player: RatingRecord, names: Names, say: Say) -> tuple[str, ...]:
    rating = say.rating(player.rating.value)
    if is_provisional(player.rating):
        rating = say("leaders.provisional", rating=rating)
    return (say.number(place), names[player.user_id], rating, say.number(player.rating.games))


def _game_row(family: str, game: PastGame, names: Names, say: Say) -> tuple[str, ...]:
    day = datetime.fromtimestamp(game.at, UTC).date()
    return (
        str(game.id),
        format_date(day, format="short", locale=say.locale),
        _against(family, game, names, say),
        _result(game, say),
        say.number(game.moves),
    )


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
