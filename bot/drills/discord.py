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
from bot.drills.rules import (
    Answered,
    ButtonSpec,
    Drill,
    Drills,
    DrillStep,
    PositionButtons,
    no_position_buttons,
)
from bot.drills.words import (
    SHORT,
    joined_lines,
    line_text,
    listed_moves,
    other_answers_line,
    result_words,
    right_move_line,
)
from bot.i18n import Translator
from bot.sessions.people import Limiter
from bot.show.moves import sentence
from bot.show.scenes import (
    alt_phrases,
    latest_turn,
    play_scenes,
    position_scene,
    turn_squares,
)
from bot.show.themes import DEFAULT, reader_theme
from bot.workers.workers import Workers
from engine.core.game import Game, Move, Player, replay, wins_with
from engine.core.problem import Problem
from engine.core.registry import package_of
from renderers import (
    AltPhrases,
    BoardScene,
    Task,
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

TRY_AGAIN = CustomId("retry", *STEP, rf"(?P<move>{MOVE})", step=int)
"""The same after a wrong answer."""

OPEN = CustomId("drill:open", *STEP, step=int)
"""Buttons that open a step in a new private message."""

ASK = CustomId(rules.ASK, *STEP, step=int)
"""Buttons that replace the content of their message with a step."""

ASK_AGAIN = CustomId("drill:again", *STEP, step=int)
"""The same after a wrong answer."""

SOLVE = CustomId("drill:solve", *STEP, step=int)
"""Buttons that replace the content of their message with the solution."""

LINE = CustomId("drill:line", *STEP, rf"(?P<move>(?:{MOVE})?)", step=int)
"""Buttons that show, in a new private message, all that follows an answer or the solution."""

DONE = CustomId("drill:done")
"""Buttons that remove the buttons of their message."""


ANIMATED = 5
"""The most moves that the message about an answer animates; a button shows the others."""


class DrillHandler:
    """Shows drills and the results of answers, always to one person alone.

    The state of a drill is in its message's buttons, so it continues after a restart.
    """

    def __init__(
        self, workers: Workers, limiter: Limiter, position_buttons: PositionButtons
    ) -> None:
        """Search and draw with `workers`, as often as `limiter` allows.

        `position_buttons` makes features' buttons under the position of a problem that is over.
        """
        self.drills = Drills(workers)
        self._messages = DrillMessages(workers, position_buttons)
        self._limiter = limiter
        self.routes: tuple[Route, ...] = (
            TRY.route(self._answer),
            TRY_AGAIN.route(self._answer_again),
            OPEN.route(self._open),
            ASK.route(self._ask),
            ASK_AGAIN.route(self._ask_again),
            SOLVE.route(self._answer),
            LINE.route(self._line),
            DONE.route(self._done),
        )

    async def begin(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Send a step of a drill as a new private message, the interaction's first answer."""
        self._limiter.take("pictures", interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._show_question(interaction, at)

    async def _open(self, interaction: Interaction[Any], *at: Any) -> None:
        await self.begin(interaction, DrillStep(*at))

    async def _ask(
        self, interaction: Interaction[Any], *at: Any, is_repeated: bool = False
    ) -> None:
        self._limiter.take("pictures", interaction.user.id)
        await acknowledge(interaction)
        await self._show_question(interaction, DrillStep(*at), is_repeated=is_repeated)

    async def _ask_again(self, interaction: Interaction[Any], *at: Any) -> None:
        await self._ask(interaction, *at, is_repeated=True)

    async def _answer(
        self,
        interaction: Interaction[Any],
        source: str,
        ref: str,
        step: int,
        move: str | None = None,
        *,
        is_repeated: bool = False,
    ) -> None:
        """Show the result of a move, or the solution without one."""
        self._limiter.take("pictures", interaction.user.id)
        await acknowledge(interaction)
        answered = await self._answered(interaction, DrillStep(source, ref, step), move)
        answered = replace(answered, is_repeated=is_repeated)
        say = requester_of(interaction).say
        await show_privately(interaction, await self._messages.answered(answered, say))

    async def _answer_again(self, interaction: Interaction[Any], *given: Any) -> None:
        await self._answer(interaction, *given, is_repeated=True)

    async def _line(self, interaction: Interaction[Any], *given: Any) -> None:
        """Show all that follows an answer, with its numbers."""
        self._limiter.take("pictures", interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        *at, move = given
        answered = await self._answered(interaction, DrillStep(*at), move or None)
        say = requester_of(interaction).say
        await show_privately(interaction, await self._messages.line(answered, say))

    async def _done(self, interaction: Interaction[Any]) -> None:
        await acknowledge(interaction)
        await interaction.edit_original_response(view=None)

    async def _answered(
        self, interaction: Interaction[Any], at: DrillStep, move: str | None
    ) -> Answered:
        requester = requester_of(interaction)
        if move is None:
            return await self.drills.show(at, requester)
        return await self.drills.answer(at, move, requester)

    async def _show_question(
        self, interaction: Interaction[Any], at: DrillStep, *, is_repeated: bool = False
    ) -> None:
        requester = requester_of(interaction)
        drill, say = await self.drills.drill(at, requester), requester.say
        shown = await self._messages.question(at, drill, say, is_repeated=is_repeated)
        await show_privately(interaction, shown)


def question_view(
    at: DrillStep, drill: Drill, say: Translator, *, is_repeated: bool = False
) -> discord.ui.View:
    """The buttons below a step: the possible moves, and one for the solution."""
    view, answers = lasting_view(), TRY_AGAIN if is_repeated else TRY
    for one in placed_moves(drill.problem.position(at.step), say):
        disabled = not one.is_legal
        button = answers.button(*at, one.text, label=one.label, disabled=disabled, row=one.row)
        view.add_item(button)
    last = rows_of_moves(drill.problem.game)
    view.add_item(SOLVE.button(*at, label=say("button.solve"), row=last))
    return view


def answered_view(
    answered: Answered, say: Translator, more: Iterable[ButtonSpec] = ()
) -> discord.ui.View:
    """The buttons after a wrong answer or the solution; the first one is highlighted.

    `more` are those of features about the position.
    """
    view, at, kind = lasting_view(), answered.at, answered.kind
    buttons = [button_from(way) for way in answered.consequence.buttons]
    line, again = answered.line, say("button.try_again")
    if kind == "wrong":
        buttons.insert(0, ASK_AGAIN.button(*at, label=again))
    elif kind == "shown":
        buttons.append(ASK.button(*at._replace(step=0), label=again))
    elif not buttons:
        buttons.append(DONE.button(label=say("button.done")))
    buttons += [button_from(way) for way in answered.consequence.practice]
    if line is not None and len(line.moves) > SHORT:
        label = say("button.see_why" if kind == "wrong" else "button.line")
        move = "" if answered.attempt.move is None else _text_of(answered)
        buttons.append(LINE.button(*at, move, label=label))
    if kind == "wrong":
        buttons.append(SOLVE.button(*at, label=say("button.solve")))
    else:
        buttons += [button_from(way) for way in more]
    buttons[0].style = ButtonStyle.primary
    for button in buttons:
        view.add_item(button)
    return view


def _text_of(answered: Answered) -> str:
    """The move of an answer in the players' notation."""
    return answered.drill.problem.game.label(answered.made[0])


def button_from(
    spec: ButtonSpec, style: ButtonStyle = ButtonStyle.secondary, row: int | None = None
) -> discord.ui.Button[discord.ui.View]:
    """The button for a way to another message."""
    route, values = spec.target
    id_ = custom_id(route, *values)
    return discord.ui.Button(label=spec.label, style=style, custom_id=id_, row=row)


@dataclass(frozen=True, slots=True)
class DrillMessages:
    """Composes the messages of drills."""

    workers: Workers
    position_buttons: PositionButtons = no_position_buttons

    async def question(
        self,
        at: DrillStep,
        drill: Drill,
        say: Translator,
        above: tuple[str, ...] = (),
        *,
        is_repeated: bool = False,
    ) -> PrivateMessage:
        """The message that asks a step; `above` are lines about the step before."""
        file = await self._still(at, drill, drill.problem.made(at.step), say)
        asked = () if above else (" ".join(filter(None, drill.question(at.step)[:2])),)
        view = question_view(at, drill, say, is_repeated=is_repeated)
        return PrivateMessage(joined_lines(*above, *asked), [file], view)

    async def answered(self, answered: Answered, say: Translator) -> PrivateMessage:
        """The message after an answer: the next step's question, or the result."""
        drill, at, consequence = answered.drill, answered.at, answered.consequence
        if answered.kind == "step":
            following = DrillStep(at.source, at.ref, at.step + 1)
            above = (right_move_line(answered, say), consequence.text)
            return await self.question(following, drill, say, above)
        if answered.line is None:
            made = (*drill.problem.made(at.step), *answered.made)
            file = await self._still(at, drill, made, say)
        else:
            file = await self._animated(answered, answered.line.moves[:ANIMATED], say)
        said = " ".join(
            filter(None, (result_words(answered, say), other_answers_line(answered, say)))
        )
        view = answered_view(answered, say, self._under_position(answered, say))
        return PrivateMessage(joined_lines(said, consequence.text), [file], view)

    def _under_position(self, answered: Answered, say: Translator) -> tuple[ButtonSpec, ...]:
        """The buttons of features under a step's position; none where one move wins at once."""
        problem, step = answered.drill.problem, answered.at.step
        position = problem.position(step)
        if any(wins_with(position, move) for move in problem.steps[step].answers):
            return ()
        return self.position_buttons(problem.game.start(), problem.made(step), say)

    async def line(self, answered: Answered, say: Translator) -> PrivateMessage:
        """The message with all that follows an answer, and its numbers."""
        line, at = answered.line, answered.at
        if line is None:
            file = await self._still(at, answered.drill, answered.drill.problem.made(at.step), say)
            is_explained = answered.drill.is_explained and answered.kind == "wrong"
            said = (
                result_words(answered, say) if is_explained else sentence(say("drill.why.unknown"))
            )
            return PrivateMessage(said, [file], lasting_view())
        file = await self._animated(answered, line.moves, say)
        return PrivateMessage(line_text(answered, line, say), [file], lasting_view())

    async def _animated(
        self, answered: Answered, moves: Sequence[Move], say: Translator
    ) -> discord.File:
        """The GIF of the first moves of a line."""
        drill, at = answered.drill, answered.at
        # Drawn in the queue of reports, so that boards of running games do not wait for it.
        gif, described = await self.workers.draw_report(
            play_picture, drill, at.step, tuple(moves), say, reader_theme()
        )
        return gif_file(gif, "-".join(map(str, at)), described)

    async def _still(
        self, at: DrillStep, drill: Drill, made: tuple[Move, ...], say: Translator
    ) -> discord.File:
        """The board after all these moves."""
        scene = problem_scene(drill.problem, made, say, drill.rival)
        asked = drill.question(at.step).task
        if asked and scene.active is drill.problem.solver:
            scene = replace(scene, task=Task(asked, say("drill.your_turn"), drill.stars))
        drawing = package_of(drill.problem.game).drawing
        png = await self.workers.draw(draw, drawing, scene, reader_theme())
        return png_file(png, "-".join(map(str, at)), board_alt_text(scene, drill_phrases(say)))


def problem_scene(
    problem: Problem, moves: Sequence[Move], say: Translator, rival: str = "rival"
) -> BoardScene:
    """The board of a problem after these moves, including those before its question."""
    return solver_scene(problem.game, moves, problem.solver, say, rival)


def solver_scene(
    game: Game, moves: Sequence[Move], solver: Player, say: Translator, rival: str = "rival"
) -> BoardScene:
    """The board after these moves, as shown to the person who plays one side."""
    position = replay(game, moves)
    bare = position_scene(position, latest_turn(game.start(), moves), say)
    names, outcome = (say("drill.you"), say(f"drill.{rival}")), position.outcome
    if outcome is not None and outcome.winner is None:
        status = say("status.draw")
    elif outcome is not None:
        status = say(f"drill.won.{'you' if outcome.winner is solver else rival}")
    else:
        status = say(f"drill.to_move.{'you' if position.to_move is solver else rival}")
    return replace(bare, names=names if solver is Player.FIRST else names[::-1], status=status)


def play_picture(
    drill: Drill, step: int, moves: Sequence[Move], say: Translator, theme: Theme = DEFAULT
) -> tuple[bytes, str]:
    """The GIF of moves from a step on, and its alternative text; may be called from any thread."""
    problem = drill.problem
    before = problem.made(step)
    end = problem_scene(problem, (*before, *moves), say, drill.rival)
    bare = replace(end, remark="", footer="", turn=None, at_risk=frozenset(), last=frozenset())
    start = replace(bare, active=None, winner=None, line=frozenset())
    scenes = list(play_scenes(problem.position(step), moves, start))
    scenes[0] = replace(scenes[0], last=turn_squares(*latest_turn(problem.game.start(), before)))
    ending = replace(bare, active=None, last=scenes[-1].last)
    gif = draw_animation(package_of(problem.game).drawing, [*scenes, ending], theme)
    played = say("drill.played", moves=listed_moves(problem, moves, say))
    return gif, animation_alt_text(end, played, drill_phrases(say))


def drill_phrases(say: Translator) -> AltPhrases:
    """The sentences of a board's alternative text, for boards where one name is "You"."""
    named = {key: say.texts[f"drill.alt.{key}"] for key in ("players", "lettered")}
    return replace(alt_phrases(say), **named)
