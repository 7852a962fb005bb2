"""Turns that take too long: people are warned, then lose on time; agents are asked again.

Votes end here too: what most have voted for is played.

Every running game knows when it must next be looked at; one alarm rings for the earliest of them.
For a game in which an agent is to move, that is the time by which it must have: whatever became of
its move, and of the process that was to make it, the row is found.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace

from bot.play.endings import run_out
from bot.play.ownership import Ownership
from bot.play.presence import Presence
from bot.play.running import MovedOn
from bot.play.sessions import Sessions
from bot.play.voting import Voting
from bot.store import Store, Unavailable
from bot.table.clocks import Clock
from bot.table.session import ANSWER_SECONDS, Session

logger = logging.getLogger(__name__)

LONGEST_SILENCE = 60.0
"""Seconds until an agent is asked again, at most: the longer it has been silent, the longer."""


FIRST_RETRY, LONGEST_RETRY = 5.0, 600.0
"""Seconds until a game that could not be looked at is tried again, doubled up to the longest."""


@dataclass(slots=True)
class Looked:
    """What a look at the due games has found, for the code that shows games to act on."""

    ended: list[Session] = field(default_factory=list)
    """Games that have just been lost on time, or stopped."""
    warned: list[Session] = field(default_factory=list)
    """Games in which the person to move is to be warned."""
    decided: list[Session] = field(default_factory=list)
    """Games in which a vote has just ended."""
    overdue: list[Session] = field(default_factory=list)
    """Games in which an agent should have moved long ago."""


class TurnTimer:
    """Looks at the games that are due; knows nothing of Discord."""

    def __init__(
        self,
        store: Store,
        games: Sessions,
        ownership: Ownership,
        clock: Clock,
        presence: Presence,
        voting: Voting,
    ) -> None:
        """Look at the running `games` of `ownership` in `store`, by `clock`.

        `presence` knows of absences, and `voting` decides votes.
        """
        self._voting = voting
        self._presence = presence
        self._ownership = ownership
        self._store = store
        self._games = games
        self._clock = clock
        self._failures: dict[int, int] = {}

    async def look(self) -> Looked:
        """Look at every game that is due, and set when each is due next, if ever.

        A game that cannot be looked at is logged once and looked at again after growing pauses. It
        keeps no other waiting.
        """
        await self._presence.settle()
        looked = Looked()
        for due in await self._store.games.to_look_at(self._clock(), self._ownership.owner):
            try:
                async with self._games.lock(due.channel_id):
                    # Meanwhile a move may have come after all, or another game may have begun here.
                    present = await self._games.held(due.channel_id)
                    if present is not None and present.id == due.id:
                        await self._look_at(present, looked)
                self._failures.pop(due.id, None)
            except MovedOn:
                pass  # it is another process's now, which looks at it
            except Unavailable:
                raise
            except Exception as error:  # noqa: BLE001  # it is logged, and keeps no other waiting
                await self._put_off(due.id, error)
        return looked

    async def next_look(self) -> float | None:
        """When the next game is due; None if none is."""
        return await self._store.games.next_look(self._ownership.owner)

    async def _put_off(self, game_id: int, error: Exception) -> None:
        """Look at a game later that could not be looked at."""
        failures = self._failures[game_id] = self._failures.get(game_id, 0) + 1
        if failures == 1:
            logger.error("game %s is due and could not be looked at", game_id, exc_info=error)
        pause = min(FIRST_RETRY * 2 ** min(failures - 1, 10), LONGEST_RETRY)
        await self._store.games.look_again(game_id, self._clock() + pause)

    async def _look_at(self, session: Session, looked: Looked) -> None:
        now, countdown = self._clock(), session.countdown
        if session.ballot is not None and session.ballot.until is not None:
            if session.ballot.until <= now:
                looked.decided.append(await self._voting.decide(session))
            else:
                await self._look_later(session, session.look_at)
        elif session.awaits_agent:
            if self._games.is_answering(session):
                return  # and it does not give up; nothing is written while it is busy
            if now < session.turn_began + ANSWER_SECONDS:
                await self._look_later(session, session.look_at)
                return
            looked.overdue.append(session)
            await self._look_later(session, now + _patience(now - session.turn_began))
        elif countdown is None or now < countdown.warning:
            await self._look_later(session, session.look_at)
        elif countdown.deadline <= now:
            looked.ended.append(await self._games.finish(session, run_out(session, now)))
        elif session.is_warned or session.awaits_channel:
            await self._look_later(session, session.look_at)
        else:
            looked.warned.append(await self._warn(session, now))

    async def _warn(self, session: Session, now: float) -> Session:
        """Record that the person to move is being warned.

        This is stored before the warning is sent: a crash may lose a warning, but nobody is warned
        twice for the same move.
        """
        warned = replace(session, reminded_at=now)
        if not await self._store.games.note_reminder(
            session.id, session.last_at(), now, look_at=warned.look_at, owner=self._ownership.id
        ):
            raise MovedOn
        return self._games.keep(warned)

    async def _look_later(self, session: Session, at: float | None) -> None:
        await self._store.games.set_look(
            session.id, at, expecting_moves=len(session.moves), owner=self._ownership.id
        )


def _patience(silence: float) -> float:
    """Seconds until an agent that has been silent for so long is asked once more."""
    return min(max(silence / 2, ANSWER_SECONDS / 2), LONGEST_SILENCE)
