"""Players' actions in running games: start, move, resign, take back, and agree on a draw.

A search works on an immutable session without the lock, and its result counts only if the game has
not moved on meanwhile; `bot.sessions.answers` makes the agents' moves. The end of a game is stored
at once and rated later (`bot.sessions.settling`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random

from bot.game.clocks import Clock
from bot.game.refusal import Control, OutdatedControl, Refusal, TooLate
from bot.game.session import Session
from bot.ratings.levels import current_rung
from bot.sessions.answers import Answers
from bot.sessions.endings import end_of, end_without_channel, resignation
from bot.sessions.holding import Holding
from bot.sessions.ownership import Ownership
from bot.sessions.running import (
    MovedOn,
    RunningGames,
    require_seat,
    require_turn,
)
from bot.sessions.searches import Searches
from bot.sessions.settling import RatingQueue
from bot.store.games import ChannelTaken, MoveTaken
from bot.store.people import RequestAnswered
from bot.store.records import (
    AUTO,
    Ending,
    GameRecord,
    GameSetup,
    MoveRecord,
    SeatRecord,
    TimeControl,
)
from bot.store.rows import Step
from bot.store.store import Store
from bot.telemetry import SILENT, Meter, note
from engine.core.game import IllegalMove, Move, NotAMove, Player
from engine.core.registry import game_of
from engine.strength.roster import agents_for
from engine.study.balanced import balanced_openings


@contextmanager
def refusing(text: str) -> Iterator[None]:
    """Turn errors of the block about an unreadable or illegal move `text` into refusals."""
    try:
        yield
    except NotAMove as error:
        raise Refusal("not_a_move", text=text, expected=error.expected) from error
    except IllegalMove as error:
        raise Refusal(f"illegal.{error.reason}", move=error.label) from error


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The acceptance of an offered game, which is stored together with the game."""

    user_id: int
    """The person who accepts."""
    until: float
    """When the offer ends."""
    step: Step
    """Stores the acceptance; raises RequestAnswered if the offer is no longer open."""
    message_id: int | None = None
    """The message of the offer, which the board replaces, if it is known."""


def placed(
    setup: GameSetup, message_id: int | None, channel_id: int | None
) -> tuple[GameSetup, int | None]:
    """An offered game in a channel, and the message that its board replaces there.

    That is the offer's message `message_id`, and none in another channel than the offer's. None for
    the channel is that of the offer.
    """
    if channel_id in (None, setup.channel_id):
        return setup, message_id
    return replace(setup, channel_id=channel_id), None


def channel_taken(
    present: Session, setup: GameSetup, accepting: Acceptance | None = None
) -> Refusal:
    """The refusal of a new game in a channel where `present` is running."""
    if accepting is not None:
        return Refusal("channel_taken_accept", link=present.place, until=accepting.until)
    if setup.started_by in present.people:
        return Refusal("channel_taken_yours", link=present.place, other=present.game.key)
    game, other = setup.family, present.game.key
    if not present.people and setup.started_by == present.setup.started_by:
        return Refusal("channel_taken_started", link=present.place, other=other, game=game)
    return Refusal("channel_taken_link", link=present.place, game=game)


def is_auto(setup: GameSetup) -> bool:
    """Whether an agent of a new game still has to be chosen to fit the person who requests it."""
    return AUTO in (setup.first.agent, setup.second.agent)


async def complete_setup(
    store: Store, setup: GameSetup, default_clock: TimeControl | None, at: float
) -> GameSetup:
    """The setup of a new game with its agents chosen, and the `usual` time control as default.

    Refused if there is no agent with a given name.
    """
    return replace(
        setup,
        first=await _seated(store, setup, Player.FIRST, at),
        second=await _seated(store, setup, Player.SECOND, at),
        auto=is_auto(setup),
        clock=setup.clock or default_clock,
    )


def opening_records(setup: GameSetup, opening: Sequence[Move], at: float) -> tuple[MoveRecord, ...]:
    """The moves to the position that a game goes on from, as they are stored: no player's.

    Raises IllegalMove.
    """
    position, made = game_of(setup.family, setup.variant).start(), list[MoveRecord]()
    for move in opening:
        label = position.game.label(move)
        made.append(
            MoveRecord(int(position.to_move), None, label, hinted=False, at=at, seconds=0.0)
        )
        position = position.play(move)
    return tuple(made)


def first_vote_until(setup: GameSetup, at: float) -> float | None:
    """When the initial vote on the winner of a watched game ends; None without such a vote."""
    is_watched = setup.first.user_id is None and setup.second.user_id is None
    return at + setup.vote_seconds if is_watched and setup.vote_seconds is not None else None


async def _seated(store: Store, setup: GameSetup, side: Player, at: float) -> SeatRecord:
    wanted, opposite = setup.seats[:: 1 if side is Player.FIRST else -1]
    if wanted.agent is None:
        return wanted
    name = known_agent(setup.family, wanted.agent)
    if name == AUTO:
        # The person who starts a game between two agents has no seat.
        seat = side.other if opposite.user_id == setup.requester else None
        game = game_of(setup.family, setup.variant)
        name = (await current_rung(store, setup.requester, game, at, seat)).name
    return SeatRecord(None, name)


