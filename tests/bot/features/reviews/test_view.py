"""A review as a picture's scene and as text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.reviews.view import (
    Reading,
    details_text,
    has_reason,
    lines_text,
    marked_moves,
    move_text,
    moves_text,
    option_text,
    review_scene,
    summary,
    why_scene,
    why_text,
)
from bot.i18n import LANGUAGES, Translator, say_in
from engine.core.analysis import Analysis
from engine.core.compiled.scores import WIN
from engine.core.game import Player, Square
from engine.strength.judging import JudgedMove
from engine.study.analysis import Line
from engine.study.move_class import expectations, losses
from engine.study.reach import Reach
from engine.study.review import Review, ReviewGame, TurningPoint
from renderers import review_alt_text
from tests.bot.finished_games import BOMBS, played

ENGLISH = say_in("en")
NAMES = {1: "Ana", 2: "Bea *"}
STRONG = Reach("connect4-classic", 2500.0)
"""What a strong player can find."""


def reviewed(family: str, variant: str, text: str) -> Review:
    """The review of a game."""
    session = played(family, variant, text, "resigned", 1)
    return session.job(ReviewGame()).run()


def read(family: str, variant: str, text: str, reader: int, say: Translator = ENGLISH) -> Reading:
    """A reviewed game that Bea has resigned, for a reader."""
    session = played(family, variant, text, "resigned", 1)
    return Reading(session, reviewed(family, variant, text), NAMES, reader, say, STRONG)


def text_about(family: str, variant: str, text: str, say: Translator = ENGLISH) -> str:
    """The summary of a game that Bea has resigned, for Bea."""
    return summary(read(family, variant, text, 2, say))


def test_a_scene_has_every_move() -> None:
    """The scene has the first player's value after each move, and signs at inferior moves."""
    scene = review_scene(read("gato", "4x4", "a1b2a2b3a3b1c2a4", 1))
    assert [ply.expected for ply in scene.plies] == [0.5] * 5 + [1.0, 0.0, 0.5]
    assert [ply.mark for ply in scene.plies] == [""] * 5 + ["??"] * 3
    assert [int(ply.player) for ply in scene.plies] == [1, 2] * 4
    assert scene.plies[6].weight == scene.plies[5].weight > scene.plies[0].weight
    assert scene.turning == 7
    assert scene.accuracies == ("accuracy 46", "accuracy 56")


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            [
                "**Your game against Ana** · you 56, Ana 46",
                "**??** Your move 4 turned the game: square b4 was four in a row.",
            ],
        ),
        (
            "es",
            [
                "**Tu partida contra Ana** · tú 56, Ana 46",
                "**??** Tu jugada 4 cambió la partida: la casilla b4 era cuatro en línea.",
            ],
        ),
    ],
)
def test_the_summary_has_both_sides_and_the_turning_point(language: str, lines: list[str]) -> None:
    """The summary has the accuracies, the reader's first, and the turning point with its mark."""
    assert text_about("gato", "4x4", "a1b2a2b3a3b1c2a4", say_in(language)).splitlines() == lines


def test_the_details_count_the_moves_of_each_class() -> None:
    """The details have the counts by class, the accuracy by phase, and say what it means."""
    found = read("gato", "4x4", "a1b2a2b3a3b1c2a4", 1)
    assert details_text(found, {}).splitlines() == [
        "**Ana** 46: 3 best, 1 big mistake · **Bea \\*** 56: 2 best, 2 big mistakes",
        "Opening, middle and end: **Ana** –, –, 46 · **Bea \\*** –, –, 56.",
        "100 = the best move every time; 50 = random moves.",
        "Judged exactly: 8 by calculation, 0 as known openings.",
    ]
    assert lines_text(found).splitlines() == [
        "After it: `a4 b4 c3 d2 d3 d1 c4 c1 d4`",
        "Better: `b4`",
    ]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Played like: **Ana** about 1150 · **Bea \\*** about 800."),
        ("es", "Nivel de juego: **Ana** cerca de 1150 · **Bea \\*** cerca de 800."),
    ],
)
def test_the_details_say_what_rating_the_moves_look_like(language: str, line: str) -> None:
    """The rating that each side's moves look like is rounded; without any, nothing is said."""
    found = read("gato", "4x4", "a1b2a2b3a3b1c2a4", 2, say_in(language))
    strengths = {Player.FIRST: 1163.0, Player.SECOND: 780.0}
    assert details_text(found, strengths).splitlines()[-3] == line
    without = details_text(found, {}).splitlines()
    assert len(details_text(found, strengths).splitlines()) == len(without) + 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_accuracy_is_shown_to_its_two_players_only(language: str) -> None:
    """Others see the marks of a game between people, but no number of how well it was played."""
    say, strengths = say_in(language), {Player.FIRST: 1163.0, Player.SECOND: 780.0}
    for reader, is_shown in ((1, True), (2, True), (3, False)):
        found = read("gato", "4x4", "a1b2a2b3a3b1c2a4", reader, say)
        texts = [summary(found), details_text(found, strengths)]
        texts.append(review_alt_text(review_scene(found)))
        assert all(("46" in text) == is_shown for text in texts), texts
        assert (say("review.scale") in texts[1]) == is_shown
    assert texts[1].startswith(f"**Ana**: {say.count('class_best', 3)}")


