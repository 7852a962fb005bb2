"""The working memory of the exact solver: one array of words.

    0          the board's squares          6, 7    nodes so far, most nodes allowed
    1          its bottom row               8       1 once the search was cut short, 2 to go back
    2          its top row                  9       the enabled rules, one bit each
    3, 4, 5    rows, columns, squares       10..12  the table's offset, buckets in use, most
    13, 14     its middle columns, the number of threads that share the table, 0 if it is one
    15, 16     in that case, the offsets of this thread's path and of the first one's
    17, 18     a bit for each middle column, the square of the move that led to the position
    24..31     for each column, eight times its place in the order in which moves are tried first,
               the highest first, plus its number
    32..39     twice each column's distance from the middle
    64..       the two last decisive moves after a move on each square, for either side to move
    320..      the moves of each ply: 16 fields of eight words, one for each column

The table consists of buckets of eight words, which begin where a line of the processor's cache
does. A bucket holds three entries: two words each that identify the position up to stones that
no longer matter, and together one word with the bounds of all three. The last word is for threads
that share the table. Before the table are two words per ply for each thread: see `paths`.

Only a small part of the table is used at first, and more as the search goes on: a short search that
is spread over a large table spends most of its time waiting for memory that nothing has touched.
"""

from __future__ import annotations

import numpy as np

from engine.core.compiled.bits import board_word, bottom_word
from engine.core.compiled.memory import NO_LIMIT, Words

BOARD, BOTTOM, TOP, ROWS, COLUMNS, SQUARES = 0, 1, 2, 3, 4, 5

NODES, MOST_NODES, ABORTED, RULES, TABLE, BUCKETS, MOST_BUCKETS, MIDDLE, SHARED = range(6, 15)

MINE, PATHS, CENTRE, LAST = 15, 16, 17, 18

PLACES, DISTANCES = 24, 32

REPLIES = 64
"""Two words for each square of the move before, for the even and then for the odd plies."""

SCRATCH, FIELDS, MOVES = REPLIES + 2 * 2 * 64, 16, 8
"""Records start at `SCRATCH`: for each ply `FIELDS` fields of `MOVES` words, a word a column."""

ENDS = SCRATCH + FIELDS * MOVES * 67
"""The first word after the scratch memory of every ply."""

BUCKET = 8
"""Words a bucket."""

PATH, DONE = 2 * 68, 2 * 67
"""Words in which a thread publishes its current path; the one for messages to it: see `paths`."""

FEWEST_BUCKETS = 1 << 9
"""The number of buckets in use at first."""


def new_memory(rows: int, columns: int, table_bits: int, rules: int) -> Words:
    """Return working memory for a board, with a table of 2**table_bits times 32 bytes.

    Each 64 bytes hold three positions.
    """
    return new_memories(rows, columns, table_bits, rules, 1)[0]


def new_memories(
    rows: int, columns: int, table_bits: int, rules: int, threads: int
) -> tuple[Words, ...]:
    """Return working memory for some threads: for each its own words, then the shared ones.

    A shared table is used in full from the beginning: threads cannot agree on its growth cheaply.
    """
    table_bits = max(table_bits, 1)
    apart = -(-ENDS // BUCKET) * BUCKET
    paths = threads * apart
    table = paths + threads * PATH
    whole = np.zeros(table + BUCKET + (4 << table_bits), np.uint64)
    # Eight words for the columns, and a bucket, each lie in one line of the processor's cache.
    whole = whole[(-(whole.ctypes.data // 8)) % BUCKET :]
    distances = [abs(2 * column + 1 - columns) for column in range(columns)]
    middle = [column for column in range(columns) if distances[column] <= columns // 2]
    order = middle + [column for column in range(columns) if column not in middle]
    memories = tuple(whole[i * apart : table + (4 << table_bits)] for i in range(threads))
    for i, memory in enumerate(memories):
        memory[BOARD] = board_word(rows, columns)
        memory[BOTTOM] = bottom_word(columns)
        memory[TOP] = bottom_word(columns) << (rows - 1)
        memory[ROWS], memory[COLUMNS], memory[SQUARES] = rows, columns, rows * columns
        memory[MOST_NODES], memory[RULES] = NO_LIMIT, rules
        memory[MIDDLE] = sum(0xFF << (8 * column) for column in middle)
        memory[CENTRE] = sum(1 << column for column in middle)
        for place, column in enumerate(order):
            memory[PLACES + column] = MOVES * (MOVES - 1 - place) + column
        memory[DISTANCES : DISTANCES + columns] = distances
        memory[TABLE] = table - i * apart
        memory[MOST_BUCKETS] = (4 << table_bits) // BUCKET
        memory[SHARED] = threads if threads > 1 else 0
        memory[PATHS] = paths - i * apart
        memory[MINE] = memory[PATHS] + i * PATH
        memory[BUCKETS] = first_buckets(memory)
    return memories


def first_buckets(memory: Words) -> int:
    """The number of buckets of an empty table that are in use."""
    most = int(memory[MOST_BUCKETS])
    return most if memory[SHARED] else min(FEWEST_BUCKETS, most)
