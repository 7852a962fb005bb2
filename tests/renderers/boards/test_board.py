"""The picture of a board, judged by its content rather than by its bytes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine.core.game import Cell, Player, Square
from renderers import CLASSIC, Banner, BoardScene, Layout, Tone, layout
from renderers.boards.drawings import DISC_STYLE as STYLE
from renderers.boards.frame import layout_of
from renderers.boards.header import BANNER, plate_box
from tests.renderers.eyes import MakeScene, See, changed, commonest, differs_only_in, inside, shows
from tests.renderers.pictures import draw_board

GROUND = {Cell.EMPTY: Tone.HOLE, Cell.FIRST: Tone.DISC_1, Cell.SECOND: Tone.DISC_2}
SIZES = [(rows, columns) for rows in range(4, 9) for columns in range(4, 9)]


def plan_of(scene: BoardScene) -> Layout:
    """Return the layout of a scene's picture."""
    return layout_of(scene, STYLE)


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
    """Marking the last move changes the cell of its stone and the label of its column alone."""
    bare = see(draw_board(replace(scene, last=frozenset())))
    plan = plan_of(scene)
    boxes = [plan.cell_box(Square(2, 3)), plan.label_box(3)]
    assert differs_only_in(see(draw_board(scene)), bare, boxes)


LINE = frozenset({Square(5, 3), Square(4, 3), Square(3, 3), Square(2, 3)})


