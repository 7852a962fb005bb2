"""Pictures of drills: the board, the judgement of an answer, and the line played out."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.drills.discord import play_picture, problem_scene
from bot.drills.rules import NO_CONSEQUENCE, Answered, Attempt, Drill, DrillStep, Question
from bot.drills.words import line_text, result_words
from bot.i18n import LANGUAGES, say_in
from bot.show.moves import sentence
from engine.core.game import Move, Player, replay
from engine.core.jobs import Job
from engine.core.problem import Problem, Step
from engine.core.reason import ReasonKind
from engine.core.registry import game_of
from engine.core.values import Value
from engine.study.analysis import Line, ShowLine

MAX_BYTES = 100_000
UNASKED = (Question("", ""),)
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


QUIET = problem("connect4", "", "4")

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


def answered(
    asked: Problem, line: Line, *, right: bool, known: Value | None = None, rival: str = "rival"
) -> Answered:
    """An answer to a problem, with what follows it."""
    values = {} if known is None else {line.moves[0]: known}
    drill = Drill("one", asked, UNASKED, values, rival)
    attempt = Attempt(0, line.moves[0], is_right=right)
    return Answered(DrillStep("shelf", "one"), drill, attempt, NO_CONSEQUENCE, line)


@pytest.mark.parametrize(
    ("asked", "move", "right", "said"),
    [
        (THREE, "7", False, "Not quite: now your opponent can make four in column 4."),
        (problem("connect4", "414242", "4"), "4", True, "**Four in a row.**"),
        (problem("connect4", "414242", "4"), "7", False, "Not quite: you can win on this move."),
        (problem("gato", "a1b2a2b3a3", "a4"), "a4", True, "**Right.** You stopped the four."),
        (
            problem("gato", "a1b2a2b3a3b1c2", "b4"),
            "a4",
            False,
            "Not quite: you can win on this move.",
        ),
        (THREE, "4", False, "Not quite: now your opponent wins if both play well."),
        (
            problem("boom", "255235", "5"),
            "4",
            False,
            "Not quite: you can win on this move.",
        ),
    ],
)
def test_the_result_of_a_move_is_said(asked: Problem, move: str, right: bool, said: str) -> None:
    """A judgement says what a person would see; the moves and their number are a button further."""
    found = answered(asked, line_after(asked, move), right=right)
    assert result_words(found, say_in("en")) == said
    assert found.line is not None
    first, second = line_text(found, found.line, say_in("en")).splitlines()
    assert " if both play well." in first
    assert second.startswith(f"It goes on: `{move}")


def test_later_wins_and_earlier_losses_are_named() -> None:
    """A wrong move that still wins later and a right move that loses late are described as such."""
    wins = problem("connect4", "4142", "3")
    later = Line(tuple(wins.game.moves("474")), proven=True)
    said = result_words(answered(wins, later, right=False), say_in("en"))
    assert said == "Not quite: it still wins, only later."
    lost = Line(tuple(THREE.game.moves("74")), proven=True)
    said = result_words(answered(THREE, lost, right=True), say_in("en"))
    assert said == "**Right.** Column 7 holds out longest."


def test_a_turn_of_boom_is_explained_as_a_whole() -> None:
    """A try that leaves a four in the next turn says so; a second one reads what stopped it."""
    asked = problem("boom", "15527546", "5")
    wrong = answered(asked, line_after(asked, "1"), right=False)
    assert result_words(wrong, say_in("en")) == (
        "Not quite: now your opponent can make four next turn."
    )
    again = replace(wrong, is_repeated=True)
    assert result_words(again, say_in("en")) == (
        "Not quite: your opponent can make four next turn; this stopped it: column 6, then 5."
    )
    assert result_words(again, say_in("es")) == (
        "No es esa: tu rival puede completar cuatro en su turno; esto lo frenaba: "
        "la columna 6 y luego la 5."
    )
    asked = problem("boom", "2552354", "2")
    missed = answered(asked, line_after(asked, "6"), right=False)
    assert result_words(missed, say_in("en")) == "Not quite: you can win this turn."
    assert result_words(replace(missed, is_repeated=True), say_in("en")) == (
        "Not quite: you had four this turn: column 2 twice."
    )


def test_the_only_move_by_value_is_named() -> None:
    """The only move that is proven to win is said to be it, and any other to have lost the win."""
    asked = problem("connect4", "4444", "4")
    right, wrong = (
        answered(asked, Line((Move(at),), proven=False), right=at == 3) for at in (3, 0)
    )
    only = replace(right.drill, only=(ReasonKind.ONLY_WINS,))
    assert result_words(replace(right, drill=only), say_in("en")) == (
        "**Right.** Only column 4 wins here."
    )
    values = {move: Value(0) for move in asked.position(0).legal_moves()}
    known = replace(wrong.drill, known=values | {Move(3): Value.won(Player.FIRST, 41)})
    assert result_words(replace(wrong, drill=known), say_in("en")) == (
        "Not quite: the win is gone; it's a draw if both play well."
    )


def test_cuatro_is_the_other_side_in_ones_own_game() -> None:
    """In a game against Cuatro it speaks of itself and is on the picture's plate."""
    line = Line(tuple(THREE.game.moves("74")), proven=True)
    found = answered(THREE, line, right=False, rival="me")
    assert result_words(found, say_in("en")) == "Not quite: now I can make four in column 4."
    spanish = "No es esa: ahora puedo completar cuatro en la columna 4."
    assert result_words(found, say_in("es")) == spanish
    scene = problem_scene(THREE, THREE.made(0), say_in("en"), "me")
    assert scene.names == ("Cuatro", "You")


