"""The base of the random state machine: the program, its model, and steps taken in both."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from shutil import copyfile
from typing import Any, ClassVar

from hypothesis.stateful import RuleBasedStateMachine, invariant

from bot.feature import Services
from bot.game.refusal import Control, Refusal
from bot.game.session import Session
from bot.settings import UNLIMITED, Settings
from bot.store.records import GameSetup, TimeControl, agent, person
from tests.bot.clock import StepClock
from tests.bot.databases import address_of
from tests.bot.running import run_services
from tests.bot.sessions.plain_model import (
    MAX_GAMES,
    ExpectedRefusal,
    Model,
    Played,
    Question,
    RequestedGame,
)

CHANNELS = (100, 200, 300)
BEGAN = 1e9


class TableSteps(RuleBasedStateMachine):
    """The program's sessions over a real store; each step is taken in the model as well."""

    template: ClassVar[Path]
    """An empty database of the newest version."""
    seen: ClassVar[Counter[str]] = Counter()
    """How often each refusal was due, and how often (``) none was; and how games have ended."""

    def __init__(self) -> None:
        """Open the program on a fresh database."""
        super().__init__()
        self._runner = asyncio.Runner()
        self._folder = tempfile.TemporaryDirectory()
        file = copyfile(self.template, Path(self._folder.name, "games.db"))
        url = address_of(file)
        self._settings = Settings(
            database_url=url, workers=1, games_per_player=MAX_GAMES, limits=UNLIMITED
        )
        self._clock = StepClock(BEGAN)
        self._open = AsyncExitStack()
        self.model = Model(now=BEGAN)
        self._touched: set[int] = set()
        """The channels in which something may have changed."""
        self.services: Services
        self._run(self._start())

    def teardown(self) -> None:
        """Compare all games a last time, and close the program."""
        self.seen.update(f"ended: {game.ending}" for game in self.model.games.values())
        try:
            self._run(self._compare_all())
        finally:
            self._run(self._open.aclose())
            self._runner.close()
            self._folder.cleanup()

    # Comparing

    @invariant()
    def is_the_same(self) -> None:
        """The channels that were touched have the model's games, in memory and in the store."""
        self._run(self._compare())
        self._touched.clear()

    async def _start(self) -> None:
        self._open = AsyncExitStack()
        opening = run_services(self._settings, Random(7), self._clock)
        self.services = await self._open.enter_async_context(opening)
        self.services.ratings.wake()

    async def _compare(self) -> None:
        for channel in self._touched:
            game = self.model.running(channel)
            # Without a game in memory, this asks the store.
            session = await self.services.sessions.games.current(channel)
            assert (session is None) == (game is None)
            if game is not None and session is not None:
                equal(game, session)
                record = await self.services.store.games.running_in(channel)
                assert record is not None
                equal(game, Session.from_record(record))

    async def _compare_all(self) -> None:
        for number, game in self.model.games.items():
            session = await self.services.sessions.games.find(number)
            assert (session is None) == game.is_deleted
            if session is not None:
                equal(game, session)
        for questions, find in self._questions():
            for number, asked in questions.items():
                found = await find(number)
                assert (found is None) == asked.is_deleted
                assert found is None or found.answer == asked.answer

    def _questions(self) -> list[tuple[dict[int, Question], Callable[[int], Awaitable[Any]]]]:
        """The open questions: those of the model, each with its counterpart in the program."""
        return [(self.model.challenges, self.services.challenges.find)]

    async def _lapse(self) -> None:
        """Close questions that can no longer be answered."""
        await self.services.challenges.expire()

    def _play(self, channel: int, user: int, text: str, family: str | None, control: Any) -> None:
        work = self.services.sessions.play(
            channel, user, text, family=family, control=control and Control(*control)
        )
        self._same(lambda: self.model.play(channel, user, text, family, control), work)

    def _where(self, number: int) -> int:
        """Choose a channel: usually one with a running game, if there is one."""
        busy = [one for one in CHANNELS if self.model.running(one) is not None]
        some = busy if busy and number else CHANNELS
        self._touched.add(some[number % len(some)])
        return some[number % len(some)]

    def _player(self, channel: int, user: int) -> int:
        """Choose a player of the channel's game."""
        game = self.model.running(channel)
        return user if game is None or not game.people else game.people[user % len(game.people)]

    def _same(self, expect: Callable[[], object], work: Awaitable[Any]) -> Any:
        """Do the same in both; both must do it, or refuse it for the same reason."""

        async def attempt() -> tuple[Any, str]:
            try:
                return await work, ""
            except Refusal as refusal:
                return None, refusal.key.removeprefix("refusal.")

        wanted = ""
        try:
            expect()
        except ExpectedRefusal as no:
            wanted = no.key
        self.seen[wanted] += 1
        result, refused = self._run(attempt())
        assert refused == wanted
        return result

    def _run(self, work: Any) -> Any:
        return self._runner.run(work)

    def _reply(self, channel: int) -> None:
        game = self.model.running(channel)
        answered = self._run(self.services.sessions.reply(channel))
        if game is None or game.mover is not None:
            assert answered is None
            return
        assert answered is not None
        game.make(answered.moves[-1].move, self.model.now)

    def _play_on(self, channel: int, turns: int, rng: Random) -> None:
        for _ in range(turns):
            game = self.model.running(channel)
            if game is None:
                return
            if game.mover is None:
                self._reply(channel)
            else:
                legal = sorted(game.position.legal_moves())
                text = game.requested.game.label(rng.choice(legal))
                self._play(channel, game.mover, text, None, None)


def order(requested: RequestedGame, level: str = "easy") -> GameSetup:
    """The program's setup for a requested game."""
    first, second = (agent(level) if user is None else person(user) for user in requested.seats)
    clock = None if requested.seconds is None else TimeControl(requested.seconds)
    return GameSetup(
        requested.game.key,
        requested.game.variant,
        requested.channel,
        1,
        "en",
        first,
        second,
        requested.asker,
        clock=clock,
    )


def equal(game: Played, session: Session) -> None:
    """Return whether a game in the program equals the model's."""
    assert session.id == game.id
    assert [move.move for move in session.moves] == game.moves
    assert [move.player for move in session.moves] == game.sides
    assert tuple(seat.user_id for seat in session.seats) == game.requested.seats
    assert session.undos == game.undos
    assert session.position == game.position
    assert session.is_over == (game.ending is not None)
    if session.end is None:
        assert session.mover.user_id == game.mover
    else:
        assert (session.end.ending, session.end.winner) == (game.ending, game.winner)
