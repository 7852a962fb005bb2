"""The buttons of a drill: its moves, the solution, trying again and going on.

As everywhere, a button's custom id holds everything that has to be known to answer it.

Puts problems to one person, privately, and answers what they try.

From drills to private messages: a question with its moves, and what came of an answer.

A problem that somebody solves: its board, what is said of an answer, and what follows from it.

Whoever solves it is called "You" on the board, the other side "Opponent".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.board.messages import placed_moves, rows_of_moves
from bot.discord.answering import Answering
from bot.discord.presses import presses_of
from bot.discord.replies import (
    PrivateMessage,
    acknowledge,
    asker_of,
    gif_file,
    png_file,
    show_privately,
)
from bot.discord.routes import MOVE, lasting_view
from bot.drills.rules import Answered, Drill, Drills, DrillStep, Way

if TYPE_CHECKING:
    from bot.features.lessons.discord import LessonButton, LessonGameButton
from bot.i18n import Say, fitting
from bot.sessions.people import Limiter
from bot.show.scenes import (
    alt_phrases,
    latest_turn_of,
    play_scenes,
    play_words,
    position_scene,
    turn_squares,
)
from bot.workers.workers import Workers
from engine.core.game import Game, Move, Player, Position, replay
from engine.core.problem import Problem
from engine.core.registry import package_of
from engine.core.values import Value, moves_to_end
from engine.study.analysis import Line
from renderers import (
    AltPhrases,
    BoardScene,
    animation_alt_text,
    board_alt_text,
    draw,
    draw_animation,
)

STEP = "(?P<source>[a-z]{1,12}):(?P<ref>[A-Za-z0-9.-]{1,32}):(?P<step>[0-9]{1,2})"
"""One step of one drill, as `DrillStep`."""

OPEN, ASK, SOLVE = "open", "ask", "solve"
"""What a drill's button does: it puts the drill in a new private message, or in the place of the
one that it stands under, or shows the solution there."""


class AnswerDrillButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:try:{STEP}:(?P<move>{MOVE})",
):
    """Answers one step of a drill with a move."""

    def __init__(
        self,
        at: DrillStep,
        move: str,
        *,
        label: str = "",
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        """A button for a move in the players' notation, which is also the default label."""
        super().__init__(
            discord.ui.Button(
                label=label or move,
                style=ButtonStyle.secondary,
                custom_id=f"cuatro:try:{_id(at)}:{move}",
                disabled=disabled,
                row=row,
            )
        )
        self.at = at
        self.move = move

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(_step(match), match["move"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Judge the answer."""
        await presses_of(interaction).attempt(interaction, self.at, self.move)


class DrillButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:drill:(?P<action>open|ask|solve):{STEP}",
):
    """Puts a drill to whoever presses it, or shows them its solution."""

    def __init__(
        self,
        action: str,
        at: DrillStep,
        *,
        label: str = "",
        style: ButtonStyle = ButtonStyle.secondary,
        row: int | None = None,
    ) -> None:
        """A button for one of OPEN, ASK and SOLVE."""
        super().__init__(
            discord.ui.Button(
                label=label or action,
                style=style,
                custom_id=f"cuatro:drill:{action}:{_id(at)}",
                row=row,
            )
        )
        self.action = action
        self.at = at

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(match["action"], _step(match))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Do it."""
        await presses_of(interaction).drill[self.action](interaction, self.at)


DRILL_BUTTONS = (AnswerDrillButton, DrillButton)
"""What the client registers so that buttons from earlier runs work."""


def question_view(at: DrillStep, drill: Drill, say: Say) -> discord.ui.View:
    """The moves that may be the answer to a step, and the solution."""
    view = lasting_view()
    for one in placed_moves(drill.problem.position(at.step), say):
        disabled = not one.is_legal
        view.add_item(
            AnswerDrillButton(at, one.text, label=one.label, disabled=disabled, row=one.row)
        )
    last = rows_of_moves(drill.problem.game)
    view.add_item(DrillButton(SOLVE, at, label=say("button.solve"), row=last))
    return view


def answered_view(answered: Answered, say: Say) -> discord.ui.View:
    """Where to go after a wrong answer, or from a solution: the first of it stands out."""
    view, at, primary = lasting_view(), answered.at, ButtonStyle.primary
    ways = [way_button(way) for way in answered.consequence.ways]
    if answered.is_over:
        again = DrillStep(at.source, at.ref)
        ways.append(DrillButton(ASK, again, label=say("button.again")))
    else:
        ways.insert(0, DrillButton(ASK, at, label=say("button.try_again")))
        ways.append(DrillButton(SOLVE, at, label=say("button.solve")))
    ways[0].item.style = primary
    for way in ways:
        view.add_item(way)
    return view


def way_button(
    way: Way, style: ButtonStyle = ButtonStyle.secondary
) -> DrillButton | LessonButton | LessonGameButton:
    """The button that leads where a way does, in the place of what the message shows."""
    from bot.features.lessons.discord import lesson_button

    if isinstance(way.to, DrillStep):
        return DrillButton(ASK, way.to, label=way.label, style=style)
    return lesson_button(way.to, way.label, style)


def _id(at: DrillStep) -> str:
    return f"{at.source}:{at.ref}:{at.step}"


def _step(match: re.Match[str]) -> DrillStep:
    return DrillStep(match["source"], match["ref"], int(match["step"]))


@dataclass(frozen=True, slots=True)
class DrillHandler:
    """Shows drills and what came of answers, always to one person alone.

    The state of a drill is in its message's buttons, so it goes on after a restart. Only `begin` is
    for other handlers; the rest answers buttons.
    """

    answering: Answering
    drills: Drills
    messages: DrillMessages
    limiter: Limiter

    async def begin(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Put a drill in a new private message, as the answer to a command or a button.

        To be called inside the caller's `answering`, before the interaction is answered.
        """
        self.limiter.take("pictures", interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._ask(interaction, at)

    async def press_open(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Put a drill in a new private message."""
        async with self.answering(interaction):
            await self.begin(interaction, at)

    async def press_ask(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Put a step of a drill in the place of what the message shows."""
        async with self.answering(interaction):
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            await self._ask(interaction, at)

    async def press_solve(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Show the solution."""
        async with self.answering(interaction):
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            asker = asker_of(interaction)
            answered = await self.drills.show(at, asker)
            await show_privately(interaction, await self.messages.answered(answered, asker.say))

    async def press_move(self, interaction: Interaction[Any], at: DrillStep, move: str) -> None:
        """Judge an answer."""
        async with self.answering(interaction):
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            asker = asker_of(interaction)
            answered = await self.drills.answer(at, move, asker)
            await show_privately(interaction, await self.messages.answered(answered, asker.say))

    async def _ask(self, interaction: Interaction[Any], at: DrillStep) -> None:
        asker = asker_of(interaction)
        drill = await self.drills.drill(at, asker)
        await show_privately(interaction, await self.messages.question(at, drill, asker.say))


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


def problem_scene(problem: Problem, moves: Sequence[Move], say: Say) -> BoardScene:
    """The board of a problem after all of these moves, those before its question among them."""
    return solver_scene(problem.game, moves, problem.solver, say)


def solver_scene(game: Game, moves: Sequence[Move], solver: Player, say: Say) -> BoardScene:
    """The board after these moves, as it is shown to whoever has one side of it."""
    position = replay(game, moves)
    bare = position_scene(position, latest_turn_of(game, moves), say)
    return replace(bare, names=_names(solver, say), status=_status(solver, position, say))


def play_picture(problem: Problem, step: int, moves: Sequence[Move], say: Say) -> tuple[bytes, str]:
    """The GIF of moves from a step on, and its alternative text; may be called from any thread."""
    before = problem.made(step)
    end = problem_scene(problem, (*before, *moves), say)
    bare = replace(end, remark="", footer="", turn=None, at_risk=frozenset(), last=frozenset())
    start = replace(bare, active=None, winner=None, line=frozenset())
    scenes = list(play_scenes(problem.position(step), moves, start))
    scenes[0] = replace(scenes[0], last=turn_squares(*latest_turn_of(problem.game, before)))
    ending = replace(bare, active=None, last=scenes[-1].last)
    gif = draw_animation(package_of(problem.game).drawing, [*scenes, ending])
    told = say("drill.played", moves=", ".join(move_word(problem, move, say) for move in moves))
    return gif, animation_alt_text(end, told, drill_phrases(say))


def drill_phrases(say: Say) -> AltPhrases:
    """The sentences of a board's alternative text where one of the names is "You"."""
    named = {key: say.texts[f"drill.alt.{key}"] for key in ("players", "lettered")}
    return replace(alt_phrases(say), **named)


def move_word(problem: Problem, move: Move, say: Say) -> str:
    """A move as its button says it."""
    return say.move(problem.game.key, problem.game.label(move))


def verdict(
    problem: Problem,
    step: int,
    line: Line,
    say: Say,
    *,
    is_right: bool,
    known: Value | None = None,
) -> str:
    """What the first move of a line leads to, and the line itself, in Markdown.

    `known` is what that move is worth, where that was proven before and the line is no proof.
    """
    play = play_words(problem.game, line.moves, say)
    if line.proven:
        outcome = replay(problem.game, (*problem.made(step), *line.moves)).outcome
        assert outcome is not None, "a line that is proven goes to the end"
        found = _leads_to(problem, outcome.winner)
        count = _made_by(problem, step, line, outcome.winner)
    elif known is not None:
        found = _leads_to(problem, known.winner)
        count = moves_to_end(known.search(problem.solver), problem.position(step).ply)
        play = say("review.line_seen", line=play)
    else:
        found, count = "seen", 0
    key = f"drill.{'right' if is_right else 'wrong'}.{found}"
    first, depth = move_word(problem, line.moves[0], say), say.number(line.depth)
    told = say(key, move=first, count=say.count("moves", count), depth=depth)
    return told if len(line.moves) == 1 else f"{told}\n{say('drill.line', line=play)}"


def _leads_to(problem: Problem, winner: Player | None) -> str:
    """A winner as a word in the keys of texts, from the solver's side."""
    if winner is None:
        return "draws"
    return "wins" if winner is problem.solver else "loses"


def _made_by(problem: Problem, step: int, line: Line, player: Player | None) -> int:
    """How many moves of a line are a player's."""
    position, made = problem.position(step), 0
    for move in line.moves:
        made += position.to_move is player
        position = position.play(move)
    return made


def _names(solver: Player, say: Say) -> tuple[str, str]:
    you, rival = say("drill.you"), say("drill.rival")
    return (you, rival) if solver is Player.FIRST else (rival, you)


def _status(solver: Player, position: Position, say: Say) -> str:
    """One sentence on how it stands."""
    if position.outcome is None:
        return say(f"drill.to_move.{_side(solver, position.to_move)}")
    if position.outcome.winner is None:
        return say("status.draw")
    return say(f"drill.won.{_side(solver, position.outcome.winner)}")


def _side(solver: Player, player: Player) -> str:
    return "you" if player is solver else "rival"
