"""All games of a server as two tables, games and moves, in which people are only numbers.

A person has the same number in all files of one export: that of their first appearance. No name, no
id and no time of day is written, only days, so that no file says who plays.
"""

from __future__ import annotations

import gzip
import logging
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, select

from bot.database.database import Database
from bot.show.texts import csv_text
from bot.store.records import FORMER_PLAYER, THE_CHANNEL, Ending, GameRecord, SeatRecord
from bot.store.rows import readable_records
from bot.store.tables import GameRow

logger = logging.getLogger(__name__)

GAMES_A_PART = 20_000
"""The most games in one pair of files: their compressed moves are some three megabytes."""

AT_ONCE = 500
"""Games that are read together."""

PLAIN = 4_000_000
"""The largest size in bytes of files that are not compressed."""

_PLAYED = tuple(ending for ending in Ending if ending.counts)

GAME_FIELDS = (
    "game",
    "family",
    "variant",
    "day",
    "first",
    "second",
    "auto",
    "rated",
    "ending",
    "winner",
    "moves",
    "first_moves",
    "second_moves",
    "hints",
    "undos",
    "seconds",
    "engine_nodes",
    "engine_seconds",
)

MOVE_FIELDS = (
    "game",
    "number",
    "side",
    "player",
    "move",
    "hinted",
    "seconds",
    "nodes",
    "depth",
    "score",
    "proven",
)


class ServerGames:
    """The repository of all finished games of a server."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._database = database

    async def ids(self, guild_id: int) -> list[int]:
        """The finished games of a server that count as played, in the order of their beginnings."""
        rows = await self._database.fetch(ids_query(guild_id))
        return sorted(int(row.id) for row in rows)

    async def read(self, ids: Sequence[int]) -> AsyncIterator[GameRecord]:
        """Yield these games, a few hundred read at a time, without those that are damaged."""
        for begin in range(0, len(ids), AT_ONCE):
            some = select(GameRow).where(GameRow.id.in_(ids[begin : begin + AT_ONCE]))
            async with self._database.reading() as connection:
                found = await readable_records(connection, some)
            for game in found:
                yield game


def ids_query(guild_id: int) -> Select[int]:
    """The finished games of a server that count as played."""
    played = GameRow.guild_id == guild_id, GameRow.ending.in_(_PLAYED)
    return select(GameRow.id).where(*played)


@dataclass(slots=True)
class Tables:
    """The two tables of a server's games, and the numbers of the people in them."""

    games: list[dict[str, Any]] = field(default_factory=list)
    moves: list[dict[str, Any]] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    """By user id."""
    count: int = 0
    """Games written so far, in all parts."""

    def add(self, game: GameRecord) -> None:
        """Write a game; one that cannot be written is left out and logged."""
        try:
            facts, moves = self._game(game), [self._move(game, n) for n in range(len(game.moves))]
        except Exception:
            logger.exception("game %s cannot be exported: it is left out", game.id)
            return
        self.count += 1
        self.games.append({"game": self.count, **facts})
        self.moves += ({"game": self.count, **move} for move in moves)

    def next_part(self) -> Tables:
        """Empty tables that go on with the same numbers."""
        return Tables(numbers=self.numbers, count=self.count)

    def files(self, part: int, *, is_only: bool) -> Mapping[str, bytes]:
        """The names and contents of the files of a part, compressed unless they are few and small.

        Args:
            part: The number of the part, counted from 1.
            is_only: Whether there are no other parts.
        """
        texts = {
            "games": csv_text(GAME_FIELDS, self.games).encode(),
            "moves": csv_text(MOVE_FIELDS, self.moves).encode(),
        }
        if is_only and sum(map(len, texts.values())) <= PLAIN:
            return {f"cuatro-server-{name}.csv": text for name, text in texts.items()}
        suffix = "" if is_only else f"-{part}"
        return {
            f"cuatro-server-{name}{suffix}.csv.gz": gzip.compress(text, mtime=0)
            for name, text in texts.items()
        }

    def _game(self, game: GameRecord) -> dict[str, Any]:
        setup, end = game.setup, game.end
        assert end is not None, "only finished games are exported"
        engine = [move for move in game.moves if move.user_id is None]
        made = [move.player for move in game.moves]
        return {
            "family": setup.family,
            "variant": setup.variant,
            "day": datetime.fromtimestamp(game.started_at, UTC).date().isoformat(),
            "first": self._player(setup.first),
            "second": self._player(setup.second),
            "auto": setup.auto,
            "rated": bool(game.changes),
            "ending": end.ending,
            "winner": end.winner if end.winner else "draw" if end.ending.has_result else "none",
            "moves": len(made),
            "first_moves": made.count(1),
            "second_moves": made.count(2),
            "hints": sum(hint.given for hint in game.hints),
            "undos": game.undos,
            "seconds": round(end.at - game.started_at, 1),
            "engine_nodes": sum(move.nodes or 0 for move in engine),
            "engine_seconds": round(sum(move.seconds for move in engine), 4),
        }

    def _move(self, game: GameRecord, index: int) -> dict[str, Any]:
        move = game.moves[index]
        agent = game.setup.seats[move.player - 1].agent
        return {
            "number": index + 1,
            "side": move.player,
            "player": self._player(SeatRecord(move.user_id, agent)),
            "move": move.move,
            "hinted": move.hinted,
            "seconds": round(move.seconds, 4),
            "nodes": move.nodes,
            "depth": move.depth,
            "score": move.score,
            "proven": move.proven,
        }

    def _player(self, seat: SeatRecord) -> str:
        """An agent's name, a person's number, `channel`, or `former` for people who have left."""
        if seat.user_id is None:
            return seat.agent or "channel"
        if seat.user_id == THE_CHANNEL:
            return "channel"
        if seat.user_id == FORMER_PLAYER:
            return "former"
        number = self.numbers.setdefault(seat.user_id, len(self.numbers) + 1)
        return f"player {number}"


def parts_of(ids: Sequence[int]) -> Iterable[tuple[int, Sequence[int]]]:
    """The games of each part, with its number, counted from 1."""
    for part, begin in enumerate(range(0, len(ids), GAMES_A_PART), 1):
        yield part, ids[begin : begin + GAMES_A_PART]
