"""The values of moves: above the columns, or on the squares."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.game import Square
from renderers import CLASSIC, BoardScene, MoveValue, Outlook, Tone
from renderers.boards.drawings import DISC_STYLE as STYLE
from renderers.boards.drawings import MARK_STYLE as GRID
from renderers.boards.frame import plan_of
from tests.renderers.eyes import MakeScene, See, commonest, differs_only_in, shows
from tests.renderers.pictures import draw_board, draw_grid

FACES = {
    Outlook.WIN: Tone.HINT,
    Outlook.DRAW: Tone.PANEL,
    Outlook.LOSS: Tone.BAD,
    Outlook.UNKNOWN: Tone.HOLE,
}
TEXTS = {Outlook.WIN: "+4", Outlook.DRAW: "0", Outlook.LOSS: "-18", Outlook.UNKNOWN: "52%"}


def values(*outlooks: Outlook, best: int = -1) -> tuple[MoveValue, ...]:
    """Values above the first columns."""
    return tuple(
        MoveValue(Square(0, column), TEXTS[outlook], outlook, is_best=column == best)
        for column, outlook in enumerate(outlooks)
    )


def test_values_are_above_their_columns(scene: BoardScene, see: See) -> None:
    """A value is drawn on a plate in its colour above its column, and nothing else changes."""
    bare = replace(scene, has_values=True)
    drawn = see(draw_board(replace(bare, values=values(*Outlook))))
    plan = plan_of(bare, STYLE).layout
    boxes = [plan.value_box(column) for column in range(4)]
    assert differs_only_in(drawn, see(draw_board(bare)), boxes)
    for box, outlook in zip(boxes, Outlook, strict=True):
        left, top, right, bottom = box
        middle = drawn.crop((left + 8, top + 8, right - 8, bottom - 8))
        assert commonest(middle) == CLASSIC.rgb(FACES[outlook])
        assert bottom < plan.frame[1]
        assert top >= plan.label_box(0)[3]


def test_signs_differ_without_colours(scene: BoardScene, see: See) -> None:
    """The texts of a win and of a loss of the same length differ without colours."""
    plan = plan_of(replace(scene, has_values=True), STYLE).layout
    seen = set()
    for text in ("+4", "-4", "4%"):
        value = (MoveValue(Square(0, 0), text, Outlook.WIN),)
        drawn = see(draw_board(replace(scene, has_values=True, values=value)))
        seen.add(drawn.crop(plan.value_box(0)).convert("1").tobytes())
    assert len(seen) == 3


def test_the_best_move_has_a_rim(scene: BoardScene, see: See) -> None:
    """Only the best move has a rim."""
    drawn = see(draw_board(replace(scene, has_values=True, values=values(*Outlook, best=2))))
    plan = plan_of(replace(scene, has_values=True), STYLE).layout
    bright = [shows(drawn.crop(plan.value_box(column)), Tone.TEXT) for column in range(4)]
    assert max(range(4), key=bright.__getitem__) == 2


def test_values_on_a_grid_are_on_their_squares(make_scene: MakeScene, see: See) -> None:
    """In games that name their rows, values are on the squares, and the board keeps its place."""
    scene = make_scene("....\n.12.\n....\n....", row_labels=("1", "2", "3", "4"))
    value = (
        MoveValue(Square(2, 0), "-3", Outlook.LOSS),
        MoveValue(Square(0, 0), "0", Outlook.DRAW),
    )
    valued = replace(scene, values=value, has_values=True)
    plan = plan_of(valued, GRID).layout
    assert plan == plan_of(scene, GRID).layout
    boxes = [plan.cell_box(one.square) for one in value]
    assert differs_only_in(see(draw_grid(valued)), see(draw_grid(scene)), boxes)


@pytest.mark.parametrize("rows", [4, 8])
def test_the_longest_values_are_whole_on_the_widest_board(
    make_scene: MakeScene, see: See, rows: int
) -> None:
    """The longest value on the widest board, thirty-two stones with a sign, is not cut."""
    scene = make_scene("\n".join(["." * 8] * rows), has_values=True)
    box = plan_of(scene, STYLE).layout.value_box(0)
    seen = {
        see(draw_board(replace(scene, values=(MoveValue(Square(0, 0), text, Outlook.LOSS),))))
        .crop(box)
        .tobytes()
        for text in ("-30", "-31", "-3", "-38")
    }
    assert len(seen) == 4


def test_two_values_above_a_column_are_refused(scene: BoardScene) -> None:
    """Two values above one column are refused."""
    one = MoveValue(Square(0, 3), "+4", Outlook.WIN)
    with pytest.raises(ValueError, match="one value"):
        replace(scene, values=(one, replace(one, text="0")))
