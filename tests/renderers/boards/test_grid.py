"""The picture of a flat grid of crosses and circles, judged by its content."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine.core.game import Cell, Player, Square
from renderers import CLASSIC, BoardScene, Layout, Tone
from renderers.boards.drawings import MARK_STYLE as STYLE
from renderers.boards.frame import layout_of
from renderers.boards.header import plate_box
from tests.renderers.eyes import (
    Box,
    MakeScene,
    See,
    changed,
    commonest,
    differs_only_in,
    inside,
    shows,
)
from tests.renderers.pictures import draw_board, draw_grid

TONES = {Player.FIRST: Tone.DISC_1, Player.SECOND: Tone.DISC_2}
LOOKS = [(), ("last",), ("line",), ("hint",), ("last", "hint")]


@pytest.fixture
def grid(make_scene: MakeScene) -> BoardScene:
    """A game of tic-tac-toe in progress."""
    return make_scene(
        "12..\n.12.\n.1..\n2...",
        column_labels=("a", "b", "c", "d"),
        row_labels=("1", "2", "3", "4"),
    )


def plan(scene: BoardScene) -> Layout:
    """Return the layout of a scene's picture."""
    return layout_of(scene, STYLE)


def cell(scene: BoardScene, see: See, square: Square) -> Image.Image:
    """Return the picture of one cell."""
    return see(draw_grid(scene)).crop(plan(scene).cell_box(square))


def marked(scene: BoardScene, square: Square, marks: tuple[str, ...]) -> BoardScene:
    """Return a scene with a square marked in the fields of these names."""
    fields: dict[str, Any] = {mark: frozenset({square}) for mark in marks}
    return replace(scene, **fields)


def spot(image: Image.Image, across: float, down: float) -> tuple[int, ...]:
    """Return the commonest colour around a place, given in shares of the image."""
    x, y = round(image.width * across), round(image.height * down)
    return commonest(image.crop((x - 4, y - 4, x + 4, y + 4)))


def is_tone(colour: tuple[int, ...], tone: Tone) -> bool:
    """Whether a colour is that of a tone."""
    return colour == CLASSIC.rgb(tone)


def test_the_first_players_mark_is_a_cross(grid: BoardScene, see: See) -> None:
    """The first player's colour is in the middle and on both diagonals, but not between them."""
    picture = cell(grid, see, Square(0, 0))
    for across, down in ((0.5, 0.5), (0.3, 0.3), (0.3, 0.7), (0.7, 0.3), (0.7, 0.7)):
        assert is_tone(spot(picture, across, down), Tone.DISC_1)
    for across, down in ((0.5, 0.25), (0.5, 0.75), (0.25, 0.5), (0.75, 0.5)):
        assert is_tone(spot(picture, across, down), Tone.HOLE)
    assert shows(picture, Tone.DISC_2) == 0


def test_the_second_players_mark_is_a_circle(grid: BoardScene, see: See) -> None:
    """The second player's colour surrounds the middle, which is empty, like the corners."""
    picture = cell(grid, see, Square(0, 1))
    for across, down in ((0.5, 0.25), (0.5, 0.75), (0.25, 0.5), (0.75, 0.5)):
        assert is_tone(spot(picture, across, down), Tone.DISC_2)
    for across, down in ((0.5, 0.5), (0.2, 0.2), (0.2, 0.8), (0.8, 0.2), (0.8, 0.8)):
        assert is_tone(spot(picture, across, down), Tone.HOLE)
    assert shows(picture, Tone.DISC_1) == 0


def test_an_empty_square_is_a_flat_square_tile(grid: BoardScene, see: See) -> None:
    """An empty cell is dark into its corners, unlike a hole, and otherwise empty."""
    picture = cell(grid, see, Square(3, 3))
    assert shows(picture, Tone.HOLE) > 0.8 * picture.width * picture.height
    for across, down in ((0.1, 0.1), (0.1, 0.9), (0.9, 0.1), (0.9, 0.9)):
        assert is_tone(spot(picture, across, down), Tone.HOLE)
    signs = (Tone.DISC_1, Tone.DISC_2, Tone.LAST_MOVE, Tone.HINT)
    assert not any(shows(picture, tone) for tone in signs)


