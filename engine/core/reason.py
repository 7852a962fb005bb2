"""Reasons why a move is good or bad, as plain values, and the rules that derive them from a board.

A reason that is derived here states what can be seen on the board after one or two more moves, so
it is true whatever the exact values are, and needs no search. Those of `BY_VALUE` follow from
proven values instead (`engine.study.reasons`). Games whose lines consist of squares that are filled
once and for all (Connect 4 and Gato) share the rules here; others have their own.

Below, *now* are the squares with which a side would complete a line if it were its turn, and a
*threat* is any empty square that completes a line, whether it can be played or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Protocol, Self

from engine.core.boards import bits_in, has_several
from engine.core.game import Move, Player, Square


class ReasonKind(StrEnum):
    """What a reason says about a player's move. `moves` are those of `Reason.moves`."""

    MISSED_FOUR = "missed_four"
    """The player could complete a line with any one of `moves` and did not."""
    NOT_BLOCKED = "not_blocked"
    """The other could complete a line in one way, which this one of `moves` would have stopped."""
    STEPPED_BELOW = "stepped_below"
    """The move lets the other complete a line on the square above it; another was safe."""
    MISSED_PAIR = "missed_pair"
    """Any one of `moves` made several threats at once; those that made the most."""
    MISSED_STACK = "missed_stack"
    """The same with one threat right above the other."""
    ALLOWED_PAIR = "allowed_pair"
    """The other can make two threats at once with any one of `moves`; another move prevented it."""
    ALLOWED_STACK = "allowed_stack"
    """The same with one threat right above the other."""
    FILLED_BELOW = "filled_below"
    """The move fills the square below the player's own threat, which the other can take now."""
    ONE_THREAT = "one_threat"
    """The move threatens a line, and the other simply blocks it with this one of `moves`."""

    FOUR = "four"
    """The move completes a line."""
    PAIR = "pair"
    """The move makes several threats at once: on all of `moves`."""
    STACK = "stack"
    """The move makes two threats, one right above the other, with this one of `moves`."""
    WAIT = "wait"
    """The other has no safe move although this one threatened nothing new: wherever they play,
    the player completes a line on top."""
    NO_SAFE_MOVE = "no_safe_move"
    """After any move of the other, the player completes a line next."""
    BLOCKED = "blocked"
    """The move keeps the other from completing a line next."""
    ONLY_SAFE = "only_safe"
    """After every other move, the other could complete a line next."""
    FOLLOW_UP = "follow_up"
    """If the player always answers right on top of the other's move, in the end the other has to
    play below the player's threat on `square`."""
    WAITING = "waiting"
    """The move makes a threat on `square`, which cannot be played yet."""

    MISSED_TURN = "missed_turn"
    """The player could win this turn with all of `moves`, in this order, and did not."""
    BOMB_COMPLETED = "bomb_completed"
    """The player's bomb left a line of the other alone, and another move was possible."""
    ALLOWED_TURN = "allowed_turn"
    """The other can complete a line in their next turn; the turn with `moves` prevented that."""

    ONLY_WINS = "only_wins"
    """Of several moves only this one of `moves` wins."""
    ONLY_HOLDS = "only_holds"
    """No move wins, and only this one of `moves` draws."""
    WIN_GONE = "win_gone"
    """The player could win, and after the move it is a draw."""
    NOW_LOST = "now_lost"
    """The player could win or draw, and after the move the other wins."""
    WINS_LATER = "wins_later"
    """The move wins, but another one wins in fewer moves."""
    LOSES_SOONER = "loses_sooner"
    """Every move loses, and another one loses in more moves."""


OF_TURNS = (ReasonKind.MISSED_TURN, ReasonKind.BOMB_COMPLETED, ReasonKind.ALLOWED_TURN)
"""What is said of whole turns, in games in which a turn has several moves."""

