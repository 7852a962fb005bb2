"""Pictures of drills: the board, the judgement of an answer, and the line played out."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from bot.drills.discord import play_picture, problem_scene, verdict
from bot.i18n import LANGUAGES, say_in
from engine.core.game import Move, Player, replay
from engine.core.jobs import Job
from engine.core.problem import Problem, Step
from engine.core.registry import game_of
from engine.core.values import Value
from engine.study.analysis import Line, ShowLine

MAX_BYTES = 100_000
BOARDS = {"connect4": "6x7", "gato": "4x4", "boom": "7x7"}


def problem(family: str, text: str, answer: str) -> Problem:
    """A problem with one step."""
    game = game_of(family, BOARDS[family])
    return Problem(game, game.moves(text), (Step((game.parse(answer),)),))


def line_after(asked: Problem, move: str) -> Line:
    """The line that follows this move in the problem's position."""
    made = [asked.game.label(one) for one in asked.moves]
    job = Job(asked.game.key, asked.game.variant, (*made, move), ShowLine())
    found = job.run()
    return Line(found.moves[len(made) :], found.proven, found.depth)


THREE = problem("connect4", "41424", "4")
"""The second player has to close a column in which the first has three."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_solver_is_you(language: str) -> None:
    """The solver is called "you" on either side and highlighted when it is their turn."""
    say = say_in(language)
    scene = problem_scene(THREE, THREE.made(0), say)
    assert scene.names == (say("drill.rival"), say("drill.you"))
    assert scene.active is Player.SECOND
    assert scene.status == say("drill.to_move.you")
    gato = problem("gato", "a1b2", "a2")
    assert problem_scene(gato, gato.made(0), say).names == (say("drill.you"), say("drill.rival"))


def test_the_moves_before_are_marked() -> None:
    """The previous turn's moves are marked, two of them in BOOM; the first position has no mark."""
    boom = problem("boom", "123", "4")
    assert len(problem_scene(boom, boom.moves, say_in("en")).last) == 2
    assert len(problem_scene(boom, boom.moves[:1], say_in("en")).last) == 1
    empty = problem_scene(boom, (), say_in("en"))
    assert (empty.last, empty.turn) == (frozenset(), None)


@pytest.mark.parametrize(
    ("asked", "move", "right", "said"),
    [
        (THREE, "7", False, "**7** loses in 1 move."),
        (problem("connect4", "414242", "4"), "4", True, "**4** wins in 1 move."),
        (problem("gato", "a1b2a2b3a3", "a4"), "a4", True, "**a4** holds the draw."),
        (problem("gato", "a1b2a2b3a3b1c2", "b4"), "a4", False, "**a4** leads to a draw only."),
        (problem("boom", "255235", "5"), "4", False, "**4** loses in 2 moves."),
    ],
)
def test_the_result_of_a_move_is_shown(asked: Problem, move: str, right: bool, said: str) -> None:
    """A judgement gives the result for the solver, the number of moves, and then the line."""
    line = line_after(asked, move)
    first, *rest = verdict(asked, 0, line, say_in("en"), is_right=right).splitlines()
    assert first == said
    assert [one.startswith(f"The play: `{move} ") for one in rest] == [True] * (len(line.moves) > 1)


def test_later_wins_and_earlier_losses_are_named() -> None:
    """A wrong move that still wins later and a right move that loses late are described as such."""
    wins = problem("connect4", "414242", "4")
    later = Line(tuple(wins.game.moves("734")), proven=True)
    said = verdict(wins, 0, later, say_in("en"), is_right=False)
    assert said.startswith("**7** still wins, but more slowly: in 2 moves.")
    lost = Line(tuple(THREE.game.moves("74")), proven=True)
    said = verdict(THREE, 0, lost, say_in("en"), is_right=True)
    assert said.startswith("**7** is the right defence: it loses only in 1 move.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_unproven_results_are_marked(language: str) -> None:
    """An unproven judgement says so and gives the search depth."""
    say, seen = say_in(language), Line((Move(6), Move(3)), proven=False, depth=9)
    for right in (True, False):
        key = f"drill.{'right' if right else 'wrong'}.seen"
        said = verdict(THREE, 0, seen, say, is_right=right)
        assert said.splitlines()[0] == say(key, move="7", depth="9")


@pytest.mark.parametrize(
    ("asked", "moves"),
    [
        (problem("connect4", "", "4"), "444444" + "333333" + "555555" + "211212112222" + "7"),
        (problem("gato", "a1b2a2b3a3", "a4"), "c1a4"),
        (problem("boom", "123", "4"), "4" * 5),
    ],
)
def test_a_line_is_played_out(asked: Problem, moves: str) -> None:
    """A line is a small animation from the question's board to the end, described in words."""
    made = list[Move]()
    position = asked.position(0)
    for move in asked.game.moves(moves):
        if position.outcome is None and move in position.legal_moves():
            made.append(move)
            position = position.play(move)
    gif, alt_text = play_picture(asked, 0, made, say_in("en"))
    assert len(gif) <= MAX_BYTES
    assert alt_text.startswith("Played out, animated. Moves: ")
    with Image.open(BytesIO(gif), formats=["GIF"]) as image:
        assert getattr(image, "n_frames", 1) > len(made)
    assert replay(asked.game, [*asked.moves, *made]) == position


def test_an_unproven_line_keeps_the_proven_result() -> None:
    """A result proven before is stated although the line itself is only what a search expects."""
    seen = Line((Move(6), Move(3)), proven=False, depth=9)
    lost = Value.won(Player.FIRST, 7)
    said = verdict(THREE, 0, seen, say_in("en"), is_right=False, known=lost).splitlines()
    assert said == ["**7** loses in 1 move.", "The play: `7 4` (as far as a search sees)"]
    said = verdict(THREE, 0, seen, say_in("en"), is_right=False, known=Value(0)).splitlines()
    assert said[0] == "**7** leads to a draw only."
