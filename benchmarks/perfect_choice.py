"""How `perfect` scores by its choice among equal moves: `python -m benchmarks.perfect_choice`.

It plays rungs of the ladder from positions that are drawn or lost for it, and as the second player
from the empty board: each game once with any of the best exact moves, and once with the one after
which an opponent of the rung's rating is most likely to err. Both games have the same start and the
same seed of the rung. A separate exact solver checks whether any move gave up value.

`--people` plays simulated players instead, who are no rungs and are rated by games against rungs,
and a third way: with habits that were fitted to games of other kinds of players
(`engine.strength.habit_fit`).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log
from random import Random
from statistics import fmean
from time import perf_counter

from benchmarks.adaptive.characters import CHARACTERS, Style
from benchmarks.adaptive.people import BEYOND_PEOPLE, STYLES
from benchmarks.printing import head
from engine.core.agent import Agent
from engine.core.game import Game, Move, Player, Position
from engine.core.registry import game_called, package_of
from engine.core.values import plies_to_end
from engine.strength.agent import Strength
from engine.strength.elo import SCALE, Z_95, expected
from engine.strength.habit_fit import PlayedMove, fit, samples_of, surprise
from engine.strength.habits import FEATURES, Habits
from engine.strength.ladder import ladder_of
from engine.strength.opponent import RatedOpponent
from engine.strength.perfect import Perfect

BOARDS = ("5x4", "6x7")
RANDOM_PLIES = 2
"""Random moves at the beginning of a start; `STARTER` plays the others."""
STARTER = "rung-10"
STONES = {"5x4": (2, 8), "6x7": (8, 20)}
"""Smallest and largest number of stones of a start."""
LEFT = 6
"""Smallest distance of a lost position from its end in plies."""
KINDS = ("drawn", "lost", "second")
HELD_OUT = (
    "gambler",
    "blocker",
    "tunnel",
    "daydreamer",
    "loses heart",
    "in time trouble",
    "knows openings",
    "knows endings",
    "pupil",
    "patient",
    "league player",
)
"""The simulated players for `--people`: weaker ones lose against any best move. None was used to
fit habits or to tune rungs."""
RATING_GAMES = 30
"""Games against rungs that give a player's rating."""
NEAR = 100
"""Elo points between a player and the rungs against whom habits show."""
TRIES = 10
"""Games that are made at most to find each start."""
PATIENT = 10.0
"""Seconds for a move against people."""

Reply = Callable[[Position, Random], Move]
"""Chooses the move of the opponent."""
Scores = tuple[float, ...]
"""The points of each way in the same game."""


@dataclass(slots=True)
class Tally:
    """Times of the moves of one way to choose, and counts of unproven and inferior ones."""

    seconds: list[float] = field(default_factory=list)
    unproven: int = 0
    """Moves chosen by a search, since the proof took too long."""
    given_up: int = 0
    """Proven moves that gave up value; there must be none."""
    lost_unproven: int = 0
    """Moves of a search that gave up value."""


