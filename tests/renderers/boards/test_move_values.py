"""The values of moves: above the columns, or on the squares, under a line of advice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from engine.core.game import Square
from renderers import CLASSIC, BoardScene, Layout, MoveValue, Outlook, Tone
from renderers.boards import frame
from renderers.boards.drawings import DISC_STYLE as STYLE
from renderers.boards.drawings import MARK_STYLE as GRID
from tests.renderers.eyes import Box, MakeScene, See, commonest, differs_only_in, shows
from tests.renderers.pictures import draw_board, draw_grid

FACES = {
    Outlook.WIN: Tone.CHIP_WIN,
    Outlook.DRAW: Tone.CHIP_DRAW,
    Outlook.LOSS: Tone.CHIP_LOSS,
    Outlook.UNKNOWN: Tone.PANEL,
}
TEXTS = {
    Outlook.WIN: "win in 6",
    Outlook.DRAW: "draw",
    Outlook.LOSS: "loses in 18",
    Outlook.UNKNOWN: "52%",
}
ENGLISH = ((Outlook.WIN, "win in"), (Outlook.DRAW, "draw"), (Outlook.LOSS, "loses in"))
SPANISH = ((Outlook.WIN, "gana en"), (Outlook.DRAW, "empata"), (Outlook.LOSS, "pierde en"))


def values(*outlooks: Outlook, best: int = -1) -> tuple[MoveValue, ...]:
    """Values above the first columns."""
    return tuple(
        MoveValue(Square(0, column), TEXTS[outlook], outlook, is_best=column == best)
        for column, outlook in enumerate(outlooks)
    )


def layout_of(scene: BoardScene) -> Layout:
    """The layout of a scene's picture."""
    return frame.layout_of(scene, STYLE)


def around(box: Box) -> Box:
    """The box of a value with its rim and its pointer."""
    left, top, right, bottom = box
    return left - 4, top - 4, right + 4, bottom + 18


@pytest.fixture
def valued(scene: BoardScene) -> BoardScene:
    """A scene with room for values, explained in English."""
    return replace(scene, has_values=True, legend=ENGLISH)


def test_values_are_above_their_columns(valued: BoardScene, see: See) -> None:
    """A value is drawn on a chip in its colour above its column, and nothing else changes."""
    drawn, bare = see(draw_board(replace(valued, values=values(*Outlook)))), see(draw_board(valued))
    plan = layout_of(valued)
    boxes = [plan.value_box(column) for column in range(4)]
    assert differs_only_in(drawn, bare, [around(box) for box in boxes])
    for box, outlook in zip(boxes, Outlook, strict=True):
        left, top, right, bottom = box
        middle = drawn.crop((left + 8, top + 8, right - 8, bottom - 8))
        assert commonest(middle) == CLASSIC.rgb(FACES[outlook])
        assert bottom < plan.frame[1]


def test_outlooks_differ_without_colours_and_words(valued: BoardScene, see: See) -> None:
    """Wins, draws and losses differ in their outline and their icon, seen without colours."""
    box = layout_of(valued).value_box(0)
    outlines, icons = [], []
    for outlook in Outlook:
        chip = see(draw_board(replace(valued, values=values(outlook)))).crop(around(box))
        ground = Image.new("RGB", chip.size, CLASSIC.rgb(Tone.BACKGROUND))
        outlines.append(ImageChops.difference(chip, ground).convert("L").point(bool))
        face = Image.new("RGB", chip.size, CLASSIC.rgb(FACES[outlook]))
        icon = ImageChops.difference(chip, face).convert("L").point(lambda v: 255 * (v > 60))
        icons.append(icon.crop((30, 10, chip.width - 30, 36)).tobytes())
    assert len(set(icons)) == 4
    win, draw, _, _ = outlines
    assert ImageChops.difference(win, draw).getbbox() is not None
    hollow = see(draw_board(replace(valued, values=values(Outlook.LOSS)))).crop(box)
    assert shows(hollow, Tone.CHIP_LOSS_TEXT) > 500


def test_the_best_move_has_a_rim(valued: BoardScene, see: See) -> None:
    """Only the best move has a rim."""
    drawn = see(draw_board(replace(valued, values=values(*Outlook, best=2))))
    plan = layout_of(valued)
    left, top, right, _ = plan.value_box(2)
    assert shows(drawn.crop((left - 4, top - 4, right + 4, top)), Tone.TEXT) > 100
    for column in (0, 1, 3):
        left, top, right, _ = plan.value_box(column)
        assert shows(drawn.crop((left - 4, top - 4, right + 4, top)), Tone.TEXT) == 0


def test_the_advice_and_its_value_take_the_place_of_the_plates(
    valued: BoardScene, see: See
) -> None:
    """Above the values is written what to play, and what that leads to."""
    bare = see(draw_board(valued))
    for field in ("advice", "verdict"):
        words: dict[str, str] = {field: "Play column 3"}
        picture = see(draw_board(replace(valued, **words)))  # type: ignore[arg-type]
        assert differs_only_in(picture, bare, [(20, 20, 660, 74)])
    assert draw_board(replace(valued, names=("Bo", "Bea"))) == draw_board(valued)


