"""Puzzles as drills: what is asked, and what is said of a first try."""

from __future__ import annotations

from bot.play.drills import NOTHING_FOLLOWS, Asker, Attempt, Consequence, Drill, DrillStep, Way
from bot.play.puzzling import Puzzling
from bot.rating.ratings import is_provisional
from bot.rating.size_classes import SizeClass
from bot.store import DailyKey, PuzzleTry, Rating, Settled
from bot.table.refusal import Refusal
from bot.words import Say
from engine.strength.ladder import size_class
from engine.study.puzzles import Puzzle
from engine.study.puzzles import puzzle as puzzle_called

SOURCE = "puzzle"
"""What buttons call these drills; which one it is says the puzzle's id."""


class PuzzleDrills:
    """Drills from the puzzles that are shipped."""

    def __init__(self, puzzling: Puzzling) -> None:
        """Have first tries kept and rated by `puzzling`."""
        self._puzzling = puzzling

    async def first(self, user_id: int, family: str, size: SizeClass | None) -> DrillStep:
        """The puzzle for somebody who asks for one; refused for sizes without any."""
        return DrillStep(SOURCE, await self._puzzling.first(user_id, family, size))

    async def drill(self, ref: str, asker: Asker) -> Drill:
        """See `DrillSource`; whoever has not had the puzzle before begins to try it now."""
        puzzle = puzzle_known(ref)
        await self._puzzling.begin(asker.user_id, puzzle)
        title = asker.say("puzzle.title", id=puzzle.id, board=board_words(puzzle, asker.say))
        return Drill(puzzle.id, puzzle.problem, title, prompt_words(puzzle, asker.say))

    async def answered(self, drill: Drill, attempt: Attempt, asker: Asker) -> Consequence:
        """Settle the first try as soon as it is known what comes of it."""
        solved = attempt.solves(drill.problem)
        if attempt.is_right and not solved:
            return NOTHING_FOLLOWS
        puzzle = puzzle_known(drill.ref)
        said = await self.settled(puzzle, asker, solved=solved)
        if not solved and attempt.move is not None:
            return Consequence(said)
        return Consequence(said, (await self.onward(puzzle, asker, "button.next_puzzle"),))

    async def settled(
        self, puzzle: Puzzle, asker: Asker, *, solved: bool, daily: DailyKey | None = None
    ) -> str:
        """Settle a first try, for a day too if it counts for one; returns what it changed."""
        settled = await self._puzzling.settle(asker.user_id, puzzle, solved=solved, daily=daily)
        rating = await self._puzzling.rating(asker.user_id, size_class(puzzle.game))
        return rating_words(puzzle, settled, rating, asker.say)

    async def onward(self, puzzle: Puzzle, asker: Asker, label: str) -> Way:
        """The way to somebody's next puzzle on the same ladder."""
        following = await self._puzzling.next(asker.user_id, puzzle.game)
        return Way(asker.say(label), DrillStep(SOURCE, following))


def puzzle_known(id: str) -> Puzzle:
    """The puzzle of an id; refused where there is none."""
    found = puzzle_called(id)
    if found is None or found.id != id:
        raise Refusal("unknown_button")
    return found


def board_words(puzzle: Puzzle, say: Say) -> str:
    """Which game a puzzle is from, and on which board."""
    game = puzzle.game
    variant = say.variant(game.key, game.variant)
    return say("game.variant", game=say(f"game.{game.key}"), variant=variant)


def prompt_words(puzzle: Puzzle, say: Say) -> str:
    """What is to be found."""
    moves = puzzle.wins_in or puzzle.asked
    return say(f"puzzle.{puzzle.kind}", moves=say.count("moves", moves))


def rating_words(puzzle: Puzzle, settled: Settled | None, rating: Rating | None, say: Say) -> str:
    """What a try changed, or that only the first one counts, and the puzzle's own rating."""
    of_puzzle = say.rating(puzzle.rating)
    if settled is None or rating is None:
        return say("puzzle.rated", puzzle=of_puzzle)
    own = say.rating(rating.value)
    if is_provisional(rating):
        own = say("leaders.provisional", rating=own)
    if not settled.counted:
        return say("puzzle.unchanged", rating=own, puzzle=of_puzzle)
    change = f"{_points(settled.attempt):+d}"
    return say("puzzle.changed", rating=own, change=change, puzzle=of_puzzle)


def _points(attempt: PuzzleTry) -> int:
    assert attempt.value_before is not None
    assert attempt.value_after is not None
    return round(attempt.value_after) - round(attempt.value_before)
