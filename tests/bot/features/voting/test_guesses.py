"""Guessing the winner of a game between agents, on the offline Discord."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.i18n import say_in
from bot.settings import Settings
from bot.store.records import Ending, EndRecord
from tests.bot.discord.stage import Stage
from tests.bot.features.voting.boards import seen, shows

AGENTS = {"first": "easy", "second": "medium"}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """The usual settings, with a pause before a watched game begins."""
    return replace(settings, watch_vote=Settings().watch_vote)


@pytest.fixture
def stage(venue: Any) -> Stage:
    """Connect 4 in the channel."""
    return Stage(venue, "connect4", venue.channel)


async def watch(stage: Stage, **options: Any) -> None:
    """Let Ana begin a game between two agents."""
    started = await stage.slash(stage.venue.ana, "watch", **(AGENTS | options))
    assert not started.ephemeral, started.response.content


async def begun(stage: Stage) -> Any:
    """The game once an agent has moved in it."""
    async with asyncio.timeout(60):
        while not (await stage.game()).moves:
            await stage.venue.env.advance_time(stage.venue.services.settings.watch_pace)
    return await stage.game()


async def end(stage: Stage, winner: int | None, ending: str = "line") -> str:
    """End the game like this; return the board's text."""
    sessions = stage.venue.services.sessions
    session = await stage.game()
    await stage.venue.app.playback.end(("watch", session.id))
    async with sessions.games.lock(stage.channel.id):
        present = await stage.game()
        finish = EndRecord(Ending(ending), winner, stage.venue.services.clock())
        ended = await sessions.games.finish(present, finish)
    await stage.venue.app.core.boards.show(ended)
    return str(stage.board().content)


async def test_people_can_guess_the_winner(venue: Any) -> None:
    """The votes are on the board; when the time is up the game begins; its end names winners."""
    say, stage = say_in("es"), Stage(venue, "boom", venue.channel)
    venue.speak("es")
    await watch(stage)
    names = [say(f"level.{name}") for name in ("easy", "medium")]
    until = f"<t:{int((await stage.game()).ballot.until)}:R>"
    assert say("status.guesses") in stage.board().attachments[0].description
    rows = [[b.label for b in row.children] for row in stage.board().components]
    draw = say("button.guess_draw")
    assert rows == [[names[0], draw, names[1]], [say("button.go"), say("button.stop")]]
    answer = await stage.press(venue.ana, names[0])
    assert answer.followups[-1].ephemeral
    assert answer.followups[-1].content == say("guess.yours", name=names[0])
    await stage.press(venue.bea, draw)
    await stage.press(venue.mod, names[0])
    # A second press changes the guess.
    await stage.press(venue.ana, names[1])
    votes = f"{names[0]}: 1 · {say('guess.draw')}: 1 · {names[1]}: 1"
    await shows(stage, say("guess.tally", votes=votes, until=until))
    assert (await stage.game()).moves == ()
    venue.services.clock.forward(16)
    await venue.app.timeouts.check()
    assert not (await begun(stage)).awaits_guesses
    content = await end(stage, 2)
    assert say("guess.right", names="**Ana**") in content


async def test_many_votes_make_few_edits(stage: Stage) -> None:
    """Many guesses are shown with one edit of the board."""
    await watch(stage)
    await seen(stage)
    before = len(stage.venue.edits())
    for label in ("Draw", "easy"):
        for actor in (stage.venue.ana, stage.venue.bea):
            await stage.press(actor, label)
    await shows(stage, "easy: 2 · draw: 0 · medium: 0")
    assert len(stage.venue.edits()) == before + 1


async def test_the_starter_need_not_wait(stage: Stage) -> None:
    """The starter can begin the game early, which ends the guessing; another person cannot."""
    venue = stage.venue
    await watch(stage)
    await stage.refuses("begin_not_yours", lambda: stage.press(venue.bea, "Start now"))
    await stage.press(venue.ana, "Start now")
    await begun(stage)
    labels = [b.label for row in stage.board().components for b in row.children]
    assert labels[0] == "Stop"


async def test_the_pause_before_a_game_can_be_chosen(stage: Stage) -> None:
    """With 0 seconds a game begins at once, and other times can be asked for."""
    venue = stage.venue
    await watch(stage, seconds=0)
    await begun(stage)
    await stage.press(venue.ana, "Stop")
    await watch(stage, seconds=600)
    session = await stage.game()
    assert session.ballot.until - session.started_at == 600
    venue.services.clock.forward(300)
    await venue.app.timeouts.check()
    assert (await stage.game()).awaits_guesses


async def test_votes_survive_a_restart(stage: Stage) -> None:
    """A game whose time came while no process ran begins with the next run."""
    venue = stage.venue
    await watch(stage)
    await stage.press(venue.bea, "medium")
    await venue.restart()
    await shows(stage, "medium: 1")
    assert (await stage.game()).moves == ()
    await venue.services.presence.stop()
    venue.services.clock.forward(60)
    await venue.restart()
    await venue.app.timeouts.check()
    await begun(stage)
    assert "Right: **Bea**." in await end(stage, 2)


async def test_people_who_hide_their_statistics_are_only_counted(stage: Stage) -> None:
    """Names do not ping or format text; people who hide their statistics are only counted."""
    venue = stage.venue
    await venue.services.store.players.set(venue.bea.id, 0.0, private=True)
    await watch(stage)
    for actor in (venue.ana, venue.bea, venue.mod):
        await stage.press(actor, "Draw")
    content = await end(stage, None, "draw")
    assert "Right: **Ana**, **Mod** and 1 more." in content
    assert "<@" not in content


@pytest.mark.parametrize(("winner", "ending"), [(1, "line"), (None, "stopped")])
async def test_a_vote_may_have_no_correct_guesses(
    stage: Stage, winner: int | None, ending: str
) -> None:
    """The end says if all guesses were wrong, and says nothing without a result."""
    await watch(stage)
    await stage.press(stage.venue.ana, "Draw")
    content = await end(stage, winner, ending)
    assert content.endswith("Nobody guessed right.") == (ending == "line")
    assert ("guessed" in content) == (ending == "line")


async def test_the_pause_is_not_part_of_the_agents_time(stage: Stage) -> None:
    """The deadline for a late agent counts from the beginning of the game, not of the pause."""
    await watch(stage, seconds=600)
    venue = stage.venue
    venue.services.clock.forward(601)
    looked = await venue.services.timer.check_due()
    (begun,) = looked.decided
    assert not looked.overdue
    assert begun.turn_began - begun.started_at >= 601
    assert (await venue.services.timer.check_due()).overdue == []
