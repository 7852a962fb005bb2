"""The names of threads: who plays what and, once it is over, the result."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.session import Session
from bot.i18n import Translator, cleaned, clipped
from bot.show.texts import agent_title, game_title
from bot.store.records import AUTO, GameSetup, SeatRecord
from engine.core.game import Player
from engine.core.registry import game_of

LONGEST = 100
"""Discord's limit on the characters of a name."""

LEAST = 8
"""Characters that a player's name keeps."""


def thread_name(setup: GameSetup, names: Mapping[int, str], say: Translator) -> str:
    """The name of a new thread for a game."""
    return _fitting(setup, names, None, say)


def name_with_result(session: Session, names: Mapping[int, str], say: Translator) -> str:
    """The name of the thread once its game is over."""
    return _fitting(session.setup, names, session, say)


def _fitting(
    setup: GameSetup, names: Mapping[int, str], over: Session | None, say: Translator
) -> str:
    """A name with the players' names cut as far as the limit requires."""
    players = [_player(setup, seat, names, say) for seat in setup.seats]
    name = ""
    for most in range(max(LEAST, *map(len, players)), LEAST - 1, -1):
        name = _named(setup, [clipped(one, most) for one in players], over, say)
        if len(name) <= LONGEST:
            break
    return clipped(name, LONGEST)


def _named(setup: GameSetup, players: list[str], over: Session | None, say: Translator) -> str:
    game = game_title(game_of(setup.family, setup.variant), say)
    name = f"{say('board.players', first=players[0], second=players[1])} · {game}"
    return name if over is None else f"{name} · {_result(over, players, say)}"


def _result(session: Session, players: list[str], say: Translator) -> str:
    """How a game ended, in a few words."""
    if session.winner is not None:
        return say("thread.won", name=players[0 if session.winner is Player.FIRST else 1])
    ended = session.end is not None and session.end.ending.counts
    return say("thread.drawn" if ended else "thread.stopped")


def _player(setup: GameSetup, seat: SeatRecord, names: Mapping[int, str], say: Translator) -> str:
    """One side's name: a person's, Cuatro's, or the title of an agent that plays another one."""
    if seat.user_id is not None:
        return cleaned(names[seat.user_id]) or str(seat.user_id)
    is_watched = setup.first.user_id is None and setup.second.user_id is None
    if seat.agent is None or seat.agent == AUTO or not is_watched:
        return say("name.bot")
    return agent_title(game_of(setup.family, setup.variant), seat.agent, say)