def test_a_winning_line_is_one_mark(scene: BoardScene, see: See) -> None:
    """White connects the four squares of a winning line, and touches no other disc."""
    won = see(draw_board(replace(scene, last=frozenset(), line=LINE)))
    plan = plan_of(scene)
    for row in range(2, 6):
        left, top, right, bottom = plan.cell_box(Square(row, 3))
        middle = (left + right) // 2
        assert won.getpixel((middle, top)) == CLASSIC.rgb(Tone.TEXT) or row == 2
        assert won.getpixel((left + 2, (top + bottom) // 2)) == CLASSIC.rgb(Tone.TEXT)
    for row in range(6):
        for column in set(range(7)) - {3}:
            left, top, right, bottom = plan.cell_box(Square(row, column))
            disc = (left + 6, top + 6, right - 6, bottom - 6)
            assert shows(won.crop(disc), Tone.WINNING_RING) == 0


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


def test_stones_outside_a_winning_line_lose_their_light(scene: BoardScene, see: See) -> None:
    """Stones outside a winning line have no light, but keep their colour like those in it."""
    bare = replace(scene, last=frozenset())
    before, after = see(draw_board(bare)), see(draw_board(replace(bare, line=LINE)))
    lights = {Cell.FIRST: Tone.DISC_1_LIGHT, Cell.SECOND: Tone.DISC_2_LIGHT}
    plan, kept, dimmed = plan_of(scene), 0, 0
    for row, cells in enumerate(scene.cells):
        for column, cell in enumerate(cells):
            if cell is Cell.EMPTY:
                continue
            box, tone = plan.cell_box(Square(row, column)), GROUND[cell]
            assert shows(after.crop(box), tone) > 0.7 * shows(before.crop(box), tone)
            light = shows(after.crop(box), lights[cell])
            assert shows(before.crop(box), lights[cell]) > 30
            if Square(row, column) in LINE:
                assert light > 30
                kept += 1
            else:
                assert light == 0
                dimmed += 1
    assert kept == len(LINE)
    assert dimmed


def test_both_squares_of_a_turn_are_marked(scene: BoardScene, see: See) -> None:
    """If a turn leaves two stones, both have a ring and a marked column, and nothing else."""
    squares = frozenset({Square(3, 2), Square(2, 3)})
    plan, bare = plan_of(scene), see(draw_board(replace(scene, last=frozenset())))
    picture = see(draw_board(replace(scene, last=squares)))
    boxes = [plan.cell_box(square) for square in squares]
    boxes += [plan.label_box(square.column) for square in squares]
    assert differs_only_in(picture, bare, boxes)


def inner(box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """A cell without the lines of a row at risk, and without the corner of a bomb's spark."""
    left, top, right, bottom = box
    return left, (top + bottom) // 2, right, bottom - 4


def test_squares_at_risk_are_marked_with_their_row(make_scene: MakeScene, see: See) -> None:
    """Squares at risk have rings, the bomb has none, and two lines and arrows mark the row."""
    scene = make_scene(".......\n" * 4 + "..2A2..\n1211212")
    at_risk = frozenset({Square(4, 2), Square(4, 3), Square(4, 4)})
    bare, picture = see(draw_board(scene)), see(draw_board(replace(scene, at_risk=at_risk)))
    plan = plan_of(scene)
    left, _, right, _ = plan.frame
    _, top, _, bottom = plan.cell_box(Square(4, 0))
    assert inside(changed(picture, bare), (left, top - 1, right, bottom + 1))
    for square in at_risk:
        rings = picture.crop(inner(plan.cell_box(square)))
        assert (shows(rings, Tone.BLAST) > 300) == (square != Square(4, 3))
    for edge in ((left, top, left + 17, bottom), (right - 17, top, right, bottom)):
        assert shows(picture.crop(edge), Tone.BLAST) > 50
    for x in range(left + 30, right - 30):
        assert all(picture.getpixel((x, y)) == CLASSIC.rgb(Tone.BLAST) for y in (top, bottom - 1))


def test_a_winning_line_differs_from_a_last_stone(scene: BoardScene, see: See) -> None:
    """A stone looks different unmarked, with either mark and with both."""
    square = frozenset({Square(4, 3)})
    bare = replace(scene, last=frozenset())
    last, line = replace(bare, last=square), replace(bare, line=square)
    assert len({draw_board(look) for look in (bare, last, line, replace(last, line=square))}) == 4


def test_a_hint_is_marked_on_its_square_and_its_column_number(scene: BoardScene, see: See) -> None:
    """A hint changes its cell and its column's label, with an arrow above it, and nothing else."""
    hinted = see(draw_board(replace(scene, hint=frozenset({Square(4, 1)}))))
    plan = plan_of(scene)
    left, _, right, bottom = plan.label_box(1)
    boxes = [plan.cell_box(Square(4, 1)), (left, plan.frame[1] - 16, right, bottom)]
    assert differs_only_in(hinted, see(draw_board(scene)), boxes)


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
    """Row labels are on the left rim of the board, which is wider for them."""
    named = replace(scene, row_labels=("1", "2", "3", "4", "5", "6"), last=frozenset())
    plan = plan_of(named)
    assert plan.side > plan_of(scene).side
    bare = see(draw_board(replace(named, row_labels=("",) * 6)))
    boxes = [plan.row_label_box(row) for row in range(6)]
    assert differs_only_in(see(draw_board(named)), bare, boxes)
    cells, _, _, _ = plan.cell_box(Square(0, 0))
    assert all(inside(box, (plan.frame[0], 0, cells, bare.height)) for box in boxes)


@pytest.mark.parametrize("player", list(Player))
def test_a_name_is_written_on_its_players_plate(
    scene: BoardScene, see: See, player: Player
) -> None:
    """Another name changes the plate of that player and nothing else."""
    first, second = ("Ana", "Cuatro (medio)"), ("Bo", "Cuatro (medio)")
    if player is Player.SECOND:
        first, second = ("Cuatro (medio)", "Ana"), ("Cuatro (medio)", "Bo")
    scenes = [replace(scene, names=names) for names in (first, second)]
    one, other = (see(draw_board(one)) for one in scenes)
    assert differs_only_in(one, other, [plate_box(player)])


@pytest.mark.parametrize("active", [*Player, None])
def test_only_the_plates_show_whose_turn_it_is(
    scene: BoardScene, see: See, active: Player | None
) -> None:
    """Only the plates show whose turn it is: that of the player to move is lit, with a pointer."""
    quiet = replace(scene, active=active)
    assert draw_board(quiet) == draw_board(replace(quiet, status="Cuatro to move"))
    picture = see(draw_board(quiet))
    for player, tone in ((Player.FIRST, Tone.DISC_1), (Player.SECOND, Tone.DISC_2)):
        left, top, right, bottom = plate_box(player)
        below = picture.crop((left, bottom, right, bottom + 8))
        assert (shows(below, tone) > 0) == (player is active)
        lit = commonest(picture.crop((left, top, right, bottom)))
        assert lit == CLASSIC.rgb(Tone.PANEL_LIT if player is active else Tone.PANEL)


@pytest.mark.parametrize(
    ("winner", "tone"), [(Player.FIRST, Tone.BANNER_1), (Player.SECOND, Tone.BANNER_2)]
)
def test_the_winners_banner_takes_the_place_of_the_plates(
    scene: BoardScene, see: See, winner: Player, tone: Tone
) -> None:
    """The banner is in the winner's colour over the whole width, with a crown and paper."""
    banner = Banner("Ana wins!", "in 9 moves", "27")
    over = replace(scene, active=None, winner=winner, banner=banner)
    won, running = see(draw_board(over)), see(draw_board(scene))
    assert won.size == running.size
    assert commonest(won.crop(BANNER)) == CLASSIC.rgb(tone)
    assert shows(won.crop((BANNER[0], 0, BANNER[0] + 88, 30)), Tone.GOLD) > 100
    paper = won.crop((40, 98, 640, 118))
    assert all(shows(paper, colour) > 50 for colour in (Tone.DISC_1, Tone.DISC_2, Tone.TEXT))
    above = (0, 0, won.width, plan_of(scene).frame[1])
    assert inside(changed(won, running), above)
    for other in ("Bea wins!", "Ana wins"):
        renamed = replace(over, banner=replace(banner, title=other))
        assert inside(changed(see(draw_board(renamed)), won), BANNER)


@pytest.mark.parametrize("winner", list(Player))
def test_without_a_banner_the_winners_plate_has_a_crown(
    scene: BoardScene, see: See, winner: Player
) -> None:
    """In an exercise, whose end has no banner, the winner's plate is lit and has a crown."""
    won = see(draw_board(replace(scene, active=None, winner=winner)))
    for player in Player:
        left, _, right, bottom = plate_box(player)
        plate = won.crop((left, 0, right, bottom))
        tone = Tone.PANEL_LIT if player is winner else Tone.PANEL
        assert commonest(plate) == CLASSIC.rgb(tone)
        assert (shows(plate, Tone.GOLD) > 100) == (player is winner)


def test_a_drawn_game_has_a_banner_without_a_winner(scene: BoardScene, see: See) -> None:
    """The banner of a draw is in neither colour, with both tokens and without crown or paper."""
    drawn = see(draw_board(replace(scene, active=None, banner=Banner("A draw!", "by agreement"))))
    assert commonest(drawn.crop(BANNER)) == CLASSIC.rgb(Tone.PANEL_LIT)
    assert all(shows(drawn.crop(BANNER), tone) > 300 for tone in (Tone.DISC_1, Tone.DISC_2))
    assert shows(drawn, Tone.GOLD) == 0
    below = drawn.crop((0, BANNER[3], drawn.width, plan_of(scene).frame[1]))
    assert below.getcolors() == [(below.width * below.height, CLASSIC.rgb(Tone.BACKGROUND))]


@pytest.mark.parametrize("title", ["¡Gana María José Fernández de la Cruz!", "W" * 32 + " wins!"])
def test_a_long_name_is_whole_on_the_banner(scene: BoardScene, see: See, title: str) -> None:
    """Another last letter of a long title changes the picture, so that it is not cut."""
    over = replace(scene, active=None, winner=Player.FIRST)
    pictures = [
        see(draw_board(replace(over, banner=Banner(title[:-1] + end, "in 9 moves", "27"))))
        for end in "!x"
    ]
    assert inside(changed(*pictures), BANNER)


def test_nothing_moves_from_the_first_move_to_the_end(scene: BoardScene) -> None:
    """Names, details, last move, remark, footer and result leave the size of a picture alone."""
    start = replace(scene, last=frozenset(), footer="", names=("W" * 32, "Bo"), has_remark=True)
    played = replace(scene, remark="Bomb in 2 turns", details=("to move", "1102"))
    over = replace(start, winner=Player.FIRST, active=None, line=LINE, banner=Banner("Bo wins!"))
    assert plan_of(start) == plan_of(played) == plan_of(over)
    assert plan_of(start).frame == plan_of(scene).frame


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
