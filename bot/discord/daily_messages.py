"""A server's puzzle of the day as a message: its text, its picture and its button."""

from __future__ import annotations

from dataclasses import dataclass, field

import discord

from bot.discord.drill_controls import OPEN, DrillButton
from bot.discord.interactions import png_file
from bot.discord.names import NameBook
from bot.discord.views import lasting_view
from bot.play.daily import daily_title, step_of
from bot.play.puzzle_drills import prompt_words, puzzle_known
from bot.play.workers import Workers
from bot.show.drills import drill_phrases, problem_scene
from bot.store import DailyPost, Solver, SolverBoard, Store
from bot.words import Say, say_for
from bot.words.plain import escaped, fitting
from engine.core.registry import package_of
from engine.study.puzzles import Puzzle
from renderers import board_alt_text, draw

MOST_KEPT = 32
"""Pictures that are kept: most servers get the same one on a day."""

Picture = tuple[bytes, str]
"""A PNG, and its alternative text."""


@dataclass(frozen=True, slots=True)
class DailyMessages:
    """Writes and draws puzzles of the day."""

    store: Store
    workers: Workers
    names: NameBook
    pictures: dict[tuple[str, str], Picture] = field(default_factory=dict)

    async def content(self, post: DailyPost) -> str:
        """The puzzle in words, and who of the server has solved it."""
        puzzle, say = puzzle_known(post.puzzle), say_for(post.locale)
        asked = (
            f"{prompt_words(puzzle, say)} {say('puzzle.rated', puzzle=say.rating(puzzle.rating))}"
        )
        board = await self.store.puzzles.board(post.guild_id, post.key)
        solvers = await self._solvers(board, say)
        return fitting("\n".join((daily_title(post.key, puzzle, say), asked, solvers)))

    async def file(self, post: DailyPost) -> discord.File:
        """The picture of the position."""
        png, told = await self._picture(puzzle_known(post.puzzle), say_for(post.locale))
        return png_file(png, f"puzzle-{post.puzzle}", told)

    def view(self, post: DailyPost) -> discord.ui.View:
        """The button with which everybody solves it by themselves."""
        view, label = lasting_view(), say_for(post.locale)("button.daily")
        at, style = step_of(post.key), discord.ButtonStyle.primary
        view.add_item(DrillButton(OPEN, at, label=label, style=style))
        return view

    async def _picture(self, puzzle: Puzzle, say: Say) -> Picture:
        key = puzzle.id, str(say.locale)
        if key not in self.pictures:
            scene = problem_scene(puzzle.problem, puzzle.problem.moves, say)
            png = await self.workers.draw(draw, package_of(puzzle.game).drawing, scene)
            if len(self.pictures) >= MOST_KEPT:
                self.pictures.clear()
            self.pictures[key] = png, board_alt_text(scene, drill_phrases(say))
        return self.pictures[key]

    async def _solvers(self, board: SolverBoard, say: Say) -> str:
        """How many have solved it at the first try, and who did first."""
        if not board.tried:
            return say("daily.nobody")
        counts = {"solved": say.number(board.solved), "tried": say.number(board.tried)}
        told = say("daily.board", **counts)
        if not board.first:
            return told
        names = await self.names.of((one.user_id for one in board.first), say)
        named = [_solver_words(one, names[one.user_id], say) for one in board.first]
        more = ["…"] if board.more else []
        return f"{told}\n{', '.join((*named, *more))}"


def _solver_words(solver: Solver, name: str, say: Say) -> str:
    if solver.streak < 2:
        return f"**{escaped(name)}**"
    days = say.count("days", solver.streak)
    return say("daily.streak", name=f"**{escaped(name)}**", days=days)
