"""Storms on the offline Discord."""

from __future__ import annotations

from typing import Any

import pytest

from bot.board.messages import placed_moves
from bot.features.puzzles.choice import puzzle_of_day
from bot.features.storm.rules import COURSE, LENGTH, course_of, pool_of
from bot.features.storm.store import Storm, Storms
from bot.i18n import say_in
from engine.core.registry import games
from tests.bot.drills.drilling import Driller
from tests.bot.present import needs


async def begun(venue: Any, actor: Any, *, game: str = "connect4", language: str = "en") -> Storm:
    """Begin a storm by command; returns it."""
    say = say_in(language)
    offered = await actor.slash(venue.channel, "storm", game=game)
    await actor.click(offered.response.message, label=say("button.storm_start"))
    return (await storms_of(venue).all_of(actor.id))[-1]


def storms_of(venue: Any) -> Storms:
    """The repository of storms of a venue."""
    return Storms(venue.services.store.database)


async def answer(venue: Any, person: Driller, storm: Storm, *, right: bool = True) -> None:
    """Answer the present step of a person's storm."""
    now = await storms_of(venue).find(storm.id, storm.user_id)
    assert now is not None
    problem = course_of(now)[now.number].played
    buttons = list(placed_moves(problem.position(now.step), say_in("en")))
    moves = {one.text for one in buttons if one.is_legal}
    answers = {problem.game.label(move) for move in problem.steps[now.step].answers}
    wanted = sorted(moves & answers if right else moves - answers)[0]
    await person.press(next(one.label for one in buttons if one.text == wanted))


async def solve(venue: Any, person: Driller, storm: Storm) -> None:
    """Solve the present puzzle of a storm."""
    now = await storms_of(venue).find(storm.id, storm.user_id)
    assert now is not None
    for _ in course_of(now)[now.number].played.steps:
        await answer(venue, person, storm)


@pytest.mark.parametrize("game", [key for key in games() if pool_of(key)])
async def test_a_storm_counts_what_is_solved_until_it_is_stopped(venue: Any, game: str) -> None:
    """Puzzles follow each other at once, a wrong press goes on, and Stop shows the result."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    storm = await begun(venue, venue.ana, game=game)
    assert ana.content.startswith("**0 solved** · time is up <t:")
    await solve(venue, ana, storm)
    assert ana.content.startswith("**1 solved**")
    assert say("storm.solved") in ana.content
    await answer(venue, ana, storm, right=False)
    assert "\nNo: " in ana.content
    await solve(venue, ana, storm)
    await ana.press(say("button.storm_stop"))
    result = venue.channel.history(viewer=venue.ana)[-1]
    assert result.content == "**2 solved.** Your best so far is 2. Place 1 here today."
    assert not result.attachments


async def test_after_three_minutes_nothing_counts(venue: Any) -> None:
    """An answer after three minutes ends the storm and does not count."""
    ana = Driller(venue, venue.ana)
    storm = await begun(venue, venue.ana)
    await solve(venue, ana, storm)
    venue.services.clock.forward(LENGTH + 5.0)
    await answer(venue, ana, storm)
    content = venue.channel.history(viewer=venue.ana)[-1].content
    assert content.startswith("**1 solved.**")
    found = await storms_of(venue).find(storm.id, venue.ana.id)
    assert found is not None
    assert (found.solved, found.ended_at) == (1, storm.begun_at + LENGTH)


async def test_a_storm_goes_on_after_a_restart(venue: Any) -> None:
    """A storm's state is in the database, so it goes on after a restart."""
    ana = Driller(venue, venue.ana)
    storm = await begun(venue, venue.ana)
    await venue.restart()
    await solve(venue, ana, storm)
    assert ana.content.startswith("**1 solved**")


async def test_results_are_in_a_table_and_shared_once(venue: Any) -> None:
    """A server has a table of the day; a result can be shared once, and names no move."""
    say = say_in("es")
    venue.speak("es")
    for actor, count in ((venue.ana, 1), (venue.bea, 2)):
        person = Driller(venue, actor)
        storm = await begun(venue, actor, language="es")
        for _ in range(count):
            await solve(venue, person, storm)
        await person.press(say("button.storm_stop"))
    message = venue.channel.history(viewer=venue.bea)[-1]
    table = await venue.bea.click(message, label=say("button.storm_table"))
    assert table.response.content == "**Tormenta de hoy**\n1. **Bea** · 2\n2. **Ana** · 1"
    await venue.bea.click(message, label=say("button.storm_share"))
    again = await venue.bea.click(message, label=say("button.storm_share"))
    assert say("refusal.storm_shared") in str(again.response.content)
    shared = [m for m in venue.channel.history() if not m.flags.ephemeral and "Bea" in m.content]
    assert [m.content for m in shared] == ["**Bea** · Tormenta: **2 resueltos** en tres minutos"]
    offered = await venue.ana.click(shared[0], label=say("button.storm_open"))
    assert offered.response.content.startswith("**Tormenta:**")


@needs("daily")
async def test_a_storm_follows_the_puzzle_of_the_day(venue: Any) -> None:
    """A puzzle of the day that is over offers a storm of its game."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    await venue.ana.slash(venue.channel, "daily", game="gato")
    await ana.press(say("button.solve"))
    offered = await ana.press(say("button.storm_open"))
    assert offered.response.content.startswith("**Storm:**")


def test_a_course_rises_and_has_no_puzzle_of_a_day() -> None:
    """A storm's puzzles are forced wins that get harder; none is one of a day, none comes twice."""
    for family in games():
        if not pool_of(family):
            continue
        courses = [
            course_of(Storm(id, 1, None, family, 0.0, None, 0, 0, 0, 0)) for id in range(1, 6)
        ]
        days = {puzzle_of_day(family, day) for day in range(20_000, 20_400)}
        for course in courses:
            assert len(set(course)) == len(course) >= min(COURSE, len(pool_of(family)))
            assert [one.rating for one in course] == sorted(one.rating for one in course)
            assert all(one.is_plain_win for one in course)
            assert not days & set(course)
        assert courses[0] != courses[1]
