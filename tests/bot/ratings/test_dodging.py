"""No way out of a lost game helps the loser's number, or takes the winner's result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.game.session import Session
from bot.ratings.rated import MIN_MOVES
from bot.sessions.endings import loss_on_time
from bot.store.records import Ending, GameRecord, Rating, agent, person
from engine.core.game import Player, Position
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from tests.bot.builders import ANA, BEA, HERE, new_game
from tests.bot.hinting import note_hint

LADDER = "connect4-small"
PLACED = 5
"""Games after which a player has a number."""

Way = Callable[[Any, Session], Awaitable[object]]


async def finish(services: Any, session: Session, loser: int = ANA) -> None:
    """End the running game by resignation, and rate it."""
    await services.sessions.resign(session.channel_id, loser)
    assert await services.ratings.settled(loser, 60)


async def begin(services: Any, opponent: Any) -> Session:
    """A game with two moves of each side."""
    session = await services.sessions.start(new_game(second=opponent))
    for move in "1122":
        if session.mover.user_id is None:
            session = await services.sessions.reply(HERE)
        else:
            session = await services.sessions.play(HERE, session.mover.user_id, move)
    return session


async def number_of(services: Any, user_id: int) -> float | None:
    """A player's number on small boards."""
    known = await services.store.ratings.of(user_id, LADDER)
    return None if known is None else known.rating.shown


async def place(services: Any) -> None:
    """Give Ana and Bea a number, far from the ends of the ladder."""
    for number in range(PLACED):
        loser = (ANA, BEA)[number % 2]
        await finish(services, await begin(services, person(BEA)), loser)


async def hint(services: Any, session: Session) -> None:
    """Take a hint, then lose."""
    await note_hint(services, HERE, ANA)
    await finish(services, session)


async def undo(services: Any, session: Session) -> None:
    """Take the last turn back, then lose."""
    session = await services.sessions.take_back(HERE, lambda now: len(now.moves) - 2)
    for _ in range(2):
        if session.mover.user_id == ANA:
            session = await services.sessions.play(HERE, ANA, "3")
            session = await services.sessions.reply(HERE)
    await finish(services, session)


async def resign(services: Any, session: Session) -> None:
    """Resign as soon as it counts."""
    await finish(services, session)


async def leave(services: Any, session: Session) -> None:
    """Let the time run out."""
    games = services.sessions.games

    async def expire() -> Session:
        ended = await games.finish(session, loss_on_time(session, services.clock()))
        assert isinstance(ended, Session)
        return ended

    await games.apply_change(HERE, expire)
    services.ratings.wake()
    assert await services.ratings.settled(ANA, 60)


async def stop_as_moderator(services: Any, session: Session) -> None:
    """Stop one's own game with the rights of a moderator."""
    await services.sessions.resign(session.channel_id, ANA, moderator=True)
    assert await services.ratings.settled(ANA, 60)


async def delete_channel(services: Any, session: Session) -> None:
    """Delete the channel in which the game is."""
    await services.sessions.leave(session)
    services.ratings.wake()
    assert await services.ratings.settled(ANA, 60)


@pytest.mark.parametrize("way", [hint, undo, resign, leave, stop_as_moderator, delete_channel])
async def test_a_lost_game_against_an_agent_counts(services: Any, way: Way) -> None:
    """No help, way of leaving or right on the server saves a player from a loss."""
    await place(services)
    before = await number_of(services, ANA)
    assert before is not None
    await way(services, await begin(services, agent("easy")))
    after = await number_of(services, ANA)
    assert after is not None
    assert after < before


@pytest.mark.parametrize("way", [resign, leave, stop_as_moderator])
async def test_a_lost_game_counts_for_both_people(services: Any, way: Way) -> None:
    """The winner's number rises in each way in which the loser may end the game."""
    await place(services)
    before = await number_of(services, ANA), await number_of(services, BEA)
    await way(services, await begin(services, person(BEA)))
    after = await number_of(services, ANA), await number_of(services, BEA)
    assert after[0] < before[0]
    assert after[1] > before[1]


