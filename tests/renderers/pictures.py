"""One picture of every kind, with every part that can be drawn, in any theme."""

from __future__ import annotations

from functools import partial

from engine.core.game import Cell, Drawing, Player, Square
from engine.core.registry import games
from renderers import (
    BoardScene,
    MoveValue,
    Outlook,
    ReviewedPly,
    ReviewScene,
    Theme,
    ThreatMark,
    draw,
    draw_card,
    draw_review,
)
from tests.renderers.example_cards import CARDS

BOARDS = {
    "connect4": ".......\n..2....\n..12...\n.112...",
    "boom": "1...B\nA...2\n12.21\n2..B1",
    "gato": "12..\n.12.\n.1..\n2...",
}

draw_board = partial(draw, Drawing.DISCS)
"""Draw a scene on a board with holes."""
draw_grid = partial(draw, Drawing.MARKS)
"""Draw a scene on a flat grid."""


REVIEW = ReviewScene(
    "Review",
    "Ana wins",
    ("Ana", "Bo"),
    ("accuracy 87", "accuracy 52"),
    tuple(ReviewedPly(Player(n % 2 + 1), n / 3, "??") for n in range(4)),
    turning=1,
    footer="?? blunder",
)


def board(text: str) -> BoardScene:
    """Make a scene with every mark."""
    cells = tuple(tuple(Cell(sign) for sign in row) for row in text.split())
    return BoardScene(
        cells,
        tuple("abcdefgh"[: len(cells[0])]),
        ("Ana", "Bo"),
        Player.FIRST,
        "Ana to move",
        "0.03 s",
        "move 1 of 2",
        tuple("12345678"[: len(cells)]),
        last=frozenset({Square(3, 1)}),
        line=frozenset({Square(2, 1), Square(2, 2)}),
        hint=frozenset({Square(0, 1), Square(2, 2)}),
        at_risk=frozenset({Square(2, 0), Square(2, 3)}) if "A" in text else frozenset(),
        values=tuple(MoveValue(Square(0, n), "-1", one) for n, one in enumerate(Outlook)),
        has_values=True,
        threats=(ThreatMark(Square(0, 3), (Player.FIRST, Player.SECOND), True, "B" in text),),
    )


def pictures(theme: Theme) -> dict[str, bytes]:
    """Draw a board of every game, every kind of card, and a review."""
    boards = {key: draw(games()[key].drawing, board(text), theme) for key, text in BOARDS.items()}
    return {
        **boards,
        **{name: draw_card(card, theme) for name, card in CARDS.items()},
        "review": draw_review(Drawing.DISCS, REVIEW, theme),
    }