@pytest.mark.parametrize("language", LANGUAGES)
def test_unproven_results_are_marked(language: str) -> None:
    """An unproven judgement is an opinion; its details give the search depth."""
    say, seen = say_in(language), Line((Move(0), Move(3), Move(3)), proven=False, depth=9)
    wrong = answered(QUIET, seen, right=False)
    assert result_words(wrong, say) == say("drill.wrong", why=say("drill.why.seen"))
    right = result_words(answered(QUIET, seen, right=True), say)
    places = say("place.columns.one", columns="1")
    result = sentence(say("drill.result.seen", places=places))
    assert right == say("drill.right", result=result)
    first, second = line_text(wrong, seen, say).splitlines()
    assert first == sentence(say("drill.more.seen", places=places, ahead=say.count("plies", 9)))
    assert second == say("drill.line", line=say("review.line_seen", line="`1 4 4`"))


def test_distances_over_four_moves_are_not_named() -> None:
    """Why a move wins or loses names how soon only up to four moves, which a person can count."""
    say = say_in("en")
    near = Line(tuple(THREE.game.moves("74")), proven=True)
    assert line_text(answered(THREE, near, right=False), near, say).startswith(
        "Column 7 loses in 1 move if both play well.\n"
    )
    far = Line(tuple(THREE.game.moves("4127676767")), proven=True)
    assert line_text(answered(THREE, far, right=False), far, say).startswith(
        "Column 4 loses later if both play well.\n"
    )


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
    gif, alt_text = play_picture(Drill("one", asked, UNASKED), 0, made, say_in("en"))
    assert len(gif) <= MAX_BYTES
    assert alt_text.startswith("Played out, animated. Moves: ")
    with Image.open(BytesIO(gif), formats=["GIF"]) as image:
        assert getattr(image, "n_frames", 1) > len(made)
    assert replay(asked.game, [*asked.moves, *made]) == position


def test_an_unproven_line_keeps_the_proven_result() -> None:
    """A result proven before is stated although the line itself is only what a search expects."""
    seen = Line((Move(0), Move(3), Move(3)), proven=False, depth=9)
    lost = answered(QUIET, seen, right=False, known=Value.won(Player.SECOND, 8))
    assert result_words(lost, say_in("en")).endswith("your opponent wins if both play well.")
    assert line_text(lost, seen, say_in("en")).splitlines() == [
        "Column 1 loses in 4 moves if both play well.",
        "It goes on: `1 4 4` (as far as I can see)",
    ]
    drawn = answered(QUIET, seen, right=False, known=Value(0))
    said = "Not quite: that's only a draw if both play well."
    assert result_words(drawn, say_in("en")) == said
