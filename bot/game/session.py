"""One game in one channel as a value: its players, its history and its position.

Every move, undo, swap and vote gives a new value; nothing is changed in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from typing import Self, TypeVar

from bot.game.clocks import SHORTEST_PINGED, SILENCE, Countdown, countdown
from bot.store.records import (
    THE_CHANNEL,
    Ending,
    EndRecord,
    GameRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    Place,
    RatingChange,
    SeatRecord,
    VoteRecord,
)
from bot.store.rows import state_number
from bot.store.tables import THE_RESULT
from engine.core.analysis import SearchResult
from engine.core.game import Game, Move, Player, Position, Square, target
from engine.core.jobs import Job, Task
from engine.core.registry import game_of


@dataclass(frozen=True, slots=True)
class Ballot:
    """The votes in a game, and when the present vote ends."""

    seconds: float
    """The seconds for each vote; for a vote on a move they count from the first vote given."""
    until: float | None = None
    """When the present vote ends; None if there is none."""
    votes: tuple[VoteRecord, ...] = ()
    """The votes on the next move and on the result, at most one per person each, by time."""

    def about(self, number: int) -> tuple[VoteRecord, ...]:
        """The votes on a move, or with THE_RESULT on the winner."""
        return tuple(vote for vote in self.votes if vote.number == number)

    def tally(self, number: int) -> Mapping[str, int]:
        """The number of votes for each choice, the leading choice first."""
        votes = self.about(number)
        count = Counter(vote.choice for vote in votes)
        # A choice has reached its number of votes with the latest of them.
        reached = {c: max((v.at, v.user_id) for v in votes if v.choice == c) for c in count}
        order = sorted(count, key=lambda choice: (-count[choice], reached[choice]))
        return {choice: count[choice] for choice in order}

    def leader(self, number: int) -> str | None:
        """The choice with most votes; in a tie, the one that led first. None without votes."""
        return next(iter(self.tally(number)), None)

    def vote_of(self, user_id: int, number: int) -> VoteRecord | None:
        """A person's vote; None if they have not voted."""
        return next((vote for vote in self.about(number) if vote.user_id == user_id), None)

    def with_vote(self, vote: VoteRecord, until: float) -> Self:
        """The ballot with a person's new vote; if it had no end, it ends at `until`."""
        end = until if self.until is None else self.until
        return replace(self, until=end, votes=(*self._without(vote), vote))

    def without(self, vote: VoteRecord) -> Self:
        """The ballot without a person's vote; voting ends if it was the only vote on a move."""
        left = replace(self, votes=self._without(vote))
        runs = left.about(vote.number) or vote.number == THE_RESULT
        return left if runs else replace(left, until=None)

    def closed(self) -> Self:
        """The ballot after the end of a vote: only votes on the result stay."""
        return replace(self, until=None, votes=self.about(THE_RESULT))

    def _without(self, vote: VoteRecord) -> tuple[VoteRecord, ...]:
        whose = (vote.number, vote.user_id)
        return tuple(one for one in self.votes if (one.number, one.user_id) != whose)


def fingerprint(position: Position) -> int:
    """A positive digest of a position in 63 bits, independent of the moves that led there."""
    game = position.game
    cells = [[str(cell) for cell in row] for row in position.cells()]
    remarks = [(remark.key, sorted(dict(remark.numbers).items())) for remark in position.remarks()]
    facts = (game.key, game.variant, position.ply, int(position.to_move), cells, remarks)
    return int.from_bytes(sha256(repr(facts).encode()).digest()[:8], "big") >> 1


A = TypeVar("A")

ANSWER_SECONDS = 10.0
"""Seconds after which an agent must have moved or be searching. If neither is true, its move was
lost and is searched for again."""


