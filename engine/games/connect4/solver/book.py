"""Opening books: precomputed exact values, memory-mapped and searched in place.

A position's key writes its columns from the left, each from the bottom: `10` for a stone of the
first player, `11` for one of the second, and `0` for the column's end. Read as a number it
identifies the position, because all positions of a board have the same number of ends. A book
contains either a position or its mirror image; both are looked up.

A book file is a header of 16 bytes and records in ascending order of their keys: the key, most
significant byte first, and a signed byte with the number of stones on the board when the game ends
under perfect play, negative if the second player wins, 0 for a draw.

On 6x7 a shipped book contains every position with up to eight stones, and the data of another
package those with twelve. Values of positions in between are found by trying the few moves down to
twelve stones.
"""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from bitbully_databases import BitBullyDatabases

from engine.core.boards import bit_of
from engine.core.game import Move, Player
from engine.core.values import Value, best_end
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.compiled.positions import write_keys
from engine.games.connect4.solver.retrograde import Layer, back_up, entries_of, list_layers

MAGIC = b"CUATRO1\0"

_HEADER = struct.Struct(">8sBBBB4x")


@dataclass(frozen=True, slots=True)
class Book:
    """Known positions of one board, with numbers of stones within a range."""

    rows: int
    columns: int
    plies: range
    """The range of numbers of stones in the positions."""
    _data: mmap.mmap | bytes
    _first: int
    """The offset of the first record."""
    _key_bytes: int

    @classmethod
    def open(cls, path: Path) -> Book:
        """Map a book file; raises ValueError for another kind of file."""
        with path.open("rb") as file:
            head = file.read(_HEADER.size)
            if len(head) < _HEADER.size or not head.startswith(MAGIC):
                raise ValueError(f"{path} is no book")
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        _, rows, columns, plies, key_bytes = _HEADER.unpack(head)
        if (len(data) - _HEADER.size) % (key_bytes + 1):
            raise ValueError(f"{path} is cut off")
        return cls(rows, columns, range(plies + 1), data, _HEADER.size, key_bytes)

    def __len__(self) -> int:
        return (len(self._data) - self._first) // (self._key_bytes + 1)

    def end_of(self, position: Connect4Position) -> int | None:
        """The signed number of stones at the end; None for a position that is not in the book."""
        for key in keys_of(position):
            at = bisect_left(range(len(self)), key, key=self._key_at)
            if at < len(self) and self._key_at(at) == key:
                return self._end_at(at)
        return None

    def _key_at(self, index: int) -> int:
        at = self._first + index * (self._key_bytes + 1)
        return int.from_bytes(self._data[at : at + self._key_bytes], "big")

    def _end_at(self, index: int) -> int:
        at = self._first + index * (self._key_bytes + 1) + self._key_bytes
        return int.from_bytes(self._data[at : at + 1], "big", signed=True)


