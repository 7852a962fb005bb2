"""The commands that build an opening book, read published values, and show a book's contents."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from engine.cli.common import (
    INTERRUPTED,
    OK,
    add_cluster_options,
    interruptible,
    parallel_map_of,
    refused,
)
from engine.core.game import Game, IllegalMove
from engine.games.connect4.rules import Connect4

# The solver's modules are imported by the commands that need them, as they load compiled code.


def add_book_commands(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    size: Callable[[str], Game],
    whole_number: Callable[[str], int],
) -> None:
    """Add `book build`, `book read` and `book info` to a program, with its argument parsers."""
    book = commands.add_parser("book", help="build an opening book, or look at one")
    actions = book.add_subparsers(required=True, metavar="ACTION")

    build = actions.add_parser("build", help="work out a book; a stopped build resumes")
    build.add_argument("size", help="a board, ROWSxCOLUMNS", type=size)
    build.add_argument("plies", help="up to how many stones", type=whole_number)
    build.add_argument("--out", help="the book's file", type=Path, required=True, metavar="FILE")
    build.add_argument(
        "--threads", help="how many positions to solve at once", type=whole_number, metavar="N"
    )
    add_cluster_options(build)
    build.set_defaults(run=_build)

    read = actions.add_parser("read", help="write a book from a file of published scores")
    read.add_argument("size", help="a board, ROWSxCOLUMNS", type=size)
    read.add_argument("file", help="such as docs/data/openings-7x8.csv", type=Path, metavar="FILE")
    read.add_argument("--out", help="the book's file", type=Path, required=True, metavar="FILE")
    read.set_defaults(run=_read)

    info = actions.add_parser("info", help="print a book's size, plies and number of positions")
    info.add_argument("file", type=Path, metavar="FILE")
    info.set_defaults(run=_info)


def _build(options: argparse.Namespace) -> int:
    from engine.games.connect4.solver.building import build_book

    game: Connect4 = options.size
    threads = (os.cpu_count() or 1) if options.threads is None else options.threads
    columns = (
        TextColumn(f"{game.variant}, {options.plies} plies"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    try:
        with (
            interruptible(),
            parallel_map_of(options, None) as parallel,
            Progress(*columns, console=Console(stderr=True)) as progress,
        ):
            task = progress.add_task("", total=None)

            def show(done: int, total: int) -> None:
                progress.update(task, completed=done, total=total)

            positions = build_book(game, options.plies, options.out, threads, show, parallel)
    except (ValueError, OSError) as error:
        return refused(error)
    except KeyboardInterrupt:
        print("python -m engine: stopped; the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    print(f"{options.out}: {positions:,} positions")
    return OK


def _read(options: argparse.Namespace) -> int:
    from engine.games.connect4.solver.published import write_published

    try:
        positions = write_published(options.file, options.size, options.out)
    except (ValueError, OSError, KeyError, IllegalMove) as error:
        return refused(error)
    print(f"{options.out}: {positions:,} positions")
    return OK


def _info(options: argparse.Namespace) -> int:
    from engine.games.connect4.solver.book import Book

    try:
        book = Book.open(options.file)
    except (ValueError, OSError) as error:
        return refused(error)
    print(f"size      {book.rows}x{book.columns}")
    print(f"plies     0-{book.plies[-1]}")
    print(f"positions {len(book):,}")
    return OK
