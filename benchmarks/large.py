"""How good `perfect` is in the openings of large boards: `python -m benchmarks.large 7x8`.

It answers every opening with up to three discs, one of each mirror pair, and a sample of those with
four and five. Where exact values are published (7x8, `docs/data/openings-7x8.csv`), a move is
compared with the best one: did it lose the result, or only win later or lose earlier? Moves with up
to three discs have exact values. With four discs, the value of the opening is known but not that of
each move: a move has certainly lost the result if the position after it also arises from an opening
that is worth less, and has certainly kept it if there is nothing to lose or if every other move has
lost it; the others are counted as unknown. With five discs nothing is known about moves.

`--search` leaves books out, to measure the search alone. `--against SECONDS` has `perfect` play a
game from each seat, from the empty board, against the strongest search with that time for a move.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter

from benchmarks.printing import head, row
from engine.core.analysis import SearchResult, Source
from engine.core.boards import bit_of
from engine.core.game import Move, Player
from engine.core.kernel import KernelKind
from engine.core.limits import Limit
from engine.core.position_code import code_of
from engine.core.search import search
from engine.core.values import Value
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.book import keys_of
from engine.games.connect4.solver.published import opening_ends
from engine.strength.perfect import Perfect

OPENINGS = Path(__file__).resolve().parents[1] / "docs" / "data" / "openings-{}.csv"
ALL_UP_TO, SAMPLED = 3, (4, 5)
"""Openings up to this number of discs are all answered; of those with more, a sample."""
COLUMNS = (
    "discs",
    "seconds",
    "openings",
    "known",
    "result lost",
    "distance lost",
    "from a book",
    "proven",
    "mean depth of the others",
    "mean seconds",
)


@dataclass(slots=True)
class Tally:
    """Counts of the moves in openings with the same number of discs."""

    known: int = 0
    """Moves of which it is known whether they kept the result."""
    result_lost: int = 0
    distance_lost: int = 0
    sources: list[Source] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    """Plies of the searches of moves that were neither in a book nor proven."""
    seconds: list[float] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """The codes of the openings in which the result was lost, each with the column played."""


def main() -> None:
    """Answer the openings of a board and print a row for each number of discs and each time."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large")
    parser.add_argument("size", help="a board, ROWSxCOLUMNS")
    parser.add_argument("--discs", type=int, nargs="+", default=(*range(ALL_UP_TO + 1), *SAMPLED))
    parser.add_argument("--sample", type=int, default=200, help="openings with four or five discs")
    parser.add_argument("--seconds", type=float, default=2.0, help="of a move")
    parser.add_argument("--around", action="store_true", help="also half and twice that time")
    parser.add_argument("--search", action="store_true", help="without books and proofs")
    parser.add_argument("--against", type=float, metavar="SECONDS", help="play a longer search")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = Connect4.from_variant(options.size)
    if options.against is not None:
        print(head(("perfect", "result", "moves")), flush=True)
        for seat in Player:
            players = Perfect(seconds=options.seconds), Limit(seconds=options.against)
            print(row(game_against(game, seat, *players, options.seed)), flush=True)
        return
    truth = Truth.of(game)
    print(f"{game.variant}, {'search alone' if options.search else 'perfect'}\n\n{head(COLUMNS)}")
    lost = []
    for factor in (0.5, 1.0, 2.0) if options.around else (1.0,):
        for discs in options.discs:
            chosen = openings(game, discs, options.sample, options.seed)
            seconds = factor * options.seconds
            tally = answered(chosen, truth, seconds, search_only=options.search)
            print(row(described(discs, seconds, tally)), flush=True)
            lost += [f"{one} at {seconds:g} s" for one in tally.lost]
    print(f"\nresult lost: {', '.join(lost) or 'nowhere'}")


def game_against(
    game: Connect4, seat: Player, perfect: Perfect, limit: Limit, seed: int
) -> tuple[str, str, str]:
    """The cells of a game of `perfect` in a seat against the strongest search within a limit."""
    rng, kind = Random(seed), KernelKind.STRONGEST
    position, moves = game.start(), list[Move]()
    while position.outcome is None:
        result = (
            perfect.choose(position, rng=rng)
            if position.to_move is seat
            else search(position, limit, rng=rng, kind=kind)
        )
        moves.append(result.move)
        position = position.play(result.move)
    winner = position.outcome.winner
    result_name = "draw" if winner is None else "won" if winner is seat else "lost"
    return seat.name.lower(), result_name, "".join(map(game.label, moves))


