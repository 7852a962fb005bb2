"""Deleting what is stored about people and servers.

A person's own games as files that other programs read.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any

from bot.database.errors import isolated
from bot.features.privacy.store import PersonRecord, StillPlays
from bot.features.voting.rules import Voting
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.sessions import Sessions
from bot.sessions.settling import RatingQueue
from bot.shards import Shards
from bot.show.export import csv_text, csv_time
from bot.store.records import GameRecord, MoveRecord
from bot.store.results import NO_RESULTS
from bot.store.store import Store
from engine.core.game import Game, UnknownVariant
from engine.core.registry import game_of
from engine.strength.ladder import size_class

logger = logging.getLogger(__name__)

RATED_WITHIN = 10.0
"""Seconds that a deletion waits for the ratings of the person's last games: their opponents' are
worked out from both. What takes longer is rated as a game against a newcomer."""

KEPT_FOR = 30 * 86_400.0
"""Seconds for which a server's data are kept once it has removed the bot."""

NOBODY = 0
"""Who ends the games of a server that has left."""


class Erasure:
    """Looks up and deletes what is stored; knows nothing of Discord."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        ratings: RatingQueue,
        voting: Voting,
        clock: Clock,
        *,
        shards: Shards | None = None,
    ) -> None:
        """Delete from `store`, by `clock`, once the games in `sessions` have ended.

        What people vote for in `voting` counts no more.

        Servers of `shards` are this process's to delete, or with None all.
        """
        self._shards = shards
        self._store = store
        self._sessions = sessions
        self._ratings = ratings
        self._voting = voting
        self._clock = clock

    async def record(self, user_id: int) -> PersonRecord:
        """What is stored about a person; refused where that is nothing."""
        found = await self._store.erasure.record(user_id)
        if found is None:
            raise Refusal("nothing_stored")
        return found

    async def give_up(self, user_id: int) -> list[Session]:
        """End a person's running games as if they had resigned each, and return how they ended.

        Games that they have begun and that no person plays are stopped, and their votes in others
        are withdrawn.
        """
        await self._sessions.games.end_unreadable(user_id)
        ended = []
        for game in await self._sessions.games.running_of(user_id):
            # One that has ended by itself meanwhile needs nothing more.
            with isolated("game to give up", game.id), suppress(Refusal):
                end = await self._sessions.resign(game.channel_id, user_id, game_id=game.id)
                ended.append(end)
        await self._voting.withdraw_all(user_id)
        return ended

    async def forget(self, user_id: int) -> None:
        """Delete a person; refused, with nothing deleted, if they have begun another game."""
        await self._ratings.settled(user_id, RATED_WITHIN)
        try:
            await self._store.erasure.forget(user_id)
        except StillPlays as error:
            raise Refusal("moved_on") from error

    async def note_departure(self, guild_id: int) -> None:
        """Note that a server has removed the bot."""
        await self._store.departures.note(guild_id, self._clock())

    async def note_return(self, guild_id: int) -> None:
        """Note that a server has the bot again: nothing of it is deleted."""
        await self._store.departures.cancel(guild_id)

    async def purge(self, present: Collection[int]) -> None:
        """Delete the data of servers that left long ago, and old copies of damaged games.

        Args:
            present: The servers that have the bot, of those that this process is told of: they may
                have come or gone while it was down.
        """
        await self._sessions.games.forget_copies()
        now = self._clock()
        await self._store.departures.reconcile(present, now, self._shards)
        for guild_id in await self._store.departures.due(now - KEPT_FOR, self._shards):
            for channel_id in await self._store.departures.channels_in_use(guild_id):
                # One that another process has just ended needs nothing more.
                with isolated("game to end in channel", channel_id), suppress(Refusal):
                    await self._sessions.resign(channel_id, NOBODY, moderator=True)
            with isolated("server to delete", guild_id):
                await self._store.departures.forget(guild_id)
                logger.info("the data of server %s were deleted: it left 30 days ago", guild_id)


FIELDS = (
    "game",
    "family",
    "variant",
    "size",
    "size_class",
    "clock_seconds",
    "clock_per",
    "started",
    "finished",
    "side",
    "opponent",
    "auto",
    "pie",
    "swapped",
    "ending",
    "result",
    "moves",
    "nodes",
    "depth",
    "score",
    "hints",
)

SEARCHED = ("nodes", "depth", "score")
"""What is kept of the search for a move."""

NOTHING = "-"
"""Stands in the table for a move that was found without a search, such as any person's."""


