"""Random sequences of what people do in which people have themselves deleted now and then."""

from __future__ import annotations

from pathlib import Path

from hypothesis.stateful import rule

from tests.bot.features.privacy.erasing import erasure
from tests.bot.sessions.table_machine import TableMachine, people, run_sequences, seldom
from tests.bot.sessions.table_steps import CHANNELS


class DeletingMachine(TableMachine):
    """People have what is stored about them deleted, as well."""

    @rule(user=people, is_meant=seldom)
    def forget(self, user: int, is_meant: bool) -> None:
        """Have everything deleted that is stored about oneself, which few ask for."""
        if not is_meant:
            return
        self._touched.update(CHANNELS)
        found = erasure(self.services)

        async def both() -> None:
            await found.give_up(user)
            await found.forget(user)

        self._same(lambda: self.model.forget(user), both())


def test_deletions_agree_with_the_model(migrated: Path) -> None:
    """After any sequence of actions, a deletion leaves what the plain model leaves."""
    seen = run_sequences(migrated, count=6, steps=25, is_repeatable=True, machine=DeletingMachine)
    assert seen[""] > 40
