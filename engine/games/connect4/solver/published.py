"""Published facts about large boards: values of openings, and best moves of a few positions."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from engine.core.game import Move
from engine.core.values import Value, best_end
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.book import BOOKS, keys_of, write_book

BEST_MOVES = BOOKS / "best-moves.csv"


def best_moves(position: Connect4Position) -> tuple[Move, ...]:
    """Return the published best moves of a position, whose values are unknown; mostly none."""
    known = _best_moves().get(position.game.variant)
    if known is None:
        return ()
    key, mirrored = keys_of(position)
    last = position.game.columns - 1
    found = {*known.get(key, ()), *(Move(last - move) for move in known.get(mirrored, ()))}
    return tuple(sorted(found))


@cache
def _best_moves() -> Mapping[str, Mapping[int, tuple[Move, ...]]]:
    """The best moves by board and key of the position."""
    found: dict[str, dict[int, tuple[Move, ...]]] = {}
    for row in _rows(BEST_MOVES):
        game = Connect4.from_variant(row["board"])
        key, _ = keys_of(_after(game, row["moves"]))
        found.setdefault(game.variant, {})[key] = game.moves(row["best"])
    return found


def write_published(source: Path, game: Connect4, path: Path) -> int:
    """Write the book of a board from a file with the scores of openings and of their moves.

    Returns the number of positions. Raises ValueError if the file contradicts itself.
    """
    ends = opening_ends(source, game)
    plies = max(stones for _, stones in ends.values())
    write_book(path, game.rows, game.columns, plies, ((key, end) for key, (end, _) in ends.items()))
    return len(ends)


def opening_ends(source: Path, game: Connect4) -> dict[int, tuple[int, int]]:
    """Return the end of each position in a file of openings and its number of stones, by its key.

    Raises ValueError if two lines give a position different ends, or a position another end than
    that of its best move.
    """
    ends: dict[int, tuple[int, int]] = {}
    for row in _rows(source):
        position = _after(game, row["moves"])
        mover, squares = position.to_move, game.rows * game.columns
        end = Value.from_score(int(row["score"]), mover, squares).end
        after = {
            move: Value.from_score(int(row[f"after{move + 1}"]), mover, squares).end
            for move in position.legal_moves()
        }
        if end != best_end(mover, list(after.values())):
            raise ValueError(f"{row['moves'] or 'the empty board'}: the best move has another end")
        known = [(position, end), *((position.play(move), end) for move, end in after.items())]
        for one, found in known:
            if ends.setdefault(min(keys_of(one)), (found, one.ply))[0] != found:
                raise ValueError(f"{row['moves'] or 'the empty board'}: it has two ends")
    return ends


def _after(game: Connect4, moves: str) -> Connect4Position:
    """The position after some moves."""
    position = game.start()
    for move in game.moves(moves):
        position = position.play(move)
    return position


def _rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a file whose first lines are comments."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(line for line in file if not line.startswith("#"))