def test_only_moves_and_opening_moves_are_among_the_details() -> None:
    """Details count the only moves and the opening moves that each side found."""
    lines = details_text(read("connect4", "6x7", "44445", 2), {}).splitlines()
    assert lines[1] == "**Ana** 2 only moves · **Bea \\*** 2 opening moves."
    plain = details_text(read("gato", "4x4", "a1b2a2b3a3b1c2a4", 2), {})
    assert "only move" not in plain


def test_the_marked_moves_are_listed_and_explained() -> None:
    """Every marked move is named by its player's count, with what would have been better."""
    found = read("gato", "4x4", "a1b2a2b3a3b1c2a4", 1)
    assert moves_text(found) == (
        "**Bea \\***'s move 3 **??** allowed four · your move 4 **??** missed win · "
        "**Bea \\***'s move 4 **??** missed win"
    )
    second = marked_moves(found.review)[1]
    assert option_text(found, second) == "Your move 4 ?? missed win"
    assert move_text(found, second) == (
        "Your move 4 **??** was square c2: square a4 was four in a row."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_mistakes_beyond_a_players_reach_are_no_exercises(language: str) -> None:
    """If all mistakes of the reader are too far for their rating, the list says so kindly."""
    say = say_in(language)
    strong = read("connect4", "6x7", "44553", 2, say)
    weak = replace(strong, reach=Reach("connect4-classic", 850.0))
    assert moves_text(weak).splitlines()[1:] == [say("learn.none")]
    assert say("learn.none") not in moves_text(strong)
    assert say("learn.none") not in moves_text(replace(weak, reader=3))


def test_who_left_a_four_open_reads_what_the_block_was() -> None:
    """The player of a marked move reads why it was bad, as the board shows it."""
    found = read("gato", "4x4", "a1b2a2b3a3b1c2a4", 2)
    first = marked_moves(found.review)[0]
    assert move_text(found, first).splitlines() == [
        "Square a4 was the block: **Ana** had three.",
        "Your move 3 **??** was square b1: square a4 would have kept the draw.",
    ]


def test_what_somebody_else_left_open_is_told_from_ones_own_side() -> None:
    """About the other side's marked move the reason says what the reader could do."""
    found = read("gato", "4x4", "a1b2a2b3a3b1c2a4", 1)
    first = marked_moves(found.review)[0]
    assert move_text(found, first).splitlines()[0] == "Square a4 was the block: you had three."


def test_a_mistake_that_the_board_does_not_show_is_explained_by_its_result() -> None:
    """Where no rule of the board applies, a marked move is explained by its proven result."""
    found = read("connect4", "5x4", "142134", 1)
    texts = [move_text(found, one).splitlines()[0] for one in marked_moves(found.review)]
    assert texts == [
        "Now **Bea \\*** wins if both play well.",
        "The win is gone; it's a draw if both play well.",
    ]


def test_a_turning_point_is_explained_in_two_sentences() -> None:
    """Why? says what was possible and what follows, and shows the board after both moves."""
    found = read("gato", "4x4", "a1b2a2b3a3b1c2a4", 2)
    assert has_reason(found.review)
    assert why_text(found).splitlines() == [
        "Your move 4 turned the game: square b4 was four in a row.",
        "After square a4 it's a draw if both play well.",
    ]
    scene = why_scene(found)
    assert (scene.title, scene.captions) == ("Your move 4", ("You could", "You played"))
    assert scene.details == ("b4", "a4")
    could, did = scene.boards
    assert could.last == {Square(3, 1)}
    assert len(could.line) == 4
    assert did.last == {Square(3, 0)}
    other = why_scene(replace(found, reader=1))
    assert other.title == "Bea *'s move 4"
    assert other.captions == ("Bea * could", "Bea * played")


@pytest.mark.parametrize(
    ("language", "briefly", "lines"),
    [
        (
            "en",
            "column 4 would have held out longer. On paper it turned at **Ana**'s move 3.",
            [
                "Column 4 was the block: you had three.",
                "On paper it turned at **Ana**'s move 3; in the game, at **Ana**'s move 5.",
            ],
        ),
        (
            "es",
            "la columna 4 resistía más. En teoría cambió en la jugada 3 de **Ana**.",
            [
                "Había que bloquear la columna 4: tú tenías tres.",
                "En teoría cambió en la jugada 3 de **Ana**; en la partida, en la jugada 5 de "
                "**Ana**.",
            ],
        ),
    ],
)
def test_theory_and_practice_are_both_told(language: str, briefly: str, lines: list[str]) -> None:
    """If a game turned in practice later than on paper, both moves are named."""
    found = read("connect4", "5x4", "3424241234", 2, say_in(language))
    assert summary(found).endswith(briefly)
    assert why_text(found).splitlines()[1:] == lines
    assert has_reason(found.review)
    assert review_scene(found).turning == 8
    assert len(set(lines_text(found).splitlines())) == 2


@pytest.mark.parametrize(
    ("scores", "is_proven", "said", "is_explained"),
    [
        ((WIN - 5, 0), True, "column 1 would have won", True),
        ((WIN - 5, WIN - 19), True, "column 1 would have won sooner", True),
        ((0, 2 - WIN), True, "column 1 would have kept the draw", True),
        ((20 - WIN, 2 - WIN), True, "column 1 would have held out longer", False),
        ((40, -40), False, "column 1 looked better to me", True),
        ((40, -40, 40), False, "column 1 or 3 looked better to me", True),
        ((0, 2 - WIN, 0, 0), True, "column 1, 3 or 4 would have kept the draw", True),
    ],
)
def test_a_better_move_is_named_with_what_it_led_to(
    scores: tuple[int, ...], is_proven: bool, said: str, is_explained: bool
) -> None:
    """Better moves are named with their result; where every move loses, nothing is explained."""
    session = played("connect4", "5x4", "2", "resigned", 1)
    moves = [session.game.parse(str(number + 1)) for number in range(len(scores))]
    lines = {move: (move,) for move in moves}
    analysis = Analysis(dict(zip(moves, scores, strict=True)), lines, 6, 1, 0.1, is_proven)
    shares = expectations(analysis, 40.0)
    found = losses(analysis, 40.0)
    one = JudgedMove(0, Player.FIRST, moves[1], analysis, shares, found, None)
    turned = TurningPoint(0, Line((moves[1],), False), Line((moves[0],), True))
    review = Review((one,), turned)
    about = Reading(session, review, NAMES, 1, ENGLISH, STRONG)
    assert summary(about).endswith(f" turned the game: {said}.")
    assert has_reason(review) is is_explained
    seen = ENGLISH("review.line_seen", line="`2`")
    shown = lines_text(about).splitlines()
    assert ENGLISH("review.line_played", line=seen) in shown


def test_unproven_results_show_the_depth_among_the_details() -> None:
    """In BOOM the details of unproven results give their depth; the summary has no numbers."""
    found = read("boom", "7x7", BOMBS, 1)
    for language in LANGUAGES:
        say = say_in(language)
        about = replace(found, say=say)
        unproven = say("review.unproven", moves=say.count("moves", 9), depth="7–12")
        assert unproven in details_text(about, {}).splitlines()
        assert unproven not in summary(about)


def test_a_game_without_errors_has_no_turning_point() -> None:
    """A game without errors has no turning point, and a player without moves no accuracy."""
    first, second = text_about("connect4", "6x7", "4").splitlines()
    assert first.endswith("you –, Ana 100")
    assert second == ENGLISH("review.steady")
    assert not has_reason(reviewed("connect4", "6x7", "4"))


def test_both_players_are_named_to_others() -> None:
    """Who did not play reads both names."""
    found = read("gato", "4x4", "a1b2a2b3a3b1c2a4", 3)
    assert summary(found).splitlines()[0] == "**Ana** · **Bea \\***"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_alternative_text_describes_the_picture(language: str) -> None:
    """The alternative text has accuracies, bad moves, the turning point and who was ahead."""
    say = say_in(language)
    heard = review_alt_text(review_scene(read("gato", "4x4", "a1b2a2b3a3b1c2a4", 1, say)))
    for key, details in (
        ("accuracy", {"accuracy": 46}),
        ("told_blunder", {"moves": "6 (Bea *), 7 (Ana), 8 (Bea *)"}),
        ("told_turned", {"number": 8}),
        ("told_even", {"number": 1}),
        ("told_ahead", {"number": 6, "name": "Ana"}),
        ("told_ahead", {"number": 7, "name": "Bea *"}),
        ("told_even", {"number": 8}),
    ):
        assert say(f"review.{key}", **details) in heard


def test_a_name_that_cannot_be_written_has_a_stand_in() -> None:
    """A name that the font cannot draw is replaced in the picture only."""
    found = replace(read("connect4", "5x4", "12", 2), names={1: "アナ", 2: "Bea"})
    scene = review_scene(found)
    assert scene.names == ("Player 1", "Bea")
    assert "アナ" not in scene.subtitle
    assert "アナ" in summary(found)
