"""The course of a game's value, with the marks of its moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from engine.core.game import Drawing, Player
from renderers import ReviewedPly, ReviewScene, Tone, draw_review, review_alt_text
from renderers.paint.theme import CLASSIC
from tests.renderers.eyes import See, changed, shows

LEFT, RIGHT, TOP, BOTTOM = 18, 662, 198, 446
"""The edges of the plot."""


def plies(*expected: float, mark: str = "") -> tuple[ReviewedPly, ...]:
    """Moves of both players in turn."""
    return tuple(ReviewedPly(Player(n % 2 + 1), e, mark, 1) for n, e in enumerate(expected))


SCENE = ReviewScene(
    "Review: Connect 4 6x7",
    "Ana wins",
    ("Ana", "Bea"),
    ("accuracy 87", "accuracy 52"),
    plies(0.5, 0.5, 0.0, 1.0),
    turning=3,
    footer="?? blunder",
    sentences=("Blunders: 3 (Ana)", "The game turned at move 4"),
)


def height_of_first(image: Image.Image, ply: int, of: int) -> int:
    """How many pixels of the first player's share there are below a move."""
    x = LEFT + round((RIGHT - LEFT) * (ply + 0.3) / of)
    colour = CLASSIC.rgb(Tone.DISC_1_EDGE)
    return sum(image.getpixel((x, y)) == colour for y in range(TOP, BOTTOM))


def test_the_share_of_the_first_player_grows_from_the_bottom(see: See) -> None:
    """The first player's share grows from the bottom; the rest is the second player's."""
    expected = (0.5, 0.25, 0.0, 0.75, 1.0)
    image = see(draw_review(Drawing.DISCS, replace(SCENE, plies=plies(*expected), turning=None)))
    heights = [height_of_first(image, ply, len(expected)) for ply in range(len(expected))]
    assert heights == pytest.approx([244 * e for e in expected], abs=3)


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Review"},
        {"subtitle": "Bea wins"},
        {"names": ("Ane", "Bea")},
        {"names": ("Ana", "Bee")},
        {"accuracies": ("accuracy 88", "accuracy 52")},
        {"accuracies": ("accuracy 87", "accuracy 51")},
        {"plies": plies(0.5, 0.5, 0.5, 1.0)},
        {"plies": plies(0.5, 0.5, 0.0, 1.0, mark="?")},
        {"turning": 2},
        {"turning": None},
        {"footer": "?? error"},
    ],
)
def test_everything_of_a_review_is_drawn(change: dict[str, Any]) -> None:
    """Names, accuracies, the course, marks and the turning point are all drawn."""
    assert draw_review(Drawing.DISCS, replace(SCENE, **change)) != draw_review(Drawing.DISCS, SCENE)


@pytest.mark.parametrize(("index", "above"), [(1, True), (2, False)])
def test_marks_are_on_their_players_side(see: See, index: int, above: bool) -> None:
    """Marks are above the plot for the second player and below it for the first."""
    moves = list(SCENE.plies)
    moves[index] = replace(moves[index], mark="??")
    box = changed(
        see(draw_review(Drawing.DISCS, SCENE)),
        see(draw_review(Drawing.DISCS, replace(SCENE, plies=tuple(moves)))),
    )
    assert box is not None
    assert box[3] <= TOP if above else box[1] >= BOTTOM
    middle = LEFT + (RIGHT - LEFT) * (index + 0.5) / 4
    assert box[0] < middle < box[2]


def test_of_overlapping_marks_the_weightiest_is_drawn() -> None:
    """Of overlapping marks only the one with the greatest weight is drawn."""
    moves = [ReviewedPly(Player.FIRST, 0.5) for _ in range(200)]
    moves[100] = replace(moves[100], mark="?", weight=2)
    one = replace(SCENE, plies=tuple(moves))
    moves[99] = replace(moves[99], mark="?!", weight=1)
    assert draw_review(Drawing.DISCS, replace(one, plies=tuple(moves))) == draw_review(
        Drawing.DISCS, one
    )
    moves[99] = replace(moves[99], weight=3)
    assert draw_review(Drawing.DISCS, replace(one, plies=tuple(moves))) != draw_review(
        Drawing.DISCS, one
    )


def test_every_mark_of_a_full_board_is_drawn(see: See) -> None:
    """All marks of 42 moves, each a blunder, are drawn."""
    moves = plies(*[0.5] * 42, mark="??")
    full = see(draw_review(Drawing.DISCS, replace(SCENE, plies=moves)))
    for index in range(42):
        less = (*moves[:index], replace(moves[index], mark=""), *moves[index + 1 :])
        assert (
            changed(full, see(draw_review(Drawing.DISCS, replace(SCENE, plies=less)))) is not None
        )


def test_the_turning_point_is_a_line_of_its_own(see: See) -> None:
    """The turning point is a line from top to bottom of the plot, with a number."""
    lit = shows(see(draw_review(Drawing.DISCS, SCENE)), Tone.HINT)
    assert lit > 4 * 200
    assert shows(see(draw_review(Drawing.DISCS, replace(SCENE, turning=None))), Tone.HINT) == 0


def test_the_alternative_text_is_cut_after_a_whole_sentence() -> None:
    """The alternative text has whole sentences in order, in at most 1,024 characters."""
    assert review_alt_text(SCENE) == (
        "Review: Connect 4 6x7. Ana wins. Ana: accuracy 87. Bea: accuracy 52. "
        "Blunders: 3 (Ana). The game turned at move 4."
    )
    long = review_alt_text(replace(SCENE, sentences=tuple(f"From move {n}" for n in range(200))))
    assert len(long) <= 1024
    assert long.endswith(". …")


@pytest.mark.parametrize(
    "wrong", [{"plies": ()}, {"turning": 4}, {"turning": -1}]
)  # fmt: skip
def test_a_review_needs_its_moves(wrong: dict[str, Any]) -> None:
    """A review without moves, or with a turning point that is none of them, is refused."""
    with pytest.raises(ValueError, match=r"."):
        replace(SCENE, **wrong)


@pytest.mark.parametrize("wrong", [{"expected": 1.1}, {"expected": -0.1}, {"weight": -1}])
def test_a_move_needs_a_share_of_a_point(wrong: dict[str, Any]) -> None:
    """An expected score outside 0 to 1, or a negative weight, is refused."""
    with pytest.raises(ValueError, match=r"."):
        replace(SCENE.plies[0], **wrong)


def test_players_have_the_tokens_of_their_game(see: See) -> None:
    """Players have stones in Connect 4, a cross and a circle in Gato; nothing else differs."""
    box = changed(*(see(draw_review(drawing, SCENE)) for drawing in Drawing))
    assert box is not None
    assert box[0] >= LEFT
    assert box[2] <= LEFT + 40
