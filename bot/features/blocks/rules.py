"""Who may block whom, and what the two people read then; does not depend on Discord."""

from __future__ import annotations

from collections.abc import Mapping

from bot.features.blocks.store import BlockStore
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.sessions.people import Objection
from bot.show.texts import csv_text, csv_time


class Blocks:
    """Blocks and unblocks people."""

    def __init__(self, stored: BlockStore, clock: Clock) -> None:
        """Keep blocks in `stored`, with times of `clock`."""
        self._stored = stored
        self._clock = clock

    async def block(self, user_id: int, other_id: int) -> None:
        """Let a person block another one; refused for oneself."""
        if user_id == other_id:
            raise Refusal("block_self")
        await self._stored.add(user_id, other_id, self._clock())

    async def unblock(self, user_id: int, other_id: int) -> bool:
        """Let a person unblock another one; False if they had not blocked them."""
        return await self._stored.remove(user_id, other_id)

    async def objection(self, user_id: int, other_id: int) -> Objection | None:
        """Why the first of two people cannot ask the second one to play; None without a block.

        If both block each other, a person reads about their own block first.
        """
        blockers = await self._stored.blockers(user_id, other_id)
        if user_id in blockers:
            return Objection(user_id, Refusal("you_block", person=other_id))
        if other_id in blockers:
            # It does not say that they are blocked.
            return Objection(other_id, Refusal("takes_no_challenges", person=other_id, play=True))
        return None


FIELDS = ("person", "since")


async def block_files(stored: BlockStore, user_id: int) -> Mapping[str, str]:
    """A file with whom a person blocks, by their ids on Discord; empty without blocks."""
    found = await stored.of(user_id)
    rows = [{"person": one.blocked, "since": csv_time(one.since)} for one in found]
    return {"blocks.csv": csv_text(FIELDS, rows)} if rows else {}
