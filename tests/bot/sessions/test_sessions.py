"""Running games: permissions, the order of storing and returning, and restarts."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import copyfile
from typing import Any

import pytest

from bot.game.refusal import Control, OutdatedControl, Refusal
from bot.game.session import Session
from bot.settings import Settings
from bot.store.records import GameSetup, agent, person
from engine.core.registry import game_of
from engine.strength.agent import Strength
from engine.strength.ladder import ladder_of
from tests.bot.builders import ANA, BEA, HERE, THERE, refusal_of
from tests.bot.clock import StepClock
from tests.bot.databases import address_of
from tests.bot.running import run_services

pytestmark = pytest.mark.databases


def order(
    size: str = "5x4", level: str = "easy", *, person_first: bool = True, **changes: Any
) -> GameSetup:
    """Ana's setup of a game in this channel."""
    me, other = person(changes.get("started_by", ANA)), agent(level)
    seats = (me, other) if person_first else (other, me)
    return replace(GameSetup("connect4", size, HERE, 9, "en", *seats, ANA), **changes)


async def test_a_move_is_stored_before_it_is_returned(services: Any) -> None:
    """When `play` returns, the store already has the move."""
    sessions = services.sessions
    await sessions.start(order())
    session = await sessions.play(HERE, ANA, "2")
    stored = await services.store.games.find(session.id)
    assert stored.moves == session.moves
    assert stored.moves[0].move == "2"
    assert stored.moves[0].user_id == ANA


async def test_an_agents_move_carries_its_figures(services: Any) -> None:
    """The agent's move is stored with nodes, depth, score and time."""
    sessions = services.sessions
    await sessions.start(order(level="medium"))
    await sessions.play(HERE, ANA, "2")
    answered = await sessions.reply(HERE)
    move = answered.moves[-1]
    assert move.user_id is None
    medium = ladder_of(game_of("connect4", "5x4")).named("medium").agent
    assert isinstance(medium, Strength)
    assert medium.surely <= move.depth <= medium.depth
    assert move.nodes > 0
    assert move.seconds > 0
    assert move.score is not None


async def test_a_command_of_another_game_changes_nothing(services: Any) -> None:
    """A command for one game is refused if the channel has another; the refusal says which."""
    sessions = services.sessions
    await sessions.start(order())
    before = await sessions.play(HERE, ANA, "2", family="connect4")
    for work in (
        sessions.play(HERE, ANA, "1", family="gato"),
        sessions.resign(HERE, ANA, family="gato"),
        sessions.games.require_current(HERE, "gato"),
    ):
        with pytest.raises(Refusal) as caught:
            await work
        assert caught.value.key == "refusal.other_game"
        assert caught.value.details == {"other": "connect4"}
    assert await sessions.games.require_current(HERE, "connect4") == before
    assert (await services.store.games.find(before.id)).moves == before.moves


async def test_a_move_is_not_made_in_a_game_that_began_meanwhile(services: Any) -> None:
    """A move is refused if, while it waits for the lock, its game ends and another one begins."""
    sessions = services.sessions
    await sessions.start(replace(order(), family="gato", variant="4x4"))
    ended, begun, played = await asyncio.gather(
        sessions.resign(HERE, ANA),
        sessions.start(order()),
        sessions.play(HERE, ANA, "1", family="gato"),
        return_exceptions=True,
    )
    assert ended.game.key == "gato"
    assert isinstance(played, Refusal)
    assert played.key == "refusal.other_game"
    assert (await services.store.games.find(begun.id)).moves == ()


async def test_refusals_change_nothing(services: Any) -> None:
    """Each invalid request is refused for its own reason and leaves the game as it was."""
    sessions = services.sessions
    assert await refusal_of(sessions.play(HERE, ANA, "1")) == "refusal.no_game"
    before = await sessions.start(order())
    for text in ("0", "5", "x", "", "1.5"):
        assert await refusal_of(sessions.play(HERE, ANA, text)) == "refusal.not_a_move"
    assert await refusal_of(sessions.play(HERE, BEA, "1")) == "refusal.not_your_game"
    assert await refusal_of(sessions.start(order(started_by=BEA))) == "refusal.channel_taken_link"
    assert await refusal_of(sessions.resign(HERE, BEA)) == "refusal.not_your_game"
    assert await refusal_of(sessions.resign(HERE, ANA, game_id=77)) == "refusal.game_is_gone"
    assert await sessions.games.current(HERE) == before
    await sessions.play(HERE, ANA, "1")
    assert await refusal_of(sessions.play(HERE, ANA, "1")) == "refusal.cuatro_thinking"


