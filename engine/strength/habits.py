"""How players deviate from the rung of their rating: what is likelier or less likely than there.

A rung errs in its own way; people do not. `Habits` reweights the probabilities of a rung's moves:
the probability of a move is proportional to

    Q^(1 + w0) * exp(w1 f1 + w2 f2 + ...)

where Q is the rung's probability, mixed with a little of an even choice, and the f are what can be
seen of the move (`FEATURES`). That is a conditional logit (McFadden 1974) with the rung as its
offset. With all weights 0 it is the rung. `engine.strength.habit_fit` fits weights to games.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import exp, isfinite, log
from typing import Any

from engine.core.game import Move, Position, Square, target
from engine.core.registry import package_of

FEATURES = ("sharpness", "keeps", "completes", "blocks", "gives", "spends", "middle")
"""The weights, in their order: the exponent, and the features of a move.

`keeps`: the result is still the best possible one. `completes`: a line of the player. `blocks`: a
line that the other could complete now. `gives`: the other completes a line on the square above.
`spends`: the player completes one there. `middle`: closeness to the middle of the board, up to 1.
"""

MIXED = 0.01
"""The share of an even choice in Q, so that no move is impossible."""

VERSION = 1
"""The version of the file."""

LIMIT = 20.0
"""The greatest weight of a file."""


class NotHabits(ValueError):
    """A file has no habits that can be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Habits:
    """The weights of `FEATURES`; raises ValueError for another number of them."""

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != len(FEATURES):
            raise ValueError(f"there are {len(FEATURES)} weights, not {len(self.weights)}")

    def adjusted(
        self, position: Position, best: Collection[Move], chances: Mapping[Move, float]
    ) -> Mapping[Move, float]:
        """Return the probability of every legal move, from those of a rung.

        `best` are the moves that keep the best result.
        """
        rows = rows_of(position, best, chances)
        sums = [sum(w * f for w, f in zip(self.weights, row, strict=True)) for _, row in rows]
        offsets = [row[0] for _, row in rows]
        most = max(a + b for a, b in zip(sums, offsets, strict=True))
        found = [exp(a + b - most) for a, b in zip(sums, offsets, strict=True)]
        total = sum(found)
        return {move: share / total for (move, _), share in zip(rows, found, strict=True)}


Row = tuple[Move, tuple[float, ...]]
"""A move and its features; the first is the logarithm of the rung's mixed probability."""


def rows_of(
    position: Position, best: Collection[Move], chances: Mapping[Move, float]
) -> tuple[Row, ...]:
    """Return the features of every legal move of a position that is not over."""
    moves = position.legal_moves()
    even = MIXED / len(moves)
    seen = dict(_seen(position, moves))
    return tuple(
        (
            move,
            (log((1 - MIXED) * chances.get(move, 0.0) + even), float(move in best), *seen[move]),
        )
        for move in moves
    )


def _seen(position: Position, moves: Collection[Move]) -> Iterator[tuple[Move, tuple[float, ...]]]:
    """Yield what can be seen of each move, in the order of `FEATURES` from `completes` on."""
    found = package_of(position.game).threat_map_of(position)
    mover, owners = position.to_move, {}
    if found is not None:
        owners = {one.square: one.players for one in found.threats}
    falls = not position.game.row_names
    for move in moves:
        square = target(position, move)
        if square is None:
            yield move, (0.0,) * (len(FEATURES) - 2)
            continue
        here = owners.get(square, ())
        above = owners.get(Square(square.row - 1, square.column), ()) if falls else ()
        signs = (mover in here, mover.other in here, mover.other in above, mover in above)
        yield move, (*map(float, signs), _middle(position, square))


def _middle(position: Position, square: Square) -> float:
    """How close a square is to the middle of the board: by its column or, without gravity, both."""
    game = position.game
    half = (len(game.column_names) - 1) / 2
    away = abs(square.column - half) / half
    if game.row_names:
        half = (len(game.row_names) - 1) / 2
        away = (away + abs(square.row - half) / half) / 2
    return 1 - away


def written(fitted: Mapping[str, tuple[Habits, int]]) -> str:
    """Return a file's text, from the habits of each size class and the number of moves."""
    ladders = {
        name: {
            "moves": moves,
            "weights": {
                key: round(weight, 4) for key, weight in zip(FEATURES, habits.weights, strict=True)
            },
        }
        for name, (habits, moves) in fitted.items()
    }
    return json.dumps({"version": VERSION, "ladders": ladders}, indent=2) + "\n"


def read_habits(text: str) -> dict[str, Habits]:
    """Read a file's habits by size class; raises NotHabits."""
    try:
        found = json.loads(text)
        if found["version"] != VERSION:
            raise NotHabits(f"its version is not {VERSION}")
        return {str(name): _habits(one["weights"]) for name, one in found["ladders"].items()}
    except NotHabits:
        raise
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise NotHabits("it was not written by `cuatro fit-opponents`") from error


def _habits(weights: Mapping[str, Any]) -> Habits:
    if set(weights) != set(FEATURES):
        raise NotHabits("its weights are not those of this version")
    numbers = tuple(float(weights[key]) for key in FEATURES)
    if not all(isfinite(number) and abs(number) <= LIMIT for number in numbers):
        raise NotHabits(f"a weight is not within ±{LIMIT:.0f}")
    return Habits(numbers)
