"""The claims about Gato, the greedy tree and BOOM."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

from benchmarks.documents.ablation import FULL, Weighted, Weights
from benchmarks.documents.claims import Line, even, of_mean, of_scores
from benchmarks.seeds import against_rungs, rated, strongest_quick
from bot.settings import Settings
from engine.core.agent import Agent
from engine.core.game import Game, Move, Player, Position, replay
from engine.core.registry import game_called
from engine.games.boom.agents import Tokens
from engine.games.boom.kernel import count_sequences
from engine.games.boom.rules import Boom, BoomPosition
from engine.games.connect4.agents.greedy import Greedy
from engine.games.connect4.rules import Connect4
from engine.games.gato.agents import Lines
from engine.strength.ladder import ladder_of

GATO_GAMES, RATING_GAMES, ABLATION_GAMES, POSITIONS = 100, 20, 200, 10
DEPTHS = (4, 6, 8)


@cache
def gato(name: str, scale: float, seed: int) -> tuple[tuple[str, float, int, int, float], ...]:
    """The games of `lines` from both seats of the empty board: opponent, score and effort."""
    game, own = game_called("gato"), Lines(fixed=name == "lines")
    found = []
    others: Mapping[str, Agent | None] = {
        "random moves": None,
        **{rung.name: rung.agent for rung in ladder_of(game).rungs},
    }
    for title, other in others.items():
        for number in range(even(GATO_GAMES * scale)):
            rng = Random(f"{seed} {title} {number}")
            side = tuple(Player)[number % 2]
            position: Position = game.start()
            moves = nodes = 0
            seconds = 0.0
            while position.outcome is None:
                if position.to_move is side:
                    result = own.choose(position, rng=rng)
                    moves, nodes = moves + 1, nodes + result.nodes
                    seconds += result.seconds
                    move = result.move
                else:
                    move = _answer(other, position, rng)
                position = position.play(move)
            winner = position.outcome.winner
            score = 0.5 if winner is None else float(winner is side)
            found.append((title, score, moves, nodes, seconds))
    return tuple(found)


def _answer(agent: Agent | None, position: Position, rng: Random) -> Move:
    """The move of an agent, or a random one without an agent."""
    if agent is None:
        return rng.choice(position.legal_moves())
    return agent.choose(position, rng=rng).move


def gato_losses(scale: float, seed: int) -> Iterator[Line]:
    """Yield the losses of both programs against each opponent."""
    for name in ("lines-original", "lines"):
        games = gato(name, scale, seed)
        for title in dict.fromkeys(game[0] for game in games):
            lost = [float(score == 0) for other, score, *_ in games if other == title]
            yield of_scores(f"`{name}` loses against {title}, games", lost)


def gato_effort(scale: float, seed: int) -> Iterator[Line]:
    """Yield nodes and seconds per move of both programs."""
    for name in ("lines-original", "lines"):
        games = gato(name, scale, seed)
        per_move = [nodes / max(moves, 1) for *_, moves, nodes, _ in games]
        yield of_mean(f"`{name}` nodes per move, games", per_move, 0)
        moves, seconds = sum(game[2] for game in games), sum(game[4] for game in games)
        yield Line(f"`{name}` s per move, {moves:,} moves", f"{seconds / moves:.5f}")


def watched(scale: float, seed: int) -> Iterator[Line]:
    """Yield the longest thought of two programs, and the pace of the bot's watched games."""
    longest, rng = 0.0, Random(seed)
    Lines().choose(game_called("gato").start(), rng=rng)  # loads the compiled search
    for _ in range(even(10 * scale)):
        position: Position = game_called("gato").start()
        while position.outcome is None:
            began = time.perf_counter()
            position = position.play(Lines().choose(position, rng=rng).move)
            longest = max(longest, time.perf_counter() - began)
    yield Line("longest thought of `lines` against itself, s", f"{longest:.4f}")
    pace = Settings().watch_pace
    yield Line("the bot's pace, as edits are limited on Discord, s", f"{pace:g} (2 at least)")


