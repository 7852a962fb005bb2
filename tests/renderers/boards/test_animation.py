"""A game as an animation: the board once, then the changes of each move, and a flash."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import NamedTuple

import pytest
from PIL import Image, ImageChops

from engine.core.game import Cell, Drawing, Position, Square
from engine.core.registry import game_of, games
from renderers import BoardScene, animation_alt_text, draw, draw_animation, draw_flash
from tests.renderers.test_alt_text import PHRASES

GAMES = {
    "connect4": ("6x7", "165272351361452665774351431436261744573227"),
    "gato": ("4x4", "d2 c3 b3 c1 c2 c4 a4 b1 a1 d4 a3 b2 a2"),
    "boom": ("7x7", "566267355516465522BB13714213777211765414"),
}
"""A game of each family that ends with a line; that of Connect 4 fills the board."""
LONG_NAMES = ("Maximiliano Rodríguez de la O", "Cuatro (window, depth 6)")


class Shown(NamedTuple):
    """The visible picture after a frame, with its duration."""

    picture: Image.Image
    milliseconds: int


@cache
def scenes(family: str, names: tuple[str, str] = ("Ana", "Bo")) -> list[BoardScene]:
    """The board before and after each move of a family's game, and its end."""
    variant, text = GAMES[family]
    game = game_of(family, variant)
    position = game.start()
    start = BoardScene(
        cells(position), game.column_names, names, None, "", row_labels=game.row_names
    )
    found = [start]
    for move in game.moves(text):
        changes, before, position = position.changes(move), position, position.play(move)
        if changes.removed:
            row = frozenset(changes.removed)
            found.append(replace(start, cells=cells(before), at_risk=row, removed=row))
        square = changes.target
        marked = frozenset() if square is None else frozenset({square})
        found.append(replace(start, cells=cells(position), last=marked))
    assert position.outcome is not None
    line, winner = position.outcome.squares, position.outcome.winner
    return [*found, replace(found[-1], line=line, winner=winner)]


def cells(position: Position) -> tuple[tuple[Cell, ...], ...]:
    """The board of a position, as scenes have it."""
    return tuple(tuple(row) for row in position.cells())


def squares(position: Position) -> list[Square]:
    """All squares of a board."""
    return [Square(r, c) for r, row in enumerate(position.cells()) for c in range(len(row))]


def frames(gif: bytes, *, repeats: bool = True) -> list[Shown]:
    """Decode an animation as viewers do, one frame drawn over the other."""
    found = []
    with Image.open(BytesIO(gif), formats=["GIF"]) as image:
        assert image.info.get("loop") == (0 if repeats else None)
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            found.append(Shown(image.convert("RGB"), image.info["duration"]))
    return found


@cache
def film_of(family: str, names: tuple[str, str] = ("Ana", "Bo")) -> bytes:
    """The animation of a family's game."""
    return draw_animation(games()[family].drawing, scenes(family, names))


def drawn(family: str, scene: BoardScene) -> Image.Image:
    """The still picture of a scene."""
    with Image.open(BytesIO(draw(games()[family].drawing, scene)), formats=["PNG"]) as image:
        return image.convert("RGB")