def known_agent(family: str, text: str) -> str:
    """The name of a game's agent from typed text; refused if there is none."""
    name = text.strip().lower()
    if name not in (AUTO, *agents_for(family)):
        raise Refusal("no_such_agent", agent=text)
    return name


RATED_WITHIN = 1.0
"""Seconds for which a new game against `auto` waits for the rating of the previous one."""

TWO_DAYS = TimeControl(48 * 3600.0)


class Sessions:
    """The actions of players in running games."""

    def __init__(
        self,
        store: Store,
        games: RunningGames,
        ownership: Ownership,
        searches: Searches,
        ratings: RatingQueue,
        *,
        clock: Clock,
        games_per_player: int = 5,
        default_clock: TimeControl | None = TWO_DAYS,
        rng: Random | None = None,
        meter: Meter = SILENT,
    ) -> None:
        """Change the `games` of `ownership`, and draw balanced openings by `rng`.

        `default_clock` is the time control of games without one.
        """
        self.games = games
        self._store = store
        self._ownership = ownership
        self._searches = searches
        self._ratings = ratings
        self._clock = clock
        self._games_per_player = games_per_player
        self.default_clock = default_clock
        self._rng = rng or Random()
        self._meter = meter
        self.holding = Holding(store.games, games, ownership, clock)
        self._answers = Answers(store, games, searches, clock, self.holding)

    async def start(
        self,
        setup: GameSetup,
        *,
        accepting: Acceptance | None = None,
        opening: Sequence[Move] = (),
    ) -> Session:
        """Begin a game; refused if the channel has one or a player has too many.

        Args:
            setup: The game.
            accepting: Accepts the offer that it comes from; refused if that is no longer open.
            opening: The moves to the position that it goes on from, which no player made. A game
                with `balanced` draws them if there are none.
        """
        if setup.balanced and not opening:
            openings = balanced_openings(game_of(setup.family, setup.variant))
            opening = self._rng.choice(openings) if openings else ()
            setup = replace(setup, balanced=bool(opening))
        if is_auto(setup):
            # The previous result should influence the choice of this opponent.
            await self._ratings.settled(setup.requester, RATED_WITHIN)
        async with self.games.lock_in_time(setup.channel_id):
            await self.require_capacity(setup, accepting)
            at = self._clock()
            setup = await complete_setup(self._store, setup, self.default_clock, at)
            setup = replace(setup, opening=len(opening))
            until = first_vote_until(setup, at)
            made = opening_records(setup, opening, at)
            message_id = None if accepting is None else accepting.message_id
            session = Session.from_record(
                GameRecord(0, setup, at, message_id, made, (), None, vote_until=until)
            )
            try:
                game_id = await self._store.games.add(
                    setup,
                    at,
                    look_at=session.due_at,
                    accepting=None if accepting is None else accepting.step,
                    message_id=message_id,
                    owner=self._ownership.id,
                    vote_until=until,
                    opening=made,
                )
            except ChannelTaken as error:
                present = await self.games.current(setup.channel_id)
                raise (
                    channel_taken(present, setup, accepting) if present else Refusal("moved_on")
                ) from error
            except RequestAnswered as error:
                raise Refusal("challenge_over") from error
            note(game=game_id)
            self._meter.started(session.game.key)
            begun = self.games.keep(replace(session, id=game_id))
            return await self.holding.begun(begun)

    async def require_capacity(
        self, setup: GameSetup, accepting: Acceptance | None = None, *, apart: bool = False
    ) -> None:
        """Refuse a new game if its channel has one or one of its people has too many.

        With `accepting`, the request comes from the person who accepts, else from the starter. With
        `apart` the channel may have one, since the new game can begin beside it.
        """
        present = None if apart else await self.games.current(setup.channel_id)
        if present is not None:
            raise channel_taken(present, setup, accepting)
        if accepting is None:
            await self.require_few_games(setup, setup.requester)
        else:
            await self.require_few_games(setup, accepting.user_id, accepting.until)

    async def require_few_games(
        self, setup: GameSetup, requester: int, until: float | None = None
    ) -> None:
        """Refuse a new game that `requester` asks for if one of its people has too many.

        With `until`, they accept an offer that is open until then.
        """
        for user_id in dict.fromkeys((requester, setup.requester, *setup.people)):
            if await self._store.games.count_running(user_id) >= self._games_per_player:
                games = await self.games.running_of(user_id)
                if len(games) < self._games_per_player:
                    continue  # The other games could not be read, and have been ended.
                if user_id == requester:
                    links = tuple(game.place for game in games)
                    raise Refusal("too_many_games", running=self._games_per_player, links=links)
                if until is None:
                    raise Refusal(
                        "opponent_is_busy", running=self._games_per_player, game=setup.family
                    )
                raise Refusal("challenger_is_busy", running=self._games_per_player, until=until)

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
        """Make a person's move, given in the players' notation.

        Args:
            channel_id: The channel of the game.
            user_id: The person who moves.
            text: The move, such as `3`.
            family: The family of games that the command is for; None for any.
            control: The move that the used button was made for, if a button was used.
            is_late: Returns whether it is too late for the move; called just before storing it.

        Raises:
            OutdatedControl: The control belongs to another game or an earlier move.
            ChannelPlays: The channel is to move, by votes.
            Refusal: There is no game, it is of another family, the person does not play in it, it
                is not their turn, or the text is no legal move. Nothing has changed.
            TooLate: It was too late; nothing has changed.
        """

        async def move() -> Session:
            present = await self.games.current(channel_id)
            if control is not None:
                _require_outstanding(control, present)
            if present is None:
                raise await self.games.no_game(channel_id)
            seated = require_seat(present, user_id, family)
            seated, refusal = await self.holding.settled(seated)
            if refusal is not None:
                raise refusal
            session = require_turn(seated, user_id, family)
            with refusing(text):
                following = session.after(session.game.parse(text), self._clock())
            if is_late():
                raise TooLate
            return await self.games.append(session, following)

        return await self.games.apply_change(channel_id, move)

    async def reply(self, channel_id: int) -> Session | None:
        """Make the agent's move if one is next; None if there is nothing to do.

        The move is made and stored even if the caller stops waiting.
        """
        return await self._answers.make(channel_id)

    def seconds_until_prepared(self, session: Session) -> int | None:
        """The approximate time until the engine can answer in a game; None if it can now."""
        return self._searches.seconds_until_prepared(session)

    def is_answering(self, session: Session) -> bool:
        """Whether an agent's move in this game is being searched for."""
        return self._answers.is_under_way(session.id)

    async def take_back(
        self, channel_id: int, remaining: Callable[[Session], int], *, also: Step | None = None
    ) -> Session:
        """Take back the latest moves of the channel's game and stop its searches.

        Args:
            channel_id: The channel of the game.
            remaining: Returns how many moves remain, or refuses; called under the channel's lock.
            also: A step in the transaction that removes the moves.
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
                    look_at=following.due_at,
                    also=also,
                    owner=self._ownership.id,
                )
            except MoveTaken as error:
                raise MovedOn from error
            self._searches.stop(session.id)
            return self.games.keep(following)

        return await self.games.apply_change(channel_id, take)

    async def resign(
        self,
        channel_id: int,
        user_id: int,
        *,
        family: str | None = None,
        moderator: bool = False,
        game_id: int | None = None,
    ) -> Session:
        """Resign or stop a game, by the rules of `resignation`.

        With `game_id`, refused if the channel has another game.
        """

        async def give_up() -> Session:
            if game_id is not None:
                await self.games.require_running(channel_id, game_id)
            session = await self.games.require_current(channel_id, family)
            end = resignation(session, user_id, moderator=moderator, at=self._clock())
            return await self.games.finish(session, end)

        return await self.games.apply_change(channel_id, give_up)

    async def agree(self, channel_id: int, require: Callable[[Session], None]) -> Session:
        """End the present game as a draw, unless `require` refuses; the channel's lock is held."""

        async def draw() -> Session:
            session = await self.games.require_current(channel_id)
            require(session)
            return await self.games.finish(session, end_of(session, self._clock(), Ending.AGREED))

        return await self.games.apply_change(channel_id, draw)

    async def move(self, session: Session, channel_id: int) -> Session:
        """Continue a running game in another channel, since its own does not exist any more.

        Refused if it is not there any more, or if that channel has a game.
        """

        async def change() -> Session:
            present = await self.games.current(session.channel_id)
            if present is None or present.id != session.id:
                raise Refusal("moved_on")
            try:
                me = self._ownership.id
                if not await self._store.games.move(session.id, channel_id, owner=me):
                    raise MovedOn
            except ChannelTaken as error:
                raise Refusal("moved_on") from error
            # The session in memory is in the former channel.
            self.games.forget()
            setup = replace(present.setup, channel_id=channel_id)
            return self.games.keep(replace(present, setup=setup, message_id=None))

        return await self.games.apply_change(session.channel_id, change)

    async def leave(self, session: Session) -> None:
        """End a game whose channel no longer exists, if it is running."""

        async def stop() -> None:
            present = await self.games.current(session.channel_id)
            if present is not None and present.id == session.id:
                await self.games.finish(present, end_without_channel(present, self._clock()))

        await self.games.apply_change(session.channel_id, stop)
        await self._store.boards.give_up(session.id)

    async def close(self) -> None:
        """Stop all searches, dropping their results; moves being stored are finished."""
        self._searches.close()
        await self._answers.close()


def _require_outstanding(control: Control, session: Session | None) -> None:
    """Raise OutdatedControl unless a control is for the next move of the channel's game."""
    if session is None or (session.id, session.number) != (control.game_id, control.number):
        raise OutdatedControl
