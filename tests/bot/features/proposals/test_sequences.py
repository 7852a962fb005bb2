"""Games and proposals after random actions of several people agree with a plain model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.bot.features.proposals.made import draws_of, undos_of
from tests.bot.sessions.plain_model import Question
from tests.bot.sessions.table_machine import (
    TableMachine,
    channel_choices,
    mostly_true,
    people,
    run_sequences,
)


class ProposalMachine(TableMachine):
    """A machine in which people also take back turns and agree on draws."""

    @rule(where=channel_choices, user=people, by_player=mostly_true)
    def undo(self, where: int, user: int, by_player: bool) -> None:
        """Take back a turn, or ask for it."""
        channel = self._where(where)
        user = self._player(channel, user) if by_player else user
        self._same(
            lambda: self.model.ask_undo(channel, user), undos_of(self.services).ask(channel, user)
        )

    @precondition(lambda self: self.model.undos)
    @rule(back=st.integers(0, 3), user=people, by_other=mostly_true, agrees=mostly_true)
    def answer_undo(self, back: int, user: int, by_other: bool, agrees: bool) -> None:
        """Answer one of the latest requests."""
        number = max(1, len(self.model.undos) - back)
        asked = self.model.undos[number]
        self._touched.add(self.model.games[asked.game].requested.channel)
        if by_other:
            user = self.model.games[asked.game].other(asked.asker) or user
        undos = undos_of(self.services)
        answer = undos.accept if agrees else undos.decline
        self._same(
            lambda: self.model.answer_undo(number, user, agrees=agrees), answer(number, user)
        )

    @rule(where=channel_choices, user=people, by_player=mostly_true)
    def draw(self, where: int, user: int, by_player: bool) -> None:
        """Offer a draw, or accept one."""
        channel = self._where(where)
        user = self._player(channel, user) if by_player else user
        self._same(
            lambda: self.model.offer_draw(channel, user), draws_of(self.services).ask(channel, user)
        )

    @precondition(lambda self: self.model.draws)
    @rule(back=st.integers(0, 3), user=people, by_other=mostly_true, agrees=mostly_true)
    def answer_draw(self, back: int, user: int, by_other: bool, agrees: bool) -> None:
        """Answer one of the latest draw offers."""
        number = max(1, len(self.model.draws) - back)
        asked = self.model.draws[number]
        self._touched.add(self.model.games[asked.game].requested.channel)
        if by_other:
            user = self.model.games[asked.game].other(asked.asker) or user
        draws = draws_of(self.services)
        answer = draws.accept if agrees else draws.decline
        self._same(
            lambda: self.model.answer_draw(number, user, agrees=agrees), answer(number, user)
        )

    def teardown(self) -> None:
        """Count how proposals were answered, and close the program."""
        self.seen.update(f"undo: {asked.answer}" for asked in self.model.undos.values())
        self.seen.update(f"draw: {asked.answer}" for asked in self.model.draws.values())
        super().teardown()

    def _questions(self) -> list[tuple[dict[int, Question], Callable[[int], Awaitable[Any]]]]:
        undos, draws = undos_of(self.services).stored, draws_of(self.services).stored
        own = [(self.model.undos, undos.find), (self.model.draws, draws.find)]
        return [*own, *super()._questions()]

    async def _lapse(self) -> None:
        await super()._lapse()
        await undos_of(self.services).lapse()
        await draws_of(self.services).lapse()


def test_random_sequences_agree_with_the_model(migrated: Path) -> None:
    """In random sequences only due refusals are raised, and all games equal the model's."""
    seen = run_sequences(migrated, count=4, steps=25, machine=ProposalMachine, is_repeatable=True)
    assert seen[""] > 25
    proposed = (times for what, times in seen.items() if what.startswith(("undo", "draw")))
    assert sum(proposed) > 5
