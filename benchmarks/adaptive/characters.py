"""Simulated players of another kind, with whom no rule of `auto` was tuned.

The people of `benchmarks.adaptive.people` notice or miss things for the whole board at once. These
look at a few moves only, one at a time: those that they like, because of the middle, the edge, a
favourite column or stones beside them. They get tired, run out of time, lose heart when they are
behind, know openings or endgames, and see their own wins before the other side's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol

from benchmarks.adaptive.people import CERTAIN, NODES, STYLES, plies_of_a_turn
from engine.core.game import Move, Position
from engine.core.limits import Limit
from engine.core.registry import package_of
from engine.core.search import analyse
from engine.core.values import is_decided, plies_to_end
from engine.strength.judging import FULL_MARGIN

BEHIND = -1.0
"""Value, in spreads of the evaluation, below which a player thinks that they are behind."""


class Style(Protocol):
    """A way to play."""

    def choose(self, position: Position, rng: Random) -> Move:
        """Choose a move."""


@dataclass(frozen=True, slots=True)
class Character:
    """A way to look at moves. Probabilities are per move; a turn of BOOM has two plies."""

    name: str
    turns: int
    """Depth of their search in turns."""
    looks_at: int
    """The number of moves that they look at."""
    own: float
    """Probability to notice a win within this turn."""
    block: float
    """Probability to notice that a move allows a win in the next turn, for each move."""
    noise: float = 0.5
    """Standard deviation of evaluations, in spreads of the evaluation."""
    middle: float = 0.3
    """Liking for each step towards the centre; negative for the edge."""
    beside: float = 0.0
    """Liking for each of the opponent's stones beside the square: imitation, or tunnel vision."""
    favourite: float = 0.0
    """Liking for a favourite column."""
    tired: float = 0.0
    """Probability to move without looking, at the end of the longest game; less before."""
    hurried: float = 1.0
    """Share of the longest game after which they only look one turn ahead."""
    tilt: float = 0.0
    """Probability to move without looking when they are behind."""
    ending: int = 0
    """Depth in turns once half of the longest game has been played; 0 for no change."""
    opening: int = 0
    """Depth in turns in the first fifth of the longest game; 0 for no change."""

    def choose(self, position: Position, rng: Random) -> Move:
        """Choose a move."""
        moves, family = position.legal_moves(), package_of(position.game)
        played = position.ply / family.longest(position.game)
        liked = self._liked(position, moves)
        by_habit = sorted(moves, key=lambda move: -liked[move] - rng.gauss(0, 0.7))
        if rng.random() < self.tired * played:
            return by_habit[0]
        turn = plies_of_a_turn(position)
        limit = Limit(depth=turn * self._turns_at(played), nodes=NODES)
        scores = analyse(position, limit, margin=FULL_MARGIN).scores
        spread = family.judging.spread
        values = {}
        for number, move in enumerate(by_habit):
            score = scores.get(move, 0)
            plies = plies_to_end(score, position.ply) if is_decided(score) else 0
            if is_decided(score) and score > 0 and plies <= turn:
                if rng.random() < self.own:
                    values[move] = CERTAIN
                continue
            if number >= self.looks_at:
                continue
            seen = score / spread
            if is_decided(score):
                is_close = plies <= 2 * turn
                notices = rng.random() < (self.block if is_close else self.block**2)
                sign = 1.0 if score > 0 else -1.0
                seen = sign * (CERTAIN / 2 - plies) if notices else 0.0
            values[move] = seen + 0.3 * liked[move] + rng.gauss(0, self.noise)
        if not values:
            return by_habit[0]
        best = max(values, key=lambda move: values[move])
        if values[best] < -CERTAIN / 4 and len(values) < len(moves) and rng.random() < self.block:
            # They have noticed a threat, and look for any move against it.
            best = max(moves, key=lambda move: scores.get(move, 0) / spread + rng.gauss(0, 0.1))
        if values.get(best, 0.0) < BEHIND and rng.random() < self.tilt:
            return by_habit[0]
        return best

    def _turns_at(self, played: float) -> int:
        if played >= self.hurried:
            return 1
        if self.ending and played >= 0.5:
            return self.ending
        return self.opening if self.opening and played < 0.2 else self.turns

    def _liked(self, position: Position, moves: tuple[Move, ...]) -> dict[Move, float]:
        cells = position.cells()
        other = position.to_move.other
        centre, favourite = (len(moves) - 1) / 2, len(self.name) % len(moves)
        found = {}
        for number, move in enumerate(moves):
            liking = -self.middle * abs(number - centre)
            target = position.changes(move).target
            if self.beside and target is not None:
                around = (
                    cells[row][column]
                    for row in range(target.row - 1, target.row + 2)
                    for column in range(target.column - 1, target.column + 2)
                    if 0 <= row < len(cells) and 0 <= column < len(cells[0])
                )
                liking += self.beside * sum(cell.owner is other for cell in around)
            found[move] = liking + (self.favourite if number == favourite else 0.0)
        return found


CHARACTERS: dict[str, Character] = {
    one.name: one
    for one in (
        Character("toddler", 1, 2, own=0.5, block=0.1, noise=2.0),
        Character("copycat", 1, 3, own=0.75, block=0.35, noise=1.0, beside=0.8),
        Character("habit", 1, 3, own=0.85, block=0.45, noise=0.8, favourite=2.0),
        Character("edge opener", 2, 4, own=0.9, block=0.6, middle=-0.4, noise=0.8),
        Character("gambler", 2, 5, own=0.98, block=0.45),
        Character("blocker", 1, 6, own=0.75, block=0.95, noise=0.8),
        Character("tunnel", 3, 3, own=0.95, block=0.85, beside=0.6),
        Character("daydreamer", 3, 5, own=0.95, block=0.9, tired=0.5),
        Character("loses heart", 3, 5, own=0.96, block=0.85, tilt=0.7),
        Character("in time trouble", 4, 6, own=0.98, block=0.95, hurried=0.35),
        Character("knows openings", 2, 5, own=0.95, block=0.85, opening=8),
        Character("knows endings", 2, 6, own=0.97, block=0.92, ending=8),
        Character("pupil", 3, 5, own=0.97, block=0.93, noise=0.4),
        Character("patient", 4, 7, own=0.99, block=0.97, noise=0.3),
        Character("league player", 5, 8, own=1.0, block=0.99, noise=0.2),
    )
}
"""All characters by name."""

EXPERT = "as strong as perfect"
"""The name of a player of the same rating as the last rung, whose results follow it exactly."""

PLAYERS: Mapping[str, Style] = {**STYLES, **CHARACTERS}
"""All simulated players by name."""
