"""The agents' answers that are due, from what is stored."""

from __future__ import annotations

from bot.play.isolation import isolated
from bot.play.ownership import Ownership
from bot.play.turn_timer import LONGEST_SILENCE
from bot.store import GameRecord, Store
from bot.table.clocks import Clock
from bot.table.reading import UnreadableGame, read_game
from bot.table.session import Session


class AnswersDue:
    """How long this process's games have been waiting for their agents."""

    def __init__(self, store: Store, ownership: Ownership, clock: Clock, watch_pace: float) -> None:
        """Read the games of `ownership` from `store`.

        Time counts from now, as nobody could answer while the bot was down.

        `watch_pace` are the seconds for which a watched game rests between two moves.
        """
        self._store = store
        self._ownership = ownership
        self._clock = clock
        self._pace = watch_pace
        self._since = clock()

    async def waiting(self) -> list[float]:
        """For each answer that is due, the seconds since when."""
        now = self._clock()
        # A game in which an agent is to move is always looked at again within these seconds.
        due = await self._store.games.to_look_at(now + LONGEST_SILENCE, self._ownership.owner)
        found = []
        for one in due:
            with isolated("game to look for a due answer in", one.id):
                found.append(await self._store.games.find(one.id))
        waiting = []
        for record in found:
            with isolated("game to look for a due answer in", record and record.id):
                session = record and _session(record)
                if session and session.awaits_agent:
                    waiting.append(self._seconds(session, now))
        return waiting

    def _seconds(self, session: Session, now: float) -> float:
        rests = self._pace if session.is_watched else 0.0
        return max(0.0, now - max(self._since, session.turn_began) - rests)


def _session(record: GameRecord) -> Session | None:
    """A game; None for one that cannot be read, which the timer ends."""
    try:
        return read_game(record)
    except UnreadableGame:
        return None
