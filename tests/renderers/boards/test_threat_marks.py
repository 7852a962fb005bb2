"""The marks of threats: whose they are, in which rows, and which can be played now."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest
from PIL import Image, ImageChops

from bot.i18n import LANGUAGES, say_in
from engine.core.game import Player, Square
from renderers import (
    THEMES,
    BoardScene,
    Layout,
    MoveValue,
    Outlook,
    ThreatLegend,
    ThreatMark,
    Tone,
)
from renderers.boards import frame
from renderers.boards.drawings import DISC_STYLE, MARK_STYLE
from tests.renderers.colours import contrast
from tests.renderers.eyes import MakeScene, See, changed, differs_only_in, inside, shows
from tests.renderers.pictures import draw_board, draw_grid

FIRST, SECOND = (Player.FIRST,), (Player.SECOND,)
OWNERS = (FIRST, SECOND, FIRST + SECOND)
LEGEND = ThreatLegend("odd row", "even row", "playable now")
AT = Square(2, 0)
SEEN = 24
"""The least difference of two shades of grey that counts."""


def plan_of(scene: BoardScene) -> Layout:
    """The layout of a scene on a board with holes."""
    return frame.layout_of(scene, DISC_STYLE)


def marks() -> list[ThreatMark]:
    """Every mark that a falling disc's square can have."""
    return [
        ThreatMark(AT, players, is_playable, is_odd)
        for players, is_playable, is_odd in product(OWNERS, (False, True), (False, True))
    ]


@pytest.fixture
def mapped(scene: BoardScene) -> BoardScene:
    """A scene with room for the legend."""
    return replace(scene, threat_legend=LEGEND)


@pytest.mark.parametrize("theme", THEMES)
def test_marks_differ_without_colours(scene: BoardScene, see: See, theme: str) -> None:
    """In every theme owner, row and playability can be told apart in shades of grey."""
    box = plan_of(replace(scene, threat_legend=LEGEND)).cell_box(AT)
    shown: list[Image.Image] = []
    for mark in marks():
        marked = replace(scene, threats=(mark,), threat_legend=LEGEND)
        shown.append(see(draw_board(marked, THEMES[theme])).convert("L").crop(box))
    for one, other in combinations(shown, 2):
        differing = ImageChops.difference(one, other).point(lambda grey: 255 * (grey > SEEN))
        assert sum(differing.histogram()[1:]) > 0.012 * one.width**2


@pytest.mark.parametrize("theme", THEMES)
def test_dots_and_rings_stand_out_in_every_theme(theme: str) -> None:
    """The ink of dots and rings has a contrast of at least 4.5 with a hole."""
    tones = THEMES[theme]
    assert contrast(tones.rgb(Tone.TEXT), tones.rgb(Tone.HOLE)) >= 4.5


@pytest.mark.parametrize("rows", range(4, 9))
@pytest.mark.parametrize("columns", [4, 8])
def test_a_mark_stays_on_its_square(
    make_scene: MakeScene, see: See, rows: int, columns: int
) -> None:
    """On every board a mark with everything on it changes its square alone."""
    bare = make_scene("\n".join(["." * columns] * rows), threat_legend=LEGEND)
    square = Square(rows - 1, columns - 1)
    marked = replace(bare, threats=(ThreatMark(square, FIRST + SECOND, True, False),))
    box = plan_of(bare).cell_box(square)
    assert differs_only_in(see(draw_board(bare)), see(draw_board(marked)), [box])


def test_an_odd_row_has_one_dot_and_an_even_one_two(mapped: BoardScene, see: See) -> None:
    """The dots of an even row cover about twice as much as that of an odd one."""
    left, top, right, bottom = plan_of(mapped).cell_box(AT)
    below = (left, top + 5 * (bottom - top) // 8, right, bottom)
    dots = [
        shows(
            see(draw_board(replace(mapped, threats=(ThreatMark(AT, SECOND, False, is_odd),)))).crop(
                below
            ),
            Tone.TEXT,
        )
        for is_odd in (True, False)
    ]
    assert dots[0] > 20
    assert dots[1] == pytest.approx(2 * dots[0], rel=0.2)


def test_a_grid_shows_only_whose_a_square_is(make_scene: MakeScene, see: See) -> None:
    """Where pieces do not fall, a mark is a token without dots and rings."""
    scene = make_scene("12..\n.12.\n....\n....", row_labels=("1", "2", "3", "4"))
    box = frame.layout_of(scene, MARK_STYLE).cell_box(Square(3, 3))
    pictures = [
        see(draw_grid(replace(scene, threats=(ThreatMark(Square(3, 3), players, True),))))
        for players in OWNERS
    ]
    for picture in pictures:
        assert differs_only_in(see(draw_grid(scene)), picture, [box])
        assert shows(picture.crop(box), Tone.TEXT) == 0
    first, second, both = (picture.crop(box) for picture in pictures)
    assert shows(first, Tone.DISC_1) > 100 > shows(first, Tone.DISC_2)
    assert shows(second, Tone.DISC_2) > 100 > shows(second, Tone.DISC_1)
    assert min(shows(both, Tone.DISC_1), shows(both, Tone.DISC_2)) > 100


def test_on_a_grid_threats_take_the_place_of_values(make_scene: MakeScene) -> None:
    """Values on squares are not drawn beside threats, which would hide them."""
    scene = make_scene("12..\n.12.\n....\n....", row_labels=("1", "2", "3", "4"), has_values=True)
    marked = replace(scene, threats=(ThreatMark(Square(3, 3), FIRST, True),))
    value = MoveValue(Square(0, 3), "draw", Outlook.DRAW)
    assert draw_grid(replace(marked, values=(value,))) == draw_grid(marked)
    assert draw_grid(replace(scene, values=(value,))) != draw_grid(scene)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legend_is_below_the_board(make_scene: MakeScene, see: See, language: str) -> None:
    """The legend has a line of its own between the edges of the picture, in every language."""
    say = say_in(language)
    words = ThreatLegend(*(say(f"threats.legend.{sign}") for sign in ("odd", "even", "now")))
    for has_values in (False, True):
        scene = make_scene(footer="", threat_legend=words, has_values=has_values)
        none = replace(scene, threat_legend=ThreatLegend("", "", ""))
        plan = plan_of(scene)
        line = (20, plan.below - 18, 660, plan.below + 16)
        assert inside(changed(see(draw_board(scene)), see(draw_board(none))), line)
        assert shows(see(draw_board(scene)).crop(line), Tone.TEXT) > 300


def test_a_board_keeps_its_place_without_threats(mapped: BoardScene, see: See) -> None:
    """The legend is there before the first threat, so that exploring moves nothing."""
    marked = replace(mapped, threats=(ThreatMark(AT, FIRST, False, True),))
    assert plan_of(mapped) == plan_of(marked)
    assert see(draw_board(mapped)).size == see(draw_board(marked)).size


def test_a_threat_on_a_disc_is_refused(scene: BoardScene) -> None:
    """A threat is an empty square."""
    with pytest.raises(ValueError, match="empty square"):
        replace(scene, threats=(ThreatMark(Square(5, 1), FIRST),))
