"""Random sequences of actions, taken step by step in the program and in a plain model of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from bot.board.setups import rematch_of
from bot.game.refusal import Control, Refusal
from bot.game.session import Session
from engine.core.registry import game_of
from tests.bot.hinting import note_hint
from tests.bot.sessions.plain_model import RequestedGame
from tests.bot.sessions.table_steps import CHANNELS, TableSteps, order

GAMES = [game_of(*one) for one in (("connect4", "4x4"), ("connect4", "5x4"), ("gato", "4x4"),
                                   ("boom", "7x7"))]  # fmt: skip
FAMILIES = (None, None, None, "connect4", "gato", "boom")
LEVELS = ("easy", "medium", "auto")
MODERATOR = 9
NO_PERSON = 0

channels = st.sampled_from(CHANNELS)
channel_choices = st.integers(0, 19)
"""Mostly a channel in which something is played; see `TableMachine._where`."""
people = st.sampled_from((1, 2, 3))
mostly_true = st.sampled_from((True, True, True, True, False))
rarely_true = st.sampled_from((False,) * 9 + (True,))
ids = st.integers(1, 8)
pauses = st.sampled_from((1.0, 60.0, 601.0, 3700.0, 49 * 3600.0))
clocks = st.sampled_from((None, None, 300.0, 3600.0))
texts = st.sampled_from(("", "0", "99", "a1", "z9", "B", "C4", "-1", "²", "1" * 300, "\u202e3"))


class TableMachine(TableSteps):
    """Actions of people and effects of time; each step is taken in the model as well."""

    # Beginning

    @initialize(
        channel=channels,
        game=st.sampled_from(GAMES),
        between=st.booleans(),
        turns=st.integers(0, 8),
    )
    def first_game(self, channel: int, game: Any, between: bool, turns: int) -> None:
        """Begin with one game, against an agent or between two people."""
        if between:
            self.challenge(channel, 1, 2, game, first=True, seconds=None, agrees=True)
        else:
            self.start(channel, 1, game, first=True, level="easy", seconds=None)
        self._play_on(channel, turns, Random(turns))

    @rule(channel=channels, user=people, game=st.sampled_from(GAMES), first=mostly_true,
          level=st.sampled_from(LEVELS), seconds=clocks)  # fmt: skip
    def start(
        self, channel: int, user: int, game: Any, first: bool, level: str, seconds: float | None
    ) -> None:
        """Begin a game against an agent."""
        self._touched.add(channel)
        requested = RequestedGame(
            channel, user, game, (user, None) if first else (None, user), seconds
        )
        self._same(
            lambda: self.model.start(requested),
            self.services.sessions.start(order(requested, level)),
        )

    @rule(channel=channels, user=people, game=st.sampled_from(GAMES))
    def watch(self, channel: int, user: int, game: Any) -> None:
        """Begin a game between two agents."""
        self._touched.add(channel)
        requested = RequestedGame(channel, user, game, (None, None))
        self._same(
            lambda: self.model.start(requested), self.services.sessions.start(order(requested))
        )

    @rule(channel=channels, user=people, other=people, game=st.sampled_from(GAMES),
          first=mostly_true, seconds=clocks, agrees=mostly_true)  # fmt: skip
    def challenge(
        self, channel: int, user: int, other: int, game: Any, first: bool, seconds: float | None,
        agrees: bool,
    ) -> None:  # fmt: skip
        """Challenge another person, who usually accepts at once."""
        self._touched.add(channel)
        requested = RequestedGame(
            channel, user, game, (user, other) if first else (other, user), seconds
        )
        offered = len(self.model.challenges)
        work = self.services.challenges.offer(order(requested))
        self._same(lambda: self.model.challenge(requested), work)
        if agrees and len(self.model.challenges) > offered:
            self.answer_challenge(offered + 1, other, agrees=True)

    @precondition(lambda self: self.model.challenges)
    @rule(number=ids, user=people, agrees=mostly_true)
    def answer_challenge(self, number: int, user: int, agrees: bool) -> None:
        """Accept, decline or withdraw one of the challenges."""
        self._touched.update(CHANNELS)
        challenges = self.services.challenges
        answer = challenges.accept if agrees else challenges.decline
        self._same(
            lambda: self.model.answer_challenge(number, user, agrees=agrees), answer(number, user)
        )

    @rule(number=ids, channel=channels, user=people)
    def rematch(self, number: int, channel: int, user: int) -> None:
        """Ask for a rematch."""
        self._touched.add(channel)
        if number not in self.model.games or self.model.games[number].is_deleted:
            return

        async def again() -> None:
            old = await self.services.sessions.games.find(number)
            assert old is not None
            asked = rematch_of(old, channel, user, "en")
            if None in (asked.first.user_id, asked.second.user_id):
                await self.services.sessions.start(asked)
            else:
                await self.services.challenges.offer(asked)

        self._same(lambda: self.model.rematch(number, channel, user), again())

    # Playing

    @rule(where=channel_choices, choice=st.integers(0, 30), by_mover=mostly_true, user=people,
          family=st.sampled_from(FAMILIES), answered=mostly_true,
          controlled=mostly_true)  # fmt: skip
    def move(
        self, where: int, choice: int, by_mover: bool, user: int, family: str | None,
        answered: bool, controlled: bool,
    ) -> None:  # fmt: skip
        """Make a legal move, usually for the side to move; an agent usually answers."""
        channel = self._where(where)
        game = self.model.running(channel)
        text, control = "1", None
        if game is not None:
            legal = sorted(game.position.legal_moves())
            text = game.requested.game.label(legal[choice % len(legal)])
            user = game.mover or user if by_mover else user
            control = (game.id, len(game.moves) + 1) if controlled else None
        self._play(channel, user, text, family, control)
        if answered:
            self._reply(channel)

    @rule(where=channel_choices, turns=st.integers(1, 6), seed=st.integers(0, 10**6))
    def play_on(self, where: int, turns: int, seed: int) -> None:
        """Continue a game for some turns."""
        self._play_on(self._where(where), turns, Random(seed))

    @rule(where=channel_choices, turns=st.integers(6, 40), seed=st.integers(0, 10**6))
    def play_long(self, where: int, turns: int, seed: int) -> None:
        """Continue a game for many turns, usually to its end."""
        self._play_on(self._where(where), turns, Random(seed))

    @rule(where=channel_choices, text=texts, number=ids)
    def play_anything(self, where: int, text: str, number: int) -> None:
        """Type arbitrary text, or press an outdated button, on one's own turn."""
        channel = self._where(where)
        game = self.model.running(channel)
        user = NO_PERSON if game is None else game.mover or NO_PERSON
        self._play(channel, user, text, None, (number, 1) if not text else None)

    @rule(where=channel_choices, choice=st.integers(0, 30))
    def press_twice(self, where: int, choice: int) -> None:
        """Press two buttons of one board at once: only one of them counts."""
        channel = self._where(where)
        game = self.model.running(channel)
        if game is None or game.mover is None:
            return
        legal = sorted(game.position.legal_moves())
        user, number = game.mover, len(game.moves) + 1
        pressed = [game.requested.game.label(legal[(choice + n) % len(legal)]) for n in range(2)]
        control = Control(game.id, number)
        play = self.services.sessions.play

        async def both() -> list[Any]:
            plays = (play(channel, user, text, control=control) for text in pressed)
            return await asyncio.gather(*plays, return_exceptions=True)

        made, refused = self._run(both())
        assert isinstance(made, Session), made
        assert isinstance(refused, Refusal), refused
        assert refused.key == "refusal.outdated"
        self.model.play(channel, user, pressed[0])

    @rule(where=channel_choices)
    def reply(self, where: int) -> None:
        """Let the agent move, if it is its turn."""
        channel = self._where(where)
        self._reply(channel)

    @rule(where=channel_choices, user=people, by_mover=mostly_true)
    def hint(self, where: int, user: int, by_mover: bool) -> None:
        """Store a hint, which only the person to move can get; the game continues as before."""
        channel = self._where(where)
        game = self.model.running(channel)
        user = (game and by_mover and game.mover) or user

        def expected() -> None:
            self.model.present(channel).require_turn(user)

        given = self._same(expected, note_hint(self.services, channel, user))
        if given is not None:
            assert given.hint is not None

    # Giving up

    @rule(where=channel_choices, user=people, by_player=mostly_true, moderates=rarely_true)
    def give_up(self, where: int, user: int, by_player: bool, moderates: bool) -> None:
        """Resign, or stop a game as a moderator or as the person who started a watched one."""
        channel = self._where(where)
        user = self._player(channel, user) if by_player else user
        user = MODERATOR if moderates else user
        work = self.services.sessions.resign(channel, user, moderator=moderates)
        self._same(lambda: self.model.give_up(channel, user, moderator=moderates), work)

    # Time and restarts

    @rule(seconds=pauses)
    def time_passes(self, seconds: float) -> None:
        """Let time pass: clocks run out, and questions expire."""
        self._clock.forward(seconds)
        self.model.now += seconds

        async def look() -> None:
            await self.services.timer.check_due()
            await self._lapse()

        self._run(look())
        self.model.look()
        self._touched.update(CHANNELS)

    @rule()
    def restart(self) -> None:
        """Restart the program, which loses everything in memory."""
        self._run(self._compare_all())
        self._run(self._open.aclose())
        self._run(self._start())
        self._touched.update(CHANNELS)


def run_sequences(
    template: Path,
    count: int,
    steps: int,
    *,
    is_repeatable: bool = False,
    machine: type[TableMachine] = TableMachine,
) -> Counter[str]:
    """Run random sequences of the given number and length, each on a copy of an empty database.

    Returns how often each refusal was due, `` for none, and how the games ended. With
    `is_repeatable` the sequences are always the same, and a failing one is not shrunk.
    """
    machine.template, machine.seen = template, Counter()
    limits = settings(
        max_examples=count,
        stateful_step_count=steps,
        deadline=None,
        derandomize=is_repeatable,
        phases=(Phase.generate,) if is_repeatable else tuple(Phase),
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine, settings=limits)
    return machine.seen