async def test_a_deleted_channel_decides_nothing_between_people(services: Any) -> None:
    """A game between two people whose channel is deleted has no result: either may have done it."""
    await place(services)
    before = await number_of(services, ANA), await number_of(services, BEA)
    await delete_channel(services, await begin(services, person(BEA)))
    assert (await number_of(services, ANA), await number_of(services, BEA)) == before


async def test_a_channel_deleted_at_once_costs_nothing(services: Any) -> None:
    """A game against an agent that has hardly begun is called off with its channel."""
    await place(services)
    before = await number_of(services, ANA)
    session = await services.sessions.start(new_game(second=agent("easy")))
    await delete_channel(services, session)
    assert await number_of(services, ANA) == before
    stored = await services.store.games.find(session.id)
    assert stored.end.ending is Ending.ABORTED


def sensible_move(session: Session) -> str:
    """A move that wins at once, else one that lets the agent not win at once, else any."""
    mover, safe = session.position.to_move, list[str]()
    for move in session.position.legal_moves():
        after = session.position.play(move)
        if after.outcome is not None and after.outcome.winner is mover:
            return session.game.label(move)
        replies = (after.play(reply).outcome for reply in after.legal_moves())
        if not any(outcome is not None and outcome.winner is mover.other for outcome in replies):
            safe.append(session.game.label(move))
    return (safe or [session.game.label(move) for move in session.position.legal_moves()])[-1]


async def win_with_a_hint(services: Any) -> tuple[Rating, Rating, GameRecord]:
    """Play with hints until Ana wins; returns her ratings before and after that game, and it."""
    for _ in range(20):
        before = await services.store.ratings.of(ANA, LADDER)
        session = await services.sessions.start(new_game(second=agent("easy")))
        await note_hint(services, HERE, ANA)
        while not session.is_over:
            if session.awaits_agent:
                session = await services.sessions.reply(HERE)
            else:
                session = await services.sessions.play(HERE, ANA, sensible_move(session))
        assert await services.ratings.settled(ANA, 60)
        if session.winner is Player.FIRST:
            break
    else:
        raise AssertionError("Ana did not win once")
    after = await services.store.ratings.of(ANA, LADDER)
    return before.rating, after.rating, await services.store.games.find(session.id)


async def test_a_game_won_with_help_changes_no_number(services: Any) -> None:
    """A game won with a hint leaves the number, and it is no rated game of the player."""
    await place(services)
    before, after, game = await win_with_a_hint(services)
    assert (after.shown, after.games) == (before.shown, before.games)
    assert game.changes == ()


async def test_a_game_won_with_help_raises_no_first_number(services: Any) -> None:
    """In placement a game won with a hint, and the moves found in it, never raise the estimate."""
    await resign(services, await begin(services, agent("easy")))
    before, after, game = await win_with_a_hint(services)
    assert before.shown is None
    assert after.shown is None
    assert after.games == before.games
    assert after.value <= before.value
    assert game.changes == ()


def can_win(position: Position, side: Player) -> bool:
    """Whether a side, which is to move, can win within its turn."""
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is not None:
            if after.outcome.winner is side:
                return True
        elif after.to_move is side and can_win(after, side):
            return True
    return False


def is_lost(position: Position, side: Player) -> bool:
    """Whether a side, which is to move, cannot keep the other one from winning in its next turn."""
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is not None:
            is_loss = after.outcome.winner is side.other
        elif after.to_move is side:
            is_loss = is_lost(after, side)
        else:
            is_loss = can_win(after, side.other)
        if not is_loss:
            return False
    return True


@pytest.mark.parametrize(
    ("family", "variant"), [(f, package.usual) for f, package in all_games().items()]
)
def test_nothing_is_lost_before_games_count(family: str, variant: str) -> None:
    """In games that are too short to count there is no loser, so leaving them dodges nothing."""
    reached = {game_of(family, variant).start()}
    for _ in range(MIN_MOVES):
        assert not [one for one in reached if is_lost(one, one.to_move)]
        reached = {one.play(move) for one in reached for move in one.legal_moves()}
