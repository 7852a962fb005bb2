"""Undos and draws that the two people of a game agree on, and swaps of sides by the pie rule.

A proposal can be answered until the game changes; then it lapses. The same rules apply whether or
not another person has to agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from bot.database.database import Database
from bot.database.errors import isolated
from bot.features.proposals.store import (
    DrawRow,
    NewProposal,
    Proposal,
    ProposalRepository,
    UndoRow,
    swap_sides,
)
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.rated import MIN_MOVES
from bot.sessions.endings import has_begun
from bot.sessions.people import Limiter
from bot.sessions.running import ChannelPlays, MovedOn, NotYourGame, RunningGames, require_family
from bot.sessions.sessions import Sessions
from bot.shards import Shards
from bot.store.games import MoveTaken
from bot.store.people import RequestAnswered
from bot.store.records import Place
from bot.store.store import Store
from engine.core.game import Player

ProposalResult = tuple[Session, Proposal | None]
"""The game after a request, and the proposal that was made or accepted; None if no agreement was
needed."""


class Proposals(ABC):
    """Proposals of one kind: one person of a game asks, the other one answers."""

    kind: ClassVar[str]
    """`undo` or `draw`: how the keys of texts and refusals begin."""
    table: ClassVar[type]
    replaces: ClassVar[bool] = False
    """Whether a newer proposal in a game makes those before it lapse."""

    is_brief: ClassVar[bool] = False
    """Whether a declined proposal is deleted with the next move."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        clock: Clock,
        limiter: Limiter,
        *,
        shards: Shards | None = None,
    ) -> None:
        """Keep proposals in `store`, timed by `clock`; change games in `sessions`.

        `limiter` counts them. Those of `shards` lapse here, or with None all.
        """
        self.stored = ProposalRepository(store.database, self.table)
        self._store = store
        self._sessions, self._games = sessions, sessions.games
        self._clock = clock
        self._limiter = limiter
        self._shards = shards

    @abstractmethod
    async def ask(self, channel_id: int, user_id: int, family: str | None = None) -> ProposalResult:
        """Do what a person asks for, or propose it to the other one.

        Refused if the channel's game is not of `family`.
        """

    async def accept(self, proposal_id: int, user_id: int) -> Session:
        """Do what was proposed; only the other person of the game can accept it."""
        proposal, session = await self._answerable(proposal_id, user_id)

        def require(present: Session) -> None:
            if not still_applies(proposal, present):
                raise self._lapsed()

        return await self._carry_out(proposal, session.channel_id, require)

    async def decline(self, proposal_id: int, user_id: int) -> Session:
        """Decline a proposal and leave the game as it is; only the other person can."""
        _, session = await self._answerable(proposal_id, user_id)
        if not await self.stored.answer(proposal_id, "declined"):
            raise self._lapsed()
        return session

    async def lapse(self) -> list[Proposal]:
        """Close and return the proposals that can no longer be answered."""
        lapsed = []
        for proposal in await self.stored.open(shards=self._shards):
            with isolated(f"{self.kind} to lapse", proposal.id):
                session = await self._games.find_readable(proposal.request.game_id)
                is_over = not await self._is_open(proposal, session)
                if is_over and await self.stored.answer(proposal.id, "lapsed"):
                    lapsed.append(replace(proposal, answer="lapsed"))
        return lapsed

    @abstractmethod
    async def _carry_out(
        self, proposal: Proposal, channel_id: int, require: Callable[[Session], None]
    ) -> Session:
        """Do what was proposed and note that it was accepted, unless `require` refuses."""

    async def _add(self, session: Session, user_id: int, remaining: int | None = None) -> Proposal:
        """Store a new proposal to the other person, if the limit allows it."""
        made, at, other = len(session.moves), self._clock(), other_of(session, user_id)
        assert other is not None
        request = NewProposal(session.id, user_id, made, session.undos, at, remaining)
        with self._limiter.quota_for(f"{self.kind}s", user_id, other) as quota:
            return await self.stored.add(request, quota)

    async def _answerable(self, proposal_id: int, user_id: int) -> tuple[Proposal, Session]:
        """An open proposal and its game; refused unless this person is the one to answer it."""
        proposal = await self.stored.find(proposal_id)
        if proposal is None:
            raise self._lapsed()
        session = await self._games.find_readable(proposal.request.game_id)
        if session is None or not await self._is_open(proposal, session):
            raise self._lapsed()
        if user_id != other_of(session, proposal.request.asker):
            raise Refusal(f"not_your_{self.kind}")
        return proposal, session

    async def _is_open(self, proposal: Proposal, session: Session | None) -> bool:
        """Whether a proposal in a game can still be answered."""
        if proposal.answer is not None or not still_applies(proposal, session):
            return False
        if not self.replaces:
            return True
        waiting = await self.stored.open(proposal.request.game_id)
        return bool(waiting) and waiting[-1].id == proposal.id

    def _lapsed(self) -> Refusal:
        return Refusal(f"{self.kind}_lapsed")


