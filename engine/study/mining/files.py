"""Files of puzzles: games between rungs are played, mined and graded, and the puzzles written.

`engine.study.puzzles` reads all columns but the answers of each rung, which document how the rating
was found. Those after `source` follow from the others (`engine.study.mining.describing`).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random

from engine.core.game import Game, Move
from engine.core.problem import Step
from engine.strength.agent import Strength
from engine.strength.ladder import Rung, ladder_of
from engine.study.mining.describing import described, related
from engine.study.mining.grading import Answers, ask, graders, rating_of, tries
from engine.study.mining.lines import judge_of
from engine.study.mining.miner import Miner
from engine.study.puzzles import Puzzle, read

HALVES = ("solved", "again")
"""The columns with a digit for each rung: the number of times it solved the puzzle."""

DESCRIBED = ("themes", "forced", "distance", "finish", "within")
"""The columns that follow from the others."""

COLUMNS = ("id", "kind", "moves", "line", "rating", *HALVES, "source", *DESCRIBED)


@dataclass(frozen=True, slots=True)
class Graded:
    """A puzzle with the answers of the rungs."""

    puzzle: Puzzle
    halves: tuple[Answers, Answers]
    """The answers with either half of the seeds."""

    @property
    def number(self) -> int:
        """The number of the game in which it was found; its source names the seed, too."""
        return int(self.puzzle.source.partition("/")[2])


def row(graded: Graded) -> str:
    """A puzzle's line in the file."""
    one, label = graded.puzzle, graded.puzzle.game.label

    def text(moves: Iterable[Move]) -> str:
        return "".join(map(label, moves))

    def step(asked: Step) -> str:
        return text((*asked.answers, *asked.replies))

    fields = (
        one.id,
        one.kind.value,
        text(one.problem.moves),
        " ".join(map(step, one.problem.steps)),
        str(one.rating),
        *("".join(map(str, half.solved)) for half in graded.halves),
        one.source,
        " ".join(one.themes),
        *(str(number) for number in (one.forced, one.distance)),
        text(one.finish),
        one.within,
    )
    return ",".join(fields)


def rows(game: Game, lines: Sequence[str]) -> Iterator[Graded]:
    """The puzzles of a file with all their columns; raises ValueError for any other file."""
    data = [line for line in lines if not line.startswith("#")]
    if data[:1] != [",".join(COLUMNS)]:
        raise ValueError("this is no file of puzzles")
    asked = tuple(map(tries, graders(game)))
    for puzzle, columns in zip(read(game, data), csv.DictReader(data), strict=True):
        one, other = (Answers(tuple(map(int, columns[half])), asked) for half in HALVES)
        yield Graded(puzzle, (one, other))


MAX_UNPRODUCTIVE = 500
"""Games without a new puzzle after which mining ends."""


def produce(
    game: Game, path: Path, count: int, seed: int, command: str, *, plain: bool = False
) -> Iterator[int]:
    """Add puzzles to a file until it has `count`; yields their number after each.

    With `plain` only forced wins in two to four moves are added (`Puzzle.is_plain_win`).

    Existing puzzles stay unchanged. A puzzle is written as soon as it is graded, so an interrupted
    run loses nothing; with the same seed, mining continues with the last game that gave a puzzle.
    Ends early after many games without a new one. Raises OSError if the file cannot be written, and
    ValueError if it is not a file of puzzles.
    """
    known = _known(game, path)
    done = [one.number for one in known if one.puzzle.source == f"{seed}/{one.number}"]
    miner, number = Miner.of(game, plain=plain), max(done, default=0)
    miner.know([graded.puzzle for graded in known])
    written, unproductive = len(known), 0
    if written >= count:
        return
    with path.open("a", encoding="utf-8") as file:
        if not done:
            file.write(f"# {command}\n")
        if not known:
            file.write(f"{','.join(COLUMNS)}\n")
        for moves in games(game, seed, number):
            found = list(islice(miner.puzzles(moves), count - written))
            unproductive = 0 if found else unproductive + 1
            for puzzle in found:
                made = described(replace(puzzle, source=f"{seed}/{number}"), miner.judge)
                file.write(row(grade(made)) + "\n")
                file.flush()
                written += 1
                yield written
            if written >= count or unproductive >= MAX_UNPRODUCTIVE:
                return
            number += 1