BY_VALUE = (
    *(ReasonKind.ONLY_WINS, ReasonKind.ONLY_HOLDS, ReasonKind.WIN_GONE),
    *(ReasonKind.NOW_LOST, ReasonKind.WINS_LATER, ReasonKind.LOSES_SOONER),
)
"""What is said only of proven values."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One statement about a move that was made, or could be made."""

    kind: ReasonKind
    moves: tuple[Move, ...] = ()
    """The moves that it names: from the left, or of a turn in their order."""
    square: Square | None = None
    is_suited: bool = False
    """Of a waiting threat: whether its row usually suits the player (Allis' rule of odd and even
    threats)."""
    threats: int = 2
    """Of threats made, or missed, at once: how many."""
    instead: tuple[Move, ...] = ()
    """Of a turn: the moves that were right in place of the one at fault, from the left."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """All reasons for and against one move, each in the order of their weight."""

    against: tuple[Reason, ...] = ()
    in_favour: tuple[Reason, ...] = ()


class Side(Protocol):
    """A board with lines as one of the players sees it; squares are words with one bit set."""

    @property
    def playable(self) -> int:
        """The squares that can be filled now."""

    @property
    def threats(self) -> int:
        """The empty squares that complete a line for the player."""

    @property
    def wins(self) -> int:
        """The squares with which the player would complete a line now."""

    @property
    def swapped(self) -> Self:
        """The same board as the other player sees it."""

    def after(self, square: int) -> Self:
        """The board with the player on one more square."""

    def above(self, square: int) -> int:
        """The square right above, which must be filled later; 0 if there is none."""

    @property
    def follow_up(self) -> int:
        """The square on which the player wins by always answering on top; 0 if none is proven.

        It is the other's turn.
        """

    @property
    def rows(self) -> int:
        """The number of rows."""

    def lines_through(self, square: int) -> int:
        """The number of lines through an empty square that the player may still complete."""

    def move_onto(self, square: int) -> Move:
        """The move that fills a square."""

    def place_of(self, square: int) -> Square:
        """A square as the game's positions name it."""


def reasons_on(before: Side, square: int, player: Player) -> Reasons:
    """Return the reasons for and against the move of a player onto a square.

    `before` is the board before the move, as the player sees it, of a game that is not over;
    `square` is one of its playable squares.
    """
    rules = _Rules(before, square, player)
    return Reasons(tuple(rules.against()), tuple(rules.in_favour()))


def pairs(side: Side) -> int:
    """Return the moves of a player to move that make several threats and leave the other none.

    0 if the player can complete a line at once.
    """
    return _forking(side, lambda after: has_several(after.wins))


def stacks(side: Side) -> int:
    """Return those that make one threat that can be played, and another one right above it."""
    return _forking(side, lambda after: bool(_stacked(after)))


def safe_moves(side: Side) -> int:
    """Return the moves of a player to move after which the other cannot complete a line at once."""
    wins = side.wins
    return sum(
        square
        for square in bits_in(side.playable)
        if square & wins or not side.after(square).swapped.wins
    )


def _forking(side: Side, forks: Callable[[Side], bool]) -> int:
    if side.wins:
        return 0
    found = 0
    for square in bits_in(side.playable):
        after = side.after(square)
        if not after.swapped.wins and forks(after):
            found |= square
    return found


def _stacked(after: Side) -> int:
    """The only square that wins now, if the one above it wins too; otherwise 0."""
    wins = after.wins
    is_stack = wins and not has_several(wins) and after.above(wins) & after.threats
    return wins if is_stack else 0


@dataclass(frozen=True)
class Placement:
    """A player's move onto a square, as rules about it see it."""

    before: Side
    square: int
    player: Player

    @cached_property
    def after(self) -> Side:
        """The board after the move, as the player who made it sees it."""
        return self.before.after(self.square)

    def height(self, square: int) -> int:
        """The row of a square, counted from 1 at the bottom."""
        return self.before.rows - self.before.place_of(square).row

    def suits(self, square: int) -> bool:
        """Whether the row of a square usually suits the player (Allis' odd and even threats)."""
        is_odd = self.height(square) % 2 == 1
        return self.before.rows % 2 == 0 and is_odd is (self.player is Player.FIRST)


