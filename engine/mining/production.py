"""Making a file of puzzles: mined, graded, and written one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from engine.game import Game
from engine.mining.grading import ask, judges, rating_of
from engine.mining.miner import Miner
from engine.mining.sheet import COLUMNS, Graded, row, rows
from engine.mining.source import games
from engine.puzzle import Puzzle

GIVE_UP = 500
"""Games without a new puzzle after which there are taken to be no more."""


def produce(game: Game, path: Path, count: int, seed: int, command: str) -> Iterator[int]:
    """Add puzzles to a file until it has so many; yields how many it has after each.

    What is in the file stays as it is. A puzzle is written as soon as it is graded, so whoever
    stops loses nothing; with the same seed, mining goes on with the last game that gave one.
    Ends early once many games have given nothing new. Raises OSError where the file cannot be
    written, and ValueError where it is no file of puzzles.
    """
    known = _known(game, path)
    done = [graded.number for graded in known if graded.source == f"{seed}/{graded.number}"]
    miner, number = Miner.of(game), max(done, default=0)
    miner.know([graded.puzzle for graded in known])
    written, barren = len(known), 0
    if written >= count:
        return
    with path.open("a", encoding="utf-8") as file:
        if not known:
            file.write(f"# {command}\n{','.join(COLUMNS)}\n")
        for moves in games(game, seed, number):
            found = list(islice(miner.puzzles(moves), count - written))
            barren = 0 if found else barren + 1
            for puzzle in found:
                file.write(row(grade(puzzle, f"{seed}/{number}")) + "\n")
                file.flush()
                written += 1
                yield written
            if written >= count or barren >= GIVE_UP:
                return
            number += 1


def regrade(game: Game, path: Path, out: Path) -> list[Graded]:
    """Ask the ladder about all puzzles of a file anew, and write them with their new ratings.

    For a ladder that was measured again. Ids, lines and places in the file stay.
    """
    lines = path.read_text("utf-8").splitlines()
    graded = [grade(known.puzzle, known.source) for known in rows(game, lines)]
    comments = [line for line in lines if line.startswith("#")]
    text = [*comments, ",".join(COLUMNS), *map(row, graded)]
    out.write_text("\n".join(text) + "\n", encoding="utf-8")
    return graded


def grade(puzzle: Puzzle, source: str) -> Graded:
    """Ask the ladder, and rate a puzzle by its answers."""
    rungs = judges(puzzle.game)
    one, other = (ask(rungs, puzzle.id, puzzle.problem, half) for half in (0, 1))
    rated = replace(puzzle, rating=round(rating_of(puzzle.game, one + other)))
    return Graded(rated, (one, other), source)


def _known(game: Game, path: Path) -> Sequence[Graded]:
    """What is in a file already."""
    if not path.exists() or not path.read_text("utf-8").strip():
        return ()
    return tuple(rows(game, path.read_text("utf-8").splitlines()))