def as_csv(games: Sequence[GameRecord], user_id: int) -> str:
    """One line a game, after a line with the names of the fields.

    Moves have spaces between them, and so has what their searches took and found, a word a move.
    """
    return csv_text(FIELDS, _each(games, lambda game: _line(game, user_id)))


def as_json_lines(games: Sequence[GameRecord], user_id: int) -> str:
    """One JSON object a game, with every move and what it took."""
    facts = _each(games, lambda game: _facts(game, user_id))
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in facts)


def _each(
    games: Sequence[GameRecord], write: Callable[[GameRecord], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """What is written of each game; one whose values cannot be written is left out."""
    for game in games:
        try:
            yield write(game)
        except Exception:
            logger.exception("game %s cannot be exported: it is left out", game.id)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def _line(game: GameRecord, user_id: int) -> dict[str, Any]:
    """A game's facts, with those of its moves one after the other."""
    facts = _facts(game, user_id)
    moves = facts["moves"]
    listed = {name: " ".join(_word(move[name]) for move in moves) for name in SEARCHED}
    facts |= {"moves": " ".join(move["move"] for move in moves), **listed}
    return {name: facts[name] for name in FIELDS}


def _word(value: int | None) -> str:
    return NOTHING if value is None else str(value)


def _facts(game: GameRecord, user_id: int) -> dict[str, Any]:
    """What a file says of a game; other people stay nameless."""
    opening, end = game.opening, game.end
    side = 1 if opening.first.user_id == user_id else 2
    other = opening.second if side == 1 else opening.first
    board = _board(opening.family, opening.variant)
    clock = opening.clock
    return {
        "game": game.id,
        "family": opening.family,
        "variant": opening.variant,
        "size": None if board is None else _size(board),
        "size_class": None if board is None else size_class(board),
        "clock_seconds": clock.seconds if clock else None,
        "clock_per": clock.per if clock else None,
        "started": csv_time(opening.started_at),
        "finished": csv_time(end.at) if end else None,
        "side": side,
        "opponent": other.agent or "person",
        "auto": opening.auto and other.agent is not None,
        "pie": opening.pie,
        "swapped": game.swapped_at is not None,
        "ending": end.ending if end else None,
        "result": _result(end.ending, end.winner, side) if end else None,
        "hints": sum(hint.given for hint in game.hints if hint.user_id == user_id),
        "moves": [_move(move) for move in game.moves],
    }


def _move(move: MoveRecord) -> dict[str, Any]:
    return {
        "player": move.player,
        "move": move.move,
        "at": csv_time(move.at),
        "seconds": round(move.seconds, 3),
        "hinted": move.hinted,
        "nodes": move.nodes,
        "depth": move.depth,
        "score": move.score,
        "proven": move.proven,
    }


def _board(family: str, variant: str) -> Game | None:
    """The game of a variant; None if there is none (any more)."""
    try:
        return game_of(family, variant)
    except (KeyError, UnknownVariant):
        return None


def _size(game: Game) -> str:
    """Rows x columns."""
    cells = game.start().cells()
    return f"{len(cells)}x{len(cells[0])}"


def _result(ending: str, winner: int | None, side: int) -> str:
    if ending in NO_RESULTS:
        return "none"
    return "draw" if winner is None else "win" if winner == side else "loss"