@pytest.mark.parametrize("marks", LOOKS)
@pytest.mark.parametrize("square", [Square(0, 0), Square(0, 1)])
def test_a_mark_is_large_in_every_look(
    grid: BoardScene, see: See, square: Square, marks: tuple[str, ...]
) -> None:
    """With any marks, a cross or circle fills over a tenth of its square."""
    picture = cell(marked(grid, square, marks), see, square)
    owner = grid.cells[square.row][square.column].owner
    assert owner is not None
    assert shows(picture, TONES[owner]) > 0.1 * picture.width * picture.height
    assert shows(picture, TONES[owner.other]) == 0


def test_every_look_is_its_own(grid: BoardScene, see: See) -> None:
    """No two of an empty square, a cross and a circle, with any marks, give the same picture."""
    squares = (Square(0, 0), Square(0, 1), Square(0, 2))
    pictures = {
        cell(marked(grid, square, marks), see, square).tobytes()
        for square in squares
        for marks in LOOKS
    }
    assert len(pictures) == len(squares) * len(LOOKS)


def test_the_last_move_has_a_white_frame_in_its_cell(grid: BoardScene, see: See) -> None:
    """Marking the last move frames its cell, and marks the labels of its row and column."""
    square = Square(1, 2)
    last = marked(grid, square, ("last",))
    where = plan(grid)
    boxes = [where.cell_box(square), where.label_box(2), where.row_label_box(1)]
    assert differs_only_in(see(draw_grid(last)), see(draw_grid(grid)), boxes)
    picture = cell(last, see, square)
    for across, down in ((0.5, 0.07), (0.5, 0.93), (0.07, 0.5), (0.93, 0.5)):
        assert is_tone(spot(picture, across, down), Tone.LAST_MOVE)
    assert shows(cell(grid, see, square), Tone.TEXT) == 0


def test_a_winning_line_is_one_white_mark(grid: BoardScene, see: See) -> None:
    """Each cell of a winning line has a rim all around, bands connect them, others lose light."""
    squares = [Square(0, 0), Square(1, 1), Square(2, 2), Square(3, 3)]
    won = replace(grid, line=frozenset(squares))
    for square in squares:
        picture = cell(won, see, square)
        for across, down in ((0.04, 0.5), (0.96, 0.5), (0.5, 0.04), (0.5, 0.96)):
            assert is_tone(spot(picture, across, down), Tone.TEXT)
    picture = see(draw_grid(won))
    for square in squares[1:]:
        left, top, _, _ = plan(grid).cell_box(square)
        assert picture.getpixel((left, top)) == CLASSIC.rgb(Tone.TEXT)
    assert shows(cell(grid, see, Square(0, 1)), Tone.DISC_2_LIGHT) > 0
    assert shows(cell(won, see, Square(0, 1)), Tone.DISC_2_LIGHT) == 0


def test_a_hint_is_marked_on_its_square_and_on_both_labels(grid: BoardScene, see: See) -> None:
    """A hint changes its cell, its column's label and its row's, and nothing else."""
    square = Square(2, 3)
    hinted = see(draw_grid(replace(grid, hint=frozenset({square}))))
    where = plan(grid)
    boxes: list[Box] = [where.cell_box(square), where.label_box(3), where.row_label_box(2)]
    assert differs_only_in(hinted, see(draw_grid(grid)), boxes)
    assert all(shows(hinted.crop(box), Tone.HINT) > 100 for box in boxes)


