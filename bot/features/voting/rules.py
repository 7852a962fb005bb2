"""The rules of votes: on the moves of a channel that plays, and on the winner of a watched game.

A vote on a move ends some time after the first vote is given, so nothing happens in a channel
without votes; one on the winner runs from the start, and the game begins when it ends. A vote is
stored before it is acknowledged. The choice with most votes is played and stored like any move, by
the process that owns the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from bot.database.errors import isolated
from bot.features.voting.store import Votes
from bot.game.clocks import Clock
from bot.game.refusal import Control, OutdatedControl, Refusal, TooLate
from bot.game.session import Ballot, Session
from bot.sessions.running import MovedOn, RunningGames
from bot.sessions.sessions import refusing
from bot.show.texts import csv_text, csv_time
from bot.store.games import MoveTaken
from bot.store.records import GivenVote, VoteRecord
from bot.store.tables import THE_RESULT


class Voting:
    """Takes votes and decides them; does not depend on Discord."""

    def __init__(self, votes: Votes, games: RunningGames, owner_id: str, clock: Clock) -> None:
        """Keep `votes` on `games` of the process `owner_id`, by `clock`."""
        self._votes = votes
        self._games = games
        self._owner = owner_id
        self._clock = clock

    async def vote(
        self,
        channel_id: int,
        user_id: int,
        text: str,
        *,
        family: str | None = None,
        control: Control | None = None,
        is_late: Callable[[], bool] = lambda: False,
    ) -> Session:
        """Take a vote on a move in place of the person's earlier one; see `Sessions.play`.

        All people may vote. Refused if the channel is not to move now, or the text is no legal
        move.
        """

        async def vote() -> Session:
            session = await self._games.require_current(channel_id, family)
            ballot = session.ballot
            if control is not None and control != Control(session.id, session.number):
                raise OutdatedControl(session.place)
            if not session.awaits_channel or ballot is None:
                raise Refusal("cuatro_thinking" if session.is_channel_game else "moved_on")
            with refusing(text):
                move = session.game.parse(text)
                session.position.play(move)
            choice = session.game.label(move)
            vote = VoteRecord(session.number, user_id, choice, self._clock())
            return await self._take(session, ballot, vote, is_late)

        return await self._games.apply_change(channel_id, vote)

    async def guess(
        self,
        channel_id: int,
        user_id: int,
        game_id: int,
        choice: str,
        is_late: Callable[[], bool] = lambda: False,
    ) -> Session:
        """Take a person's vote on the winner of a watched game: a side, or 0 for a draw.

        Refused if the game has begun or is over; raises TooLate. Then nothing has changed.
        """

        async def guess() -> Session:
            session, ballot = await self._unbegun(channel_id, game_id)
            vote = VoteRecord(THE_RESULT, user_id, choice, self._clock())
            return await self._take(session, ballot, vote, is_late)

        return await self._games.apply_change(channel_id, guess)

    async def begin(
        self, channel_id: int, user_id: int, game_id: int, *, moderator: bool
    ) -> Session:
        """Begin a watched game early; only its starter or a moderator can."""

        async def begin() -> Session:
            session, ballot = await self._unbegun(channel_id, game_id)
            if session.setup.started_by != user_id and not moderator:
                assert ballot.until is not None
                raise Refusal("begin_not_yours", until=ballot.until)
            return await self._close(session, ballot)

        return await self._games.apply_change(channel_id, begin)

    async def settle(self, session: Session, now: float) -> Session | None:
        """Play the move with most votes, or begin a watched game, if time is up by `now`.

        Returns the game afterwards, None if time is not up. The game's lock must be held.
        """
        ballot = session.ballot
        if ballot is None or ballot.until is None or ballot.until > now:
            return None
        leader = ballot.leader(session.number)
        if leader is None or session.is_watched:
            return await self._close(session, ballot)
        move = session.game.parse(leader)
        return await self._games.append(session, session.after(move, self._clock()))

    async def withdraw_all(self, user_id: int) -> None:
        """Withdraw a person's votes from all games that are running."""
        for given in await self._votes.of(user_id):
            if given.is_running:
                with isolated("vote to withdraw in game", given.game_id):
                    await self._games.apply_change(given.channel_id, partial(self._withdraw, given))

    async def _unbegun(self, channel_id: int, game_id: int) -> tuple[Session, Ballot]:
        """A watched game that has not begun, with its votes; refused if there is none."""
        session = await self._games.require_running(channel_id, game_id)
        if not session.awaits_guesses or session.ballot is None:
            raise Refusal("has_begun")
        return session, session.ballot

    async def _take(
        self, session: Session, ballot: Ballot, vote: VoteRecord, is_late: Callable[[], bool]
    ) -> Session:
        """Store a vote, unless the person has already given the same one."""
        present = ballot.vote_of(vote.user_id, vote.number)
        if present is not None and present.choice == vote.choice:
            return session
        if is_late():
            raise TooLate
        following = ballot.with_vote(vote, vote.at + ballot.seconds)
        return await self._store(session, following, vote.at, cast=vote)

    async def _withdraw(self, given: GivenVote) -> None:
        present, vote = await self._games.current(given.channel_id), given.vote
        if present is None or present.id != given.game_id or present.ballot is None:
            return
        if vote in present.ballot.votes:
            ballot = present.ballot.without(vote)
            await self._store(present, ballot, self._clock(), withdrawn=vote)

    async def _close(self, session: Session, ballot: Ballot) -> Session:
        """End a vote without a move; a watched game then begins."""
        at, paused = self._clock(), session.paused
        if session.is_watched:
            paused = max(0.0, at - session.last_at())
        return await self._store(session, ballot.closed(), at, paused=paused)

    async def _store(
        self,
        session: Session,
        ballot: Ballot,
        at: float,
        *,
        paused: float | None = None,
        **votes: VoteRecord,
    ) -> Session:
        """Store a change of the votes in a game, and keep the changed session."""
        following = replace(session, ballot=ballot, asides=session.asides + 1)
        if paused is not None:
            following = replace(following, paused=paused)
        try:
            await self._votes.change(
                session.id,
                at,
                made=len(session.moves),
                until=ballot.until,
                look_at=following.due_at,
                owner=self._owner,
                paused=paused,
                **votes,
            )
        except MoveTaken as error:
            raise MovedOn from error
        return self._games.keep(following)


VOTE_FIELDS = ("game", "family", "number", "choice", "at")


def votes_as_csv(votes: Sequence[GivenVote]) -> str:
    """A CSV file with a line for each vote; those on who wins have the number 0."""
    rows = (
        (one.game_id, one.family, one.vote.number, one.vote.choice, csv_time(one.vote.at))
        for one in votes
    )
    return csv_text(VOTE_FIELDS, (dict(zip(VOTE_FIELDS, row, strict=True)) for row in rows))
