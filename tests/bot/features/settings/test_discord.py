"""Settings on the offline Discord: pings, and moves in words."""

from __future__ import annotations

from typing import Any

import pytest

from bot.game.clocks import SILENCE
from tests.bot.board.test_turn_pings import begin, drop, pings, sent
from tests.bot.discord.stage import Stage
from tests.bot.features.settings.entering import enter, open_mine


@pytest.fixture
async def stage(venue: Any) -> Stage:
    """A rated game of Ana's against Cuatro."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    return stage


async def test_people_switch_off_only_their_own_pings(venue: Any) -> None:
    """Pings stay off in every game and after a restart, but only for the person who chose that."""
    await enter(venue.bea, await open_mine(venue, venue.bea), tell=["reminders"])
    await begin(venue, size="5x4")
    await venue.restart()
    await venue.let_pass(SILENCE)
    await drop(venue, venue.ana, 1)
    await venue.let_pass(SILENCE)
    assert pings(venue) == []
    await drop(venue, venue.bea, 2)
    await venue.let_pass(SILENCE)
    assert [body["allowed_mentions"]["users"] for body in sent(venue)] == [[venue.ana.id]] * 2
    await enter(venue.bea, await open_mine(venue, venue.bea), tell=["pings", "reminders"])
    await drop(venue, venue.ana, 3)
    await venue.let_pass(SILENCE)
    (only,) = pings(venue)
    assert f"<@{venue.bea.id}>" in only


async def test_moves_by_button_are_confirmed_on_request(stage: Stage) -> None:
    """With moves in words, a press is confirmed privately in the player's language."""
    ana = stage.venue.ana
    silent = await stage.press(ana, "4")
    assert silent.followups == []
    stage.venue.speak("es-419")
    await enter(ana, await open_mine(stage.venue, ana), access=["spoken"])
    answer = await stage.press(ana, "4")
    (message,) = answer.followups
    assert message.ephemeral
    assert message.content.startswith("Jugaste la columna 4. Jugué ")
    await enter(ana, await open_mine(stage.venue, ana), access=[])
    assert (await stage.press(ana, "4")).followups == []
