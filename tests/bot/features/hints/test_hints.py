"""Giving hints: who gets them, what is stored, and which requests share a search."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.features.hints import rules
from bot.features.hints.rules import Hint, HintLevel, Hints, level_wanted
from bot.game.refusal import Refusal
from bot.store.records import GameSetup, agent, person
from engine.core.jobs import Job
from engine.core.registry import game_of
from tests.bot.builders import ANA, BEA, HERE, THERE, new_game
from tests.bot.engine_jobs import Slow, doing

ORDER = new_game(variant="6x7")
"""A game in which the first move matters: a hint chooses between moves."""
Ask = Callable[..., Awaitable[Hint]]


@pytest.fixture
def hints(services: Any) -> Hints:
    """The hint service for these services' games."""
    return Hints(
        services.sessions.games,
        services.store.games,
        services.ownership,
        services.workers,
        services.clock,
    )


@pytest.fixture
def ask(services: Any, hints: Hints) -> Ask:
    """Ask for a hint of a level, or for more than the last one."""

    async def asked(
        user_id: int, family: str | None = None, level: HintLevel | None = None
    ) -> Hint:
        session = await services.sessions.games.require_turn_of(HERE, user_id, family)
        return await hints.give(session, user_id, level or level_wanted(session))

    return asked


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    """Hold all searches until the test releases them."""
    engine = Slow()
    monkeypatch.setattr(Job, "run", doing(engine))
    return engine


@pytest.mark.databases
async def test_a_hint_is_stored_before_it_is_shown(services: Any, ask: Ask) -> None:
    """A hint is stored before it is returned, and marks the next move."""
    session = await services.sessions.start(ORDER)
    hint = await ask(ANA)
    assert hint.result.move in session.position.legal_moves()
    assert [hint.number for hint in (await services.store.games.find(session.id)).hints] == [1]
    after = await services.sessions.play(HERE, ANA, "1")
    assert after.moves[0].hinted
    assert not (await services.sessions.reply(HERE)).moves[1].hinted


async def test_the_same_position_has_the_same_hint(services: Any, ask: Ask) -> None:
    """A second request gets the same hint and is not counted again, also after a restart."""
    session = await services.sessions.start(ORDER)
    first, second = await ask(ANA), await ask(ANA)
    assert (second.result.move, second.result.score.points) == (
        first.result.move,
        first.result.score.points,
    )
    (kept,) = (await services.store.games.find(session.id)).hints
    assert kept.move == session.game.label(first.result.move)
    assert second.session.hint == kept


async def test_each_press_reveals_more_of_one_answer(services: Any, ask: Ask) -> None:
    """Each press reveals more of one answer and counts as a hint; repeats are not counted."""
    session = await services.sessions.start(ORDER)
    hints = [await ask(ANA) for _ in range(4)]
    assert [hint.level for hint in hints] == [1, 2, 3, 3]
    assert len({hint.result.move for hint in hints}) == 1
    assert hints[0].result.exact == hints[3].result.exact != ()
    await ask(ANA, level=HintLevel.AREA)
    (kept,) = (await services.store.games.find(session.id)).hints
    assert (kept.level, kept.given) == (3, 3)
    assert (await services.sessions.games.current(HERE)).hints == (kept,)


@pytest.mark.databases
async def test_a_full_hint_counts_once(services: Any, ask: Ask) -> None:
    """A full hint counts once, and so do two simultaneous presses."""
    session = await services.sessions.start(ORDER)
    # A server takes longer to open a connection than to give a hint.
    await asyncio.gather(*(services.store.database.time() for _ in range(2)))
    await asyncio.gather(ask(ANA), ask(ANA))
    await ask(ANA, level=HintLevel.MOVE)
    (kept,) = (await services.store.games.find(session.id)).hints
    assert (kept.level, kept.given) == (3, 2)


async def test_a_hint_is_for_the_person_to_move(services: Any, ask: Ask) -> None:
    """Only the person to move gets a hint, in their own game, and not on the agent's turn."""
    await services.sessions.start(ORDER)
    for asked, key in (
        (ask(BEA), "not_your_game"),
        (ask(ANA, family="gato"), "other_game"),
    ):
        with pytest.raises(Refusal, match=key):
            await asked
    await services.sessions.play(HERE, ANA, "1")
    with pytest.raises(Refusal, match="cuatro_thinking"):
        await ask(ANA)


async def test_a_game_that_moves_on_drops_its_hint(services: Any, ask: Ask, slow: Slow) -> None:
    """If the game moves on, the search stops, nothing is stored, and the person gets a message."""
    session = await services.sessions.start(ORDER)
    asked = asyncio.create_task(ask(ANA))
    await slow.asked(1)
    await services.sessions.resign(HERE, ANA)
    assert slow.stops[0].is_set
    with pytest.raises(Refusal, match="moved_on"):
        await asked
    assert (await services.store.games.find(session.id)).hints == ()


async def test_equal_positions_share_one_search(services: Any, hints: Hints, slow: Slow) -> None:
    """Equal positions share one search across games and orders of moves."""
    asked = []
    for channel, user, moves in ((HERE, ANA, "132"), (THERE, BEA, "231")):
        game = game_of("connect4", "5x4")
        session = await services.sessions.start(
            GameSetup(game.key, game.variant, channel, 9, "en", person(user), person(user), user)
        )
        for move in moves:
            session = await services.sessions.play(channel, user, move)
        asked.append(asyncio.create_task(hints.give(session, user, HintLevel.MOVE)))
    await slow.asked(1)
    slow.may.set()
    one, other = await asyncio.gather(*asked)
    assert one.result.move == other.result.move
    assert len(slow.jobs) == 1


@pytest.mark.parametrize(("family", "variant"), [("connect4", "8x8"), ("boom", "7x7")])
async def test_a_hint_is_bounded_in_time_on_the_largest_boards(
    services: Any,
    ask: Ask,
    slow: Slow,
    monkeypatch: pytest.MonkeyPatch,
    family: str,
    variant: str,
) -> None:
    """On the largest boards the search for a hint has a time limit."""
    monkeypatch.setattr(rules, "HINT_SECONDS", 0.1)
    slow.may.set()
    game = game_of(family, variant)
    await services.sessions.start(
        GameSetup(game.key, game.variant, HERE, 9, "en", person(ANA), agent("easy"), ANA)
    )
    assert (await ask(ANA)).session.hint is not None
    limit = slow.jobs[0].limit
    assert limit is not None
    assert limit.seconds == 0.1


async def test_a_hint_that_chooses_nothing_is_not_counted(services: Any, ask: Ask) -> None:
    """Where all moves are worth the same, the answer is complete at once and is not stored."""
    session = await services.sessions.start(new_game(variant="5x4"))
    hints = [await ask(ANA) for _ in range(2)]
    assert [(hint.level, hint.is_free) for hint in hints] == [(HintLevel.MOVE, True)] * 2
    assert (await services.store.games.find(session.id)).hints == ()
