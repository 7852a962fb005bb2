"""One game in one channel, as a value: who plays, what has been played, how it stands."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store import (
    THE_CHANNEL,
    EndRecord,
    HintRecord,
    MoveRecord,
    RatingChange,
    TimeControl,
    state_number,
)
from bot.table.ballots import Ballot
from bot.table.fingerprints import fingerprint
from bot.table.places import Place
from bot.table.seats import Seat
from engine.core.game import Game, Player, Position, Square


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of a game, who sits at it, and whose turn it is."""

    id: int
    channel_id: int
    guild_id: int | None
    locale: str
    message_id: int | None
    seats: tuple[Seat, Seat]
    auto: bool
    started_by: int | None
    started_at: float
    clock: TimeControl | None
    """How long people have for their moves; None for no limit."""
    position: Position
    last: Square | None
    """The square on which the last move acted, if it was a single one."""
    moves: tuple[MoveRecord, ...]
    hints: tuple[HintRecord, ...]
    """All that were given, also for moves that were taken back."""
    end: EndRecord | None
    changes: tuple[RatingChange, ...] = ()
    """What the end changed in ratings; empty for a game that is unrated, unfinished or not yet
    rated."""
    rating_due: bool = False
    """Whether the game has ended and is still to be rated."""
    rating_failed: bool = False
    """Whether the game should have been rated, and could not be."""
    undos: int = 0
    """How many times moves have been taken back."""
    undone_at: float | None = None
    """When moves were last taken back."""
    reminded_at: float | None = None
    """When a person was last warned that their time was running out."""
    paused: float = 0.0
    """Seconds since the latest event in which the bot was away, or everybody could say who wins:
    they are nobody's time."""
    asides: int = 0
    """How much has happened that is neither a move nor an undo, such as votes."""
    ballot: Ballot | None = None
    """The votes that are taken in it; None for a game without any."""
    pie: bool = False
    """Whether the second player may swap sides after the first turn."""
    swapped_at: float | None = None
    """When the players swapped sides; the seats are as they are since then."""
    is_past: bool = False
    """Whether this is how the game once stood, and not how it stands."""

    @property
    def game(self) -> Game:
        """The game and its parameters."""
        return self.position.game

    @property
    def place(self) -> Place:
        """Where its board is."""
        return Place(self.guild_id, self.channel_id, self.message_id)

    @property
    def number(self) -> int:
        """The number of the next move, counted from 1."""
        return len(self.moves) + 1

    @property
    def state(self) -> int:
        """How the game stands, as a number that grows with every change."""
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
    def is_called_off(self) -> bool:
        """Whether the game has ended before it had really begun, and counts as never played."""
        return self.end is not None and self.end.ending == "aborted"

    @property
    def mover(self) -> Seat:
        """The seat whose turn it is."""
        return self.seat(self.position.to_move)

    @property
    def awaits_agent(self) -> bool:
        """Whether an agent is to make the next move."""
        waits = self.is_over or self.is_past or self.awaits_guesses
        return not waits and self.mover.user_id is None

    @property
    def awaits_person(self) -> bool:
        """Whether a person, or the channel, is to make the next move."""
        return not self.is_over and not self.is_past and self.mover.user_id is not None

    @property
    def awaits_channel(self) -> bool:
        """Whether the channel is to make the next move."""
        return self.awaits_person and self.mover.user_id == THE_CHANNEL

    @property
    def awaits_guesses(self) -> bool:
        """Whether a watched game has not begun yet, so that everybody can say who wins."""
        is_open = self.ballot is not None and self.ballot.until is not None
        return is_open and self.is_watched and not self.is_over and not self.is_past

    @property
    def is_watched(self) -> bool:
        """Whether two agents play."""
        return all(seat.user_id is None for seat in self.seats)

    @property
    def is_channels(self) -> bool:
        """Whether the channel plays a side."""
        return any(seat.user_id == THE_CHANNEL for seat in self.seats)

    @property
    def begins_turn(self) -> bool:
        """Whether the turn has just passed: the side to move has not moved in this turn yet."""
        if self.is_over:
            return False
        return not self.moves or self.moves[-1].player != self.position.to_move

    @property
    def people(self) -> tuple[int, ...]:
        """The people at the board, each once, in the order of the seats; a channel is nobody."""
        seated = dict.fromkeys(s.user_id for s in self.seats if s.user_id is not None)
        return tuple(user_id for user_id in seated if user_id != THE_CHANNEL)

    @property
    def winner(self) -> Player | None:
        """Who won; None for a draw, a stopped game and one that is still running."""
        if self.end is None or self.end.winner is None:
            return None
        return Player(self.end.winner)

    def seat(self, player: Player) -> Seat:
        """Who plays a side."""
        return self.seats[player - 1]

    def side_of(self, user_id: int) -> Player | None:
        """The side a person plays; the one to move where they play both."""
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
        """Whether some move of an agent was made without a search, because all had failed."""
        return any(move.is_unsearched for move in self.moves)

    @property
    def opening_moves(self) -> int:
        """How many moves the first side had made before the second one's first, or has so far."""
        by_second = (n for n, made in enumerate(self.moves) if made.player == Player.SECOND)
        return next(by_second, len(self.moves))

    @property
    def may_swap(self) -> bool:
        """Whether the second player may take the other side instead of moving."""
        is_open = self.pie and self.swapped_at is None and self.awaits_person
        answers = self.position.to_move is Player.SECOND
        return is_open and answers and 0 < self.opening_moves == len(self.moves)

    def last_at(self) -> float:
        """The time of the latest event: a move, an undo, a swap of sides or the start."""
        last = self.moves[-1].at if self.moves else self.started_at
        return max(last, self.undone_at or last, self.swapped_at or last)

    @property
    def turn_began(self) -> float:
        """When the time for the next move began."""
        return self.last_at() + self.paused
