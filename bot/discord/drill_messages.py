"""From drills to private messages: a question with its moves, and what came of an answer."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.discord.drill_controls import answered_view, question_view
from bot.discord.interactions import gif_file, png_file
from bot.discord.private_messages import PrivateMessage
from bot.play.drills import Answered, Drill, DrillStep
from bot.play.workers import Workers
from bot.show.drills import drill_phrases, move_word, play_picture, problem_scene, verdict
from bot.words import Say
from bot.words.plain import fitting
from engine.core.game import Move
from engine.core.registry import package_of
from renderers import board_alt_text, draw


@dataclass(frozen=True, slots=True)
class DrillMessages:
    """Draws drills."""

    workers: Workers

    async def question(
        self, at: DrillStep, drill: Drill, say: Say, said: tuple[str, ...] = ()
    ) -> PrivateMessage:
        """The message that asks a step; what was `said` of the one before stands above it."""
        file = await self._still(at, drill, drill.problem.made(at.step), say)
        text = _text(drill.title, *said, drill.prompt)
        return PrivateMessage(text, [file], question_view(at, drill, say))

    async def answered(self, answered: Answered, say: Say) -> PrivateMessage:
        """The message that says what came of an answer; the next question, if there is one."""
        drill, at, said = answered.drill, answered.at, answered.consequence.said
        if answered.goes_on:
            following = DrillStep(at.source, at.ref, at.step + 1)
            return await self.question(following, drill, say, (_went_on(answered, say), said))
        lead = say(f"drill.{answered.kind}")
        if answered.line is None:
            made = (*drill.problem.made(at.step), *answered.made)
            file = await self._still(at, drill, made, say)
            told = say("drill.no_line", move=move_word(drill.problem, answered.made[0], say))
        else:
            is_right = answered.kind != "wrong"
            told = verdict(
                drill.problem, at.step, answered.line, say, is_right=is_right, known=answered.known
            )
            file = await self._played(at, drill, answered.line.moves, say)
        content = _text(drill.title, lead, told, _others(answered, say), said)
        return PrivateMessage(content, [file], answered_view(answered, say))

    async def _still(
        self, at: DrillStep, drill: Drill, made: tuple[Move, ...], say: Say
    ) -> discord.File:
        """The board after all these moves."""
        scene = problem_scene(drill.problem, made, say)
        png = await self.workers.draw(draw, package_of(drill.problem.game).drawing, scene)
        return png_file(png, _name(at), board_alt_text(scene, drill_phrases(say)))

    async def _played(
        self, at: DrillStep, drill: Drill, moves: tuple[Move, ...], say: Say
    ) -> discord.File:
        """Moves from a step on, played out."""
        # Beside reports: boards of running games do not wait for it.
        gif, told = await self.workers.draw_report(play_picture, drill.problem, at.step, moves, say)
        return gif_file(gif, _name(at), told)


def _went_on(answered: Answered, say: Say) -> str:
    """That a move was right, and what the other side made of it."""
    problem = answered.drill.problem
    move = move_word(problem, answered.made[0], say)
    replies = problem.steps[answered.at.step].replies
    if not replies:
        return say("drill.step", move=move)
    told = ", ".join(move_word(problem, reply, say) for reply in replies)
    return say("drill.step_answered", move=move, replies=told)


def _others(answered: Answered, say: Say) -> str:
    """What else would have been right, once that is no secret."""
    answers = answered.drill.problem.steps[answered.at.step].answers
    others = [move for move in answers if move not in answered.made[:1]]
    if not answered.is_over or not others:
        return ""
    told = ", ".join(move_word(answered.drill.problem, move, say) for move in others)
    return say("drill.others", moves=told)


def _text(*lines: str) -> str:
    return fitting("\n".join(line for line in lines if line))


def _name(at: DrillStep) -> str:
    return f"{at.source}-{at.ref}-{at.step}"
