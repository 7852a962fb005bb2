"""What people's own moves gave away."""

from __future__ import annotations

import pytest

from bot.app import Services
from bot.features.league.store import LeagueScope
from bot.game.session import Session
from bot.game.setup import Order, agent, person
from bot.store.records import SeatRecord, UnaidedMoves
from engine.core.game import Player
from engine.core.jobs import Job
from engine.core.registry import game_of
from engine.strength.judging import MOST_LOSS, JudgeGame
from tests.bot.hinting import note_hint

ANA, BEA, HERE, LADDER = 1, 2, 100, "connect4-small"
PEOPLE = person(ANA), person(BEA)


async def begin(services: Services, first: SeatRecord, second: SeatRecord) -> None:
    """Begin a 5x4 game."""
    game = game_of("connect4", "5x4")
    await services.sessions.start(Order(HERE, 9, ANA, "en", game, first, second))


async def play(services: Services, moves: str) -> Session:
    """Make these moves for the people whose turn it is; agents choose their own."""
    session = await services.sessions.games.present(HERE)
    for move in moves:
        assert session.mover.user_id is not None
        session = await services.sessions.play(HERE, session.mover.user_id, move)
        session = await services.sessions.reply(HERE) or session
    return session


async def found(services: Services, user_id: int) -> tuple[UnaidedMoves, ...]:
    """What is known of a person, once all games are judged."""
    assert await services.ratings.settled(user_id, 60)
    for _ in range(60):
        if not await services.store.league.due(1):
            break
        await services.league.table(LeagueScope("connect4", 9, HERE))
    return await services.store.unaided.of(user_id, {LADDER}, 0.0)


def losses(session: Session, side: Player) -> list[float]:
    """What the judgement of a game finds of the moves that one side made without a hint."""
    moves = tuple(made.move for made in session.moves)
    judged = Job("connect4", "5x4", moves, JudgeGame()).run()
    return [
        min(loss, MOST_LOSS)
        for loss, made in zip(judged.losses, session.moves, strict=True)
        if made.player == side and not made.hinted and loss is not None
    ]


async def test_a_rated_game_tells_it_of_both_people(services: Services) -> None:
    """How many moves could be judged, and what they gave away; each game once."""
    await begin(services, *PEOPLE)
    session = await play(services, "1212121")
    assert session.end is not None
    for user_id, side in ((ANA, Player.FIRST), (BEA, Player.SECOND)):
        (one,) = await found(services, user_id)
        lost = losses(session, side)
        assert (one.user_id, one.ladder, one.at) == (user_id, LADDER, session.end.at)
        assert (one.judged, one.loss) == (len(lost), pytest.approx(sum(lost)))
    assert await services.store.unaided.of(ANA, {"gato"}, 0.0) == ()
    assert await services.store.unaided.of(ANA, {LADDER}, session.end.at + 1) == ()


async def test_moves_after_a_hint_do_not_count(services: Services) -> None:
    """A game with hints rates nobody, but the moves that were made without them count."""
    await begin(services, *PEOPLE)
    await play(services, "12")
    await note_hint(services, HERE, ANA)
    session = await play(services, "12121")
    assert session.is_over
    assert [made.hinted for made in session.moves].count(True) == 1
    (ana,), (bea,) = await found(services, ANA), await found(services, BEA)
    assert (ana.judged, bea.judged) == (
        len(losses(session, Player.FIRST)),
        len(losses(session, Player.SECOND)),
    )
    assert ana.loss == pytest.approx(sum(losses(session, Player.FIRST)))
    assert await services.store.ratings.of(ANA, LADDER) is None


async def test_agents_moves_do_not_count(services: Services) -> None:
    """Only people are told whether they have got better."""
    await begin(services, person(ANA), agent("easy"))
    session = await services.sessions.games.present(HERE)
    while not session.is_over:
        column = session.game.label(session.position.legal_moves()[0])
        session = await play(services, column)
    (ana,) = await found(services, ANA)
    assert ana.judged == len(losses(session, Player.FIRST))


async def test_whoever_took_moves_back_is_not_judged(services: Services) -> None:
    """They have seen what comes, so their moves are not without help."""
    await begin(services, person(ANA), person(ANA))
    await note_hint(services, HERE, ANA)
    await play(services, "1212121")
    await begin(services, person(ANA), agent("easy"))
    await note_hint(services, HERE, ANA)
    await play(services, "1")
    await services.sessions.take_back(HERE, lambda present: len(present.moves) - 2)
    session = await services.sessions.games.present(HERE)
    while not session.is_over:
        session = await play(services, session.game.label(session.position.legal_moves()[0]))
    assert await found(services, ANA) == ()
