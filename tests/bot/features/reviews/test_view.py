"""A review as a picture's scene and as text."""

from __future__ import annotations

import pytest

from bot.features.reviews.discord import review_scene, review_text
from bot.i18n import LANGUAGES, Translator, say_in
from engine.core.analysis import Analysis
from engine.core.compiled.scores import WIN
from engine.core.game import Player
from engine.strength.judging import JudgedMove
from engine.study.analysis import Line
from engine.study.move_class import expectations, losses
from engine.study.review import Review, ReviewGame, TurningPoint
from renderers import review_alt_text
from tests.bot.finished_games import BOMBS, played

ENGLISH = say_in("en")
NAMES = {1: "Ana", 2: "Bea *"}


def reviewed(family: str, variant: str, text: str) -> Review:
    """The review of a game."""
    session = played(family, variant, text, "resigned", 1)
    return session.job(ReviewGame()).run()


def text_about(family: str, variant: str, text: str, say: Translator = ENGLISH) -> str:
    """The text about a game that Bea has resigned."""
    session = played(family, variant, text, "resigned", 1)
    return review_text(session, NAMES, reviewed(family, variant, text), say)


def test_a_scene_has_every_move() -> None:
    """The scene has the first player's value after each move, and signs at inferior moves."""
    found = reviewed("gato", "4x4", "a1b2a2b3a3b1c2a4")
    session = played("gato", "4x4", "a1b2a2b3a3b1c2a4", "resigned", 1)
    scene = review_scene(session, NAMES, found, ENGLISH)
    assert [ply.expected for ply in scene.plies] == [0.5] * 5 + [1.0, 0.0, 0.5]
    assert [ply.mark for ply in scene.plies] == [""] * 5 + ["?", "??", "?"]
    assert [int(ply.player) for ply in scene.plies] == [1, 2] * 4
    assert scene.plies[6].weight > scene.plies[5].weight > scene.plies[0].weight
    assert scene.turning == 7
    assert scene.accuracies == ("accuracy 46", "accuracy 56")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "move 8: Bea \\* played a4?; b4 would have won in 1 move."),
        ("es", "jugada 8: Bea \\* jugó a4?; b4 ganaba en 1 jugada."),
    ],
)
def test_the_summary_has_both_sides_and_the_turning_point(language: str, sentence: str) -> None:
    """The summary has accuracies, counts by class and the turning point with both lines."""
    say = say_in(language)
    lines = text_about("gato", "4x4", "a1b2a2b3a3b1c2a4", say).splitlines()
    assert "**46**" in lines[0]
    assert lines[0].endswith(f"{say.count('class_best', 3)}, {say.count('class_blunder', 1)}")
    assert "**56**" in lines[1]
    assert lines[1].endswith(f"{say.count('class_best', 2)}, {say.count('class_mistake', 2)}")
    assert sentence in lines[2]
    assert lines[3] == say("review.line_played", line="`a4 b4 c3 d2 d3 d1 c4 c1 d4`")
    assert lines[4] == say("review.line_instead", line="`b4`")
    assert lines[5:] == [say("review.scale")]


@pytest.mark.parametrize(
    ("scores", "is_proven", "said"),
    [
        ((WIN - 5, 0), True, "1 would have won in 3 moves"),
        ((WIN - 5, WIN - 19), True, "1 would have won sooner, in 3 moves"),
        ((0, 2 - WIN), True, "1 would have held a draw"),
        ((20 - WIN, 2 - WIN), True, "1 would have held out longer"),
        ((40, -40), False, "1 was better (found at depth 6)"),
        ((40, -40, 40), False, "1 or 3 was better (found at depth 6)"),
        ((0, 2 - WIN, 0, 0), True, "1, 3 or 4 would have held a draw"),
    ],
)
def test_a_better_move_is_named_with_what_it_led_to(
    scores: tuple[int, ...], is_proven: bool, said: str
) -> None:
    """All equally good better moves are named with their result, or with the search depth."""
    session = played("connect4", "5x4", "2", "resigned", 1)
    moves = [session.game.parse(str(number + 1)) for number in range(len(scores))]
    lines = {move: (move,) for move in moves}
    analysis = Analysis(dict(zip(moves, scores, strict=True)), lines, 6, 1, 0.1, is_proven)
    shares = expectations(analysis, 40.0)
    found = losses(analysis, 40.0)
    one = JudgedMove(0, Player.FIRST, moves[1], analysis, shares, found, None)
    turned = TurningPoint(0, Line((moves[1],), False), Line((moves[0],), True))
    text = review_text(session, NAMES, Review((one,), turned), ENGLISH)
    assert f"; {said}." in text
    seen = ENGLISH("review.line_seen", line="`2`")
    assert ENGLISH("review.line_played", line=seen) in text.splitlines()


def test_unproven_results_show_the_depth() -> None:
    """In BOOM unproven results give their depth, while a line to the end is proven."""
    for language in LANGUAGES:
        say = say_in(language)
        text = text_about("boom", "7x7", BOMBS, say)
        assert say("review.unproven", moves=say.count("moves", 8), depth="7–8") in text
        assert say("review.line_played", line="`1 4`") in text.splitlines()


def test_a_game_without_errors_has_no_turning_point() -> None:
    """A game without errors has no turning point, and a player without moves no accuracy."""
    lines = text_about("connect4", "6x7", "4").splitlines()
    assert lines[1] == "**Bea \\***: accuracy **–** · –"
    assert lines[2] == ENGLISH("review.steady")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_alternative_text_describes_the_picture(language: str) -> None:
    """The alternative text has accuracies, bad moves, the turning point and who was ahead."""
    say, text = say_in(language), "a1b2a2b3a3b1c2a4"
    session = played("gato", "4x4", text, "resigned", 1)
    found = reviewed("gato", "4x4", text)
    heard = review_alt_text(review_scene(session, NAMES, found, say))
    for key, details in (
        ("accuracy", {"accuracy": 46}),
        ("told_blunder", {"moves": "7 (Ana)"}),
        ("told_mistake", {"moves": "6 (Bea *), 8 (Bea *)"}),
        ("told_turned", {"number": 8}),
        ("told_even", {"number": 1}),
        ("told_ahead", {"number": 6, "name": "Ana"}),
        ("told_ahead", {"number": 7, "name": "Bea *"}),
        ("told_even", {"number": 8}),
    ):
        assert say(f"review.{key}", **details) in heard


def test_a_name_that_cannot_be_written_has_a_stand_in() -> None:
    """A name that the font cannot draw is replaced in the picture only."""
    session = played("connect4", "5x4", "12", "resigned", 1)
    names, found = {1: "アナ", 2: "Bea"}, reviewed("connect4", "5x4", "12")
    scene = review_scene(session, names, found, ENGLISH)
    assert scene.names == ("Player 1", "Bea")
    assert "アナ" not in scene.subtitle
    assert "アナ" in review_text(session, names, found, ENGLISH)