class _Rules(Placement):
    """The rules, for one move."""

    @cached_property
    def paired(self) -> int:
        """The moves that make several threats (`pairs`)."""
        return pairs(self.before)

    @cached_property
    def stacked(self) -> int:
        """The moves that make two threats, one right above the other (`stacks`)."""
        return stacks(self.before)

    def against(self) -> Iterator[Reason]:
        """The reasons against the move, the weightiest first."""
        before, square = self.before, self.square
        if square & before.wins:
            return
        if before.wins:
            yield self._reason(ReasonKind.MISSED_FOUR, before.wins)
            return
        yield from self._allowed_line()
        mine, stacked = self.paired, self.stacked
        if mine and not square & (mine | stacked):
            counts = {each: before.after(each).wins.bit_count() for each in bits_in(mine)}
            most = max(counts.values())
            best = sum(each for each, count in counts.items() if count == most)
            yield self._reason(ReasonKind.MISSED_PAIR, best, threats=most)
        if stacked and not mine and not square & stacked:
            yield self._reason(ReasonKind.MISSED_STACK, stacked)
        if not self.after.swapped.wins:
            yield from self._allowed_threats()
            yield from self._wasted()

    def _allowed_line(self) -> Iterator[Reason]:
        """The other can complete a line next, and need not have been able to."""
        before, square = self.before, self.square
        dangers = before.swapped.wins
        if dangers:
            is_one = not has_several(dangers)
            if is_one and dangers != square and not before.after(dangers).swapped.wins:
                yield self._reason(ReasonKind.NOT_BLOCKED, dangers)
        elif before.above(square) & self.after.swapped.wins and safe_moves(before):
            yield self._reason(ReasonKind.STEPPED_BELOW, square)

    def _allowed_threats(self) -> Iterator[Reason]:
        """The other can make two threats next, and need not have been able to."""
        their = self.after.swapped
        paired = pairs(their)
        stacked = 0 if paired else stacks(their)
        if not paired | stacked:
            return
        others = (self.before.after(each).swapped for each in bits_in(safe_moves(self.before)))
        if all(pairs(other) | stacks(other) for other in others):
            return
        kind = ReasonKind.ALLOWED_PAIR if paired else ReasonKind.ALLOWED_STACK
        yield self._reason(kind, paired | stacked)

    def _wasted(self) -> Iterator[Reason]:
        """The move's threat is blocked at once, and nothing remains of it."""
        before, after = self.before, self.after
        wins, above = after.wins, before.above(self.square)
        if not wins or has_several(wins) or after.above(wins) & after.threats:
            return
        if wins == above and above & before.threats:
            yield self._reason(ReasonKind.FILLED_BELOW, self.square)
        yield self._reason(ReasonKind.ONE_THREAT, wins)

    def in_favour(self) -> Iterator[Reason]:
        """The reasons in favour of the move, the weightiest first."""
        before, after, square = self.before, self.after, self.square
        if square & before.wins:
            yield self._reason(ReasonKind.FOUR, square)
            return
        if not after.playable:
            return
        if square & self.paired:
            yield self._reason(ReasonKind.PAIR, after.wins, threats=after.wins.bit_count())
        elif square & self.stacked:
            yield self._reason(ReasonKind.STACK, after.wins)
        yield from self._without_safe_move()
        dangers = before.swapped.wins
        if dangers and not after.swapped.wins:
            yield self._reason(ReasonKind.BLOCKED, square)
        elif not before.wins and safe_moves(before) == square and has_several(before.playable):
            yield self._reason(ReasonKind.ONLY_SAFE, square)
        yield from self._for_later()

    def _without_safe_move(self) -> Iterator[Reason]:
        before, after = self.before, self.after
        their = after.swapped
        if before.wins or their.wins or safe_moves(their):
            return
        is_quiet = not before.swapped.wins and not after.wins
        if is_quiet and not after.threats & ~before.threats and has_several(their.playable):
            yield self._reason(ReasonKind.WAIT, self.square)
        yield self._reason(ReasonKind.NO_SAFE_MOVE, self.square)

    def _for_later(self) -> Iterator[Reason]:
        before, after = self.before, self.after
        if after.follow_up:
            yield Reason(ReasonKind.FOLLOW_UP, square=after.place_of(after.follow_up))
        if after.swapped.wins:
            return
        # The other would rather have the square below if it completes a line of theirs.
        made = after.threats & ~before.threats & ~after.playable & ~(after.swapped.threats << 1)
        if made:
            lowest = min(bits_in(made), key=self.height)
            yield Reason(
                ReasonKind.WAITING,
                square=after.place_of(lowest),
                is_suited=self.suits(lowest),
            )

    def _reason(self, kind: ReasonKind, squares: int, threats: int = 2) -> Reason:
        moves = tuple(self.before.move_onto(each) for each in bits_in(squares))
        return Reason(kind, moves, threats=threats)
