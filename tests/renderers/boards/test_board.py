"""The picture of a board, judged by its content rather than by its bytes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine.core.game import Cell, Player, Square
from renderers import CLASSIC, BoardScene, Layout, Tone, layout
from renderers.boards.drawings import DISC_STYLE as STYLE
from renderers.boards.frame import plan_of as whole_plan_of
from renderers.boards.header import pill_box
from tests.renderers.eyes import MakeScene, See, changed, commonest, differs_only_in, inside, shows
from tests.renderers.pictures import draw_board

GROUND = {Cell.EMPTY: Tone.HOLE, Cell.FIRST: Tone.DISC_1, Cell.SECOND: Tone.DISC_2}
SIZES = [(rows, columns) for rows in range(4, 9) for columns in range(4, 9)]


def plan_of(scene: BoardScene) -> Layout:
    """Return the layout of a scene's picture."""
    return whole_plan_of(scene, STYLE).layout


def test_every_cell_shows_its_stone_or_an_empty_hole(scene: BoardScene, see: See) -> None:
    """Most of the middle of each cell has the colour of the cell's content."""
    picture = see(draw_board(scene))
    plan = plan_of(scene)
    for row, cells in enumerate(scene.cells):
        for column, cell in enumerate(cells):
            left, top, right, bottom = plan.cell_box(Square(row, column))
            third = (right - left) // 4
            middle = picture.crop((left + third, top + third, right - third, bottom - third))
            assert commonest(middle) == CLASSIC.rgb(GROUND[cell])


def test_stones_differ_by_more_than_colour(make_scene: MakeScene, see: See) -> None:
    """Without colours, as sign and background only, the two players' stones differ."""
    scene = make_scene("....\n....\n....\n12..")
    picture, plan = see(draw_board(scene)), plan_of(scene)
    marks = []
    for column, ground in enumerate((Tone.DISC_1, Tone.DISC_2)):
        left, top, right, bottom = plan.cell_box(Square(3, column))
        third = (right - left) // 4
        stone = picture.crop((left + third, top + third, right - third, bottom - third))
        flat = Image.new("RGB", stone.size, CLASSIC.rgb(ground))
        marks.append(ImageChops.difference(stone, flat).convert("L").point(lambda v: 255 * (v > 9)))
    share = ImageChops.difference(*marks).histogram()[255] / (marks[0].width * marks[0].height)
    assert share > 0.1


def test_the_last_stone_is_marked_in_its_own_cell(scene: BoardScene, see: See) -> None:
    """Marking the last move changes the cell of its stone and nothing else."""
    bare = see(draw_board(replace(scene, last=frozenset())))
    box = plan_of(scene).cell_box(Square(2, 3))
    assert differs_only_in(see(draw_board(scene)), bare, [box])


LINE = frozenset({Square(5, 3), Square(4, 3), Square(3, 3), Square(2, 3)})


