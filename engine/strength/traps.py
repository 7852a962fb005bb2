"""The choice among equally good moves of the one that is most difficult for an opponent.

Moves of equal value under perfect play differ against an opponent who errs. `Replies` gives the
probability of each reply of an opponent, by the ladder's model of their strength. `Traps` searches
these replies, and our moves after them that give nothing away, as deep as limits allow: an
expectimax search (Michie 1966) whose leaves have the values of perfect play.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from random import Random
from time import perf_counter, sleep

from engine.core.attention import Hidden, overlooked
from engine.core.compiled.scores import WON_BOUND
from engine.core.exact import ExactSolver
from engine.core.game import Move, Position
from engine.core.limits import Limit, Stop
from engine.core.registry import package_of
from engine.core.search import scores_by_depth
from engine.core.values import Value, is_decided
from engine.strength.agent import Strength
from engine.strength.habits import Habits

RARE = 0.01
"""Replies with a smaller probability are left out."""

MAX_REPLIES = 20
"""The most replies in a row that are searched."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The limits of a search for traps, which ends at the first one that it reaches."""

    searches: int = 300
    """Searches by the opponent's model: a tenth of a second on one core."""
    nodes: int = 300_000
    """Positions that the exact solver may visit: another tenth of a second."""
    seconds: float = 1.0
    """Wall-clock time, which matters only on a machine under load."""


class _Spent(Exception):
    """The limits are reached."""


@dataclass(frozen=True, slots=True)
class _Reply:
    """A possible reply of the opponent."""

    probability: float
    value: float
    """Our share of a point after it under perfect play."""
    after: Position


@dataclass(frozen=True, slots=True)
class _Turn:
    """The opponent's turn in a position."""

    replies: tuple[_Reply, ...]
    values: dict[int, float] = field(default_factory=dict)
    """Our expected share of a point, by the number of replies in a row that are searched."""


class Traps:
    """A search from one position for the moves after which an opponent is likeliest to err."""

    def __init__(
        self, solver: ExactSolver, replies: Replies, effort: Effort, stop: Stop | None = None
    ) -> None:
        """Search with an exact solver, the opponent's likely replies and limits."""
        self._solver = solver
        self._replies = replies
        self._searches = effort.searches
        self._until = perf_counter() + effort.seconds
        self._stop = stop or Stop()
        self._turns: dict[Position, _Turn] = {}
        self._keeping: dict[Position, tuple[Position, ...]] = {}
        self._is_cut = False
        self.depth = 0
        """The number of replies in a row that have been searched."""

    def values(self, position: Position, moves: Iterable[Move]) -> Mapping[Move, float]:
        """The expected share of a point after moves of equal value under perfect play.

        All are 0 if there is no time even for the first replies.
        """
        after = {move: position.play(move) for move in moves}
        found = dict.fromkeys(after, 0.0)
        try:
            for depth in range(1, MAX_REPLIES + 1):
                self._is_cut = False
                found = {move: self._after_ours(turn, depth) for move, turn in after.items()}
                self.depth = depth
                if not self._is_cut:
                    break
        except _Spent:
            pass
        return found

    def _after_ours(self, position: Position, depth: int) -> float:
        """Our expected share of a point in a position after our move."""
        if position.outcome is not None:
            return Value.of_ended(position).share(position.to_move.other)
        turn = self._turns.get(position)
        if turn is None:
            turn = self._turns[position] = self._turn(position)
        if depth not in turn.values:
            replies = turn.replies
            turn.values[depth] = sum(r.probability * self._after_reply(r, depth) for r in replies)
        return turn.values[depth]

    def _after_reply(self, reply: _Reply, depth: int) -> float:
        """Our expected share of a point after a reply."""
        if reply.value == 1.0 or reply.after.outcome is not None:
            return reply.value
        if depth == 1:
            self._is_cut = True
            return reply.value
        return max(self._after_ours(after, depth - 1) for after in self._kept(reply))

    def _kept(self, reply: _Reply) -> tuple[Position, ...]:
        """The positions after our moves that answer a reply without giving anything away."""
        found = self._keeping.get(reply.after)
        if found is None:
            verdict = self._verdict(reply.after)
            kept = (move for move, share in verdict.items() if share == reply.value)
            found = self._keeping[reply.after] = tuple(reply.after.play(move) for move in kept)
        return found

    def _turn(self, position: Position) -> _Turn:
        self._searches -= self._replies.searches
        if self._searches < 0 or self._stop.is_set or perf_counter() > self._until:
            raise _Spent
        # Much of this is plain Python: let other threads acquire the interpreter lock.
        sleep(0)
        verdict = self._verdict(position)
        top = max(verdict.values())
        best = [move for move, share in verdict.items() if share == top]
        chances = self._replies.chances(position, best)
        likely = {move: probability for move, probability in chances.items() if probability >= RARE}
        total = sum(likely.values())
        return _Turn(
            tuple(
                _Reply(probability / total, 1.0 - verdict[move], position.play(move))
                for move, probability in likely.items()
            )
        )

    def _verdict(self, position: Position) -> Mapping[Move, float]:
        found = self._solver.winners(position)
        if found is None:
            raise _Spent
        return found


