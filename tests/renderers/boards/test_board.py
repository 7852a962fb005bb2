"""The picture of a board, judged by what it shows rather than by its bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine.game import Cell, Player, Square
from renderers import CHARCOAL, BoardScene, Layout, Panel, Tone, draw_board, layout
from renderers.boards.header import pill_box
from tests.renderers.eyes import changed, commonest, differs_only_in, inside, shows

See = Callable[[bytes], Image.Image]
MakeScene = Callable[..., BoardScene]
GROUND = {Cell.EMPTY: Tone.HOLE, Cell.FIRST: Tone.FIRST, Cell.SECOND: Tone.SECOND}
SIZES = [(rows, columns) for rows in range(4, 9) for columns in range(4, 9)]


def plan_of(scene: BoardScene) -> Layout:
    """Return where the parts of a scene's picture are."""
    return layout(scene.rows, scene.columns)


def test_every_cell_shows_its_stone_or_an_empty_hole(scene: BoardScene, see: See) -> None:
    """Most of the middle of each cell has the colour of what the cell holds."""
    picture = see(draw_board(scene))
    plan = plan_of(scene)
    for row, cells in enumerate(scene.cells):
        for column, cell in enumerate(cells):
            left, top, right, bottom = plan.cell_box(Square(row, column))
            third = (right - left) // 4
            middle = picture.crop((left + third, top + third, right - third, bottom - third))
            assert commonest(middle) == CHARCOAL.rgb(GROUND[cell])


def test_stones_differ_by_more_than_colour(make_scene: MakeScene, see: See) -> None:
    """Reduced to sign and ground, without colours, the two players' stones differ."""
    scene = make_scene("....\n....\n....\n12..")
    picture, plan = see(draw_board(scene)), plan_of(scene)
    marks = []
    for column, ground in enumerate((Tone.FIRST, Tone.SECOND)):
        left, top, right, bottom = plan.cell_box(Square(3, column))
        third = (right - left) // 4
        stone = picture.crop((left + third, top + third, right - third, bottom - third))
        flat = Image.new("RGB", stone.size, CHARCOAL.rgb(ground))
        marks.append(ImageChops.difference(stone, flat).convert("L").point(lambda v: 255 * (v > 9)))
    share = ImageChops.difference(*marks).histogram()[255] / (marks[0].width * marks[0].height)
    assert share > 0.1


def test_the_last_stone_is_marked_in_its_own_cell(scene: BoardScene, see: See) -> None:
    """Marking the last move changes the cell where it ended and nothing else."""
    bare = see(draw_board(replace(scene, last=frozenset())))
    box = plan_of(scene).cell_box(Square(2, 3))
    assert differs_only_in(see(draw_board(scene)), bare, [box])


def test_a_winning_line_is_marked_in_exactly_its_cells(scene: BoardScene, see: See) -> None:
    """Marking a line changes each of its cells and nothing else."""
    squares = [Square(5, 3), Square(4, 3), Square(3, 3), Square(4, 4)]
    won = see(draw_board(replace(scene, line=frozenset(squares))))
    boxes = [plan_of(scene).cell_box(square) for square in squares]
    assert differs_only_in(won, see(draw_board(scene)), boxes)


def test_a_winning_line_looks_unlike_a_last_stone(scene: BoardScene, see: See) -> None:
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


def test_every_column_has_its_number_above_it(scene: BoardScene, see: See) -> None:
    """Leaving out the labels empties the box above each column and changes nothing else."""
    bare = see(draw_board(replace(scene, column_labels=("",) * 7)))
    boxes = [plan_of(scene).label_box(column) for column in range(7)]
    assert differs_only_in(see(draw_board(scene)), bare, boxes)


def test_rows_are_labelled_where_the_game_names_them(scene: BoardScene, see: See) -> None:
    """Row labels are left of the board; without them the board has the whole width."""
    labels = ("1", "2", "3", "4", "5", "6")
    named = replace(scene, row_labels=labels)
    plan = layout(scene.rows, scene.columns, row_labels=True)
    assert plan.cell < plan_of(scene).cell
    bare = see(draw_board(replace(named, row_labels=("",) * 6)))
    boxes = [plan.row_label_box(row) for row in range(6)]
    assert differs_only_in(see(draw_board(named)), bare, boxes)
    assert all(inside(box, (18, 0, plan.frame[0], bare.height)) for box in boxes)


@pytest.mark.parametrize("player", list(Player))
def test_a_name_is_written_in_its_players_pill(scene: BoardScene, see: See, player: Player) -> None:
    """Another name changes the pill of that player and nothing else."""
    names = ("Bo", scene.names[1]) if player is Player.FIRST else (scene.names[0], "Bo")
    renamed = see(draw_board(replace(scene, names=names)))
    assert differs_only_in(renamed, see(draw_board(scene)), [pill_box(player)])


@pytest.mark.parametrize("player", list(Player))
@pytest.mark.parametrize("name", ["W" * 100, "Ángela Ñúñez de la Concepción y Ortega"])
def test_a_long_name_stays_inside_its_pill(
    scene: BoardScene, see: See, player: Player, name: str
) -> None:
    """However long, a name is cut before the round end of its pill."""
    names = (name, "Bo") if player is Player.FIRST else ("Bo", name)
    usual = see(draw_board(replace(scene, active=player, names=("Bo", "Bo"))))
    long = see(draw_board(replace(scene, active=player, names=names)))
    left, top, right, bottom = pill_box(player)
    assert inside(changed(usual, long), (left + 20, top, right - 20, bottom))


