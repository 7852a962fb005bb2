"""From which disc on `perfect` proves its moves: `python -m benchmarks.proofs [SIZE ...]`.

On each board `perfect` plays games against three rungs, as first and as second player in turn. A
row has the numbers of its moves that were in a book, proven, and found by a search alone, the
number of the disc from which on none of a game was found by a search alone (median and 90th
percentile of the games, and all of them), and the time of its moves.

With `--each-disc` it asks instead how often all moves of a position can be proven with some nodes,
for each number of discs: games of a rung against others, each from its last position to the first
until four proofs in a row fail, with an empty table each time.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from benchmarks.printing import MAXIMUM, MEDIAN, P99, head, quantile, row
from engine.core.analysis import SearchResult, Source
from engine.core.game import Player, Position
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solver
from engine.games.connect4.solver.exact import PROOF_TABLE_BITS
from engine.strength.ladder import ladder_of
from engine.strength.perfect import Perfect

RUNGS = ("easy", "medium", "hard")
"""The opponents of `perfect`."""
MOST = 0.9
"""The share of games for which the second number of a disc is given."""
RANDOM_PLIES = 3
"""Random moves at the beginning of a game of rungs."""
STRONG, OTHERS = "rung-12", ("medium", "hard", "rung-10")
FAILURES = 4
"""Proofs that fail in a row before a game's earlier positions are left out."""


def main() -> None:
    """Measure each board and print its rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proofs")
    parser.add_argument("sizes", nargs="*", default=Connect4.SIZES)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=2.0, help="of a move of `perfect`")
    parser.add_argument("--each-disc", action="store_true")
    parser.add_argument("--nodes", type=int, default=4_000_000, help="of a proof by disc")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counted = ("moves", "in a book", "proven", "searched", "share proven")
    discs = ("proven from disc: half", "90 %", "all")
    names = ("board", "games", *counted, *discs, "median ms", "p99 ms")
    by_disc = ("board", "discs", "positions", "proven", "mean nodes")
    print(head(by_disc if options.each_disc else names), flush=True)
    for size in options.sizes:
        game = Connect4.from_variant(size)
        if options.each_disc:
            for line in by_number_of_discs(game, options.games, options.nodes, options.seed):
                print(row((size, *line)), flush=True)
            continue
        found = in_games(game, options.games, Perfect(seconds=options.seconds), options.seed)
        print(row((size, options.games, *found)), flush=True)


class Row(NamedTuple):
    """What is counted on a board."""

    moves: int
    in_book: int
    proven: int
    searched: int
    """Moves that a search alone found."""
    share: str
    """The share of the others."""
    half: float
    """The disc from which on none was found by a search alone, in half of the games."""
    most: float
    """The same in 90 % of them."""
    all: float
    median: str
    """Milliseconds of a move."""
    p99: str


def in_games(game: Connect4, games: int, perfect: Perfect, seed: int) -> Row:
    """The row of a board, after this many games."""
    found = [list(moves_in_game(game, number, perfect, seed)) for number in range(games)]
    results = [result for game_moves in found for _, result in game_moves]
    counts = Counter(result.source for result in results)
    firsts = list(map(first_proven, found))
    milliseconds = [1000 * result.seconds for result in results]
    return Row(
        moves=len(results),
        in_book=counts[Source.BOOK],
        proven=counts[Source.PROOF],
        searched=counts[Source.SEARCH],
        share=f"{100 * (1 - counts[Source.SEARCH] / len(results)):.1f} %",
        half=quantile(firsts, MEDIAN),
        most=quantile(firsts, MOST),
        all=quantile(firsts, MAXIMUM),
        median=f"{quantile(milliseconds, MEDIAN):.0f}",
        p99=f"{quantile(milliseconds, P99):.0f}",
    )


def first_proven(moves: Sequence[tuple[int, SearchResult]]) -> int:
    """The number of the disc from which on no move of a game was found by a search alone."""
    return max((disc for disc, result in moves if result.source is Source.SEARCH), default=0) + 1


def moves_in_game(
    game: Connect4, number: int, perfect: Perfect, seed: int
) -> Iterator[tuple[int, SearchResult]]:
    """The moves of `perfect` in one game, each with the number of its disc."""
    rung = ladder_of(game).named(RUNGS[number // 2 % len(RUNGS)]).agent
    seat, rng = Player(1 + number % 2), Random(f"{seed} {game.variant} {number}")
    position: Position = game.start()
    while position.outcome is None:
        mine = position.to_move is seat
        result = (perfect if mine else rung).choose(position, rng=rng)
        if mine:
            yield position.ply + 1, result
        position = position.play(result.move)


def by_number_of_discs(
    game: Connect4, games: int, nodes: int, seed: int
) -> Iterator[Sequence[object]]:
    """The cells for each number of discs on the board."""
    found: dict[int, list[tuple[bool, int]]] = defaultdict(list)
    for number in range(games):
        failures = 0
        for position in reversed(positions_of_game(game, number, seed)):
            solved = Solver(game, PROOF_TABLE_BITS).solve_moves(position, nodes=nodes)
            is_proven = all(one.score is not None for one in solved.values())
            found[position.ply].append((is_proven, sum(one.nodes for one in solved.values())))
            failures = 0 if is_proven else failures + 1
            if failures == FAILURES:
                break
    for discs, proofs in sorted(found.items()):
        proven, visited = (sum(one) for one in zip(*proofs, strict=True))
        yield discs, len(proofs), proven, visited // len(proofs)


def positions_of_game(game: Connect4, number: int, seed: int) -> list[Connect4Position]:
    """The positions of a game of two rungs that are not over."""
    ladder, rng = ladder_of(game), Random(f"{seed} {game.variant} {number}")
    strong, other = (ladder.named(name).agent for name in (STRONG, OTHERS[number % len(OTHERS)]))
    position, found = game.start(), list[Connect4Position]()
    while position.outcome is None:
        found.append(position)
        agent = (strong, other)[(position.ply + number) % 2]
        is_random = position.ply < RANDOM_PLIES
        moves = position.legal_moves()
        move = rng.choice(moves) if is_random else agent.choose(position, rng=rng).move
        position = position.play(move)
    return found


if __name__ == "__main__":
    main()
