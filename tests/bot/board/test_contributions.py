"""What features add to boards and drills, and games that features settle."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.app import App
from bot.board.messages import BoardButton, BoardLine, BoardMessages, Button
from bot.discord.names import NameBook
from bot.drills.rules import ButtonSpec, PracticeButton, RouteTarget
from bot.feature import Contributions, Parts, Services
from bot.game.session import Session
from bot.i18n import Translator, say_in
from bot.show.scenes import Names
from bot.store.records import GameSetup, agent, person
from tests.bot.builders import ANA, HERE


@pytest.fixture
async def session(services: Services) -> Session:
    """Ana's game against an agent."""
    seats = person(ANA), agent("easy")
    return await services.sessions.start(GameSetup("connect4", "5x4", HERE, 9, "en", *seats, ANA))


@pytest.fixture
def messages(services: Services) -> BoardMessages:
    """The boards' messages without any feature."""
    names = NameBook(discord.Client(intents=discord.Intents.none()))
    names._names[ANA] = "Ana"
    return BoardMessages(services.workers, names, services.store)


def line(text: str | None) -> Any:
    """A contributed line that never changes."""

    async def write(_session: Session, names: Names, _say: Translator) -> str | None:
        return text and text.format(ana=names[ANA])

    return write


def button(name: str) -> Any:
    """A contributed button that is always shown."""

    def make(_session: Session, _say: Translator) -> Button | None:
        return discord.ui.Button(label=name, custom_id=name)

    return make


async def test_lines_are_in_their_order(messages: BoardMessages, session: Session) -> None:
    """Contributed lines keep the order of their registration; empty ones leave no gap."""
    messages.contribute(
        [
            BoardLine(60, line("below the clock")),
            BoardLine(10, line("of {ana}")),
            BoardLine(20, line(None)),
            BoardLine(30, line("")),
        ],
        [],
    )
    say = say_in("en")
    text = await messages.content(session, await messages.names_in(session, say), say)
    players, *rest = text.splitlines()
    assert "Ana" in players
    turn = "Your turn, Ana. Four in a row wins."
    assert rest == ["of Ana", turn, "below the clock"]


async def test_buttons_are_below_the_moves_in_order(
    messages: BoardMessages, session: Session
) -> None:
    """Contributed buttons follow the moves in rows by their numbers, without gaps."""
    buttons = [
        BoardButton(60, button("late")),
        BoardButton(10, button("early")),
        BoardButton(10, button("above"), row=-1),
        BoardButton(10, button("below"), row=7),
    ]
    messages.contribute([], buttons)
    view = (await messages.message(session, say_in("en"))).view
    rows = [[one["custom_id"] for one in row["components"]] for row in view.to_components()]
    moves = [[f"cuatro:move:{session.id}:1:{move}" for move in "12345"[: len(rows[0])]]]
    rules, resign = f"cuatro:rules:{session.id}", f"cuatro:resign:{session.id}"
    assert rows == [*moves, ["above"], ["early", rules, resign, "late"], ["below"]]


def test_practice_follows_the_drills_of_its_series() -> None:
    """Features offer practice after a review or a lesson, in order; without them there is none."""

    def practice(label: str) -> Any:
        def make(family: str, _say: Translator) -> ButtonSpec | None:
            spec = ButtonSpec(label, RouteTarget("puzzle", (family,)))
            return spec if family == "connect4" else None

        return make

    contributed, bare, say = Contributions(), Contributions(), say_in("en")
    late, early = practice("late"), practice("early")
    buttons = (PracticeButton(20, "review", late), PracticeButton(5, "lesson", late))
    first = Parts(practice=(PracticeButton(10, "review", early),))
    contributed.seal([Parts(practice=buttons), first])
    bare.seal([Parts()])
    after_review = contributed.practice("review", "connect4", say)
    assert [one.label for one in after_review] == ["early", "late"]
    assert contributed.practice("lesson", "connect4", say) == after_review[1:]
    assert contributed.practice("review", "gato", say) == ()
    assert bare.practice("review", "connect4", say) == ()


async def test_nothing_can_be_contributed_after_sealing(
    services: Services, messages: BoardMessages
) -> None:
    """Nothing can be contributed once the registry has been sealed."""
    messages.contribute([], [])
    with pytest.raises(RuntimeError):
        messages.contribute([], [])
    services.timer.contribute([])
    with pytest.raises(RuntimeError):
        services.timer.contribute([])
    services.challenges.contribute([])
    with pytest.raises(RuntimeError):
        services.challenges.contribute([])


async def test_the_bot_seals_them(venue: Any) -> None:
    """Once the bot has been built, its contributions are sealed."""
    app: App = venue.app
    with pytest.raises(RuntimeError):
        app.core.messages.contribute([], [])
    with pytest.raises(RuntimeError):
        app.core.timer.contribute([])


async def test_a_feature_settles_a_game_that_is_due(services: Services, session: Session) -> None:
    """Features are asked in order to settle a due game, under its lock and before the core does."""
    asked = []

    async def passes(due: Session, _now: float) -> Session | None:
        asked.append(due.id)
        return None

    async def settles(due: Session, _now: float) -> Session | None:
        assert services.sessions.games.lock(HERE).locked()
        return due

    services.timer.contribute((passes, settles))
    await services.store.games.set_due(session.id, services.clock(), expecting_moves=0)
    looked = await services.timer.check_due()
    assert asked == [session.id]
    assert [one.id for one in looked.decided] == [session.id]
