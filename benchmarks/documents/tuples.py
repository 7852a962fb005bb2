"""The claims about the agents that count tuples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

from benchmarks.documents.claims import Line, even, of_mean, of_scores
from engine.core.agent import Agent
from engine.core.game import Position
from engine.games.connect4.agents.tuples import FOUR, Tuples
from engine.games.connect4.agents.window import Window
from engine.games.connect4.rules import Connect4
from engine.strength.tournament import Played, pairings, play

DEPTHS, DUELS = (3, 5, 7), ((5, 3), (7, 5), (7, 3))
GAMES, CHOICES, LOST = 1000, 10_000, 400
OPENING = 4
"""Random moves at the start of a game."""


@cache
def duel(deeper: int, other: int, scale: float, seed: int) -> tuple[Played, ...]:
    """The games of two depths from random openings, each from both seats."""
    names = [Tuples(deeper).name, Tuples(other).name]
    wanted = pairings(Connect4(), names, even(GAMES * scale), seed)
    return tuple(play(replace(pairing, random_plies=OPENING)) for pairing in wanted)


def deeper_wins(scale: float, seed: int) -> Iterator[Line]:
    """Yield the deeper agent's score, and the share that it wins."""
    for deeper, other in DUELS:
        name = Tuples(deeper).name
        played = duel(deeper, other, scale, seed)
        scores = [one.points()[0 if one.pairing.first == name else 1] for one in played]
        yield of_scores(f"{deeper} against {other} scores, games", scores)
        yield of_scores(f"{deeper} against {other} wins, games", [float(s == 1) for s in scores])


def effort(scale: float, seed: int) -> Iterator[Line]:
    """Yield nodes and seconds per move of each depth, in the same games."""
    played = [one for deeper, other in DUELS for one in duel(deeper, other, scale, seed)]
    for depth in DEPTHS:
        own = [
            (one.moves[side], one.nodes[side], one.seconds[side])
            for one in played
            for side, name in enumerate((one.pairing.first, one.pairing.second))
            if name == Tuples(depth).name
        ]
        moves, nodes, seconds = (sum(column) for column in zip(*own, strict=True))
        yield of_mean(f"depth {depth} nodes per move, games", [n / max(m, 1) for m, n, _ in own], 0)
        yield Line(f"depth {depth} s per move, {moves:,} moves", f"{seconds / moves:.5f}")
        yield Line(f"depth {depth} nodes, all moves", f"{nodes:,}")


def right_bias(scale: float, seed: int) -> Iterator[Line]:
    """Yield how often each column is chosen where all are equal, from the last one."""
    start, rng, agent = Connect4().start(), Random(seed), Tuples(3, fixed=False)
    count = max(1, round(CHOICES * scale))
    chosen = Counter(int(agent.choose(start, rng=rng).move) for _ in range(count))
    for move in reversed(start.legal_moves()):
        share = [1.0] * chosen[move] + [0.0] * (count - chosen[move])
        yield of_scores(f"column {start.game.label(move)} of the empty board, choices", share)


def gives_up(scale: float, seed: int) -> Iterator[Line]:
    """Yield how often the originals leave a threat when lost, and how long both last from there."""
    opponent = Window(6)
    for depth in DEPTHS:
        original, fixed = Tuples(depth, fixed=False), Tuples(depth)
        left, lasted, longer = list[float](), list[float](), list[float]()
        for number in range(even(LOST * scale)):
            rng = Random(f"{seed} {depth} {number}")
            position = _first_lost(original, opponent, rng, number)
            if position is None:
                continue
            threats = _wins(position)
            if len(threats) == 1:
                left.append(float(original.choose(position, rng=rng).move not in threats))
            lasted.append(_plies(position, original, opponent, rng))
            longer.append(_plies(position, fixed, opponent, rng) - lasted[-1])
        if left:
            yield of_scores(f"`{original.name}`, lost, leaves a single threat, positions", left)
        yield of_mean(f"`{original.name}` lasts moves against `window-6`, positions", lasted, 2)
        yield of_mean(f"`{fixed.name}` lasts longer by moves, positions", longer, 2)


def _first_lost(agent: Tuples, opponent: Agent, rng: Random, number: int) -> Position | None:
    """The first position of a game in which the agent sees that every move loses."""
    position: Position = Connect4().start()
    while position.outcome is None:
        if position.ply >= 2 and position.ply % 2 == number % 2:
            seen = agent.explain(position)
            if set(seen.values.values()) == {-FOUR}:
                return position
        mover = agent if position.ply % 2 == number % 2 else opponent
        if position.ply < 2:
            position = position.play(rng.choice(position.legal_moves()))
        else:
            position = position.play(mover.choose(position, rng=rng).move)
    return None


def _wins(position: Position) -> set[int]:
    """The columns in which the opponent would win at once if it were to move."""
    found = set()
    for move in position.legal_moves():
        for other in position.legal_moves():
            if other == move:
                continue
            after = position.play(other)
            if after.outcome is None and move in after.legal_moves():
                end = after.play(move).outcome
                if end is not None and end.winner is not None:
                    found.add(int(move))
    return found


def _plies(position: Position, agent: Agent, opponent: Agent, rng: Random) -> int:
    began, side = position.ply, position.to_move
    while position.outcome is None:
        mover = agent if position.to_move is side else opponent
        position = position.play(mover.choose(position, rng=rng).move)
    return position.ply - began