@dataclass(frozen=True, slots=True)
class Session:
    """A game that is being played or has just ended; every change is a new value."""

    id: int
    setup: GameSetup
    started_at: float
    message_id: int | None
    position: Position
    last: Square | None
    """The square on which the last move acted; None if it was not a single square."""
    moves: tuple[MoveRecord, ...]
    hints: tuple[HintRecord, ...]
    """All hints given, including those for moves that were taken back."""
    end: EndRecord | None
    changes: tuple[RatingChange, ...] = ()
    """The changes of ratings by the end of the game; empty if it is unrated, unfinished or not yet
    rated."""
    rating_due: bool = False
    """Whether the game has ended and is still to be rated."""
    rating_failed: bool = False
    """Whether rating the game has failed repeatedly."""
    undos: int = 0
    """The number of undos."""
    undone_at: float | None = None
    """The time of the last undo."""
    reminded_at: float | None = None
    """The time of the last warning that a person's time was running out."""
    pinged_at: float | None = None
    """The time of the last ping because of a person's silence."""
    paused: float = 0.0
    """Seconds since the latest event that do not count against players' clocks: the bot's downtime,
    and time for guessing the winner."""
    asides: int = 0
    """The number of events other than moves and undos, such as votes."""
    ballot: Ballot | None = None
    """The votes in the game; None for a game without votes."""
    swapped_at: float | None = None
    """When the players swapped sides; the seats are given as after the swap."""
    held_at: float | None = None
    """Since when the game waits; None if it does not."""
    is_past: bool = False
    """Whether this is an earlier point of the game."""

    @property
    def game(self) -> Game:
        """The game and its parameters."""
        return self.position.game

    @property
    def channel_id(self) -> int:
        """The channel of the game."""
        return self.setup.channel_id

    @property
    def guild_id(self) -> int | None:
        """The server of that channel; None for direct messages."""
        return self.setup.guild_id

    @property
    def locale(self) -> str:
        """The language of its message."""
        return self.setup.locale

    @property
    def seats(self) -> tuple[SeatRecord, SeatRecord]:
        """The seats of both sides, as after the last swap."""
        return self.setup.seats

    @property
    def user_ids(self) -> tuple[int | None, ...]:
        """Who sits in each seat: a person, a channel, or None for an agent."""
        return tuple(seat.user_id for seat in self.seats)

    @property
    def place(self) -> Place:
        """The place of its board."""
        return Place(self.guild_id, self.channel_id, self.message_id)

    @property
    def number(self) -> int:
        """The number of the next move, counted from 1."""
        return len(self.moves) + 1

    @property
    def state(self) -> int:
        """A number that grows with every change of the game."""
        return state_number(
            len(self.moves),
            self.undos,
            is_over=self.is_over,
            is_rated=bool(self.changes),
            asides=self.asides,
        )

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.end is not None

    @property
    def is_aborted(self) -> bool:
        """Whether the game ended before it had really begun, so that it counts as never played."""
        return self.end is not None and self.end.ending in (Ending.ABORTED, Ending.HALTED)

    @property
    def mover(self) -> SeatRecord:
        """The seat whose turn it is."""
        return self.seat(self.position.to_move)

    @property
    def awaits_agent(self) -> bool:
        """Whether an agent has to make the next move."""
        waits = self.is_over or self.is_past or self.awaits_guesses or self.is_held
        return not waits and self.mover.user_id is None

    @property
    def awaits_person(self) -> bool:
        """Whether a person or the channel has to make the next move."""
        waits = self.is_over or self.is_past or self.is_held
        return not waits and self.mover.user_id is not None

    @property
    def awaits_channel(self) -> bool:
        """Whether the channel has to make the next move."""
        return self.awaits_person and self.mover.user_id == THE_CHANNEL

    @property
    def awaits_guesses(self) -> bool:
        """Whether a watched game has not begun yet, so that people can guess the winner."""
        is_open = self.ballot is not None and self.ballot.until is not None
        return is_open and self.is_watched and not self.is_over and not self.is_past

    @property
    def is_held(self) -> bool:
        """Whether the game waits: no moves are made and no clock runs."""
        return self.held_at is not None and not self.is_over

    @property
    def is_watched(self) -> bool:
        """Whether two agents play."""
        return all(seat.user_id is None for seat in self.seats)

    @property
    def is_channel_game(self) -> bool:
        """Whether the channel plays a side."""
        return any(seat.user_id == THE_CHANNEL for seat in self.seats)

    @property
    def begins_turn(self) -> bool:
        """Whether the side to move has not moved in its present turn yet."""
        if self.is_over:
            return False
        return not self.moves or self.moves[-1].player != self.position.to_move

    @property
    def people(self) -> tuple[int, ...]:
        """The people who play, each once, in the order of the seats; a channel is left out."""
        return self.setup.people

    @property
    def winner(self) -> Player | None:
        """The winner; None for a draw, a stopped game and a running game."""
        if self.end is None or self.end.winner is None:
            return None
        return Player(self.end.winner)

    def seat(self, player: Player) -> SeatRecord:
        """The seat of a side."""
        return self.seats[player - 1]

    def side_of(self, user_id: int) -> Player | None:
        """The side that a person plays; the side to move if they play both; None for others."""
        sides = [player for player in Player if self.seat(player).user_id == user_id]
        return self.position.to_move if self.position.to_move in sides else next(iter(sides), None)

    @property
    def hint(self) -> HintRecord | None:
        """The hint that was given for the present position, if one was."""
        if not self.hints:
            return None
        here = fingerprint(self.position)
        return next((hint for hint in self.hints if hint.position == here), None)

    @property
    def is_unsearched(self) -> bool:
        """Whether an agent's move was made without a search because all searches had failed."""
        return any(move.is_unsearched for move in self.moves[self.setup.opening :])

    @property
    def opening_moves(self) -> int:
        """The number of moves by the first side before the second side's first move."""
        by_second = (n for n, made in enumerate(self.moves) if made.player == Player.SECOND)
        return next(by_second, len(self.moves))

    def plies_of(self, player: Player) -> list[int]:
        """The plies of the player who has this side now: a swap exchanges only the sides."""
        opening = self.opening_moves if self.swapped_at else 0
        numbered = enumerate(self.moves)
        return [ply for ply, made in numbered if (made.player == player) != (ply < opening)]

    @property
    def may_swap(self) -> bool:
        """Whether the second player may take the other side instead of moving."""
        is_open = self.setup.pie and self.swapped_at is None and self.awaits_person
        answers = self.position.to_move is Player.SECOND
        return is_open and answers and 0 < self.opening_moves == len(self.moves)

    def last_at(self) -> float:
        """The time of the latest event: a move, an undo, a swap of sides or the start."""
        last = self.moves[-1].at if self.moves else self.started_at
        return max(last, self.undone_at or last, self.swapped_at or last)

    @property
    def turn_began(self) -> float:
        """The time at which the countdown for the next move began."""
        return self.last_at() + self.paused

    @classmethod
    def from_record(cls, record: GameRecord) -> Self:
        """Rebuild a session from its record by playing its moves."""
        setup, seconds = record.setup, record.setup.vote_seconds
        if any(seat.user_id is None and seat.agent is None for seat in setup.seats):
            raise ValueError("a seat holds neither a person nor an agent")
        position, last = _played(game_of(setup.family, setup.variant), record.moves)
        ballot = None if seconds is None else Ballot(seconds, record.vote_until, record.votes)
        kept = {name: getattr(record, name) for name in _STORED}
        return cls(**kept, position=position, last=last, ballot=ballot)

    def until(self, moves: int) -> Self:
        """The game after this number of moves, or as it is if it has no more."""
        if moves >= len(self.moves):
            return self
        made = self.moves[:moves]
        position, last = _played(self.game, made)
        return replace(
            self,
            position=position,
            last=last,
            moves=made,
            end=None,
            changes=(),
            rating_due=False,
            rating_failed=False,
            is_past=True,
        )

    def swapped(self, at: float) -> Self:
        """The game with the players' sides swapped; the moves do not change."""
        return replace(
            self,
            setup=replace(self.setup, first=self.setup.second, second=self.setup.first),
            swapped_at=self.not_before(at),
            asides=self.asides + 1,
            paused=0.0,
        )

    def held(self, since: float) -> Self:
        """The game as it waits since a time; earlier than its latest event is not possible."""
        return replace(self, held_at=self.not_before(since), asides=self.asides + 1)

    def released(self, at: float) -> Self:
        """The game as it goes on; the time for which it waited counts against no clock."""
        assert self.held_at is not None, "the game waits"
        waited = max(0.0, at - self.not_before(self.held_at))
        return replace(self, held_at=None, asides=self.asides + 1, paused=self.paused + waited)

    def not_before(self, at: float) -> float:
        """A time for the next event: `at`, or the time of the latest event if that is later.

        The process that stored the latest event may have had a fast clock.
        """
        return max(at, self.last_at())

    def before_turn_of(self, player: Player) -> int | None:
        """The number of moves before a side's latest turn; None if it has not had a turn.

        A turn is a run of moves by one side; it may not have ended yet.
        """
        made = len(self.moves)
        while made and self.moves[made - 1].player != player:
            made -= 1
        if not made:
            return None
        while made and self.moves[made - 1].player == player:
            made -= 1
        return made

    def taken_back(self, moves: int, at: float) -> Self:
        """The game after taking back all moves beyond the first `moves`."""
        return replace(
            self.until(moves),
            is_past=False,
            undos=self.undos + 1,
            undone_at=at,
            paused=0.0,
        )

    @property
    def countdown(self) -> Countdown | None:
        """The countdown for the next move; None without a person to move or without a clock."""
        if self.setup.clock is None or not self.awaits_person:
            return None
        used = sum(self.moves[ply].seconds for ply in self.plies_of(self.position.to_move))
        return countdown(self.setup.clock, self.turn_began, used)

    @property
    def board_deadline(self) -> int | None:
        """The deadline shown on the board, in whole seconds; None if none is shown."""
        countdown = None if self.awaits_channel else self.countdown
        return None if countdown is None else int(countdown.on_board(self.paused))

    def job(self, task: Task[A], seed: int = 0) -> Job[A]:
        """An engine job about the present position."""
        moves = tuple(made.move for made in self.moves)
        return Job(self.game.key, self.game.variant, moves, task, seed)

    @property
    def is_warned(self) -> bool:
        """Whether the person to move has been warned that their time is running out."""
        return self.reminded_at is not None and self.reminded_at > self.last_at()

    @property
    def ping_at(self) -> float | None:
        """When the person to move is pinged if they are silent until then; None for never.

        That happens between two people, once for a move, and before the warning or not at all.
        """
        is_between_people = self.awaits_person and len(self.people) > 1
        is_pinged = self.pinged_at is not None and self.pinged_at > self.last_at()
        if not is_between_people or is_pinged or self.is_warned:
            return None
        clock, countdown, at = self.setup.clock, self.countdown, self.turn_began + SILENCE
        if clock is not None and clock.seconds < SHORTEST_PINGED:
            return None
        return at if countdown is None or at < countdown.warning else None

    def notified(self, column: str, at: float) -> Self:
        """The session after its mover is warned (`reminded_at`) or pinged (`pinged_at`)."""
        if column == "pinged_at":
            return replace(self, pinged_at=at)
        return replace(self, reminded_at=at)

    @property
    def due_at(self) -> float | None:
        """When this game is next due if nothing happens before; None for never.

        That is when a vote ends, a person is to be pinged or warned or has run out of time, or an
        agent's move is overdue.
        """
        if self.ballot is not None and self.ballot.until is not None and not self.is_over:
            return self.ballot.until
        if self.awaits_agent:
            return self.turn_began + ANSWER_SECONDS
        countdown, ping_at = self.countdown, self.ping_at
        if countdown is None or ping_at is not None:
            return ping_at
        # A channel is not warned: that would notify people who take no part.
        is_last = self.is_warned or self.awaits_channel
        return countdown.deadline if is_last else countdown.warning

    def after(self, move: Move, at: float, result: SearchResult | None = None) -> Session:
        """The session after a move by the side to move.

        Args:
            move: A legal move; raises IllegalMove for any other.
            at: When it was made.
            result: An agent's search, which found the move.
        """
        position, at = self.position.play(move), self.not_before(at)
        record = MoveRecord(
            player=int(self.position.to_move),
            user_id=self.mover.user_id,
            move=self.game.label(move),
            hinted=self.hint is not None,
            at=at,
            seconds=result.seconds if result else max(0.0, at - self.last_at() - self.paused),
            nodes=result.nodes if result else None,
            depth=result.depth if result else None,
            score=result.score.stored() if result else None,
            proven=result.proven if result else False,
        )
        end = None
        if position.outcome is not None:
            winner = position.outcome.winner
            end = EndRecord(Ending(position.outcome.ending), winner and int(winner), at)
        return replace(
            self,
            position=position,
            last=target(self.position, move),
            moves=(*self.moves, record),
            end=end,
            paused=0.0,
            ballot=self.ballot and self.ballot.closed(),
        )


_STORED = {field.name for field in fields(Session)} & {field.name for field in fields(GameRecord)}
"""The fields that a session shares with its record."""


def _played(game: Game, moves: Sequence[MoveRecord]) -> tuple[Position, Square | None]:
    """The position after stored moves, and the square on which the last of them acted."""
    position, last = game.start(), None
    for number, stored in enumerate(moves, 1):
        if stored.player != position.to_move:
            raise ValueError(f"move {number} is not by the side to move")
        move = game.parse(stored.move)
        last, position = target(position, move), position.play(move)
    return position, last