def regrade(game: Game, path: Path, out: Path) -> list[Graded]:
    """Grade all puzzles of a file again, and write them with their new ratings.

    For a ladder that was measured again. Ids, lines and places in the file stay.
    """
    graded = [grade(known.puzzle) for known in _known(game, path)]
    _write(path, out, graded)
    return graded


def describe(game: Game, path: Path, out: Path) -> list[Puzzle]:
    """Derive the `DESCRIBED` columns of all puzzles of a file again, and write them."""
    known, judge = _known(game, path), judge_of(game)
    puzzles = related([described(one.puzzle, judge) for one in known])
    pairs = zip(known, puzzles, strict=True)
    _write(path, out, [replace(one, puzzle=puzzle) for one, puzzle in pairs])
    return puzzles


def _write(path: Path, out: Path, puzzles: Iterable[Graded]) -> None:
    """Write puzzles in the place of those in a file; its comments stay where they are."""
    lines, following = path.read_text("utf-8").splitlines(), iter(puzzles)
    first = next(number for number, line in enumerate(lines) if not line.startswith("#"))
    text = [
        line if line.startswith("#") else ",".join(COLUMNS) if n == first else row(next(following))
        for n, line in enumerate(lines)
    ]
    out.write_text("\n".join(text) + "\n", encoding="utf-8")


def grade(puzzle: Puzzle) -> Graded:
    """Return a puzzle with the ladder's answers and the rating that follows from them."""
    rungs = graders(puzzle.game)
    one, other = (ask(rungs, puzzle.id, puzzle.problem, half) for half in (0, 1))
    rated = replace(puzzle, rating=round(rating_of(puzzle.game, one + other)))
    return Graded(rated, (one, other))


def _known(game: Game, path: Path) -> Sequence[Graded]:
    """The contents of an existing file."""
    if not path.exists() or not path.read_text("utf-8").strip():
        return ()
    return tuple(rows(game, path.read_text("utf-8").splitlines()))


NEAR = 3
"""The most places between two rungs that meet: games between more distant ones are too easy."""

MAX_NODES = 25_000
"""The most positions per move of rungs that play: others are too slow for thousands of games."""

RANDOM_PLIES = 2
"""Random moves at the start of each game, as in tournaments."""


def games(game: Game, seed: int, start: int = 0) -> Iterator[tuple[Move, ...]]:
    """Games between two rungs of similar rating, from number `start` on.

    A seed and a number always give the same game.
    """
    rungs = [rung for rung in ladder_of(game).rungs if _is_quick(rung) and not rung.is_timid]
    number = start
    while True:
        rng = Random(f"puzzles {game.key}:{game.variant} {seed} {number}")
        first = rng.randrange(len(rungs))
        second = min(max(first + rng.randint(-NEAR, NEAR), 0), len(rungs) - 1)
        yield _played(game, (rungs[first], rungs[second]), rng)
        number += 1


def _played(game: Game, sides: tuple[Rung, Rung], rng: Random) -> tuple[Move, ...]:
    made = list[Move]()
    position = game.start()
    while position.outcome is None:
        if len(made) < RANDOM_PLIES:
            move = rng.choice(position.legal_moves())
        else:
            move = sides[position.to_move - 1].agent.choose(position, rng=rng).move
        made.append(move)
        position = position.play(move)
    return tuple(made)


def _is_quick(rung: Rung) -> bool:
    agent = rung.agent
    return isinstance(agent, Strength) and (agent.nodes or 0) <= MAX_NODES and not agent.knows