def differ(one: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures differ anywhere."""
    return ImageChops.difference(one, other).getbbox() is not None


@pytest.mark.parametrize("family", GAMES)
def test_every_scene_is_shown_as_in_its_still_picture(family: str) -> None:
    """The first frame is the board; each scene follows, and is visible for most of its time."""
    film = scenes(family)
    shown = frames(film_of(family))
    assert not differ(shown[0].picture, drawn(family, film[0]))
    rest = iter(frame for frame in shown if frame.milliseconds > 250)
    for scene in film[:-1]:
        still = drawn(family, scene)
        assert any(not differ(frame.picture, still) for frame in rest), scene


@pytest.mark.parametrize("family", GAMES)
def test_the_winning_line_flashes_slowly_and_stays(family: str) -> None:
    """The winning line turns off and on twice, a second each time, and stays for three seconds."""
    end = scenes(family)[-1]
    shown = frames(film_of(family))
    on, out, *_ = states = shown[-6:]
    assert [frame.milliseconds for frame in states[1:]] == [500, 500, 500, 500, 3000]
    assert differ(on.picture, out.picture)
    assert [differ(frame.picture, on.picture) for frame in states] == [
        False, True, False, True, False, False,
    ]  # fmt: skip
    assert not differ(out.picture, drawn(family, replace(end, line=frozenset())))
    changed = [a.milliseconds for a, b in pairwise(shown) if differ(a.picture, b.picture)]
    assert sum(time < 334 for time in changed[-5:]) <= 1


def test_an_explosion_flashes_once_on_a_board() -> None:
    """The board comes first and last, the explosion for half a second between, and nothing repeats.

    The file is about twice as large as a picture of the board.
    """
    film = scenes("boom")
    number = next(number for number, scene in enumerate(film) if scene.removed)
    flash, board = film[number : number + 2]
    gif = draw_flash(Drawing.DISCS, board, flash)
    first, *changes = frames(gif, repeats=False)
    still = drawn("boom", board)
    assert not differ(first.picture, still)
    assert not differ(changes[-1].picture, still)
    long = [frame for frame in changes if frame.milliseconds > 250]
    assert [differ(frame.picture, drawn("boom", flash)) for frame in long] == [False, True]
    assert len(gif) <= 48 * 1000


def test_a_draw_does_not_flash() -> None:
    """Without a winning line the last scene stays for three seconds."""
    film = scenes("connect4")[:-1]
    shown = frames(draw_animation(Drawing.DISCS, film))
    assert shown[-1].milliseconds == 3000
    assert not differ(shown[-1].picture, shown[-2].picture)
    assert not differ(shown[-1].picture, drawn("connect4", film[-1]))


@pytest.mark.parametrize("family", GAMES)
@pytest.mark.parametrize("names", [("Ana", "Bo"), LONG_NAMES])
def test_a_whole_game_is_small(family: str, names: tuple[str, str]) -> None:
    """A whole game takes at most 160 KB, also a full board with a line and long names."""
    assert len(film_of(family, names)) <= 160 * 1000


def test_a_move_changes_no_more_than_two_cells_and_their_labels() -> None:
    """All frames share one palette, and those of moves are no larger than a cell."""
    film = scenes("connect4")[:-1]
    with Image.open(BytesIO(draw_animation(Drawing.DISCS, film)), formats=["GIF"]) as image:
        count = getattr(image, "n_frames", 1)
        assert 3 * 42 < count <= 4 * 42 + 1
        for number in range(1, count - 1):
            image.seek(number)
            assert len(image.tile) == 1
            left, top, right, bottom = image.tile[0][1]
            assert right - left <= 86
            assert bottom - top <= 86


def test_removed_stones_are_seen() -> None:
    """Stones that leave the board look different from others in either drawing."""
    exploding = next(scene for scene in scenes("boom") if scene.removed)
    removing = replace(scenes("gato")[-2], removed=frozenset({Square(3, 3)}))
    for drawing, scene in ((Drawing.DISCS, exploding), (Drawing.MARKS, removing)):
        assert draw(drawing, scene) != draw(drawing, replace(scene, removed=frozenset()))


def test_inconsistent_scenes_are_refused() -> None:
    """An animation without scenes, or with different words or boards, is refused."""
    with pytest.raises(ValueError, match="needs a scene"):
        draw_animation(Drawing.DISCS, [])
    start = scenes("connect4")[0]
    with pytest.raises(ValueError, match="words or boards"):
        draw_animation(Drawing.DISCS, [start, replace(start, footer="depth 8")])


def test_an_animations_text_is_its_summary_and_last_board() -> None:
    """The summary is shortened if there is not enough space for it and the board."""
    end = scenes("connect4")[-1]
    text = animation_alt_text(end, "Moves: 1, 6, 5", PHRASES)
    assert text.startswith("Moves: 1, 6, 5. Ana is 1")
    assert "Winning squares: " in text
    long = animation_alt_text(end, "Moves: " + "1, " * 400, PHRASES)
    assert len(long) <= 1024
    assert long.endswith(text.removeprefix("Moves: 1, 6, 5. "))
