"""Bombs beside stones, judged by the pictures of their cells."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from engine.core.game import Cell, Player, Square
from renderers import CLASSIC, BoardScene, Layout, Tone
from renderers.boards.drawings import DISC_STYLE as STYLE
from renderers.boards.frame import layout_of
from tests.renderers.eyes import MakeScene, See, commonest, differs_only_in, shows
from tests.renderers.pictures import draw_board

OWN = {
    Player.FIRST: (Tone.DISC_1, Tone.DISC_1_MARK),
    Player.SECOND: (Tone.DISC_2, Tone.DISC_2_MARK),
}
LOOKS = [(), ("last",), ("line",), ("hint",), ("last", "hint")]


def bomb_of(player: Player) -> Cell:
    """Return a player's bomb."""
    return Cell.FIRST_BOMB if player is Player.FIRST else Cell.SECOND_BOMB


def stone_of(player: Player) -> Cell:
    """Return a player's stone."""
    return Cell.FIRST if player is Player.FIRST else Cell.SECOND


def plan_of(scene: BoardScene) -> Layout:
    """Return the layout of a scene's picture."""
    return layout_of(scene, STYLE)


def cell_picture(cell: Cell, make_scene: MakeScene, see: See, *marks: str) -> Image.Image:
    """Return the cell of a stone or bomb that is marked in the scene's fields of these names."""
    marked = {mark: frozenset({Square(3, 3)}) for mark in marks}
    scene = make_scene("\n".join([*["......."] * 3, f"...{cell}...", *["......."] * 3]), **marked)
    return see(draw_board(scene)).crop(plan_of(scene).cell_box(Square(3, 3)))


@pytest.mark.parametrize("marks", LOOKS)
@pytest.mark.parametrize("player", list(Player))
def test_a_bomb_has_its_owners_colour_and_mark(
    make_scene: MakeScene, see: See, player: Player, marks: tuple[str, ...]
) -> None:
    """With any marks, a bomb's body has the owner's sign on the owner's colour."""
    picture = cell_picture(bomb_of(player), make_scene, see, *marks)
    size = picture.width
    own, mark = OWN[player]
    assert shows(picture, own) > 0.12 * size**2
    assert shows(picture, mark) > 0.015 * size**2
    assert not any(shows(picture, tone) for tone in OWN[player.other])


@pytest.mark.parametrize("marks", LOOKS)
@pytest.mark.parametrize("player", list(Player))
def test_a_bomb_has_a_fuse_with_a_spark(
    make_scene: MakeScene, see: See, player: Player, marks: tuple[str, ...]
) -> None:
    """With any marks, a bomb has a pale spark at the upper right, at the end of its fuse."""
    picture = cell_picture(bomb_of(player), make_scene, see, *marks)
    size = picture.width
    middle = round(size * 0.83), round(size * 0.17)
    spark = picture.crop((middle[0] - 4, middle[1] - 4, middle[0] + 4, middle[1] + 4))
    assert commonest(spark) == CLASSIC.rgb(Tone.SPARK)
    corner = picture.crop((round(size * 0.6), 0, size, round(size * 0.4)))
    assert shows(corner, Tone.BLAST) > 30
    stone = cell_picture(stone_of(player), make_scene, see, *marks)
    assert shows(picture, Tone.BOMB) > shows(stone, Tone.BOMB) + 0.004 * size**2


@pytest.mark.parametrize("player", list(Player))
def test_bombs_and_stones_differ_without_colours(
    make_scene: MakeScene, see: See, player: Player
) -> None:
    """In shades of grey, a bomb differs from its owner's stone in over a tenth of the cell."""
    pictures = [cell_picture(cell(player), make_scene, see) for cell in (bomb_of, stone_of)]
    grey = ImageChops.difference(*(picture.convert("L") for picture in pictures))
    unlike = grey.point(lambda value: 255 * (value > 40)).histogram()[255]
    assert unlike > 0.1 * grey.width * grey.height


def test_every_look_of_every_bomb_is_its_own(make_scene: MakeScene, see: See) -> None:
    """No two of the players' stones and bombs, with any marks, give the same picture."""
    pictures = {
        cell_picture(cell, make_scene, see, *marks).tobytes()
        for cell in set(Cell) - {Cell.EMPTY}
        for marks in LOOKS
    }
    assert len(pictures) == 4 * len(LOOKS)


def test_a_bomb_stays_in_its_cell(make_scene: MakeScene, see: See) -> None:
    """A bomb in place of a stone changes that stone's cell and nothing else."""
    stone, bomb = make_scene("....\n....\n.1..\n.2.."), make_scene("....\n....\n.A..\n.2..")
    box = plan_of(stone).cell_box(Square(2, 1))
    assert differs_only_in(see(draw_board(bomb)), see(draw_board(stone)), [box])