def main() -> None:
    """Play with both ways and print a table for each board."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.perfect_choice")
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--games", type=int, default=40, help="of each rung, start and way")
    parser.add_argument("--rungs", nargs="+", help="all that err, unless some are named")
    parser.add_argument("--people", action="store_true", help="players that are no rungs")
    parser.add_argument("--moves", type=int, default=1500, help="to which habits are fitted")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for board in options.boards:
        game = game_called(board)
        if options.people:
            report_people(game, options.games, options.moves, options.seed)
            continue
        rungs = options.rungs or erring(game)
        report(game, rungs, options.games, options.seed)


def erring(game: Game) -> list[str]:
    """Names of the rungs except `perfect`."""
    return [rung.name for rung in ladder_of(game).rungs if isinstance(rung.agent, Strength)]


def report(game: Game, rungs: Sequence[str], games: int, seed: int) -> None:
    """Play on one board and print its table and the times of all moves."""
    ladder = ladder_of(game)
    tallies = (Tally(), Tally())
    print(f"\n{game.variant}, {games} games of each rung, start and way\n")
    print(head(("rung", "Elo", "start", "any", "hardest", "rise", "±")), flush=True)
    for kind in KINDS:
        found, pairs = list(starts(game, kind, games, seed)), list[tuple[float, float]]()
        for place, name in enumerate(rungs):
            rung = ladder.named(name)
            ways = (Perfect(), Perfect(against=RatedOpponent(rung.elo)))
            scored = (
                [
                    points(s, way, moves_of(rung.agent), f"{seed} {i}", tally)
                    for i, s in enumerate(found)
                ]
                for way, tally in zip(ways, tallies, strict=True)
            )
            own = list(zip(*scored, strict=True))
            print(f"| {name} | {rung.elo:.0f} | {kind} | {compared(own)} |", flush=True)
            if len(rungs) <= 3 * place + 1 < 2 * len(rungs):
                pairs += own
        print(f"| the middle third | | {kind} | {compared(pairs)} |", flush=True)
    print_tallies(("any", "hardest"), tallies)


def print_tallies(titles: Sequence[str], tallies: Sequence[Tally]) -> None:
    """Print a table of the moves of each way."""
    names = ("choice", "moves", "proven, gave up value", "not proven", "of these gave up")
    print(f"\n{head((*names, 'mean ms', 'p50', 'p99', 'worst'))}")
    for title, tally in zip(titles, tallies, strict=True):
        print(f"| {title} | {described(tally)} |", flush=True)


def moves_of(agent: Agent) -> Reply:
    """The moves of an agent."""
    return lambda position, rng: agent.choose(position, rng=rng).move


def report_people(game: Game, games: int, moves: int, seed: int) -> None:
    """Play held-out players in three ways and print their tables."""
    rng = Random(f"people {game.variant} {seed}")
    taught = [style for name, style in STYLES.items() if style.turns < BEYOND_PEOPLE]
    samples = samples_of(learned(game, taught, moves, rng))
    habits, none = fit(samples), Habits((0.0,) * len(FEATURES))
    held = {name: CHARACTERS[name] for name in HELD_OUT}
    elos = {name: rating_of(game, one, rng) for name, one in held.items()}
    others = samples_of(learned(game, list(held.values()), moves // 2, rng))
    print(f"\n{game.variant}, {games} games of each held-out player, start and way\n")
    weights = (f"{key} {weight:+.2f}" for key, weight in zip(FEATURES, habits.weights, strict=True))
    print(f"habits, fitted to {len(samples)} moves of other kinds: {', '.join(weights)}")
    means = [surprise(others, one) for one in (none, habits)]
    print(f"surprise per move of held-out players: {means[0]:.3f}, with habits {means[1]:.3f}\n")
    tallies, every = (Tally(), Tally(), Tally()), list[Scores]()
    every_order = list[Position]()
    print(head(("player", "Elo", "start", "any", "rungs", "rise", "±", "habits", "rise", "±")))
    for kind in KINDS:
        found = several(game, kind, games * len(held), seed)
        own, order = list[Scores](), list[Position]()
        for place, (name, player) in enumerate(held.items()):
            own_starts = found[place :: len(held)]
            against = RatedOpponent(elos[name]), RatedOpponent(elos[name], habits)
            # Proofs take longer on a loaded machine, which is not what is measured.
            ways = (Perfect(PATIENT), *(Perfect(PATIENT, against=one) for one in against))
            scored = (
                [
                    points(start, way, player.choose, f"{seed} {name} {number}", tally)
                    for number, start in enumerate(own_starts)
                ]
                for way, tally in zip(ways, tallies, strict=True)
            )
            scores = list(zip(*scored, strict=True))
            own += scores
            order += own_starts
            print(
                f"| {name} | {elos[name]:.0f} | {kind} | {three_ways(scores, own_starts)} |",
                flush=True,
            )
        print(f"| all | | {kind} | {three_ways(own, order)} |", flush=True)
        every += own
        every_order += order
    print(f"| all | | all | {three_ways(every, every_order)} |", flush=True)
    print_tallies(("any", "rungs", "habits"), tallies)


def several(game: Game, kind: str, count: int, seed: int) -> list[Position]:
    """Return `count` starts of a kind; small boards have few that differ, which are repeated."""
    found = list(starts(game, kind, count, seed, tries=TRIES * count))
    return [found[number % len(found)] for number in range(count)]


def three_ways(scores: Sequence[Scores], starts_of: Sequence[Position]) -> str:
    """The points of three ways in the same games as cells of a table."""
    one, other = ([(row[0], row[way]) for row in scores] for way in (1, 2))
    after = compared(other, starts_of).partition(" | ")[2]
    return f"{compared(one, starts_of)} | {after}"


def learned(game: Game, players: Sequence[Style], moves: int, rng: Random) -> Iterator[PlayedMove]:
    """Yield moves of players in games against rungs near their rating, equally many of each."""
    ladder, each = ladder_of(game), -(-moves // len(players))
    for player in players:
        elo, left = rating_of(game, player, rng), each
        while left > 0:
            rung = ladder.at(elo + rng.choice((-NEAR, 0, NEAR))).agent
            side = rng.choice(list(Player))
            _, made = contest(game, player, rung, side, rng)
            yield from (PlayedMove(before, move, elo) for before, move in made[:left])
            left -= len(made)


def rating_of(game: Game, player: Style, rng: Random, games: int = RATING_GAMES) -> float:
    """The most likely rating of a player by some games against all rungs."""
    rungs = [rung for rung in ladder_of(game).rungs if isinstance(rung.agent, Strength)]
    played = [rungs[number % len(rungs)] for number in range(games)]
    results = [
        (rung.elo, contest(game, player, rung.agent, Player(number // len(rungs) % 2 + 1), rng)[0])
        for number, rung in enumerate(played)
    ]

    def likelihood(elo: float) -> float:
        chances = ((score, float(expected(elo - other))) for other, score in results)
        return sum(score * log(p) + (1 - score) * log(1 - p) for score, p in chances)

    most = range(int(rungs[0].elo) - NEAR, int(rungs[-1].elo) + NEAR, 10)
    return float(max(most, key=likelihood))


def error_of(game: Game, elo: float, games: int) -> float:
    """Half of the 95 % interval of a rating from a number of games without draws."""
    rungs = [ladder_of(game).named(name) for name in erring(game)]
    chances = (float(expected(elo - rungs[n % len(rungs)].elo)) for n in range(games))
    return float(Z_95 * SCALE / sum(p * (1 - p) for p in chances) ** 0.5)


def contest(
    game: Game, player: Style, agent: Agent, side: Player, rng: Random
) -> tuple[float, list[tuple[Position, Move]]]:
    """Play a game with a player on one side; returns its score, and its moves."""
    position, made = game.start(), list[tuple[Position, Move]]()
    while position.outcome is None:
        if position.to_move is side:
            move = player.choose(position, rng)
            made.append((position, move))
        else:
            move = agent.choose(position, rng=rng).move
        position = position.play(move)
    winner = position.outcome.winner
    return (0.5 if winner is None else float(winner is side)), made


def compared(
    pairs: Sequence[tuple[float, float]], starts_of: Sequence[Position] | None = None
) -> str:
    """The points of both ways in the same games as cells of a table, with the rise's interval.

    With the start of each game, those from the same one count as alike. The empty board is no such
    start: many different games begin there.
    """
    before, after = (fmean(scores) for scores in zip(*pairs, strict=True))
    rises = defaultdict[Position | int, float](float)
    for number, (x, y) in enumerate(pairs):
        start = None if starts_of is None else starts_of[number]
        rises[start if start is not None and start.ply else number] += y - x - (after - before)
    count = len(rises) / max(len(rises) - 1, 1)
    error = Z_95 * (count * sum(rise**2 for rise in rises.values())) ** 0.5 / len(pairs)
    points = f"{100 * before:.1f} | {100 * after:.1f} | {100 * (after - before):+.1f}"
    return f"{points} | {100 * error:.1f}"


def starts(
    game: Game, kind: str, count: int, seed: int, *, tries: int | None = None
) -> Iterator[Position]:
    """Different positions of a kind for the side to move; for `second` the empty board.

    A rung of the ladder plays itself after a few random moves, until there are enough positions or,
    if given, after `tries` games.
    """
    if kind == "second":
        yield from [game.start()] * count
        return
    rng, agent, seen = Random(f"{seed} {kind} {game.variant}"), _starter(game), set[Position]()
    least, most = STONES[game.variant]
    made = 0
    while len(seen) < count and (tries is None or made < tries):
        made += 1
        position, stones = game.start(), rng.randint(least, most)
        while position.ply < stones and position.outcome is None:
            moves = position.legal_moves()
            is_random = position.ply < RANDOM_PLIES
            move = rng.choice(moves) if is_random else agent.choose(position, rng=rng).move
            position = position.play(move)
        if position not in seen and _is(kind, position):
            seen.add(position)
            yield position


def _starter(game: Game) -> Agent:
    return ladder_of(game).named(STARTER).agent


def _is(kind: str, position: Position) -> bool:
    """Whether the position is drawn, or lost at a sufficient distance, for the side to move."""
    if position.outcome is not None:
        return False
    proof = package_of(position.game).prove(position, seconds=30.0)
    assert proof is not None, "half a minute is enough for any of these"
    if kind == "drawn":
        return proof.top == 0
    return proof.top < 0 and plies_to_end(proof.top, position.ply) >= LEFT


def points(start: Position, way: Perfect, reply: Reply, seed: str, tally: Tally) -> float:
    """The score of `perfect` in a game as the side to move, or as second on an empty board."""
    perfect = start.to_move if start.ply else Player.SECOND
    rngs = {perfect: Random(f"perfect {seed}"), perfect.other: Random(f"rung {seed}")}
    positions, proven = [start], list[bool]()
    while (position := positions[-1]).outcome is None:
        mover = position.to_move
        began = perf_counter()
        if mover is perfect:
            found = way.choose(position, rng=rngs[mover])
            tally.seconds.append(perf_counter() - began)
            tally.unproven += not found.proven
            proven.append(found.proven)
            move = found.move
        else:
            move = reply(position, rngs[mover])
        positions.append(position.play(move))
    for is_proven, gave in zip(proven, given_up(positions, perfect), strict=True):
        tally.given_up += is_proven and gave
        tally.lost_unproven += gave and not is_proven
    winner = positions[-1].outcome and positions[-1].outcome.winner
    return 0.5 if winner is None else float(winner is perfect)


def given_up(positions: Sequence[Position], player: Player) -> list[bool]:
    """For each move of a player whether it had less than the best exact value."""
    game = positions[0].game
    prover = package_of(game).solver(game)
    assert prover is not None, "these games have a solver"
    found = []
    # From the end, since the table then helps with earlier positions.
    for before, after in list(pairwise(positions))[::-1]:
        if before.to_move is player:
            proof = prover.values(before, nodes=1 << 40, seconds=60.0)
            assert proof is not None, "a minute is enough for any of these"
            found.append(not any(before.play(move) == after for move in proof.best()))
    return found[::-1]


def described(tally: Tally) -> str:
    """A tally as the cells of a table."""
    times = sorted(1000 * seconds for seconds in tally.seconds)
    figures = (fmean(times), times[len(times) // 2], times[int(0.99 * len(times))], times[-1])
    cells = " | ".join(f"{figure:.1f}" for figure in figures)
    counts = f"{tally.given_up} | {tally.unproven} | {tally.lost_unproven}"
    return f"{len(times)} | {counts} | {cells}"


if __name__ == "__main__":
    main()
