"""Rotated and reflected positions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.gato.compiled.symmetry import MOVE, STEPS, canonical, from_canonical, step
from engine.games.gato.rules import FULL


def images(word: int) -> set[int]:
    """The images of a board under all rotations and reflections."""
    found = set()
    for mirrored in (False, True):
        for _ in range(4):
            places = [divmod(bit, 4) for bit in range(16) if word >> bit & 1]
            word = sum(1 << (4 * column + 3 - row) for row, column in places)
            found.add(word)
        if not mirrored:
            places = [divmod(bit, 4) for bit in range(16) if word >> bit & 1]
            word = sum(1 << (4 * row + 3 - column) for row, column in places)
    return found


@pytest.mark.parametrize("board", range(4))
@pytest.mark.parametrize("word", [0x0001, 0x0002, 0x0013, 0x1234, 0x8C01])
def test_a_walk_meets_every_image_and_ends_at_the_start(board: int, word: int) -> None:
    """The eight steps visit all images of each board in a word and return to the first."""
    start = np.uint64(word << (16 * board))
    here, met = start, set()
    for number in range(STEPS):
        here = step(here, number)
        met.add(int(here) >> (16 * board))
    assert here == start
    assert met == images(word)


@given(st.integers(0, FULL), st.integers(0, FULL))
def test_all_images_have_one_canonical_image(first: int, second: int) -> None:
    """The canonical image of a position is one of its images, and the same for all of them."""
    start = np.uint64((first & ~second) | (second << 16))
    here, met, found = start, set(), set()
    for number in range(STEPS):
        here = step(here, number)
        met.add(int(here))
        found.add(int(canonical(here)))
    assert found == {min(met)}


@given(st.integers(0, FULL), st.integers(0, FULL), st.integers(0, 15))
def test_a_move_is_carried_there_and_back(first: int, second: int, square: int) -> None:
    """A move taken to the canonical image and back is the same up to symmetry."""
    stones = np.uint64((first & ~second) | (second << 16))
    image = canonical(stones | np.uint64(1 << square) << MOVE)
    back = from_canonical(stones, image)
    assert int(back).bit_count() == 1
    assert int(canonical(stones | back << MOVE)) & 0xFFFF_FFFF == int(image) & 0xFFFF_FFFF
    alike = set()
    here = stones | np.uint64(1 << square) << MOVE
    for number in range(STEPS):
        here = step(here, number)
        if int(here) & 0xFFFF_FFFF == int(stones):
            alike.add(int(here >> MOVE))
    assert int(back) in alike
