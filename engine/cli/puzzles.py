"""The commands for puzzles: create a file, show the shipped ones, and check their grades."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from engine.cli.common import INTERRUPTED, OK, interruptible, print_json, refused
from engine.core.game import Game, Move
from engine.study.puzzles import Puzzle, file_of, puzzles_of

PROGRESS_INTERVAL = 50
"""Puzzles between two progress reports."""

ABOUT = """
`show` prints a line of JSON each puzzle:
  id       six letters and digits, the same for ever
  game     as GAME:VARIANT
  moves    the game up to the position, as players write them
  kind     win     the only move that wins; wins_in says with which own move the line is completed
           hold    the only move that does not lose
           refute  the other side's last move was a mistake: the only move that wins now
  line     the solution, the solver's moves and the replies one after the other
  solver   1 or 2: who is to find the moves; all of `line` that is theirs is asked
  steps    the same line in parts: an answer, and the replies to it
  wins_in  own moves until a line is completed, the last of which need not be asked; null otherwise
  rating   who is rated so on the ladder of that board solves it half of the time
  grade    1 to 3, easy to hard, where ratings tell no more: `rating` is then the mean of the grade
  source   the seed and the number of the game in which it was found
  themes   what the solution uses
  forced   own moves until a line is completed, also of a refutation; 0 if it does not go so far
  distance own moves until the win; of `hold`, the most that the other side needs after an error
  finish   a reply and the move that completes a line, where `line` ends before a threat is seen
  within   the puzzle whose solution contains this position
docs/puzzles.md says exactly what each kind promises.
"""


def add_puzzle_commands(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    game: Callable[[str], Game],
    which: str,
    whole_number: Callable[[str], int],
) -> None:
    """Add `puzzles`, `puzzles show` and `puzzles grade` to a program, with its parsers."""
    parser = commands.add_parser(
        "puzzles",
        help="make puzzles from games between rungs, show those that are shipped, or their grades",
        epilog=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", help="the file to add puzzles to", type=Path, metavar="FILE")
    parser.add_argument("--game", help=which, type=game, default=game("6x7"))
    parser.add_argument(
        "--count", help="puzzles that the file is to have", type=whole_number, default=100
    )
    parser.add_argument("--seed", help="of the games", type=whole_number, default=1)
    parser.add_argument(
        "--plain", help="only forced wins in two to four moves", action="store_true"
    )
    parser.set_defaults(run=_make)
    actions = parser.add_subparsers(metavar="ACTION")

    show = actions.add_parser("show", help="print the shipped puzzles, a line of JSON each")
    show.add_argument("shown", help=which, type=game, metavar="game")
    show.add_argument("--count", help="only the first ones", type=whole_number, dest="first")
    show.set_defaults(run=_show)

    grade = actions.add_parser("grade", help="how many puzzles each rung of the ladder solves")
    grade.add_argument("graded", help=which, type=game, metavar="game")
    grade.add_argument("--file", help="instead of the shipped one", type=Path, metavar="FILE")
    grade.add_argument("--out", help="ask all rungs again first, and write a file", type=Path,
                       metavar="FILE", dest="regraded")  # fmt: skip
    grade.set_defaults(run=_grade)

    describe = actions.add_parser("describe", help="derive themes and distances again")
    describe.add_argument("described", help=which, type=game, metavar="game")
    describe.add_argument("--file", help="instead of the shipped one", type=Path, metavar="FILE")
    describe.add_argument("--out", help="the file to write", type=Path, metavar="FILE",
                          dest="written", required=True)  # fmt: skip
    describe.set_defaults(run=_describe)


def _make(options: argparse.Namespace) -> int:
    # Mining loads compiled kernels, which printing puzzles does not need.
    from engine.study.mining.files import produce

    if options.out is None:
        return refused("puzzles needs --out FILE, or one of show, grade and describe")
    game: Game = options.game
    command = f"python -m engine puzzles --game {game.key}:{game.variant} --count {options.count}"
    command += f" --seed {options.seed}{' --plain' if options.plain else ''} --out FILE"
    made = produce(game, options.out, options.count, options.seed, command, plain=options.plain)
    written = 0
    try:
        with interruptible():
            for written in made:
                if written % PROGRESS_INTERVAL == 0:
                    print(f"{written} puzzles", file=sys.stderr, flush=True)
    except (OSError, ValueError) as error:
        return refused(error if isinstance(error, OSError) else f"{options.out}: {error}")
    except KeyboardInterrupt:
        print("python -m engine: stopped; the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    print(f"{options.out}: {written or 'no new'} puzzles")
    return OK


def _show(options: argparse.Namespace) -> int:
    for puzzle in islice(puzzles_of(options.shown), options.first):
        print_json(as_json(puzzle))
    return OK


def as_json(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as a JSON object; the command's help describes the fields."""
    game, problem = puzzle.game, puzzle.problem

    def text(moves: tuple[Move, ...]) -> str:
        return "".join(map(game.label, moves))

    return {
        "id": puzzle.id,
        "game": f"{game.key}:{game.variant}",
        "moves": text(problem.moves),
        "kind": puzzle.kind.value,
        "line": text(problem.line),
        "solver": int(problem.solver),
        "steps": [text((*step.answers, *step.replies)) for step in problem.steps],
        "wins_in": puzzle.wins_in,
        "rating": puzzle.rating,
        "grade": puzzle.grade or None,
        "source": puzzle.source,
        "themes": list(puzzle.themes),
        "forced": puzzle.forced,
        "distance": puzzle.distance,
        "finish": text(puzzle.finish),
        "within": puzzle.within or None,
    }


def _describe(options: argparse.Namespace) -> int:
    from engine.study.mining.files import describe

    game: Game = options.described
    path = options.file or file_of(game)
    try:
        puzzles = describe(game, path, options.written)
    except (OSError, ValueError) as error:
        return refused(error if isinstance(error, OSError) else f"{path}: {error}")
    print(f"{options.written}: {len(puzzles)} puzzles")
    return OK


def _grade(options: argparse.Namespace) -> int:
    from engine.study.mining.files import rows
    from engine.study.mining.ranking import ranking

    game: Game = options.graded
    path = options.file or file_of(game)
    try:
        graded = list(rows(game, path.read_text("utf-8").splitlines()))
        if options.regraded:
            from engine.study.mining.files import regrade

            graded = regrade(game, path, options.regraded)
    except (OSError, ValueError) as error:
        return refused(error if isinstance(error, OSError) else f"{path}: {error}")
    if len(graded) < 2:
        return refused(f"{path}: too few puzzles for a ranking")
    found = ranking(game, graded)
    print(f"{len(graded):,} puzzles\n")
    print("| rung | Elo | solved | held out | foreseen |\n| --- | ---: | ---: | ---: | ---: |")
    for one in found.rungs:
        shares = " | ".join(f"{100 * s:.1f} %" for s in (one.share, one.held_out, one.foreseen))
        print(f"| {one.rung.name} | {one.rung.elo:.0f} | {shares} |")
    print(f"\nratings and shares: Pearson {found.pearson:.3f}, Spearman {found.spearman:.3f}")
    print(f"puzzles' ratings by both halves of the seeds: Pearson {found.halves:.3f}")
    print(f"foreseen and held-out shares: {100 * found.error:.1f} points apart on average")
    return OK