DRAWS = 6
"""The number of draws of overlooked lines for a player who overlooks single lines."""

RARELY = 0.02
"""Depths with a smaller probability are left out."""

MAX_NODES = 4_000
"""The most nodes of the model of a player: more would take a fifth of a second for each reply and
leave no time for a second one."""

STEPS = 16
"""The number of steps into which the range of the noise is divided."""


class Replies:
    """The moves of an adjustable agent, as probabilities instead of draws.

    The same position has the same probabilities every time and on every machine.
    """

    def __init__(self, agent: Strength, habits: Habits | None = None) -> None:
        """Predict the moves of an agent, or of a player who deviates from it by `habits`."""
        self._agent = agent
        self._habits = habits
        self._depths = tuple(_depths_of(agent))
        nodes = None if agent.nodes is None else min(agent.nodes, MAX_NODES)
        self._limit = Limit(agent.depth, nodes=nodes)
        self.searches = 1 if not agent.blind else DRAWS
        """The number of searches for one position."""

    def chances(self, position: Position, best: Collection[Move]) -> Mapping[Move, float]:
        """The probability of every move that the agent may make.

        Args:
            position: One that is not over.
            best: The moves that keep the best result, among which the agent chooses if it knows the
                position.
        """
        found = self._of_agent(position, best)
        return found if self._habits is None else self._habits.adjusted(position, best, found)

    def _of_agent(self, position: Position, best: Collection[Move]) -> Mapping[Move, float]:
        found: dict[Move, float] = defaultdict(float)
        knows = self._agent.knows
        for move in best if knows else ():
            found[move] += knows / len(best)
        for hidden in self._oversights(position):
            margin = 2 * self._agent.noise
            scores = scores_by_depth(position, self._limit, margin, hidden)
            for depth, weight in self._depths:
                seen = scores[min(depth, len(scores)) - 1]
                for move, probability in choice_probabilities(seen, self._agent.noise).items():
                    found[move] += (1 - knows) * weight * probability / self.searches
        return found

    def _oversights(self, position: Position) -> Iterator[Hidden | None]:
        """The lines that the agent overlooks, once for each draw."""
        sight = package_of(position).sight
        if self.searches == 1 or sight is None:
            yield from [None] * self.searches
            return
        seen, rng = sight(position), Random(0)
        for _ in range(self.searches):
            yield overlooked(seen, self._agent.blind, rng)


def choice_probabilities(scores: Mapping[Move, int], noise: int) -> Mapping[Move, float]:
    """The probabilities with which `engine.core.analysis.pick` chooses the moves of a search."""
    top = max(scores.values())
    if not noise or is_decided(top):
        best = [move for move, score in scores.items() if score == top]
        return dict.fromkeys(best, 1 / len(best))
    # Whole numbers from -noise to noise with random choice among equal ones behave like numbers
    # spread evenly over a range of twice the noise plus one: the random choice is the fraction.
    span = 2 * noise + 1
    least = {m: (s - top) / span for m, s in scores.items() if s >= -WON_BOUND and s > top - span}
    return _highest(least)


def _highest(least: Mapping[Move, float]) -> Mapping[Move, float]:
    """The probability that each move has the highest value.

    The value of a move is distributed uniformly from its `least` value to one above it.
    """
    if len(least) == 1:
        return dict.fromkeys(least, 1.0)
    found = dict.fromkeys(least, 0.0)
    for step in range(STEPS):
        # The highest value is at least the greatest of `least`, which is 0, so it lies in 0..1.
        at = (step + 0.5) / STEPS
        below = {move: min(at - start, 1.0) for move, start in least.items()}
        for move, share in below.items():
            if share < 1.0:
                found[move] += prod(b for other, b in below.items() if other != move)
    total = sum(found.values())
    return {move: probability / total for move, probability in found.items() if probability}


def _depths_of(agent: Strength) -> Iterator[tuple[int, float]]:
    """The depths of an agent's searches, with their probabilities."""
    found, left, depth = [], 1.0, agent.depth
    while depth > agent.surely and left * agent.overlook >= RARELY:
        found.append((depth, left * (1 - agent.overlook)))
        left *= agent.overlook
        depth -= 1
    yield from found
    yield depth, left