@dataclass(frozen=True, slots=True)
class DeepBook:
    """The 12-ply positions of 6x7 without an immediate win, from `bitbully-databases` (MIT).

    Its file holds records in ascending order of a signed key of four bytes, which is this module's
    key and a bit that is always 0, and a byte: 100 less the number of stones still to be put,
    negative if the second player wins, 0 for a draw.
    """

    PLY: ClassVar[int] = 12
    _data: mmap.mmap

    @classmethod
    def open(cls) -> DeepBook:
        """Map the file that the package ships."""
        path = Path(BitBullyDatabases.get_database_path("12-ply-dist"))
        with path.open("rb") as file:
            return cls(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def __len__(self) -> int:
        return len(self._data) // 5

    def end_of(self, position: Connect4Position) -> int | None:
        """The signed number of stones at the end; None for a position that is not in the book."""
        for key in keys_of(position):
            signed = (key << 1) - ((key >> 30) << 32)
            at = bisect_left(range(len(self)), signed, key=self._key_at)
            if at < len(self) and self._key_at(at) == signed:
                return _end(self._data[5 * at + 4])
        return None

    def table(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """All keys, ascending, and their ends."""
        raw = np.frombuffer(self._data, np.dtype([("key", ">u4"), ("score", "i1")]))
        keys = raw["key"].astype(np.uint64) >> np.uint64(1)
        order = np.argsort(keys)
        scores = raw["score"][order].astype(np.int64)
        return keys[order], np.sign(scores) * (self.PLY + 100 - np.abs(scores))

    def _key_at(self, index: int) -> int:
        return int.from_bytes(self._data[5 * index : 5 * index + 4], "big", signed=True)


def _end(byte: int) -> int:
    score = byte - 256 if byte > 127 else byte
    if score == 0:
        return 0
    stones = DeepBook.PLY + 100 - abs(score)
    return stones if score > 0 else -stones


def keys_of(position: Connect4Position) -> tuple[int, int]:
    """The keys of a position and of its mirror image."""
    columns = [_column_bits(position, column) for column in range(position.game.columns)]
    return _joined(columns), _joined(columns[::-1])


def _column_bits(position: Connect4Position, column: int) -> tuple[int, int]:
    """A column's part of the key, and its number of bits."""
    bits = length = 0
    for height in range(position.game.rows):
        bit = bit_of(column, height)
        if position.first & bit:
            bits = bits << 2 | 0b10
        elif position.second & bit:
            bits = bits << 2 | 0b11
        else:
            break
        length += 2
    return bits << 1, length + 1


def _joined(columns: Iterable[tuple[int, int]]) -> int:
    key = 0
    for bits, length in columns:
        key = key << length | bits
    return key


def write_book(
    path: Path, rows: int, columns: int, plies: int, entries: Iterable[tuple[int, int]]
) -> None:
    """Write a book of (key, signed stones at the end), replacing the file atomically."""
    key_bytes = (2 * plies + columns + 7) // 8
    scratch = path.with_suffix(".new")
    with scratch.open("wb") as file:
        file.write(_HEADER.pack(MAGIC, rows, columns, plies, key_bytes))
        for key, end in sorted(entries):
            file.write(key.to_bytes(key_bytes, "big") + end.to_bytes(1, "big", signed=True))
    scratch.replace(path)


BOOKS = Path(__file__).parent / "books"

DEEP = Connect4(6, 7)
"""The board of the data with twelve stones."""

CACHE_SIZE = 1 << 13
"""The size of the cache of ends between the books, enough for the positions of one game."""


@cache
def book_of(game: Connect4) -> Book | None:
    """The book that is shipped for a board."""
    path = BOOKS / f"{game.variant}.book"
    return Book.open(path) if path.exists() else None


@cache
def deep_book() -> DeepBook:
    """The positions of 6x7 with twelve stones."""
    return DeepBook.open()


def known_end(position: Connect4Position) -> int | None:
    """The end of an undecided game under perfect play, from all books; None if unknown.

    That is the number of stones at the end, negative if the second player wins, 0 for a draw.
    """
    end = book_end(position)
    if end is None and position.game == DEEP and position.ply <= DeepBook.PLY:
        return _end_above(position)
    return end


def book_end(position: Connect4Position) -> int | None:
    """The end in the board's shipped book, found by one lookup; None for an unknown position."""
    book = book_of(position.game)
    if book is None or position.ply not in book.plies:
        return None
    return book.end_of(position)


def worse_moves(position: Connect4Position) -> tuple[Move, ...]:
    """Return the moves that the board's book proves to be worse than the best one; mostly none.

    The book ends with as many stones as the position has, so the positions after its moves are not
    in it. If the same player could also have come to one of them from another position of the book,
    its value is at most that position's.
    """
    end = book_end(position)
    if end is None:
        return ()
    mover = position.to_move
    after = {move: position.play(move) for move in position.legal_moves()}
    return tuple(
        move
        for move, one in after.items()
        if any(known != end and best_end(mover, [known, end]) == end for known in _from(one, mover))
    )


def _from(position: Connect4Position, player: Player) -> Iterator[int]:
    """The ends in the book of positions from which a player's move can lead to this one."""
    own = position.first if player is Player.FIRST else position.second
    for column in position.game.columns_as_moves:
        height = position.height(column)
        stone = bit_of(column, height - 1) if height else 0
        if own & stone and position.outcome is None:
            first, second = position.first & ~stone, position.second & ~stone
            known = book_end(Connect4Position(position.game, first, second))
            if known is not None:
                yield known


@lru_cache(CACHE_SIZE)
def _end_above(position: Connect4Position) -> int:
    """The end of a position with at most twelve stones, by trying the moves down to twelve."""
    following = [position.play(move) for move in position.legal_moves()]
    if any(after.outcome is not None for after in following):
        # With so few stones, a game that is over has just been won.
        return Value.won(position.to_move, position.ply + 1).end
    if position.ply == DeepBook.PLY:
        end = deep_book().end_of(position)
        assert end is not None, "the data hold every position without an immediate win"
        return end
    return best_end(position.to_move, [_end_above(after) for after in following])


def write_opening(plies: int, path: Path) -> int:
    """Write the book of 6x7 with up to `plies` stones from the data with twelve.

    Returns the number of positions.
    """
    layers = list_layers(DEEP, DeepBook.PLY)
    ends = back_up(layers, _deepest)
    entries = entries_of(layers[: plies + 1], ends[: plies + 1])
    write_book(path, DEEP.rows, DEEP.columns, plies, entries)
    return len(entries)


def _deepest(layer: Layer) -> npt.NDArray[np.int64]:
    """The ends of the layer with twelve stones; 0 for positions missing from the data."""
    keys, ends = deep_book().table()
    found = np.zeros(layer.keys.size, np.int64)
    for turned in (False, True):
        wanted = np.empty(layer.keys.size, np.uint64)
        write_keys(layer.firsts, layer.seconds, DEEP.rows, DEEP.columns, turned, wanted)
        # Looking up keys in ascending order is several times faster than in any other order.
        order = np.argsort(wanted)
        wanted = wanted[order]
        at = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        hit = keys[at] == wanted
        found[order[hit]] = ends[at[hit]]
    return found