def test_a_marked_square_changes_nothing_else(grid: BoardScene, see: See) -> None:
    """Unlike a hint, a marked square highlights no label."""
    square = Square(2, 3)
    marked = see(draw_grid(replace(grid, marked=frozenset({square}))))
    box = plan(grid).cell_box(square)
    assert differs_only_in(marked, see(draw_grid(grid)), [box])
    assert shows(marked.crop(box), Tone.HINT) > 100


def test_rows_and_columns_have_their_labels_on_the_rim(grid: BoardScene, see: See) -> None:
    """Empty labels empty the boxes above the columns and left of the rows, and nothing else."""
    bare = see(draw_grid(replace(grid, column_labels=("",) * 4, row_labels=("",) * 4)))
    where = plan(grid)
    boxes = [where.label_box(index) for index in range(4)]
    boxes += [where.row_label_box(index) for index in range(4)]
    assert differs_only_in(see(draw_grid(grid)), bare, boxes)
    assert all(inside(box, where.frame) for box in boxes)


@pytest.mark.parametrize("player", list(Player))
def test_the_tokens_beside_the_names_are_the_marks(
    grid: BoardScene, see: See, player: Player
) -> None:
    """Each plate has its player's cross or circle instead of a stone."""
    picture = see(draw_grid(grid)).crop(plate_box(player))
    assert shows(picture, TONES[player]) > 300
    assert shows(picture, TONES[player.other]) == 0
    assert shows(picture, Tone.DISC_1_MARK) + shows(picture, Tone.DISC_2_MARK) < 50
    stones = see(draw_board(grid)).crop(plate_box(player))
    assert changed(picture, stones) is not None


def test_marks_differ_without_colours(grid: BoardScene, see: See) -> None:
    """A cross and a circle in the same colour differ in over a tenth of the cell."""
    masks = [
        cell(grid, see, square).convert("L").point(lambda value: 255 * (value > 60))
        for square in (Square(0, 0), Square(0, 1))
    ]
    unlike = ImageChops.difference(*masks).histogram()[255]
    assert unlike > 0.1 * masks[0].width * masks[0].height


def test_a_grid_has_the_usual_frame(grid: BoardScene, see: See) -> None:
    """A grid has the names, remark and footer of every board."""
    full = replace(grid, remark="move 1 of 2")
    others = [
        replace(full, remark="move 2 of 2"),
        replace(full, footer="depth 9"),
        replace(full, names=("Bo", "Bo")),
    ]
    assert len({draw_grid(scene) for scene in (full, *others)}) == 4
    assert plan(full).height > plan(grid).height
    assert plan(full).frame == plan(grid).frame


@pytest.mark.parametrize("rows", [4, 6, 8])
@pytest.mark.parametrize("columns", [4, 7, 8])
def test_every_size_fits_with_its_labels(make_scene: MakeScene, rows: int, columns: int) -> None:
    """Grids of all sizes stay clear of both margins, and labels of each other and the cells."""
    scene = make_scene(
        "\n".join(["." * columns] * rows), row_labels=tuple(str(row) for row in range(rows))
    )
    where = plan(scene)
    assert where.frame[0] >= 20
    assert where.frame[2] <= 680 - 20
    assert where.frame[0] < where.row_label_box(0)[0]
    assert where.row_label_box(0)[2] <= where.cell_box(Square(0, 0))[0]
    assert where.row_label_box(0)[3] <= where.row_label_box(1)[1]


def test_a_grid_has_no_bombs(make_scene: MakeScene) -> None:
    """A bomb on a grid raises ValueError."""
    with pytest.raises(ValueError, match="bombs"):
        draw_grid(make_scene(f"....\n....\n....\n...{Cell.SECOND_BOMB}"))


def test_a_grid_is_small(grid: BoardScene) -> None:
    """A full grid is at most 24 KB."""
    cells = tuple(tuple(Cell(sign) for sign in row) for row in ("1211", "2212", "1121", "2122"))
    full = replace(grid, cells=cells, last=frozenset({Square(2, 1)}))
    assert len(draw_grid(full)) <= 24 * 1000
