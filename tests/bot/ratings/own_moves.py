"""Games of people, their judgements, and the stored statistics of their moves."""

from __future__ import annotations

from sqlalchemy import select

from bot.feature import Services
from bot.game.session import Session
from bot.store.records import GameSetup, SeatRecord, person
from bot.store.tables import UnaidedRow
from engine.core.game import Player
from engine.core.jobs import Job
from engine.core.registry import game_of
from engine.strength.judging import JudgeGame

ANA, BEA, HERE, LADDER = 1, 2, 100, "connect4-small"
PEOPLE = person(ANA), person(BEA)


async def begin(services: Services, first: SeatRecord, second: SeatRecord) -> None:
    """Begin a 5x4 game."""
    game = game_of("connect4", "5x4")
    await services.sessions.start(
        GameSetup(game.key, game.variant, HERE, 9, "en", first, second, ANA)
    )


async def play(services: Services, moves: str) -> Session:
    """Make these moves for the people to move; agents choose their own."""
    session = await services.sessions.games.require_current(HERE)
    for move in moves:
        assert session.mover.user_id is not None
        session = await services.sessions.play(HERE, session.mover.user_id, move)
        session = await services.sessions.reply(HERE) or session
    return session


async def unaided(services: Services, user_id: int) -> list[UnaidedRow]:
    """The stored statistics of a person's own moves, game by game."""
    rows = select(UnaidedRow).where(UnaidedRow.user_id == user_id)
    return list(await services.store.database.fetch(rows.order_by(UnaidedRow.at)))


def losses(session: Session, side: Player) -> list[float]:
    """The losses, in one judged game, of the moves that a side made without a hint."""
    moves = tuple(made.move for made in session.moves)
    judged = Job("connect4", "5x4", moves, JudgeGame()).run()
    return [
        error.loss
        for error, made in zip(judged.errors, session.moves, strict=True)
        if made.player == side and not made.hinted and error is not None
    ]
