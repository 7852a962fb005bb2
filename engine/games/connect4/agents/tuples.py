"""The cautious agent: open threes, with the opponent's weighing a hundred times as much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from time import perf_counter

from engine.core.agent import (
    FULL_MARGIN,
    NO_RESULT,
    Explanation,
    Searched,
    draw_move,
    highest,
    refuse_if_over,
    require_depth,
    right_biased,
    uniform,
    wins_alike,
)
from engine.core.analysis import SearchResult
from engine.core.compiled.scores import WIN
from engine.core.game import Move, Position
from engine.core.limits import Stop
from engine.core.values import Score, is_decided
from engine.games.connect4.agents.minimax import minimax
from engine.games.connect4.rules import Connect4Position

FOUR = 4000
"""The value of a line of four, which ends the game."""


@dataclass(frozen=True, slots=True)
class Tuples:
    """Win at once, else minimax over 3-tuples; for Connect 4 on every size.

    A 3-tuple is three stones of one colour in a line of four whose fourth square, the anchor, is
    empty; it counts if a stone dropped now would land on the anchor. A state is evaluated for the
    side that made the last move: 1 for every anchor of its own 3-tuples and -100 for every one of
    the opponent's, however many 3-tuples share it. The value is zero-sum. A line of four ends the
    game and counts 4000.

    From the report of a student project with minimax of 3, 5 and 7 plies on 6x7. Its program took a
    win at once before it searched. Two defects that the report names are fixed here: of equal moves
    it preferred those to the right, while this agent chooses among them uniformly; and it gave up
    once the game was lost, since all losses had the same value, while this agent resists as long as
    it can.

    After 445, columns 3 and 6 are worth 0 and all others -100, because after these the opponent
    gets a three of which one end stays open.
    """

    depth: int = 3
    """Plies; the original's 3, or 5 or 7."""
    fixed: bool = True
    """Whether the defects are fixed; otherwise it plays like the original."""

    def __post_init__(self) -> None:
        require_depth(self.depth)

    @property
    def name(self) -> str:
        """`tuples-` and the depth; `-original` for the one with the defects."""
        return f"tuples-{self.depth}{'' if self.fixed else '-original'}"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose by the values of the moves; raises ValueError for a game that is over.

        The score is the move's on the engine's scale. If stopped early, it chooses among the moves
        searched so far, or makes the first legal one.
        """
        refuse_if_over(position)
        began = perf_counter()
        found = self._searched(position, stop)
        choices = _choices(found.values, position)
        move = draw_move(
            self._chances(choices, found.values) or {position.legal_moves()[0]: 1}, rng
        )
        points = found.values.get(move, 0)
        score = Score(points, position.to_move, exact=is_decided(points))
        seconds = perf_counter() - began
        return SearchResult(move, score, found.depth, found.nodes, seconds, line=(move,))

    def explain(self, position: Position, *, stop: Stop | None = None) -> Explanation:
        """The state's value as if the side to move had reached it, and the moves' minimax values.

        A move's value counts wins and losses as 4000 at any distance.
        """
        found = self._searched(position, stop)
        choices = _choices(found.values, position)
        return Explanation(
            agent=self.name,
            leaf=_leaf(position),
            values=wins_alike(found.values, FOUR),
            choices=choices,
            chances=self._chances(choices, found.values),
            depth=found.depth,
            nodes=found.nodes,
        )

    def _searched(self, position: Position, stop: Stop | None) -> Searched:
        from engine.games.connect4.agents.compiled.evaluation import Evaluation

        assert isinstance(position, Connect4Position), "tuples are counted in Connect 4 only"
        if position.outcome is not None:
            return NO_RESULT
        return minimax(position, Evaluation.TUPLES, self.depth, margin=FULL_MARGIN, stop=stop)

    def _chances(
        self, choices: tuple[Move, ...], scores: Mapping[Move, int]
    ) -> Mapping[Move, float]:
        if not self.fixed:
            return right_biased(choices)
        lost = all(value == -FOUR for value in wins_alike(scores, FOUR).values())
        return uniform(highest(scores) if lost else choices)


def _choices(scores: Mapping[Move, int], position: Position) -> tuple[Move, ...]:
    """The first move that wins at once; else all with the highest value."""
    at_once = [move for move, score in scores.items() if score == WIN - (position.ply + 1)]
    return (at_once[0],) if at_once else highest(wins_alike(scores, FOUR))


def _leaf(position: Position) -> int:
    """The evaluation of a position as if the side to move had made the last move."""
    from engine.games.connect4.agents.compiled.evaluation import tuple_value
    from engine.games.connect4.compiled.memory import new_memory
    from engine.games.connect4.kernel import words_of

    assert isinstance(position, Connect4Position), "tuples are counted in Connect 4 only"
    if position.outcome is not None and position.outcome.winner is not None:
        return FOUR if position.outcome.winner is position.to_move else -FOUR
    own, opp, _ = words_of(position)
    return int(tuple_value(own, opp, new_memory(position.game.rows, position.game.columns, 0)))
