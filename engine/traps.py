"""The moves after which an opponent of known strength is likeliest to go wrong.

Moves that are worth the same under perfect play are not worth the same against somebody who errs.
This looks at the replies of such a player, each with its chance, and at what gives nothing away
after those, further and further while there is work left: an expectimax search (Michie 1966) whose
leaves are worth what they are under perfect play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from time import perf_counter, sleep

from engine.arbiter import Arbiter
from engine.game import Move, Position
from engine.replies import Replies
from engine.search import Stop
from engine.values import Value

RARE = 0.01
"""Replies with a smaller chance are left out."""
MOST_REPLIES = 20
"""The most replies in a row that are looked at."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What looking for traps may take; it ends at the first limit it reaches."""

    searches: int = 300
    """Of the opponent's model: a tenth of a second of one core."""
    nodes: int = 300_000
    """Of whoever says who wins: as much again."""
    seconds: float = 1.0
    """Wall-clock time, which only a machine under load comes near to."""


class _Spent(Exception):
    """There is no work left."""


@dataclass(frozen=True, slots=True)
class _Reply:
    """What the opponent may do."""

    chance: float
    worth: float
    """Our share of a point after it under perfect play."""
    after: Position


@dataclass(frozen=True, slots=True)
class _Turn:
    """The opponent's turn in a position."""

    replies: tuple[_Reply, ...]
    worths: dict[int, float] = field(default_factory=dict)
    """What it is worth to us, by how many replies in a row are looked at."""


class Traps:
    """A search from one position for the best chances that an opponent goes wrong."""

    def __init__(
        self, arbiter: Arbiter, replies: Replies, effort: Effort, stop: Stop | None = None
    ) -> None:
        """Take whom to ask who wins, how the opponent replies, and what it may take."""
        self._arbiter = arbiter
        self._replies = replies
        self._searches = effort.searches
        self._until = perf_counter() + effort.seconds
        self._stop = stop or Stop()
        self._turns: dict[Position, _Turn] = {}
        self._keeping: dict[Position, tuple[Position, ...]] = {}
        self._is_cut = False
        self.depth = 0
        """How many replies in a row have been looked at."""

    def worths(self, position: Position, moves: Iterable[Move]) -> Mapping[Move, float]:
        """The expected share of a point after moves that are worth the same under perfect play.

        All are 0 if there is not even time for the first replies.
        """
        after = {move: position.play(move) for move in moves}
        found = dict.fromkeys(after, 0.0)
        try:
            for depth in range(1, MOST_REPLIES + 1):
                self._is_cut = False
                found = {move: self._after_ours(turn, depth) for move, turn in after.items()}
                self.depth = depth
                if not self._is_cut:
                    break
        except _Spent:
            pass
        return found

    def _after_ours(self, position: Position, depth: int) -> float:
        """What a position is worth to us after our move."""
        if position.outcome is not None:
            return Value.of_ended(position).share(position.to_move.other)
        turn = self._turns.get(position)
        if turn is None:
            turn = self._turns[position] = self._turn(position)
        if depth not in turn.worths:
            replies = turn.replies
            turn.worths[depth] = sum(r.chance * self._after_reply(r, depth) for r in replies)
        return turn.worths[depth]

    def _after_reply(self, reply: _Reply, depth: int) -> float:
        """What a position is worth to us after a reply."""
        if reply.worth == 1.0 or reply.after.outcome is not None:
            return reply.worth
        if depth == 1:
            self._is_cut = True
            return reply.worth
        return max(self._after_ours(after, depth - 1) for after in self._kept(reply))

    def _kept(self, reply: _Reply) -> tuple[Position, ...]:
        """The positions that our moves after a reply lead to, if they give nothing away."""
        found = self._keeping.get(reply.after)
        if found is None:
            verdict = self._verdict(reply.after)
            kept = (move for move, share in verdict.items() if share == reply.worth)
            found = self._keeping[reply.after] = tuple(reply.after.play(move) for move in kept)
        return found

    def _turn(self, position: Position) -> _Turn:
        self._searches -= self._replies.searches
        if self._searches < 0 or self._stop.is_set or perf_counter() > self._until:
            raise _Spent
        # Much of this is plain Python: whoever else waits for the interpreter goes first.
        sleep(0)
        verdict = self._verdict(position)
        top = max(verdict.values())
        best = [move for move, share in verdict.items() if share == top]
        chances = self._replies.chances(position, best)
        likely = {move: chance for move, chance in chances.items() if chance >= RARE}
        total = sum(likely.values())
        return _Turn(
            tuple(
                _Reply(chance / total, 1.0 - verdict[move], position.play(move))
                for move, chance in likely.items()
            )
        )

    def _verdict(self, position: Position) -> Mapping[Move, float]:
        found = self._arbiter.verdict(position)
        if found is None:
            raise _Spent
        return found