def test_a_name_that_cannot_be_written_gives_way_to_the_players_number(
    scene: BoardScene,
) -> None:
    """A name that is nothing but emoji becomes the player's number."""
    emoji = replace(scene, names=("🎲🎲", "🦊"))
    assert draw_board(emoji) == draw_board(replace(scene, names=("1", "2")))


def test_whose_turn_it_is_shows_in_the_shape_of_the_pills(scene: BoardScene, see: See) -> None:
    """The active pill has a pointer; the other player's does not, nor does any after the game."""
    below = {}
    for active in (*Player, None):
        picture = see(draw_board(replace(scene, active=active)))
        for player in Player:
            left, _, right, bottom = pill_box(player)
            strip = picture.crop((left, bottom, right, bottom + 8))
            below[active, player] = commonest(strip) != CHARCOAL.rgb(Tone.PAGE) or bool(
                changed(strip, Image.new("RGB", strip.size, CHARCOAL.rgb(Tone.PAGE)))
            )
    assert {key for key, pointed in below.items() if pointed} == {
        (Player.FIRST, Player.FIRST),
        (Player.SECOND, Player.SECOND),
    }


def test_the_status_is_written_between_the_names_and_the_columns(
    scene: BoardScene, see: See
) -> None:
    """Another status changes the strip between the pills and the labels and nothing else."""
    other = see(draw_board(replace(scene, status="Cuatro (medio) to move")))
    strip = (0, pill_box(Player.FIRST)[3], other.width, plan_of(scene).label_box(0)[1])
    assert inside(changed(other, see(draw_board(scene))), strip)


def test_a_remark_moves_the_board_down_and_changes_nothing_else(
    scene: BoardScene, see: See
) -> None:
    """A remark goes between status and labels: what is below moves down, the rest stays."""
    bare = see(draw_board(scene))
    remarked = see(draw_board(replace(scene, remark="move 1 of 2 · bomb in 2 turns")))
    plan = layout(scene.rows, scene.columns, remark=True)
    down = plan.frame[1] - plan_of(scene).frame[1]
    top = plan_of(scene).label_box(0)[1]
    assert remarked.size == (bare.width, bare.height + down)
    assert (
        changed(remarked.crop((0, 0, bare.width, top)), bare.crop((0, 0, bare.width, top))) is None
    )
    below = remarked.crop((0, top + down, *remarked.size))
    assert changed(below, bare.crop((0, top, *bare.size))) is None
    strip = remarked.crop((0, top, bare.width, top + down))
    assert shows(strip, Tone.TEXT) > 200


def test_another_remark_changes_only_its_own_line(scene: BoardScene, see: See) -> None:
    """The board is in the same place whatever the remark."""
    one, other = (see(draw_board(replace(scene, remark=text))) for text in ("1 of 2", "2 of 2"))
    labels = layout(scene.rows, scene.columns, remark=True).label_box(0)
    assert inside(changed(one, other), (0, 150, one.width, labels[1]))


def test_the_footer_is_written_under_the_board(scene: BoardScene, see: See) -> None:
    """A footer changes the strip below the board and nothing else; without one, nothing moves."""
    bare = see(draw_board(replace(scene, footer="")))
    plan = plan_of(scene)
    strip = (0, plan.frame[3], bare.width, plan.height)
    assert inside(changed(bare, see(draw_board(scene))), strip)


@pytest.mark.parametrize("field", ["status", "remark", "footer"])
def test_long_words_keep_clear_of_the_edges(scene: BoardScene, see: See, field: str) -> None:
    """A status, remark or footer of any length leaves the margins of the picture empty."""
    words: dict[str, Any] = {field: "Wörter " * 40}
    short: dict[str, Any] = {field: "Wort"}
    picture, usual = (see(draw_board(replace(scene, **text))) for text in (words, short))
    margins = changed(picture, usual)
    assert inside(margins, (18, 0, picture.width - 18, picture.height))


def test_the_panel_is_added_under_the_same_board(scene: BoardScene, see: See, panel: Panel) -> None:
    """A panel makes the picture taller and leaves what is above it unchanged."""
    bare, final = see(draw_board(scene)), see(draw_board(replace(scene, panel=panel)))
    assert final.width == bare.width
    assert final.height > bare.height
    assert changed(final.crop((0, 0, *bare.size)), bare) is None


def test_every_word_of_the_panel_is_drawn(scene: BoardScene, panel: Panel) -> None:
    """A different title, label or value gives a different picture."""
    first, *rest = panel.figures
    panels = [
        panel,
        replace(panel, title="Game 129"),
        replace(panel, figures=(replace(first, label="Stones"), *rest)),
        replace(panel, figures=(replace(first, value="24"), *rest)),
        replace(panel, figures=panel.figures[:-1]),
        replace(panel, title="", figures=()),
    ]
    assert len({draw_board(replace(scene, panel=each)) for each in panels}) == len(panels)


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_every_size_is_drawn_with_all_its_cells_apart(
    make_scene: MakeScene, see: See, rows: int, columns: int
) -> None:
    """Each size is equally wide, its cells do not overlap, and its corners show their stones."""
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
        assert CHARCOAL.rgb(GROUND[scene.cells[row][column]]) in colours


@pytest.mark.parametrize(("rows", "columns"), [(3, 7), (6, 9), (4, 3), (9, 4)])
def test_other_sizes_are_refused(rows: int, columns: int) -> None:
    """A board with fewer than 4 or more than 8 rows or columns has no layout."""
    with pytest.raises(ValueError, match="4 to 8"):
        layout(rows, columns)