async def test_an_unknown_level_is_refused(services: Any) -> None:
    """A level that does not exist starts no game."""
    work = services.sessions.start(order(level="godlike"))
    assert await refusal_of(work) == "refusal.no_such_agent"
    assert await services.sessions.games.current(HERE) is None


async def test_simultaneous_clicks_play_once(services: Any) -> None:
    """Of many simultaneous clicks on controls for the same move, one plays."""
    sessions = services.sessions
    session = await sessions.start(order())
    control = Control(session.id, 1)
    tried = await asyncio.gather(
        *(sessions.play(HERE, ANA, "2", control=control) for _ in range(10)),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Session) for result in tried) == 1
    assert sum(isinstance(result, OutdatedControl) for result in tried) == 9
    assert len((await services.store.games.find(session.id)).moves) == 1


async def test_simultaneous_answers_are_made_once(services: Any) -> None:
    """Two searches for the same turn store one answer."""
    sessions = services.sessions
    session = await sessions.start(order(level="medium"))
    await sessions.play(HERE, ANA, "2")
    answers = await asyncio.gather(sessions.reply(HERE), sessions.reply(HERE))
    assert sum(answer is not None for answer in answers) == 1
    assert len((await services.store.games.find(session.id)).moves) == 2


async def test_a_search_of_a_game_that_ends_is_dropped(services: Any) -> None:
    """Resigning while the agent searches ends the search, and no move follows."""
    sessions = services.sessions
    session = await sessions.start(order(size="7x7", level="perfect"))
    await sessions.play(HERE, ANA, "4")
    thinking = asyncio.create_task(sessions.reply(HERE))
    await asyncio.sleep(0.1)
    ended = await sessions.resign(HERE, ANA)
    assert await thinking is None
    assert (ended.end.ending, ended.end.winner) == ("aborted", None)
    assert len((await services.store.games.find(session.id)).moves) == 1


async def test_a_closing_bot_stores_no_hasty_move(services: Any) -> None:
    """When the bot closes during a search, the move is left to the next run."""
    sessions = services.sessions
    session = await sessions.start(order(size="7x7", level="perfect"))
    await sessions.play(HERE, ANA, "4")
    thinking = asyncio.create_task(sessions.reply(HERE))
    await asyncio.sleep(0.1)
    await sessions.close()
    assert await thinking is None
    assert len((await services.store.games.find(session.id)).moves) == 1


async def test_a_game_ends_in_the_store_too(services: Any) -> None:
    """The last move of a game stores its winner and ending, and frees the channel."""
    sessions = services.sessions
    session = await sessions.start(order(size="4x4", level="medium"))
    rng = Random(3)
    while (present := await sessions.games.current(HERE)) is not None:
        legal = present.position.legal_moves()
        session = await sessions.play(HERE, ANA, present.game.label(rng.choice(legal)))
        session = await sessions.reply(HERE) or session
    assert session.is_over
    stored = await services.store.games.find(session.id)
    assert stored.end == session.end
    outcome = session.position.outcome
    assert stored.end.winner == (None if outcome.winner is None else int(outcome.winner))
    assert (await sessions.start(order())).id != session.id


async def test_everything_is_found_again_by_other_sessions(services: Any) -> None:
    """Sessions that share nothing but the store see the same game."""
    sessions = services.sessions
    await sessions.start(order(level="medium"))
    await sessions.play(HERE, ANA, "3")
    mine = await sessions.reply(HERE)
    await sessions.start(order(channel_id=THERE))
    await sessions.play(THERE, ANA, "1")
    await services.presence.stop()
    async with run_services(services.settings) as others:
        assert await others.sessions.games.current(HERE) == mine
        assert [s.channel_id for s in await others.sessions.games.unanswered()] == [THERE]


async def test_a_seed_makes_games_repeatable(migrated: Path, tmp_path: Path) -> None:
    """With the same seed, the same moves get the same answers."""
    played = []
    for run in range(2):
        file = copyfile(migrated, tmp_path / f"{run}.db")
        database = address_of(file)
        other = Settings(database_url=database, workers=1)
        async with run_services(other, Random(42)) as services:
            await services.sessions.start(order(size="6x7", level="medium"))
            for move in "4455":
                await services.sessions.play(HERE, ANA, move)
                session = await services.sessions.reply(HERE)
            played.append([move.move for move in session.moves])
    assert played[0] == played[1]


async def test_a_players_time_is_measured(settings: Settings) -> None:
    """A person's seconds run from the previous move, by the given clock."""
    clock = StepClock(1000.0)
    async with run_services(settings, clock=clock) as services:
        await services.sessions.start(order())
        clock.forward(10.0)
        session = await services.sessions.play(HERE, ANA, "1")
    assert session.moves[0].seconds == 10.0