def test_values_on_a_grid_are_on_their_squares(make_scene: MakeScene, see: See) -> None:
    """In games that name their rows, values are on the squares, and the board keeps its place."""
    scene = make_scene("....\n.12.\n....\n....", row_labels=("1", "2", "3", "4"), has_values=True)
    value = (
        MoveValue(Square(2, 0), "pierde en 3", Outlook.LOSS),
        MoveValue(Square(0, 0), "empata", Outlook.DRAW, is_best=True),
    )
    valued = replace(scene, values=value, legend=SPANISH)
    plan = frame.layout_of(valued, GRID)
    assert plan == frame.layout_of(replace(scene, has_values=False), GRID)
    boxes = [plan.cell_box(one.square) for one in value]
    assert differs_only_in(see(draw_grid(valued)), see(draw_grid(scene)), boxes)


@pytest.mark.parametrize("rows", [4, 8])
@pytest.mark.parametrize("legend", [ENGLISH, SPANISH])
def test_the_longest_values_are_whole_on_the_widest_board(
    make_scene: MakeScene, see: See, rows: int, legend: tuple[tuple[Outlook, str], ...]
) -> None:
    """Where words do not fit, there is only the number, and a legend explains it."""
    scene = make_scene("\n".join(["." * 8] * rows), has_values=True, legend=legend)
    plan = layout_of(scene)
    assert plan.legend == (legend is SPANISH)
    assert plan.height <= 680 * 4 / 3
    seen = {
        see(
            draw_board(
                replace(
                    scene,
                    values=(MoveValue(Square(0, 0), f"loses in {n}", Outlook.LOSS, number=n),),
                )
            )
        )
        .crop(plan.value_box(0))
        .tobytes()
        for n in ("30", "31", "3", "38")
    }
    assert len(seen) == 4
    below = (20, plan.below - 18, 660, plan.below + 18)
    words = see(draw_board(replace(scene, footer="", values=values(Outlook.LOSS)))).crop(below)
    assert all((shows(words, tone) > 50) == plan.legend for tone in (Tone.GOOD, Tone.BAD))


def test_words_that_fit_need_no_legend(valued: BoardScene) -> None:
    """Seven columns have room for the English words, not for the wider Spanish ones."""
    assert not layout_of(valued).legend
    assert layout_of(replace(valued, legend=SPANISH)).legend


def test_only_the_column_to_play_is_marked(valued: BoardScene, see: See) -> None:
    """Above the values the label of the last move's column is plain, that of the hint is not."""
    last, hinted = (
        replace(valued, hint=frozenset()),
        replace(valued, hint=frozenset({Square(2, 1)})),
    )
    plan = layout_of(valued)
    assert shows(see(draw_board(last)).crop(plan.label_box(3)), Tone.BOARD) > 500
    assert shows(see(draw_board(hinted)).crop(plan.label_box(1)), Tone.ACCENT) > 500


def test_a_legend_explains_only_proven_values(valued: BoardScene, see: See) -> None:
    """Where all values are estimates, the place of the legend is empty, and nothing moves."""
    spanish = replace(valued, legend=SPANISH, footer="")
    guess = replace(spanish, values=values(Outlook.UNKNOWN))
    proven = replace(spanish, values=values(Outlook.WIN))
    assert layout_of(guess) == layout_of(proven)
    below = (20, layout_of(guess).below - 18, 660, layout_of(guess).below + 18)
    assert shows(see(draw_board(guess)).crop(below), Tone.TEXT) == 0
    assert shows(see(draw_board(proven)).crop(below), Tone.TEXT) > 100


def test_equally_good_moves_have_no_rim(valued: BoardScene) -> None:
    """Where every move is as good as the best, none is highlighted."""
    win = MoveValue(Square(0, 0), "win in 6", Outlook.WIN, is_best=True)
    equal = (win, replace(win, square=Square(0, 1)))
    plain = tuple(replace(value, is_best=False) for value in equal)
    assert draw_board(replace(valued, values=equal)) == draw_board(replace(valued, values=plain))


def test_a_full_column_says_so(make_scene: MakeScene, see: See) -> None:
    """Above a full column there is a word instead of a value."""
    board = "1......\n2......\n1......\n2......\n1......\n2......"
    scene = make_scene(board, has_values=True, legend=ENGLISH)
    scene = replace(scene, values=(MoveValue(Square(5, 1), "draw", Outlook.DRAW),))
    plan = layout_of(scene)
    full = see(draw_board(replace(scene, full="full")))
    assert differs_only_in(full, see(draw_board(scene)), [plan.value_box(0)])


def test_two_values_above_a_column_are_refused(scene: BoardScene) -> None:
    """Two values above one column are refused."""
    one = MoveValue(Square(0, 3), "win in 4", Outlook.WIN)
    with pytest.raises(ValueError, match="one value"):
        replace(scene, values=(one, replace(one, text="draw")))
