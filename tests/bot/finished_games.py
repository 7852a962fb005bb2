"""Finished games as sessions, for tests of their presentation."""

from __future__ import annotations

from bot.game.session import Session
from bot.store.records import Ending, EndRecord, GameRecord, GameSetup, MoveRecord, SeatRecord
from engine.core.game import replay
from engine.core.registry import game_of

BOMBS = "566267355516465522BB13714213777211765414"


def played(family: str, variant: str, text: str, ending: str, winner: int | None) -> Session:
    """A finished game between Ana and Bea."""
    game, made = game_of(family, variant), []
    moves = game.moves(text)
    for ply, move in enumerate(moves):
        player = int(replay(game, moves[:ply]).to_move)
        made.append(MoveRecord(player, player, game.label(move), False, ply, 1.0))
    seats = SeatRecord(1, None), SeatRecord(2, None)
    opening = GameSetup(family, variant, 1, 1, "en", *seats)
    end = EndRecord(Ending(ending), winner, 99.0)
    return Session.from_record(GameRecord(7, opening, 0.0, 5, tuple(made), frozenset(), end))
