"""Rates agents that are not rungs against their ladders: `python -m benchmarks.seeds --write`.

The rungs' ratings are fixed, so a new or changed agent is rated without another tournament. It
plays the rungs from the weakest up to the named one. Its rating is the most likely one (Bradley and
Terry 1952, draws as half wins); half of the 95 % interval includes only the chance in these games.
Prints a line of the ladder's file and the scores for each agent. With `--write`, both are written
to the ladder's file and to `docs/ladders/LADDER-students.csv`; `python -m benchmarks.ladder_tables`
then writes the pages.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.core.game import Game
from engine.core.parallel import in_processes
from engine.core.registry import game_called, package_of
from engine.strength.agent import Strength
from engine.strength.elo import SCALE, Z_95, expected
from engine.strength.ladder import Ladder, Rung, ladder_file, ladder_of, size_class
from engine.strength.ladder_file import NOTHING_ELSE
from engine.strength.roster import own_agents
from engine.strength.tournament import Played, pairings, play, play_all

BOARDS = ("connect4:5x4", "connect4:6x7", "connect4:8x8", "gato:4x4", "boom:7x7")
"""The board on which each ladder is rated."""
QUICK = 6000
"""The most nodes of a rung that is met by default."""
FOLDER = Path(__file__).parents[1] / "docs" / "ladders"
TITLE = (
    "# Student agents against rungs, in per cent",
    "# The columns are numbers of rungs. Measured by `benchmarks.seeds`, see the commands above.",
)
HEADING = "# Agents that are not rungs, "
COMMAND = "# python -m benchmarks.seeds "


@dataclass(frozen=True, slots=True)
class Rated:
    """An agent's rating, and its share of the points against each rung, by number."""

    agent: str
    elo: float
    error: float
    """Half of the 95 % interval."""
    games: int
    scores: Mapping[int, float]

    def line(self) -> str:
        """The line in the file of the ladder."""
        return f",{self.agent},{self.elo:.0f},{self.error:.0f}{NOTHING_ELSE}"


def against_rungs(
    game: Game, agent: str, upto: str, games: int, seed: int, processes: int = 1
) -> list[Played]:
    """The games of an agent against every rung from the weakest to the named one."""
    ladder = ladder_of(game)
    rungs = [rung.name for rung in ladder.rungs[: ladder.rungs.index(ladder.named(upto)) + 1]]
    wanted = [pairing for rung in rungs for pairing in pairings(game, [agent, rung], games, seed)]
    if processes == 1:
        return [play(pairing) for pairing in wanted]
    return list(play_all(wanted, in_processes(processes)))


def rated(results: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The most likely rating by some results, and half of its 95 % interval.

    Args:
        results: The opponent's rating and the score of each game.
    """
    low, high = -1000.0, 4000.0
    while high - low > 0.01:
        middle = (low + high) / 2
        surplus = sum(points - float(expected(middle - elo)) for elo, points in results)
        low, high = (middle, high) if surplus > 0 else (low, middle)
    expected_scores = [float(expected(low - elo)) for elo, _ in results]
    certainty = sum(score * (1 - score) for score in expected_scores)
    return low, float(Z_95 * SCALE / certainty**0.5)


def rating_of(agent: str, ladder: Ladder, played: Iterable[Played], games: int) -> Rated:
    """The rating of an agent by its games, of which it played `games` against each rung."""
    results: list[tuple[float, float]] = []
    points: dict[int, float] = {}
    for one in played:
        own = 0 if one.pairing.first == agent else 1
        rung = ladder.named((one.pairing.second, one.pairing.first)[own])
        results.append((rung.elo, one.points()[own]))
        points[rung.number] = points.get(rung.number, 0.0) + results[-1][1]
    scores = {number: points[number] / games for number in sorted(points)}
    return Rated(agent, *rated(results), len(results), scores)


def strongest_quick(ladder: Ladder) -> str:
    """The strongest rung that searches few nodes, so that thousands of games take minutes."""

    def is_quick(rung: Rung) -> bool:
        agent = rung.agent
        return isinstance(agent, Strength) and not agent.knows and (agent.nodes or 0) <= QUICK

    return [rung.name for rung in ladder.rungs if is_quick(rung)][-1]


def with_ratings(lines: Sequence[str], found: Sequence[Rated], command: str) -> list[str]:
    """The lines of a ladder's file with these ratings, and the command that measured them.

    Agents that were not rated keep their lines and their commands, while there are any.
    """
    names = {one.agent for one in found}
    agents = {line.split(",")[1]: line for line in lines if line.startswith(",")}
    is_complete = agents.keys() <= names
    agents |= {one.agent: one.line() for one in found}
    kept = [
        line
        for line in lines
        if not line.startswith((",", command))
        and not (is_complete and line.startswith((HEADING, COMMAND)))
    ]
    head = f"{HEADING}{found[0].games} games each against rungs with fixed ratings:"
    at = next(n for n, line in enumerate(kept) if not line.startswith("#"))
    while at and "head" in kept[at - 1]:
        at -= 1
    rising = sorted(agents.values(), key=lambda line: int(line.split(",")[2]))
    return [*kept[:at], head, command, *kept[at:], *rising]


def table_of(rows: Mapping[str, str], found: Sequence[Rated]) -> list[str]:
    """The table of scores against rungs, in which rows of other agents remain if they fit."""
    numbers = ",".join(["agent", *map(str, found[0].scores)])
    kept = dict(rows) if rows.get("agent") == numbers else {}
    for one in found:
        cells = (f"{100 * score:.0f}" for score in one.scores.values())
        kept[one.agent] = ",".join([one.agent, *cells])
    kept.pop("agent", None)
    return [*TITLE, numbers, *(kept[agent] for agent in sorted(kept))]


def write(game: Game, found: Sequence[Rated], command: str) -> None:
    """Write ratings to the ladder's file and scores to the table of its page."""
    ladder = size_class(game)
    file = ladder_file(package_of(game), ladder)
    lines = with_ratings(file.read_text(encoding="utf-8").splitlines(), found, command)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    table = FOLDER / f"{ladder}-students.csv"
    old = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
    rows = {line.split(",")[0]: line for line in old if not line.startswith("#")}
    table.write_text("\n".join(table_of(rows, found)) + "\n", encoding="utf-8")


def main() -> None:
    """Rate the agents of each board, and print or write their ratings."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seeds")
    parser.add_argument("agents", nargs="*", help="all student agents if left out")
    parser.add_argument("--game", help="all ladders if left out", action="append")
    parser.add_argument("--upto", help="the strongest opponent; a quick rung if left out")
    parser.add_argument("--games", type=int, default=100, help="against each rung, an even number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="write the files")
    options = parser.parse_args()
    for board in options.game or BOARDS:
        game = game_called(board)
        ladder, found = ladder_of(game), list[Rated]()
        upto = options.upto or strongest_quick(ladder)
        agents = options.agents or [name for name in own_agents(game.key) if not ladder.find(name)]
        for agent in agents:
            games, seed = options.games, options.seed
            played = against_rungs(game, agent, upto, games, seed, options.processes)
            found.append(rating_of(agent, ladder, played, games))
            print(found[-1].line(), flush=True)
            shares = (f"{n} {100 * score:.0f}" for n, score in found[-1].scores.items())
            print("# against rungs, in per cent:", ", ".join(shares), flush=True)
        if options.write:
            given = f"--upto {upto} --games {options.games} --seed {options.seed}"
            words = [*options.agents, f"--game {game.key}:{game.variant} {given}"]
            write(game, found, COMMAND + " ".join(words))


if __name__ == "__main__":
    main()
