"""Drills on Discord: private messages with a problem, what an answer led to, and their buttons.

The person who solves a problem is called "You" on the board, the other side "Opponent".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ButtonStyle, Interaction

from bot.board.messages import placed_moves, rows_of_moves
from bot.discord.replies import (
    PrivateMessage,
    acknowledge,
    asker_of,
    gif_file,
    png_file,
    show_privately,
)
from bot.discord.routes import MOVE, CustomId, Route, custom_id, lasting_view
from bot.drills import rules
from bot.drills.rules import Answered, Drill, Drills, DrillStep, Way
from bot.i18n import Say, fitting
from bot.sessions.people import Asker, Limiter
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

STEP = ("(?P<source>[a-z]{1,12})", "(?P<ref>[A-Za-z0-9.-]{1,32})", "(?P<step>[0-9]{1,2})")
"""The fields of a `DrillStep`."""

TRY = CustomId("try", *STEP, rf"(?P<move>{MOVE})", step=int)
"""Buttons that answer a step with a move in the players' notation."""

OPEN = CustomId("drill:open", *STEP, step=int)
"""Buttons that put a step in a new private message."""

ASK = CustomId(rules.ASK, *STEP, step=int)
"""Buttons that put a step in the place of what their message shows."""

SOLVE = CustomId("drill:solve", *STEP, step=int)
"""Buttons that show the solution in the place of what their message shows."""


