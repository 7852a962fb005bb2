"""What players do in running games: starting, moving, resigning, taking back, agreeing.

A search works on an immutable session without holding the lock, and its result counts only if the
game has not moved on meanwhile; the moves of agents are made in `bot.sessions.answers`. The end of
a game is stored at once and rated later (`bot.sessions.settling`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from bot.game.clocks import Clock
from bot.game.refusal import OutdatedControl, Refusal, TooLate
from bot.game.session import Session
from bot.game.setup import AUTO, Control, Order
from bot.ratings.levels import current_rung
from bot.ratings.rated import LEAST_MOVES
from bot.sessions.answers import Answers
from bot.sessions.ownership import Ownership
from bot.sessions.running import MovedOn, RunningGames, require_turn
from bot.sessions.searches import Searches
from bot.sessions.settling import RatingQueue
from bot.store.games import ChannelTaken, MoveTaken
from bot.store.people import RequestAnswered
from bot.store.records import (
    ChallengeRecord,
    Ending,
    EndRecord,
    GameRecord,
    NewGameRecord,
    SeatRecord,
    TimeControl,
)
from bot.store.rows import Step
from bot.store.store import Store
from bot.telemetry import SILENT, Meter, note
from engine.core.game import IllegalMove, NotAMove, Player
from engine.strength.roster import agents_for


def has_begun(session: Session) -> bool:
    """Whether enough of a game has been played for it to count when somebody leaves."""
    return len(session.moves) >= LEAST_MOVES


def given_up(session: Session, user_id: int, *, moderator: bool, at: float) -> EndRecord:
    """The end of a game that somebody resigns or stops.

    A player who gives up loses. A moderator who is not playing stops the game without a result, as
    does the person who started a game that no person plays; anybody else is refused. A game that
    has hardly begun is called off.
    """
    side = session.side_of(user_id)
    stops = moderator or (not session.people and session.started_by == user_id)
    if side is None and not stops:
        raise Refusal("not_your_game" if session.people else "stop_not_yours")
    if side is not None and has_begun(session):
        return EndRecord(Ending.RESIGNED, int(side.other), session.not_before(at))
    return cut_short(session, at)


def run_out(session: Session, at: float) -> EndRecord:
    """The end of a game in which the side to move has run out of time.

    The other side wins, unless the game has hardly begun: then it is called off. So is a game that
    its channel has left alone; later, that is stopped.
    """
    if session.awaits_channel:
        return cut_short(session, at)
    if not has_begun(session):
        return EndRecord(Ending.ABORTED, None, session.not_before(at))
    return EndRecord(Ending.TIME, int(session.position.to_move.other), session.not_before(at))


def agreed(session: Session, at: float) -> EndRecord:
    """The end of a game whose players agree on a draw; called off if it has hardly begun."""
    ending = Ending.AGREED if has_begun(session) else Ending.ABORTED
    return EndRecord(ending, None, session.not_before(at))


def cut_short(session: Session, at: float) -> EndRecord:
    """The end, without a result, of a game that nobody can go on with."""
    ending = Ending.STOPPED if has_begun(session) else Ending.ABORTED
    return EndRecord(ending, None, session.not_before(at))


@contextmanager
def refusing(text: str) -> Iterator[None]:
    """Refuse `text` where the block finds that it is no move, or an illegal one."""
    try:
        yield
    except NotAMove as error:
        raise Refusal("not_a_move", text=text, expected=error.expected) from error
    except IllegalMove as error:
        raise Refusal(f"illegal.{error.reason}", move=error.label) from error


class Room:
    """Refuses games for which there is no room, and says what there is instead."""

    def __init__(self, store: Store, games: RunningGames, most: int) -> None:
        """Limit the running games of each person in `store`; `games` knows the channels."""
        self._store = store
        self._games = games
        self._most = most

    async def require(self, order: Order, accepting: ChallengeRecord | None = None) -> None:
        """Refuse an order where its channel has a game or somebody in it has too many.

        With `accepting` whoever was challenged asks for it, else whoever ordered it.
        """
        present = await self._games.current(order.channel_id)
        if present is not None:
            raise taken(present, order, accepting)
        asker = order.user_id if accepting is None else accepting.offer.challenged
        for user_id in dict.fromkeys((asker, order.user_id, *order.people)):
            if await self._store.games.count_running(user_id) >= self._most:
                games = await self._games.running_of(user_id)
                if len(games) < self._most:
                    continue  # The others could not be read, and have been ended.
                if user_id == asker:
                    raise Refusal("too_many_games_list", most=self._most, games=games)
                if accepting is None:
                    raise Refusal("opponent_is_busy", most=self._most, game=order.game.key)
                until = accepting.offer.expires_at
                raise Refusal("challenger_is_busy", most=self._most, until=until)


def taken(present: Session, order: Order, accepting: ChallengeRecord | None = None) -> Refusal:
    """Why nobody can begin a game where this one is running."""
    if accepting is not None:
        until = accepting.offer.expires_at
        return Refusal("channel_taken_accept", link=present.place, until=until)
    if order.user_id in present.people:
        return Refusal("channel_taken_yours", link=present.place, other=present.game.key)
    game, other = order.game.key, present.game.key
    if not present.people and order.user_id == present.started_by:
        return Refusal("channel_taken_started", link=present.place, other=other, game=game)
    return Refusal("channel_taken_link", link=present.place, game=game)


async def new_game(
    store: Store, order: Order, usual: TimeControl | None, at: float
) -> NewGameRecord:
    """The record of a new game, with the `usual` time control unless the order names one.

    Refused if there is no agent of a given name.
    """
    return NewGameRecord(
        family=order.game.key,
        variant=order.game.variant,
        channel_id=order.channel_id,
        guild_id=order.guild_id,
        locale=order.locale,
        first=await _seated(store, order, Player.FIRST, at),
        second=await _seated(store, order, Player.SECOND, at),
        auto=AUTO in (order.first.agent, order.second.agent),
        started_at=at,
        started_by=order.user_id,
        clock=order.clock or usual,
        vote_seconds=order.vote_seconds,
        pie=order.pie,
    )


def first_vote_until(opening: NewGameRecord) -> float | None:
    """When the vote ends with which a game begins: that on who wins, if two agents play it."""
    is_watched = opening.first.user_id is None and opening.second.user_id is None
    if not is_watched or opening.vote_seconds is None:
        return None
    return opening.started_at + opening.vote_seconds


async def _seated(store: Store, order: Order, side: Player, at: float) -> SeatRecord:
    wanted, opposite = (order.first, order.second)[:: 1 if side is Player.FIRST else -1]
    if wanted.agent is None:
        return wanted
    name = known_agent(order.game.key, wanted.agent)
    if name == AUTO:
        # Who watches two agents has no seat.
        seat = side.other if opposite.user_id == order.user_id else None
        name = (await current_rung(store, order.user_id, order.game, at, seat)).name
    return SeatRecord(None, name)


def known_agent(family: str, text: str) -> str:
    """The name of an agent of a game from how people write it; refused where it is nobody's."""
    name = text.strip().lower()
    if name not in (AUTO, *agents_for(family)):
        raise Refusal("no_such_agent", agent=text)
    return name


