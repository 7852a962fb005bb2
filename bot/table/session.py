"""What happens to a game, as values that follow each other: moves, undos, swaps; and its clocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeVar

from bot.store import EndRecord, GameRecord, MoveRecord
from bot.table.ballots import Ballot
from bot.table.clocks import Countdown, countdown
from bot.table.seats import seat_of
from bot.table.table import Table
from engine.core.analysis import SearchResult
from engine.core.game import Game, Move, Player, Position, Square, target
from engine.core.jobs import Job, Task
from engine.core.registry import game_of

A = TypeVar("A")

ANSWER_SECONDS = 10.0
"""Seconds after which an agent must have moved, or at least be about to. If it is not, its move was
lost, and it is asked again."""


@dataclass(frozen=True, slots=True)
class Session(Table):
    """A game that is being played or has just ended; every change is a new value."""

    @classmethod
    def from_record(cls, record: GameRecord) -> Self:
        """Rebuild a session from its record; the board follows from the moves."""
        opening = record.opening
        game = game_of(opening.family, opening.variant)
        position, last = _played(game, record.moves)
        seconds = opening.vote_seconds
        return cls(
            id=record.id,
            channel_id=opening.channel_id,
            guild_id=opening.guild_id,
            locale=opening.locale,
            message_id=record.message_id,
            seats=(
                seat_of(opening.first.user_id, opening.first.agent),
                seat_of(opening.second.user_id, opening.second.agent),
            ),
            auto=opening.auto,
            started_by=opening.started_by,
            started_at=opening.started_at,
            clock=opening.clock,
            position=position,
            last=last,
            moves=record.moves,
            hints=record.hints,
            end=record.end,
            changes=record.changes,
            rating_due=record.rating_due,
            rating_failed=record.rating_failed,
            undos=record.undos,
            undone_at=record.undone_at,
            reminded_at=record.reminded_at,
            paused=record.paused,
            asides=record.asides,
            ballot=None if seconds is None else Ballot(seconds, record.vote_until, record.votes),
            pie=opening.pie,
            swapped_at=record.swapped_at,
        )

    def until(self, moves: int) -> Self:
        """The game as it stood after this many moves, or as it is if it has no more."""
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
        """The game with the sides swapped; the moves stay where they are."""
        return replace(
            self,
            seats=self.seats[::-1],
            swapped_at=self.not_before(at),
            asides=self.asides + 1,
            paused=0.0,
        )

    def not_before(self, at: float) -> float:
        """A time for what happens next: `at`, or that of the latest event if that is later.

        Whoever stored that may have had a clock that was fast.
        """
        return max(at, self.last_at())

    def before_turn_of(self, player: Player) -> int | None:
        """How many moves had been made before a side's latest turn; None if it had none yet.

        A turn is a run of moves by one side, and may still be going on.
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
        """The game with all but its first `moves` moves taken back."""
        return replace(
            self.until(moves),
            is_past=False,
            undos=self.undos + 1,
            undone_at=at,
            paused=0.0,
        )

    @property
    def countdown(self) -> Countdown | None:
        """The time for the next move; None if no person is to move, or there is no clock."""
        if self.clock is None or not self.awaits_person:
            return None
        mover, opening = self.position.to_move, self.opening_moves if self.swapped_at else 0
        used = sum(
            made.seconds
            for number, made in enumerate(self.moves)
            # Whoever had the first side before a swap has the other one now.
            if (made.player == mover) != (number < opening)
        )
        return countdown(self.clock, self.turn_began, used)

    @property
    def board_deadline(self) -> int | None:
        """When time is up, as the board tells it, in whole seconds; None if it does not."""
        countdown = None if self.awaits_channel else self.countdown
        return None if countdown is None else int(countdown.on_board(self.paused))

    def job(self, task: Task[A], seed: int = 0) -> Job[A]:
        """A question to the engine about this game as it stands."""
        moves = tuple(made.move for made in self.moves)
        return Job(self.game.key, self.game.variant, moves, task, seed)

    @property
    def is_warned(self) -> bool:
        """Whether the person to move has been warned that their time is running out."""
        return self.reminded_at is not None and self.reminded_at > self.last_at()

    @property
    def look_at(self) -> float | None:
        """When this game must next be looked at if nothing happens before; None for never.

        That is when a vote ends, a person is to be warned or has run out of time, or an agent's
        move is overdue.
        """
        if self.ballot is not None and self.ballot.until is not None and not self.is_over:
            return self.ballot.until
        if self.awaits_agent:
            return self.turn_began + ANSWER_SECONDS
        countdown = self.countdown
        if countdown is None:
            return None
        # A channel is not warned: that would notify somebody who need not care.
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
            end = EndRecord(position.outcome.ending, winner and int(winner), at)
        return replace(
            self,
            position=position,
            last=target(self.position, move),
            moves=(*self.moves, record),
            end=end,
            paused=0.0,
            ballot=self.ballot and self.ballot.closed(),
        )


def _played(game: Game, moves: Sequence[MoveRecord]) -> tuple[Position, Square | None]:
    """The position after stored moves, and the square on which the last of them acted."""
    position, last = game.start(), None
    for number, stored in enumerate(moves, 1):
        if stored.player != position.to_move:
            raise ValueError(f"move {number} is not by the side to move")
        move = game.parse(stored.move)
        last, position = target(position, move), position.play(move)
    return position, last