class DrillHandler:
    """Shows drills and what answers led to, always to one person alone.

    The state of a drill is in its message's buttons, so it continues after a restart.
    """

    def __init__(self, workers: Workers, limiter: Limiter) -> None:
        """Search and draw with `workers`, as often as `limiter` allows."""
        self.drills = Drills(workers)
        self._messages = DrillMessages(workers)
        self._limiter = limiter
        self.routes: tuple[Route, ...] = (
            TRY.route(self._answer),
            OPEN.route(self._open),
            ASK.route(self._ask),
            SOLVE.route(self._solve),
        )

    async def begin(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Put a step of a drill in a new private message; the interaction has no answer yet."""
        self._limiter.take("pictures", interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._show_question(interaction, at)

    async def _open(self, interaction: Interaction[Any], *at: Any) -> None:
        await self.begin(interaction, DrillStep(*at))

    async def _ask(self, interaction: Interaction[Any], *at: Any) -> None:
        await self._acknowledged(interaction)
        await self._show_question(interaction, DrillStep(*at))

    async def _solve(self, interaction: Interaction[Any], *at: Any) -> None:
        asker = await self._acknowledged(interaction)
        answered = await self.drills.show(DrillStep(*at), asker)
        await show_privately(interaction, await self._messages.answered(answered, asker.say))

    async def _answer(
        self, interaction: Interaction[Any], source: str, ref: str, step: int, move: str
    ) -> None:
        asker = await self._acknowledged(interaction)
        answered = await self.drills.answer(DrillStep(source, ref, step), move, asker)
        await show_privately(interaction, await self._messages.answered(answered, asker.say))

    async def _acknowledged(self, interaction: Interaction[Any]) -> Asker:
        """Count and acknowledge a press; returns who pressed."""
        self._limiter.take("pictures", interaction.user.id)
        await acknowledge(interaction)
        return asker_of(interaction)

    async def _show_question(self, interaction: Interaction[Any], at: DrillStep) -> None:
        asker = asker_of(interaction)
        drill = await self.drills.drill(at, asker)
        await show_privately(interaction, await self._messages.question(at, drill, asker.say))


def question_view(at: DrillStep, drill: Drill, say: Say) -> discord.ui.View:
    """The moves that may be the answer to a step, and the solution."""
    view = lasting_view()
    for one in placed_moves(drill.problem.position(at.step), say):
        disabled = not one.is_legal
        view.add_item(TRY.button(*at, one.text, label=one.label, disabled=disabled, row=one.row))
    last = rows_of_moves(drill.problem.game)
    view.add_item(SOLVE.button(*at, label=say("button.solve"), row=last))
    return view


def answered_view(answered: Answered, say: Say) -> discord.ui.View:
    """Where to go after a wrong answer or the solution; the first button stands out."""
    view, at = lasting_view(), answered.at
    buttons = [way_button(way) for way in answered.consequence.ways]
    if answered.is_over:
        again = DrillStep(at.source, at.ref)
        buttons.append(ASK.button(*again, label=say("button.again")))
    else:
        buttons.insert(0, ASK.button(*at, label=say("button.try_again")))
        buttons.append(SOLVE.button(*at, label=say("button.solve")))
    buttons[0].style = ButtonStyle.primary
    for button in buttons:
        view.add_item(button)
    return view


def way_button(
    way: Way, style: ButtonStyle = ButtonStyle.secondary
) -> discord.ui.Button[discord.ui.View]:
    """The button that leads somewhere else."""
    route, values = way.to
    return discord.ui.Button(label=way.label, style=style, custom_id=custom_id(route, *values))


@dataclass(frozen=True, slots=True)
class DrillMessages:
    """Writes and draws drills."""

    workers: Workers

    async def question(
        self, at: DrillStep, drill: Drill, say: Say, said: tuple[str, ...] = ()
    ) -> PrivateMessage:
        """The message that asks a step, below what was `said` about the step before."""
        file = await self._still(at, drill, drill.problem.made(at.step), say)
        text = _text(drill.title, *said, drill.prompt)
        return PrivateMessage(text, [file], question_view(at, drill, say))

    async def answered(self, answered: Answered, say: Say) -> PrivateMessage:
        """The message about an answer; the next question, if there is one."""
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
        """An animation of moves from a step on."""
        # Drawn in the queue of reports, so that boards of running games do not wait for it.
        gif, told = await self.workers.draw_report(play_picture, drill.problem, at.step, moves, say)
        return gif_file(gif, _name(at), told)


def _went_on(answered: Answered, say: Say) -> str:
    """That a move was right, and the other side's reply."""
    problem = answered.drill.problem
    move = move_word(problem, answered.made[0], say)
    replies = problem.steps[answered.at.step].replies
    if not replies:
        return say("drill.step", move=move)
    told = ", ".join(move_word(problem, reply, say) for reply in replies)
    return say("drill.step_answered", move=move, replies=told)


def _others(answered: Answered, say: Say) -> str:
    """The other right answers, once the solution is known."""
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
    """The board of a problem after these moves, including those before its question."""
    return solver_scene(problem.game, moves, problem.solver, say)


def solver_scene(game: Game, moves: Sequence[Move], solver: Player, say: Say) -> BoardScene:
    """The board after these moves, as shown to the person who plays one side."""
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
    """The sentences of a board's alternative text, for boards where one name is "You"."""
    named = {key: say.texts[f"drill.alt.{key}"] for key in ("players", "lettered")}
    return replace(alt_phrases(say), **named)


def move_word(problem: Problem, move: Move, say: Say) -> str:
    """A move as its button is labelled."""
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

    `known` is the proven value of that move, for a line that is no proof.
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
    """The word in the keys of texts for a winner, as the solver sees it."""
    if winner is None:
        return "draws"
    return "wins" if winner is problem.solver else "loses"


def _made_by(problem: Problem, step: int, line: Line, player: Player | None) -> int:
    """The number of a player's moves in a line."""
    position, made = problem.position(step), 0
    for move in line.moves:
        made += position.to_move is player
        position = position.play(move)
    return made


def _names(solver: Player, say: Say) -> tuple[str, str]:
    you, rival = say("drill.you"), say("drill.rival")
    return (you, rival) if solver is Player.FIRST else (rival, you)


def _status(solver: Player, position: Position, say: Say) -> str:
    """One sentence about the position."""
    if position.outcome is None:
        return say(f"drill.to_move.{_side(solver, position.to_move)}")
    if position.outcome.winner is None:
        return say("status.draw")
    return say(f"drill.won.{_side(solver, position.outcome.winner)}")


def _side(solver: Player, player: Player) -> str:
    return "you" if player is solver else "rival"