class Undos(Proposals):
    """Takes turns back, at once or when the other person agrees."""

    kind, table, replaces, is_brief = "undo", UndoRow, True, True

    async def ask(self, channel_id: int, user_id: int, family: str | None = None) -> ProposalResult:
        """Take back a person's last turn, with everything after it, or ask the other person to."""
        session = await self._games.current(channel_id)
        if session is None:
            raise await self._why_no_game(channel_id, user_id)

        def remaining(present: Session) -> int:
            require_family(present, family)
            return remaining_after(present, user_id)

        remains, other = remaining(session), other_of(session, user_id)
        if other is None:
            return await self._sessions.take_back(channel_id, remaining), None
        if await self._is_declined(session, user_id, remains):
            raise Refusal("undo_declined", person=other)
        return session, await self._add(session, user_id, remains)

    async def _is_declined(self, session: Session, user_id: int, remains: int) -> bool:
        """Whether the other person has already declined to take back the same turn.

        The turn is another one if an undo since then has removed it.
        """
        answered = await self.stored.answered(session.id)
        removals = [
            one.request.undos
            for one in answered
            if one.answer == "accepted" and (one.request.remaining or 0) <= remains
        ]
        return any(
            one.answer == "declined"
            and (one.request.asker, one.request.remaining) == (user_id, remains)
            and all(removal < one.request.undos for removal in removals)
            for one in answered
        )

    async def _carry_out(
        self, proposal: Proposal, channel_id: int, require: Callable[[Session], None]
    ) -> Session:
        def remaining(present: Session) -> int:
            require(present)
            assert proposal.request.remaining is not None
            return proposal.request.remaining

        # Accepted in the transaction of the undo, so that either both happen or neither.
        accepting = self.stored.acceptance(proposal.id)
        try:
            return await self._sessions.take_back(channel_id, remaining, also=accepting)
        except RequestAnswered as error:
            raise self._lapsed() from error

    async def _why_no_game(self, channel_id: int, user_id: int) -> Refusal:
        """The refusal for a person in whose channel no game is running."""
        game_id = await self._store.games.latest_in(channel_id)
        session = None if game_id is None else await self._games.find_readable(game_id)
        if session is None or user_id not in session.people:
            return await self._games.no_game(channel_id)
        return Refusal("undo_over")


class Draws(Proposals):
    """Ends games as draws that their two people agree on."""

    kind, table = "draw", DrawRow

    async def ask(self, channel_id: int, user_id: int, family: str | None = None) -> ProposalResult:
        """Offer a draw, or accept the other person's offer.

        Refused where no other person plays, where the game has hardly begun, where an offer of this
        person is open, and where one was declined and nothing has happened since.
        """
        session = await self._games.require_seated(channel_id, user_id, family)
        if other_of(session, user_id) is None:
            raise Refusal("draw_nobody")
        if not has_begun(session):
            raise Refusal("draw_early", moves=MIN_MOVES)
        waiting = await self.stored.open(session.id)
        offered = next((draw for draw in waiting if still_applies(draw, session)), None)
        if offered is None:
            latest = await self.stored.latest(session.id, user_id)
            if latest and latest.answer == "declined" and still_applies(latest, session):
                raise Refusal("draw_declined")
            return session, await self._add(session, user_id)
        if offered.request.asker == user_id:
            place = Place(session.guild_id, session.channel_id, offered.message_id)
            raise Refusal("draw_open", link=place)
        ended = await self.accept(offered.id, user_id)
        return ended, replace(offered, answer="accepted")

    async def _carry_out(
        self, proposal: Proposal, channel_id: int, require: Callable[[Session], None]
    ) -> Session:
        # The game first: if the bot stops in between, the offer lapses as the game is over.
        ended = await self._sessions.agree(channel_id, require)
        await self.stored.answer(proposal.id, "accepted")
        return ended


@dataclass(frozen=True, slots=True)
class Swaps:
    """Lets second players take the other side instead of making their first move.

    A swap is final. The game's row records the new seats, so its result counts for the person who
    sits there from then on; its moves do not change.
    """

    database: Database
    games: RunningGames
    owner_id: str
    """The process that owns the games."""
    clock: Clock

    async def swap(self, channel_id: int, user_id: int, game_id: int) -> Session:
        """Let a person take the other side.

        Refused if it is not their turn in this game, if it is too late, or without the pie rule.
        """

        async def swap() -> Session:
            await self.games.require_running(channel_id, game_id)
            session = await self.games.require_turn_of(channel_id, user_id)
            if not session.may_swap:
                raise Refusal("swap_over")
            following = session.swapped(self.clock())
            assert following.swapped_at is not None
            try:
                await swap_sides(
                    self.database,
                    session.id,
                    following.swapped_at,
                    made=len(session.moves),
                    look_at=following.due_at,
                    owner=self.owner_id,
                )
            except MoveTaken as error:
                raise MovedOn from error
            return self.games.keep(following)

        return await self.games.apply_change(channel_id, swap)


def remaining_after(session: Session, user_id: int) -> int:
    """How many moves remain once a person's last turn is taken back; refused if none can be."""
    if session.is_channel_game:
        raise ChannelPlays
    if session.is_watched:
        raise Refusal("undo_watched")
    if user_id not in session.people:
        raise NotYourGame(session)
    # A person who plays both sides takes back the latest turn, whichever side made it.
    mine = [player for player in Player if session.seat(player).user_id == user_id]
    turns = [
        before
        for player in mine
        if (before := session.before_turn_of(player)) is not None
        and before >= session.setup.opening
    ]
    opening = session.opening_moves if session.swapped_at is not None else 0
    if opening and not any(before >= opening for before in turns):
        raise Refusal("undo_swapped")
    if not turns:
        raise Refusal("undo_nothing")
    return max(turns)


def other_of(session: Session, user_id: int) -> int | None:
    """The other person of a game, if there is one."""
    return next((other for other in session.people if other != user_id), None)


def still_applies(proposal: Proposal, present: Session | None) -> bool:
    """Whether a game is still as it was when something was proposed."""
    request = proposal.request
    if present is None or present.is_over or present.id != request.game_id:
        return False
    if present.swapped_at is not None and request.asked_at <= present.swapped_at:
        return False
    return (request.undos, request.made) == (present.undos, len(present.moves))