RATED_WITHIN = 1.0
"""Seconds that a new game against `auto` waits for the rating of the previous one."""

TWO_DAYS = TimeControl(48 * 3600.0)


@dataclass(frozen=True, slots=True)
class House:
    """The rules of the house, the same for every game."""

    games_per_player: int = 5
    clock: TimeControl | None = TWO_DAYS
    """The time control of games that are started without one."""


class Sessions:
    """All that players may do in the running games."""

    def __init__(
        self,
        store: Store,
        games: RunningGames,
        ownership: Ownership,
        searches: Searches,
        ratings: RatingQueue,
        *,
        clock: Clock,
        house: House,
        meter: Meter = SILENT,
    ) -> None:
        """Change the `games` of `ownership`; `house` holds the rules for every game."""
        self.games = games
        self._store = store
        self._ownership = ownership
        self._searches = searches
        self._ratings = ratings
        self._clock = clock
        self._house = house
        self._meter = meter
        self._room = Room(store, games, house.games_per_player)
        self._answers = Answers(store, games, searches, clock)

    async def start(self, order: Order, *, accepting: ChallengeRecord | None = None) -> Session:
        """Begin a game; refused if the channel has one or a player has too many.

        With `accepting`, begin the game of that challenge; refused if it is no longer open.
        """
        if AUTO in (order.first.agent, order.second.agent):
            # The previous result should count towards the choice of this opponent.
            await self._ratings.settled(order.user_id, RATED_WITHIN)
        async with self.games.turn_in(order.channel_id):
            await self._room.require(order, accepting)
            opening = await new_game(self._store, order, self._house.clock, self._clock())
            until = first_vote_until(opening)
            session = Session.from_record(
                GameRecord(0, opening, None, (), (), None, vote_until=until)
            )
            try:
                game_id = await self._store.games.add(
                    opening,
                    look_at=session.look_at,
                    accepting=None if accepting is None else accepting.id,
                    owner=self._ownership.id,
                    vote_until=until,
                )
            except ChannelTaken as error:
                present = await self.games.current(order.channel_id)
                raise (
                    taken(present, order, accepting) if present else Refusal("moved_on")
                ) from error
            except RequestAnswered as error:
                raise Refusal("challenge_over") from error
            note(game=game_id)
            self._meter.started(session.game.key)
            return self.games.keep(replace(session, id=game_id))

    async def require_room(self, order: Order) -> None:
        """Refuse an order if its channel has a game or one of its people has too many."""
        await self._room.require(order)

    async def play(
        self,
        channel_id: int,
        user_id: int,
        text: str,
        *,
        family: str | None = None,
        control: Control | None = None,
        is_late: Callable[[], bool] = lambda: False,
    ) -> Session:
        """Make a person's move, written as players write it.

        Args:
            channel_id: Where the game is.
            user_id: The person who moves.
            text: The move, such as `3`.
            family: The family of games that the command is for; None for any.
            control: The move that the used button was made for, if a button was used.
            is_late: Whether it is too late to make the move, asked just before it is stored.

        Raises:
            OutdatedControl: The control belongs to another game or an earlier move.
            ChannelPlays: The channel is to move, by votes.
            Refusal: There is no game, it is of another family, the person does not play in it, it
                is not their turn, or the text is no legal move. Nothing has changed.
            TooLate: It was; nothing has changed.
        """

        async def move() -> Session:
            present = await self.games.current(channel_id)
            if control is not None:
                _require_outstanding(control, present)
            if present is None:
                raise await self.games.no_game(channel_id)
            session = require_turn(present, user_id, family)
            with refusing(text):
                following = session.after(session.game.parse(text), self._clock())
            if is_late():
                raise TooLate
            return await self.games.append(session, following)

        return await self.games.changing(channel_id, move)

    async def reply(self, channel_id: int) -> Session | None:
        """Make the agent's move if one is next; None if there is nothing to do.

        It is made and stored even if whoever called this stops waiting for it.
        """
        return await self._answers.make(channel_id)

    def seconds_until_prepared(self, session: Session) -> int | None:
        """About how long the engine takes until it can answer in a game; None if it can now."""
        return self._searches.seconds_until_prepared(session)

    def is_answering(self, session: Session) -> bool:
        """Whether an agent's move in this game is being searched for."""
        return self._answers.is_under_way(session.id)

    async def take_back(
        self, channel_id: int, remaining: Callable[[Session], int], *, also: Step | None = None
    ) -> Session:
        """Take back the latest moves of the channel's game and stop its searches.

        Args:
            channel_id: Where the game is.
            remaining: Says how many moves remain, or refuses; called under the channel's lock.
            also: A step that runs in the transaction which removes the moves.
        """

        async def take() -> Session:
            session = await self.games.current(channel_id)
            if session is None:
                raise await self.games.no_game(channel_id)
            at = session.not_before(self._clock())
            following = session.taken_back(remaining(session), at)
            try:
                await self._store.games.take_back(
                    session.id,
                    len(following.moves),
                    at,
                    look_at=following.look_at,
                    also=also,
                    owner=self._ownership.id,
                )
            except MoveTaken as error:
                raise MovedOn from error
            self._searches.stop(session.id)
            return self.games.keep(following)

        return await self.games.changing(channel_id, take)

    async def resign(
        self,
        channel_id: int,
        user_id: int,
        *,
        family: str | None = None,
        moderator: bool = False,
        game_id: int | None = None,
    ) -> Session:
        """End a game by giving it up; `given_up` says who may, and with what result.

        With `game_id`, refused if the channel has another game.
        """

        async def give_up() -> Session:
            if game_id is not None:
                await self.games.require_running(channel_id, game_id)
            session = await self.games.present(channel_id, family)
            end = given_up(session, user_id, moderator=moderator, at=self._clock())
            return await self.games.finish(session, end)

        return await self.games.changing(channel_id, give_up)

    async def agree(self, channel_id: int, require: Callable[[Session], None]) -> Session:
        """End the present game by agreement, unless `require` refuses; nothing moves meanwhile."""

        async def draw() -> Session:
            session = await self.games.present(channel_id)
            require(session)
            return await self.games.finish(session, agreed(session, self._clock()))

        return await self.games.changing(channel_id, draw)

    async def leave(self, session: Session) -> None:
        """Let a game go whose channel does not exist any more; if it is running, it is stopped."""

        async def stop() -> None:
            present = await self.games.current(session.channel_id)
            if present is not None and present.id == session.id:
                await self.games.finish(present, cut_short(present, self._clock()))

        await self.games.changing(session.channel_id, stop)
        await self._store.boards.give_up(session.id)

    async def close(self) -> None:
        """Stop all searches, dropping their results; moves being stored are finished."""
        self._searches.close()
        await self._answers.close()


def _require_outstanding(control: Control, session: Session | None) -> None:
    """Raise OutdatedControl unless a control is for the next move of the channel's game."""
    if session is None or (session.id, session.number) != (control.game_id, control.number):
        raise OutdatedControl
