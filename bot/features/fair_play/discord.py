"""Games that wait for a rated game: the line of their boards, and the look at them."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.database.errors import isolated
from bot.discord.background import Task
from bot.feature import Core
from bot.features.fair_play.store import FairPlayStore
from bot.game.session import Session
from bot.i18n import Translator
from bot.show.board_text import partner_of, short_name
from bot.show.scenes import Names

EVERY = 10.0
"""Seconds between two looks at the games that wait or may have to."""


async def board_line(session: Session, names: Names, say: Translator) -> str | None:
    """That a person's game waits for their rated one; None for other games."""
    partner = partner_of(session) if session.is_held else None
    if partner is None:
        return None
    return say("fair_play.line", name=short_name(names[partner]))


@dataclass(slots=True)
class Waits:
    """Lets games wait and go on, whichever process plays the rated games."""

    core: Core
    stored: FairPlayStore
    _seen: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The states in which each game was looked at last."""

    @property
    def task(self) -> Task:
        """Looks at the games from time to time."""
        return Task("fair play", EVERY, self.look)

    async def look(self) -> None:
        """Let games wait that have become related to a rated one, and go on where that is over."""
        if not self.core.client.is_ready():
            return
        found = await self.stored.candidates(self.core.ownership.owner)
        seen, self._seen = self._seen, {one.id: one.states for one in found}
        for one in found:
            if one.is_held or seen.get(one.id) != one.states:
                with isolated("game that may have to wait", one.id):
                    changed = await self.core.sessions.holding.check(one.channel_id, one.id)
                    if changed is not None:
                        await self.core.runner.continue_game(changed)
