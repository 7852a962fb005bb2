"""Random sequences of actions, with deletions of people among them."""

from __future__ import annotations

from pathlib import Path

from hypothesis.stateful import rule

from tests.bot.features.privacy.erasing import erasure
from tests.bot.sessions.table_machine import TableMachine, people, rarely_true, run_sequences
from tests.bot.sessions.table_steps import CHANNELS


class DeletingMachine(TableMachine):
    """A machine in which people also have their data deleted."""

    @rule(user=people, is_meant=rarely_true)
    def forget(self, user: int, is_meant: bool) -> None:
        """Delete all data of a person, which is a rare step."""
        if not is_meant:
            return
        self._touched.update(CHANNELS)
        found = erasure(self.services)

        async def both() -> None:
            await found.resign_all(user)
            await found.forget(user)

        self._same(lambda: self.model.forget(user), both())


def test_deletions_agree_with_the_model(migrated: Path) -> None:
    """After any sequence of actions, a deletion leaves what the plain model leaves."""
    seen = run_sequences(migrated, count=3, steps=25, is_repeatable=True, machine=DeletingMachine)
    assert seen[""] > 20
