"""Drills on Discord: private messages with a problem or the result of an answer, and their buttons.

The person who solves a problem is called "You" on the board, the other side "Opponent".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ButtonStyle, Interaction

from bot.board.messages import placed_moves, rows_of_moves
from bot.discord.replies import (
    PrivateMessage,
    acknowledge,
    gif_file,
    png_file,
    requester_of,
    show_privately,
)
from bot.discord.routes import MOVE, CustomId, Route, custom_id, lasting_view
from bot.drills import rules
from bot.drills.rules import Answered, ButtonSpec, Drill, Drills, DrillStep
from bot.i18n import Translator, fitting
from bot.sessions.people import Limiter
from bot.show.scenes import (
    alt_phrases,
    latest_turn,
    play_scenes,
    play_words,
    position_scene,
    turn_squares,
)
from bot.show.themes import DEFAULT, reader_theme
from bot.workers.workers import Workers
from engine.core.game import Game, Move, Player, replay
from engine.core.problem import Problem
from engine.core.registry import package_of
from engine.core.values import Value, moves_to_end
from engine.study.analysis import Line
from renderers import (
    AltPhrases,
    BoardScene,
    Theme,
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
"""Buttons that open a step in a new private message."""

ASK = CustomId(rules.ASK, *STEP, step=int)
"""Buttons that replace the content of their message with a step."""

SOLVE = CustomId("drill:solve", *STEP, step=int)
"""Buttons that replace the content of their message with the solution."""


class DrillHandler:
    """Shows drills and the results of answers, always to one person alone.

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
            SOLVE.route(self._answer),
        )

    async def begin(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Send a step of a drill as a new private message, the interaction's first answer."""
        self._limiter.take("pictures", interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._show_question(interaction, at)

    async def _open(self, interaction: Interaction[Any], *at: Any) -> None:
        await self.begin(interaction, DrillStep(*at))

    async def _ask(self, interaction: Interaction[Any], *at: Any) -> None:
        self._limiter.take("pictures", interaction.user.id)
        await acknowledge(interaction)
        await self._show_question(interaction, DrillStep(*at))

    async def _answer(
        self,
        interaction: Interaction[Any],
        source: str,
        ref: str,
        step: int,
        move: str | None = None,
    ) -> None:
        """Show the result of a move, or the solution without one."""
        self._limiter.take("pictures", interaction.user.id)
        await acknowledge(interaction)
        at, requester = DrillStep(source, ref, step), requester_of(interaction)
        if move is None:
            answered = await self.drills.show(at, requester)
        else:
            answered = await self.drills.answer(at, move, requester)
        await show_privately(interaction, await self._messages.answered(answered, requester.say))

    async def _show_question(self, interaction: Interaction[Any], at: DrillStep) -> None:
        requester = requester_of(interaction)
        drill = await self.drills.drill(at, requester)
        await show_privately(interaction, await self._messages.question(at, drill, requester.say))


def question_view(at: DrillStep, drill: Drill, say: Translator) -> discord.ui.View:
    """The buttons below a step: the possible moves, and one for the solution."""
    view = lasting_view()
    for one in placed_moves(drill.problem.position(at.step), say):
        disabled = not one.is_legal
        view.add_item(TRY.button(*at, one.text, label=one.label, disabled=disabled, row=one.row))
    last = rows_of_moves(drill.problem.game)
    view.add_item(SOLVE.button(*at, label=say("button.solve"), row=last))
    return view


def answered_view(answered: Answered, say: Translator) -> discord.ui.View:
    """The buttons after a wrong answer or the solution; the first one is highlighted."""
    view, at = lasting_view(), answered.at
    buttons = [button_from(way) for way in answered.consequence.buttons]
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


def button_from(
    spec: ButtonSpec, style: ButtonStyle = ButtonStyle.secondary
) -> discord.ui.Button[discord.ui.View]:
    """The button for a way to another message."""
    route, values = spec.target
    return discord.ui.Button(label=spec.label, style=style, custom_id=custom_id(route, *values))


@dataclass(frozen=True, slots=True)
class DrillMessages:
    """Composes the messages of drills."""

    workers: Workers

    async def question(
        self, at: DrillStep, drill: Drill, say: Translator, above: tuple[str, ...] = ()
    ) -> PrivateMessage:
        """The message that asks a step; `above` are lines about the step before."""
        file = await self._still(at, drill, drill.problem.made(at.step), say)
        text = _text(drill.title, *above, drill.prompt)
        return PrivateMessage(text, [file], question_view(at, drill, say))

    async def answered(self, answered: Answered, say: Translator) -> PrivateMessage:
        """The message after an answer: the next step's question, or the result."""
        drill, at, said = answered.drill, answered.at, answered.consequence.text
        problem, kind = drill.problem, answered.kind
        if kind == "step":
            following = DrillStep(at.source, at.ref, at.step + 1)
            return await self.question(
                following, drill, say, (_correct_move_line(answered, say), said)
            )
        if answered.line is None:
            file = await self._still(at, drill, (*problem.made(at.step), *answered.made), say)
            result = say("drill.no_line", move=move_word(problem, answered.made[0], say))
        else:
            line, known = answered.line, answered.known
            result = verdict(problem, at.step, line, say, is_right=kind != "wrong", known=known)
            # Drawn in the queue of reports, so that boards of running games do not wait for it.
            gif, described = await self.workers.draw_report(
                play_picture, problem, at.step, line.moves, say, reader_theme()
            )
            file = gif_file(gif, "-".join(map(str, at)), described)
        text = _text(drill.title, say(f"drill.{kind}"), result, _others(answered, say), said)
        return PrivateMessage(text, [file], answered_view(answered, say))

    async def _still(
        self, at: DrillStep, drill: Drill, made: tuple[Move, ...], say: Translator
    ) -> discord.File:
        """The board after all these moves."""
        scene = problem_scene(drill.problem, made, say)
        drawing = package_of(drill.problem.game).drawing
        png = await self.workers.draw(draw, drawing, scene, reader_theme())
        return png_file(png, "-".join(map(str, at)), board_alt_text(scene, drill_phrases(say)))


def _correct_move_line(answered: Answered, say: Translator) -> str:
    """The line about a right move, with the other side's reply."""
    problem = answered.drill.problem
    move = move_word(problem, answered.made[0], say)
    replies = problem.steps[answered.at.step].replies
    if not replies:
        return say("drill.step", move=move)
    return say("drill.step_answered", move=move, replies=_listed(problem, replies, say))


def _others(answered: Answered, say: Translator) -> str:
    """The other right answers, once the solution is known."""
    problem = answered.drill.problem
    answers = problem.steps[answered.at.step].answers
    others = [move for move in answers if move not in answered.made[:1]]
    if not answered.is_over or not others:
        return ""
    return say("drill.others", moves=_listed(problem, others, say))


def _listed(problem: Problem, moves: Iterable[Move], say: Translator) -> str:
    return ", ".join(move_word(problem, move, say) for move in moves)


def _text(*lines: str) -> str:
    return fitting("\n".join(line for line in lines if line))


def problem_scene(problem: Problem, moves: Sequence[Move], say: Translator) -> BoardScene:
    """The board of a problem after these moves, including those before its question."""
    return solver_scene(problem.game, moves, problem.solver, say)


def solver_scene(game: Game, moves: Sequence[Move], solver: Player, say: Translator) -> BoardScene:
    """The board after these moves, as shown to the person who plays one side."""
    position = replay(game, moves)
    bare = position_scene(position, latest_turn(game.start(), moves), say)
    names, outcome = (say("drill.you"), say("drill.rival")), position.outcome
    if outcome is not None and outcome.winner is None:
        status = say("status.draw")
    elif outcome is not None:
        status = say(f"drill.won.{'you' if outcome.winner is solver else 'rival'}")
    else:
        status = say(f"drill.to_move.{'you' if position.to_move is solver else 'rival'}")
    return replace(bare, names=names if solver is Player.FIRST else names[::-1], status=status)


def play_picture(
    problem: Problem, step: int, moves: Sequence[Move], say: Translator, theme: Theme = DEFAULT
) -> tuple[bytes, str]:
    """The GIF of moves from a step on, and its alternative text; may be called from any thread."""
    before = problem.made(step)
    end = problem_scene(problem, (*before, *moves), say)
    bare = replace(end, remark="", footer="", turn=None, at_risk=frozenset(), last=frozenset())
    start = replace(bare, active=None, winner=None, line=frozenset())
    scenes = list(play_scenes(problem.position(step), moves, start))
    scenes[0] = replace(scenes[0], last=turn_squares(*latest_turn(problem.game.start(), before)))
    ending = replace(bare, active=None, last=scenes[-1].last)
    gif = draw_animation(package_of(problem.game).drawing, [*scenes, ending], theme)
    played = say("drill.played", moves=_listed(problem, moves, say))
    return gif, animation_alt_text(end, played, drill_phrases(say))


def drill_phrases(say: Translator) -> AltPhrases:
    """The sentences of a board's alternative text, for boards where one name is "You"."""
    named = {key: say.texts[f"drill.alt.{key}"] for key in ("players", "lettered")}
    return replace(alt_phrases(say), **named)


def move_word(problem: Problem, move: Move, say: Translator) -> str:
    """A move as its button is labelled."""
    return say.move(problem.game.key, problem.game.label(move))


def verdict(
    problem: Problem,
    step: int,
    line: Line,
    say: Translator,
    *,
    is_right: bool,
    known: Value | None = None,
) -> str:
    """The result of the first move of a line, and the line itself, in Markdown.

    `known` is the proven value of that move, for a line that is no proof.
    """
    play = play_words(problem.game, line.moves, say)
    if line.proven:
        outcome = replay(problem.game, (*problem.made(step), *line.moves)).outcome
        assert outcome is not None, "a line that is proven goes to the end"
        found = _result(problem, outcome.winner)
        count = _moves_of(problem, step, line, outcome.winner)
    elif known is not None:
        found = _result(problem, known.winner)
        count = moves_to_end(known.search(problem.solver), problem.position(step).ply)
        play = say("review.line_seen", line=play)
    else:
        found, count = "seen", 0
    key = f"drill.{'right' if is_right else 'wrong'}.{found}"
    first, depth = move_word(problem, line.moves[0], say), say.number(line.depth)
    text = say(key, move=first, count=say.count("moves", count), depth=depth)
    return text if len(line.moves) == 1 else f"{text}\n{say('drill.line', line=play)}"


def _result(problem: Problem, winner: Player | None) -> str:
    """The result for the solver, as keys of texts name it."""
    if winner is None:
        return "draws"
    return "wins" if winner is problem.solver else "loses"


def _moves_of(problem: Problem, step: int, line: Line, player: Player | None) -> int:
    """The number of a player's moves in a line."""
    position, made = problem.position(step), 0
    for move in line.moves:
        made += position.to_move is player
        position = position.play(move)
    return made
