"""The picture of a board as a file: small, with few colours, and the same in every thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from engine.core.game import Player, Square
from renderers import CLASSIC, Banner, BoardScene, Theme, Tone
from renderers.paint import png
from tests.renderers.eyes import MakeScene, See
from tests.renderers.pictures import draw_board


@pytest.mark.parametrize(
    "board",
    [
        ".......\n" * 6,
        "1.2.1.2\n212.211\n1122121\n2211212\n1212121\n2121221",
        "1121212\n2212121\n1121212\n2212121\n1121212\n2121221",
    ],
)
@pytest.mark.parametrize("hint", [frozenset(), frozenset({Square(0, 1)})])
def test_a_usual_picture_is_small(
    make_scene: MakeScene, board: str, hint: frozenset[Square]
) -> None:
    """A board of six rows and seven columns is at most 24 KB, even when full."""
    assert len(draw_board(make_scene(board, hint=hint))) <= 24 * 1000


@pytest.mark.parametrize(
    "board",
    [
        ".......\n.......\n...A...\n..112B.\n.B2112.\n1121221\n212A121",
        "1112121\n212A212\n1121212\n2112121\n1121212\n2B12121\n1121212",
    ],
)
def test_a_picture_with_bombs_is_small(make_scene: MakeScene, board: str) -> None:
    """A 7x7 board with bombs, a remark and marks is at most 24 KB, even when full."""
    marked = {"last": frozenset({Square(2, 3)}), "hint": frozenset({Square(0, 1)})}
    scene = make_scene(board, remark="move 1 of 2 · bomb in 2 turns", **marked)
    assert len(draw_board(scene)) <= 24 * 1000


def test_a_final_picture_is_small(scene: BoardScene) -> None:
    """With a winning line and two lines of words, the picture takes at most 24 KB."""
    line = frozenset({Square(5, 3), Square(4, 3), Square(3, 3), Square(2, 3)})
    footer = "Cuatro (medium): proven loss in 3 · 12,345 nodes · 0.03 s"
    final = replace(scene, line=line, active=None, winner=Player.FIRST, footer=footer)
    assert len(draw_board(final)) <= 24 * 1000


def test_a_large_picture_is_compressed_harder(
    make_scene: MakeScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full board with bombs, a line and a long name is at most 24 KB, which takes more effort."""
    line = frozenset({Square(3, 2), Square(4, 3), Square(5, 4), Square(6, 5)})
    scene = make_scene(
        "1.2.122\n221.111\n121.222\n221.212\n21212B1\n1112121\n1122112",
        has_remark=True,
        active=None,
        winner=Player.FIRST,
        line=line,
        last=frozenset({Square(4, 3)}),
        banner=Banner("¡Gana Maximiliano Rodríguez de la O!", "en 28 jugadas contra Cuatro", "27"),
    )
    small = draw_board(scene)
    monkeypatch.setattr(png, "GREATER_EFFORT", png.EFFORT)
    assert len(small) <= 24 * 1024 < len(draw_board(scene))


def test_a_picture_has_a_palette(scene: BoardScene) -> None:
    """Pictures are palette images that list only the colours they have."""
    with Image.open(BytesIO(draw_board(scene)), formats=["PNG"]) as image:
        colours = image.convert("RGB").getcolors(256)
        assert image.mode == "P"
        assert colours is not None
        assert len(colours) == len(image.getpalette() or ()) // 3


def test_threads_do_not_disturb_each_other(make_scene: MakeScene) -> None:
    """Eight threads that draw a new scene at once all get the same bytes."""
    scene = make_scene(names=("Zoë", "Łukasz"), status="Zoë's turn", footer="ßþæœ")
    with ThreadPoolExecutor(8) as pool:
        pictures = set(pool.map(lambda _: draw_board(scene), range(32)))
    assert len(pictures) == 1


def test_another_theme_recolours_the_same_picture(scene: BoardScene, see: See) -> None:
    """The page has the colour that the theme gives it."""
    red = Theme("red", {**CLASSIC.colours, Tone.BACKGROUND: "#330000"})
    assert see(draw_board(scene, red)).getpixel((0, 0)) == (0x33, 0, 0)
