"""The rules of votes: on the moves of a channel that plays, and on who wins a game that is watched.

Each ends when its time is up. On a move that runs from the first vote, so a channel in which nobody
is does nothing; on who wins from the start, and with its end the game begins. A vote is stored
before it is acknowledged; what most have voted for is then played and stored like any move, by the
process whose game it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.database.errors import isolated
from bot.features.voting.store import Votes
from bot.game.clocks import Clock
from bot.game.refusal import OutdatedControl, Refusal, TooLate
from bot.game.session import Ballot, Session
from bot.game.setup import Control
from bot.sessions.running import MovedOn, RunningGames
from bot.sessions.sessions import refusing
from bot.show.export import csv_text, csv_time
from bot.store.games import MoveTaken
from bot.store.records import GivenVote, VoteRecord
from bot.store.tables import THE_RESULT


@dataclass(frozen=True, slots=True)
class Request:
    """A vote that somebody gives, by a command or a button."""

    channel_id: int
    user_id: int
    text: str
    """The move, as players write it; of a result the side that wins, 0 for neither."""
    family: str | None = None
    """The family of games that the command is for; None for any."""
    control: Control | None = None
    """The move that the used button was made for, if a button was used."""
    is_late: Callable[[], bool] = lambda: False
    """Whether it is too late to take the vote, asked just before it is stored."""


class Voting:
    """Takes votes and decides them; knows nothing of Discord."""

    def __init__(self, votes: Votes, games: RunningGames, owner_id: str, clock: Clock) -> None:
        """Keep `votes` on `games` of the process `owner_id`, by `clock`."""
        self._votes = votes
        self._games = games
        self._owner = owner_id
        self._clock = clock

    async def vote(self, request: Request) -> Session:
        """Take somebody's vote in place of the one they gave before; anybody may vote.

        Raises:
            OutdatedControl: The control belongs to another game or an earlier move.
            Refusal: The channel's game is not one in which the channel is to move now, or the text
                is no legal move. Nothing has changed.
            TooLate: It was; nothing has changed.
        """
        return await self._games.changing(request.channel_id, lambda: self._vote(request))

    async def guess(self, game_id: int, request: Request) -> Session:
        """Take what somebody says of who wins a watched game: the side, or 0 for neither.

        Raises:
            Refusal: The game has begun or is over. Nothing has changed.
            TooLate: It was; nothing has changed.
        """

        async def guess() -> Session:
            session, ballot = await self._unbegun(request.channel_id, game_id)
            vote = VoteRecord(THE_RESULT, request.user_id, request.text, self._clock())
            return await self._take(session, ballot, vote, request)

        return await self._games.changing(request.channel_id, guess)

    async def begin(
        self, channel_id: int, user_id: int, game_id: int, *, moderator: bool
    ) -> Session:
        """Begin a watched game before its time; only who started it or a moderator can."""

        async def begin() -> Session:
            session, ballot = await self._unbegun(channel_id, game_id)
            if session.started_by != user_id and not moderator:
                assert ballot.until is not None
                raise Refusal("begin_not_yours", until=ballot.until)
            return await self._close(session, ballot)

        return await self._games.changing(channel_id, begin)

    async def settle(self, session: Session, now: float) -> Session | None:
        """Play what most have voted for, or begin a watched game, if time is up by `now`.

        Returns the game as it is then; None if it is not. The game's lock must be held.
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
        """Take somebody out of all votes that are under way."""
        for given in await self._votes.of(user_id):
            if given.is_running:
                with isolated("vote to withdraw in game", given.game_id):
                    await self._games.changing(given.channel_id, partial(self._withdraw, given))

    async def _vote(self, request: Request) -> Session:
        session = await self._games.present(request.channel_id, request.family)
        control, ballot = request.control, session.ballot
        if control is not None and (session.id, session.number) != (
            control.game_id,
            control.number,
        ):
            raise OutdatedControl
        if not session.awaits_channel or ballot is None:
            raise Refusal("cuatro_thinking" if session.is_channels else "moved_on")
        with refusing(request.text):
            move = session.game.parse(request.text)
            session.position.play(move)
        choice = session.game.label(move)
        vote = VoteRecord(session.number, request.user_id, choice, self._clock())
        return await self._take(session, ballot, vote, request)

    async def _unbegun(self, channel_id: int, game_id: int) -> tuple[Session, Ballot]:
        """A watched game that has not begun, with its votes; refused if there is none."""
        session = await self._games.require_running(channel_id, game_id)
        if not session.awaits_guesses or session.ballot is None:
            raise Refusal("has_begun")
        return session, session.ballot

    async def _take(
        self, session: Session, ballot: Ballot, vote: VoteRecord, request: Request
    ) -> Session:
        """Store a vote, unless it is the one that this person has given already."""
        present = ballot.vote_of(vote.user_id, vote.number)
        if present is not None and present.choice == vote.choice:
            return session
        if request.is_late():
            raise TooLate
        until = vote.at + ballot.seconds
        following = _with(session, ballot.with_vote(vote, until))
        try:
            await self._votes.cast(
                session.id,
                vote,
                made=len(session.moves),
                until=until,
                look_at=following.look_at,
                owner=self._owner,
            )
        except MoveTaken as error:
            raise MovedOn from error
        return self._games.keep(following)

    async def _withdraw(self, given: GivenVote) -> None:
        present, vote = await self._games.current(given.channel_id), given.vote
        if present is None or present.id != given.game_id or present.ballot is None:
            return
        if vote not in present.ballot.votes:
            return
        following = _with(present, present.ballot.without(vote))
        assert following.ballot is not None
        try:
            await self._votes.withdraw(
                present.id,
                vote,
                made=len(present.moves),
                at=self._clock(),
                until=following.ballot.until,
                look_at=following.look_at,
                owner=self._owner,
            )
        except MoveTaken as error:
            raise MovedOn from error
        self._games.keep(following)

    async def _close(self, session: Session, ballot: Ballot) -> Session:
        """End a vote without a move; a game that is watched begins then."""
        at, following = self._clock(), _with(session, ballot.closed())
        if session.is_watched:
            following = replace(following, paused=max(0.0, at - session.last_at()))
        try:
            await self._votes.close(
                session.id,
                at,
                made=len(session.moves),
                paused=following.paused,
                look_at=following.look_at,
                owner=self._owner,
            )
        except MoveTaken as error:
            raise MovedOn from error
        return self._games.keep(following)


def _with(session: Session, ballot: Ballot) -> Session:
    return replace(session, ballot=ballot, asides=session.asides + 1)


VOTE_FIELDS = ("game", "family", "number", "choice", "at")


def votes_as_csv(votes: Sequence[GivenVote]) -> str:
    """One line a vote, after a line with the names of the fields; 0 is the number of a result."""
    return csv_text(
        VOTE_FIELDS,
        (
            {
                "game": given.game_id,
                "family": given.family,
                "number": given.vote.number,
                "choice": given.vote.choice,
                "at": csv_time(given.vote.at),
            }
            for given in votes
        ),
    )
