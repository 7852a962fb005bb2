"""What the weak rungs overlook: `python -m benchmarks.oversights`.

Rungs play those near them on the ladder. Wherever one could win with the movement that it makes,
and wherever the other side threatens to win in its next turn and a movement would prevent that,
this counts whether it did. Prints the tables of `docs/ladders/*-overlooked.csv`.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random

from engine.core.agent import Agent
from engine.core.attention import STEPS, Sight
from engine.core.game import Move, Player, Position, replay
from engine.core.registry import game_called, game_of, package_of
from engine.strength.ladder import MEDIUM, ladder_of
from engine.strength.roster import agent_named
from engine.strength.tournament import Pairing, pairings, random_start

GAMES = ("connect4:6x7", "connect4:5x4", "connect4:8x8", "gato:4x4", "boom:7x7")
NEAR, ABOVE = 2, 1
"""How many places apart rungs may be that meet, and how many rungs above `medium` are measured."""
KINDS = ("vertical", "horizontal", "diagonal", "diagonal")
"""The directions of `engine.core.attention.STEPS`."""
Tally = Counter[tuple[str, str, str, bool]]
"""How often: the agent, `win` or `threat`, the kind of line (`all` for any), whether overlooked."""


def main() -> None:
    """Play, count and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.oversights", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES, help="which games, such as boom:7x7")
    parser.add_argument("--each", type=int, default=40, help="games of each pair, an even number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    for text in options.games:
        game = game_called(text)
        rungs = ladder_of(game).rungs
        upto = next(i for i, rung in enumerate(rungs) if rung.level == MEDIUM) + 1 + ABOVE
        names = [rung.name for rung in rungs[:upto]]
        wanted = pairings(game, names, options.each, options.seed, near=NEAR)
        with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
            total: Tally = sum(pool.map(tally_of, wanted, chunksize=8), Counter())
        print(f"{text}, {len(wanted)} games\n")
        elos = {rung.name: rung.elo for rung in rungs}
        numbers = {rung.name: f"{rung.number} {rung.level}".strip() for rung in rungs}
        print("\n".join(table_of(total, {numbers[n]: (n, elos[n]) for n in names})), "\n")


def tally_of(pairing: Pairing) -> Tally:
    """Play a game and count what both sides overlooked."""
    agents = [agent_named(pairing.family, name) for name in (pairing.first, pairing.second)]
    game, rng = game_of(pairing.family, pairing.variant), Random(pairing.seed)
    found: Tally = Counter()
    position = replay(game, random_start(game, pairing))
    while position.outcome is None:
        agent: Agent = agents[position.to_move - 1]
        move = agent.choose(position, rng=rng).move
        found.update((agent.name, *seen) for seen in overlooked_by(position, move))
        position = position.play(move)
    return found


def overlooked_by(position: Position, move: Move) -> Iterator[tuple[str, str, bool]]:
    """Whether a move that ends its player's turn missed an available win, or a threat to parry.

    Yields `win` or `threat`, the kind of line, and whether it was overlooked: for any kind, and
    once more for the only kind that the lines are of.
    """
    mover = position.to_move
    after = position.play(move)
    won = after.outcome is not None and after.outcome.winner is mover
    if after.outcome is None and after.to_move is mover:
        return
    wins = lines_to_fill(position, mover, puts=1)
    if wins:
        yield from _counted("win", wins, not won)
        return
    if won:
        return
    puts = 2 if position.game.key == "boom" else 1
    threats = lines_to_fill(position, mover.other, puts)
    if not threats or not any(
        _is_safe(position.play(m), mover, puts) for m in position.legal_moves()
    ):
        return
    lost = after.outcome is not None and after.outcome.winner is mover.other
    left = set(lines_to_fill(after, mover.other, puts)) & set(threats)
    yield from _counted("threat", threats, lost or bool(left))


def _is_safe(after: Position, mover: Player, puts: int) -> bool:
    if after.outcome is not None:
        return after.outcome.winner is not mover.other
    return not lines_to_fill(after, mover.other, puts)


def _counted(what: str, lines: Sequence[int], missed: bool) -> Iterator[tuple[str, str, bool]]:
    yield what, "all", missed
    kinds = {kind_of(line) for line in lines}
    if len(kinds) == 1:
        yield what, kinds.pop(), missed


def kind_of(line: int) -> str:
    """What people call the direction of a line."""
    lowest = line & -line
    second = (line ^ lowest) & -(line ^ lowest)
    return KINDS[STEPS.index(second.bit_length() - lowest.bit_length())]


def lines_to_fill(position: Position, player: Player, puts: int) -> list[int]:
    """The lines that a player could complete with `puts` consecutive stones if to move."""
    find = package_of(position.game).sight
    assert find is not None, "this game has no lines that are overlooked"
    sight: Sight = find(position)
    own, other = (
        (sight.first, sight.second) if player is Player.FIRST else (sight.second, sight.first)
    )
    taken = own | other
    found = []
    for line in sight.lines:
        gaps = line & ~own
        if line & other or not gaps or gaps.bit_count() > puts:
            continue
        if not sight.falling or sum(_to_fill(g, taken) for g in _highest_gaps(gaps)) <= puts:
            found.append(line)
    return found


def _highest_gaps(gaps: int) -> Iterator[int]:
    """The highest gap of each column: to fill it, all below must be filled first."""
    for column in range(8):
        part = gaps >> (8 * column) & 0xFF
        if part:
            yield 1 << (8 * column + part.bit_length() - 1)


def _to_fill(square: int, taken: int) -> int:
    """How many stones must be put in a square's column until one lies on it."""
    column, height = divmod(square.bit_length() - 1, 8)
    return height + 1 - (taken >> (8 * column) & 0xFF).bit_count()


def table_of(total: Tally, rungs: dict[str, tuple[str, float]]) -> Iterator[str]:
    """The shares in per cent as CSV, a line for each rung."""
    columns = [(what, kind, head) for what in COLUMNS for kind, head in COLUMNS[what].items()]
    yield ",".join(("rung", "Elo", *(head for _, _, head in columns)))
    for title, (name, elo) in rungs.items():
        cells = [_share(total, name, what, kind) for what, kind, _ in columns]
        yield ",".join((title, f"{elo:.0f}", *cells))


COLUMNS = {
    "win": {"all": "wins missed", **{kind: f"missed {kind}" for kind in dict.fromkeys(KINDS)}},
    "threat": {
        "all": "threats not parried",
        **{kind: f"not parried {kind}" for kind in dict.fromkeys(KINDS)},
    },
}
"""The columns of the table: what was there to see, the kind of line, and the heading."""


def _share(total: Tally, name: str, what: str, kind: str) -> str:
    missed, seen = total[name, what, kind, True], total[name, what, kind, False]
    return f"{100 * missed / (missed + seen):.0f}" if missed + seen else ""


if __name__ == "__main__":
    main()