def openings(game: Connect4, discs: int, sample: int, seed: int) -> list[Connect4Position]:
    """All openings of some discs without a four, one of each mirror pair, or a sample."""
    found = {min(keys_of(game.start())): game.start()}
    for _ in range(discs):
        following = (one.play(move) for one in found.values() for move in one.legal_moves())
        found = {min(keys_of(one)): one for one in following if one.outcome is None}
    every = [found[key] for key in sorted(found)]
    if discs <= ALL_UP_TO or len(every) <= sample:
        return every
    return Random(f"{seed} {game.variant} {discs}").sample(every, sample)


def answered(
    chosen: Sequence[Connect4Position], truth: Truth, seconds: float, *, search_only: bool
) -> Tally:
    """The counts of the moves that are made in openings within some time."""
    tally = Tally()
    for number, position in enumerate(chosen):
        began, rng = perf_counter(), Random(number)
        result = (
            search(position, Limit(seconds=seconds), rng=rng, kind=KernelKind.STRONGEST)
            if search_only
            else Perfect(seconds=seconds).choose(position, rng=rng)
        )
        tally.seconds.append(perf_counter() - began)
        count(tally, position, result, truth)
    return tally


def count(tally: Tally, position: Connect4Position, result: SearchResult, truth: Truth) -> None:
    """Count one move."""
    tally.sources.append(result.source)
    if result.source is Source.SEARCH:
        tally.depths.append(result.depth)
    lost = truth.lost_result(position, result.move)
    if lost is None:
        return
    tally.known += 1
    tally.result_lost += lost
    if lost:
        tally.lost.append(f"{code_of(position)} {result.move + 1}")
    else:
        tally.distance_lost += truth.lost_distance(position, result.move)


def described(discs: int, seconds: float, tally: Tally) -> Iterator[object]:
    """The cells of a row."""
    yield from (discs, f"{seconds:g}", len(tally.sources), tally.known)
    yield from (tally.result_lost, tally.distance_lost)
    yield from (tally.sources.count(source) for source in (Source.BOOK, Source.PROOF))
    yield f"{fmean(tally.depths):.1f}" if tally.depths else "-"
    yield f"{fmean(tally.seconds):.2f}"


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known about a board's openings: their ends, by the smaller key."""

    ends: Mapping[int, tuple[int, int]]

    @classmethod
    def of(cls, game: Connect4) -> Truth:
        """What is published about a board; nothing for most."""
        path = Path(str(OPENINGS).format(game.variant))
        return cls(opening_ends(path, game) if path.exists() else {})

    def value(self, position: Connect4Position) -> Value | None:
        """The exact value of a position."""
        found = self.ends.get(min(keys_of(position)))
        return None if found is None or found[1] != position.ply else Value(found[0])

    def lost_result(self, position: Connect4Position, move: Move) -> bool | None:
        """Whether a move gives up the result of a position; None if that is unknown."""
        value, mover = self.value(position), position.to_move
        if value is None:
            return None
        before = value.share(mover)
        if before == 0.0:
            return False
        if self._at_most(position.play(move), mover) < before:
            return True
        others = (other for other in position.legal_moves() if other != move)
        after = self.value(position.play(move))
        if after is not None:
            return after.share(mover) < before
        if all(self._at_most(position.play(other), mover) < before for other in others):
            return False
        return None

    def lost_distance(self, position: Connect4Position, move: Move) -> bool:
        """Whether a move that keeps the result is known to win later or lose earlier."""
        value, after = self.value(position), self.value(position.play(move))
        return value is not None and after is not None and value != after

    def _at_most(self, after: Connect4Position, mover: Player) -> float:
        """The most that a position after a move of `mover` can be worth to them.

        It is worth no more than any position from which they could have moved to it.
        """
        known = (self.value(one) for one in before(after, mover))
        return min((one.share(mover) for one in known if one is not None), default=1.0)


def before(after: Connect4Position, mover: Player) -> Iterator[Connect4Position]:
    """The positions from which a move of `mover` leads to a position."""
    game = after.game
    stones = after.first if mover is Player.FIRST else after.second
    for column in game.columns_as_moves:
        height = after.height(column)
        bit = bit_of(column, height - 1) if height else 0
        if stones & bit:
            yield Connect4Position(game, after.first & ~bit, after.second & ~bit)


if __name__ == "__main__":
    main()