def first_tree(_scale: float, _seed: int) -> Iterator[Line]:
    """Yield the nodes of the first search, with the root."""
    nodes = Greedy().explain(Connect4().start()).nodes
    yield Line("nodes of the first search, with the root", f"{nodes + 1:,}")


def example(_scale: float, _seed: int) -> Iterator[Line]:
    """Yield the move and the value after 4 4 5."""
    game = Connect4()
    for agent in (Greedy(fixed=False), Greedy()):
        seen = agent.explain(replay(game, game.moves("445")))
        move = seen.choices[0]
        yield Line(
            f"`{agent.name}` plays, and its value", f"{game.label(move)}, {seen.values[move]}"
        )


def greedy_rating(scale: float, seed: int) -> Iterator[Line]:
    """Yield the rating of `greedy` by games against the rungs of each ladder."""
    for board in ("5x4", "6x7", "8x8"):
        game = game_called(board)
        ladder = ladder_of(game)
        upto = strongest_quick(ladder)
        played = against_rungs(game, "greedy", upto, even(RATING_GAMES * scale), seed)
        results = []
        for one in played:
            own = 0 if one.pairing.first == "greedy" else 1
            rung = ladder.named((one.pairing.second, one.pairing.first)[own])
            results.append((rung.elo, one.points()[own]))
        elo, error = rated(results)
        easy, hard = (ladder.named(level).elo for level in ("easy", "hard"))
        title = f"{board}, where `easy` has {easy:.0f} and `hard` {hard:.0f}, {len(results)} games"
        yield Line(title, f"{elo:.0f}", f"± {error:.0f}")


def pruning(scale: float, seed: int) -> Iterator[Line]:
    """Yield the positions that minimax and alpha-beta visit from the same positions."""
    game, rng = Boom(), Random(seed)
    positions = [opening(game, rng, 3 * n) for n in range(max(1, round(POSITIONS * scale)))]
    for depth in DEPTHS:
        lengths = range(1, depth + 1)
        everything = sum(_sequences(p, length) for p in positions for length in lengths)
        visited = sum(Weighted(FULL, depth).choose(p).nodes for p in positions)
        tabled = sum(Tokens(depth).choose(p, rng=rng).nodes for p in positions)
        title = f"depth {depth}, {len(positions)} positions"
        yield Line(f"{title}: minimax, nodes", f"{everything:,}")
        share = f"{visited:,} ({100 * visited / everything:.2g} %)"
        yield Line(f"{title}: alpha-beta, nodes", share)
        yield Line(f"{title}: alpha-beta of `tokens` with its table, nodes", f"{tabled:,}")


def _sequences(position: Position, length: int) -> int:
    assert isinstance(position, BoomPosition)
    return count_sequences(position, length)


def opening(game: Game, rng: Random, moves: int) -> Position:
    """A position after this many random moves, none of which ends the game."""
    position = game.start()
    while position.ply < moves:
        quiet = [m for m in position.legal_moves() if position.play(m).outcome is None]
        position = position.play(rng.choice(quiet)) if quiet else game.start()
    return position


def ablations(scale: float, seed: int) -> Iterator[Line]:
    """Yield the score of the full evaluation against one without a term, from random openings."""
    without = {
        "the columns": Weights(column=0),
        "neighbours in line": Weights(reached=0),
        "the bomb's effect": Weights(bomb=0),
        "the end of the game": Weights(end=0),
    }
    game = game_called("boom")
    for term, weights in without.items():
        scores = []
        for number in range(even(ABLATION_GAMES * scale)):
            position = opening(game, Random(f"{seed} {number // 2}"), 5)
            side = tuple(Player)[number % 2]
            full, other = Weighted(FULL), Weighted(weights)
            while position.outcome is None:
                mover = full if position.to_move is side else other
                position = position.play(mover.choose(position).move)
            winner = position.outcome.winner
            scores.append(0.5 if winner is None else float(winner is side))
        yield of_scores(f"`tokens` against itself without {term} scores, games", scores)