def test_a_winning_line_is_one_mark(scene: BoardScene, see: See) -> None:
    """White connects the four squares of a winning line, and no other cell has any."""
    won = see(draw_board(replace(scene, last=frozenset(), line=LINE)))
    plan = plan_of(scene)
    for row in range(2, 6):
        left, top, right, bottom = plan.cell_box(Square(row, 3))
        middle = (left + right) // 2
        assert won.getpixel((middle, top)) == CLASSIC.rgb(Tone.TEXT) or row == 2
        assert won.getpixel((left + 2, (top + bottom) // 2)) == CLASSIC.rgb(Tone.TEXT)
    for row in range(6):
        for column in set(range(7)) - {3}:
            assert shows(won.crop(plan.cell_box(Square(row, column))), Tone.TEXT) == 0


@pytest.mark.parametrize(("down", "right"), [(0, 1), (1, 0), (1, 1), (1, -1)])
def test_a_line_is_joined_in_every_direction(
    make_scene: MakeScene, see: See, down: int, right: int
) -> None:
    """White reaches from each square of a winning line to the next, in every direction."""
    line = [Square(1 + n * down, (1 if right >= 0 else 5) + n * right) for n in range(4)]
    won = see(draw_board(make_scene(line=frozenset(line))))
    plan = plan_of(make_scene())
    for one, other in pairwise(line):
        boxes = plan.cell_box(one), plan.cell_box(other)
        x, y = (sum(box[i] + box[i + 2] for box in boxes) // 4 for i in (0, 1))
        assert won.getpixel((x, y)) == CLASSIC.rgb(Tone.TEXT)


def test_stones_outside_a_winning_line_are_dimmed(scene: BoardScene, see: See) -> None:
    """Stones outside a winning line are darker than before, those in it are as bright."""
    bare = replace(scene, last=frozenset())
    before, after = see(draw_board(bare)), see(draw_board(replace(bare, line=LINE)))
    plan, kept, dimmed = plan_of(scene), 0, 0
    for row, cells in enumerate(scene.cells):
        for column, cell in enumerate(cells):
            if cell is Cell.EMPTY:
                continue
            box, tone = plan.cell_box(Square(row, column)), GROUND[cell]
            bright, now = shows(before.crop(box), tone), shows(after.crop(box), tone)
            if Square(row, column) in LINE:
                assert now > 0.9 * bright
                kept += 1
            else:
                assert now < 0.2 * bright
                dimmed += 1
    assert kept == len(LINE)
    assert dimmed


def test_both_squares_of_a_turn_are_marked(scene: BoardScene, see: See) -> None:
    """If a turn leaves two stones, both have their ring and nothing else changes."""
    squares = frozenset({Square(3, 2), Square(2, 3)})
    plan, bare = plan_of(scene), see(draw_board(replace(scene, last=frozenset())))
    picture = see(draw_board(replace(scene, last=squares)))
    assert differs_only_in(picture, bare, [plan.cell_box(square) for square in squares])


def test_squares_at_risk_are_marked_with_their_row(make_scene: MakeScene, see: See) -> None:
    """Squares at risk have rings, a fuse along the row, and an arrow at either end."""
    scene = make_scene(".......\n" * 4 + "..2A2..\n1211212")
    at_risk = frozenset({Square(4, 2), Square(4, 3), Square(4, 4)})
    bare, picture = see(draw_board(scene)), see(draw_board(replace(scene, at_risk=at_risk)))
    plan = plan_of(scene)
    left, _, right, _ = plan.frame
    _, top, _, bottom = plan.cell_box(Square(4, 0))
    assert inside(changed(picture, bare), (left, top, right, bottom))
    for square in at_risk:
        box = plan.cell_box(square)
        assert shows(picture.crop(box), Tone.TEXT) > shows(bare.crop(box), Tone.TEXT) + 200
    for edge in ((left, top, left + 14, bottom), (right - 14, top, right, bottom)):
        assert shows(picture.crop(edge), Tone.TEXT) > 50
    for column in range(6):
        x = plan.cell_box(Square(4, column))[2]
        assert picture.getpixel((x, (top + bottom) // 2)) == CLASSIC.rgb(Tone.TEXT)


def test_a_winning_line_differs_from_a_last_stone(scene: BoardScene, see: See) -> None:
    """A stone looks different unmarked, with either mark and with both."""
    square = frozenset({Square(4, 3)})
    bare = replace(scene, last=frozenset())
    looks = (replace(bare, last=square), replace(bare, line=square))
    pictures = [draw_board(look) for look in (bare, *looks, replace(looks[0], line=square))]
    assert len(set(pictures)) == 4


def test_a_hint_is_marked_on_its_square_and_its_column_number(scene: BoardScene, see: See) -> None:
    """A hint changes its cell and the label above its column, and nothing else."""
    hinted = see(draw_board(replace(scene, hint=frozenset({Square(4, 1)}))))
    plan = plan_of(scene)
    boxes = [plan.cell_box(Square(4, 1)), plan.label_box(1)]
    assert differs_only_in(hinted, see(draw_board(scene)), boxes)


def test_a_part_of_the_board_is_marked_by_its_labels(scene: BoardScene, see: See) -> None:
    """An area changes the labels above its columns, and no square."""
    area = frozenset(Square(row, column) for row in range(6) for column in (0, 1))
    marked = see(draw_board(replace(scene, area=area)))
    boxes = [plan_of(scene).label_box(column) for column in (0, 1)]
    assert differs_only_in(marked, see(draw_board(scene)), boxes)


def test_a_marked_square_is_no_hint(scene: BoardScene, see: See) -> None:
    """A square that the text is about is marked in its cell alone, unlike a hint."""
    square = Square(1, 1)
    marked = see(draw_board(replace(scene, marked=frozenset({square}))))
    box = plan_of(scene).cell_box(square)
    assert differs_only_in(marked, see(draw_board(scene)), [box])
    hinted = see(draw_board(replace(scene, hint=frozenset({square}))))
    assert hinted.crop(box).tobytes() != marked.crop(box).tobytes()


def test_marked_squares_change_nothing_else(scene: BoardScene, see: See) -> None:
    """A mark is in its cell alone, full or empty, and unlike all other marks."""
    squares = frozenset({Square(1, 0), Square(4, 2)})
    bare = replace(scene, last=frozenset())
    marked = see(draw_board(replace(bare, marked=squares)))
    boxes = [plan_of(scene).cell_box(square) for square in squares]
    assert differs_only_in(marked, see(draw_board(bare)), boxes)
    for box in boxes:
        assert shows(marked.crop(box), Tone.HINT) > 100
    others = (replace(bare, hint=squares), replace(bare, last=squares))
    assert len({draw_board(one) for one in (replace(bare, marked=squares), *others)}) == 3


def test_every_column_has_its_number_above_it(scene: BoardScene, see: See) -> None:
    """Leaving out the labels empties the box above each column and changes nothing else."""
    bare = see(draw_board(replace(scene, column_labels=("",) * 7)))
    boxes = [plan_of(scene).label_box(column) for column in range(7)]
    assert differs_only_in(see(draw_board(scene)), bare, boxes)


def test_rows_are_labelled_where_the_game_names_them(scene: BoardScene, see: See) -> None:
    """Row labels are at the left of the board; without them the board has the whole width."""
    named = replace(scene, row_labels=("1", "2", "3", "4", "5", "6"))
    plan = plan_of(named)
    assert plan.cell < plan_of(scene).cell
    bare = see(draw_board(replace(named, row_labels=("",) * 6)))
    boxes = [plan.row_label_box(row) for row in range(6)]
    assert differs_only_in(see(draw_board(named)), bare, boxes)
    assert all(inside(box, (18, 0, plan.frame[0], bare.height)) for box in boxes)


@pytest.mark.parametrize("player", list(Player))
def test_a_name_is_written_in_its_players_pill(scene: BoardScene, see: See, player: Player) -> None:
    """Another name changes the pill of that player and nothing else."""
    first, second = ("Ana", "Cuatro (medio)"), ("Bo", "Cuatro (medio)")
    if player is Player.SECOND:
        first, second = ("Cuatro (medio)", "Ana"), ("Cuatro (medio)", "Bo")
    scenes = [replace(scene, names=names) for names in (first, second)]
    box = pill_box(player, plan_of(scenes[0]))
    assert differs_only_in(*(see(draw_board(one)) for one in scenes), [box])


@pytest.mark.parametrize("active", [*Player, None])
def test_only_the_pills_show_whose_turn_it_is(
    scene: BoardScene, see: See, active: Player | None
) -> None:
    """Only the pills show whose turn it is: the pill of the player to move has a pointer."""
    quiet = replace(scene, active=active)
    assert draw_board(quiet) == draw_board(replace(quiet, status="Cuatro to move"))
    picture, plan = see(draw_board(quiet)), plan_of(scene)
    for player in Player:
        left, _, right, bottom = pill_box(player, plan)
        below = picture.crop((left, bottom, right, bottom + 8))
        assert (shows(below, Tone.TEXT) > 0) == (player is active)


@pytest.mark.parametrize("player", list(Player))
def test_the_winners_name_is_highlighted(scene: BoardScene, see: See, player: Player) -> None:
    """The winner's pill is bright, with stars below it; the loser's name is dimmed."""
    over = replace(scene, active=None)
    plan = plan_of(scene)
    won, drawn = see(draw_board(replace(over, winner=player))), see(draw_board(over))
    lit, dim = (pill_box(one, plan) for one in (player, player.other))
    assert commonest(won.crop(lit)) == CLASSIC.rgb(Tone.TEXT)
    assert commonest(drawn.crop(lit)) == CLASSIC.rgb(Tone.PANEL)
    assert commonest(won.crop(dim)) == CLASSIC.rgb(Tone.PANEL)
    names = [picture.crop((dim[0] + 80, *dim[1:])) for picture in (won, drawn)]
    assert shows(names[0], Tone.TEXT) < shows(names[1], Tone.TEXT) / 2
    stars = (lit[0], lit[3], lit[2], lit[3] + 24)
    assert shows(won.crop(stars), Tone.TEXT) > 200
    assert won.tobytes() != see(draw_board(replace(scene, active=player))).tobytes()


def test_text_is_below_the_board(scene: BoardScene, see: See) -> None:
    """Changing the remark or the footer changes only the picture below the board."""
    plan = plan_of(scene)
    for field in ("remark", "footer"):
        one, other = (see(draw_board(replace(scene, **{field: text}))) for text in ("1 of 2", "2"))
        assert inside(changed(one, other), (18, plan.frame[3], 662, one.height))


def test_text_below_does_not_move_the_board(scene: BoardScene) -> None:
    """From move to move neither remark nor footer moves or resizes the board."""
    long = replace(scene, remark="movement 1 of 2", footer="one · " * 30)
    assert plan_of(long).frame == plan_of(replace(scene, footer="")).frame


@pytest.mark.parametrize("field", ["remark", "footer"])
def test_long_text_keeps_clear_of_the_edges(scene: BoardScene, see: See, field: str) -> None:
    """A remark or footer of any length leaves the margins of the picture empty."""
    words: dict[str, Any] = {field: "Wörter " * 40}
    picture = see(draw_board(replace(scene, **words)))
    for left in (0, picture.width - 18):
        margin = picture.crop((left, 0, left + 18, picture.height))
        assert margin.getcolors() == [(18 * picture.height, CLASSIC.rgb(Tone.BACKGROUND))]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_every_size_is_drawn_with_all_its_cells_apart(
    make_scene: MakeScene, see: See, rows: int, columns: int
) -> None:
    """Boards of all sizes are equally wide, without overlapping cells, and show all corners."""
    middle = "." * (columns - 2)
    board = "\n".join([f"1{middle}2", *["." * columns] * (rows - 2), f"2{middle}1"])
    scene = make_scene(board)
    png = draw_board(scene)
    picture, plan = see(png), plan_of(scene)
    assert len(png) <= 10 * 2**20
    assert picture.size == (680, plan.height)
    assert inside(plan.cell_box(Square(0, 0)), plan.frame)
    assert inside(plan.cell_box(Square(rows - 1, columns - 1)), plan.frame)
    assert inside(plan.frame, (0, 0, *picture.size))
    assert plan.cell_box(Square(0, 0))[2:] == plan.cell_box(Square(1, 1))[:2]
    for row, column in ((0, 0), (0, columns - 1), (rows - 1, 0), (rows - 1, columns - 1)):
        box = plan.cell_box(Square(row, column))
        colours = {colour for _, colour in picture.crop(box).getcolors() or []}
        assert CLASSIC.rgb(GROUND[scene.cells[row][column]]) in colours


@pytest.mark.parametrize(("rows", "columns"), [(3, 7), (6, 9), (4, 3), (9, 4)])
def test_other_sizes_are_refused(rows: int, columns: int) -> None:
    """A board with fewer than 4 or more than 8 rows or columns is refused."""
    with pytest.raises(ValueError, match="4 to 8"):
        layout(rows, columns)
