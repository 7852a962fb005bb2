"""Golden answers: moves of agents, judgements, reviews and analyses under node limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from random import Random
from typing import Any

from engine.core.analysis import Analysis
from engine.core.game import Game, Position
from engine.core.registry import game_called, games
from engine.strength.judging import judge
from engine.strength.ladder import ladder_of
from engine.strength.perfect import Perfect
from engine.strength.roster import agents_for
from engine.study.analysis import analyse_position
from engine.study.move_class import class_of
from engine.study.review import review
from tests.golden.fingerprint import of_value

GAMES = ("6x7", "5x4", "8x8", "gato", "boom")
MOVES_EACH = 6
"""Moves of every agent in every game."""
SECONDS = 0.1
"""Seconds of one core, counted in nodes."""


def lines() -> Iterator[str]:
    """Yield a line for each agent, judged game, reviewed game and analysed position."""
    for name in GAMES:
        game = game_called(name)
        yield from _moves(game)
        for number in range(4):
            played = _random_game(game, Random(f"judged {name} {number}"), 30)
            yield f"{_title(game)} judgement {number}: {of_value(_judgement(game, played))}"
        for number in range(2):
            played = _random_game(game, Random(f"reviewed {name} {number}"), 24)
            yield f"{_title(game)} review {number}: {of_value(_review(game, played))}"
            position = _after(game, played[: 8 + 4 * number])
            found = analyse_position(position, seconds=SECONDS)
            value = {**_analysis(found.analysis), "line": list(map(int, found.line.moves))}
            yield f"{_title(game)} analysis {number}: {of_value(value)}"


def _title(game: Game) -> str:
    return f"{game.key} {game.variant}"


def _moves(game: Game) -> Iterator[str]:
    """The moves of each agent in a random game, except perfect play, which depends on the clock."""
    positions = [
        _after(game, _random_game(game, Random(f"moves {game.key} {number}"), 3 + 2 * number))
        for number in range(MOVES_EACH)
    ]
    rungs = {rung.name: rung.agent for rung in ladder_of(game).rungs}
    own = {name: agent for name, agent in agents_for(game.key).items() if name not in rungs}
    for name, agent in (*rungs.items(), *own.items()):
        if isinstance(agent, Perfect) or game not in _played_by(name, game):
            continue
        chosen = []
        for number, position in enumerate(positions):
            result = agent.choose(position, rng=Random(number))
            chosen.append([int(result.move), result.score.points, result.depth])
        yield f"{_title(game)} {name}: {of_value(chosen)}"


def _played_by(name: str, game: Game) -> tuple[Game, ...]:
    """The games of an agent's golden moves: deep agents only play those in which they are quick."""
    slow = name in ("expert",) or (name.startswith("rung") and game.variant == "8x8")
    return () if slow else (game,)


def _judgement(game: Game, moves: list[Any]) -> Any:
    found = judge(game, moves)
    return [found.losses, [one and one.verdict and dict(one.verdict) for one in found.moves]]


def _review(game: Game, moves: list[Any]) -> Any:
    found = review(game, moves, seconds=SECONDS * 5)
    moved = [
        [int(one.move), one.before, one.after, str(class_of(one)), _analysis(one.analysis)]
        for one in found.moves
    ]
    turned = found.turning_point
    return [moved, None if turned is None else turned.ply, list(found.course)]


def _analysis(found: Analysis) -> dict[str, Any]:
    values = asdict(found)
    values.pop("seconds")
    if not found.in_book:
        values.pop("in_book")
    values["lines"] = {str(move): list(map(int, line)) for move, line in found.lines.items()}
    return values


def _random_game(game: Game, rng: Random, most: int) -> list[Any]:
    """Up to `most` moves of a random game that is not over before the last of them."""
    while True:
        position, moves = game.start(), list[Any]()
        while position.outcome is None and len(moves) < most:
            move = rng.choice(position.legal_moves())
            following = position.play(move)
            if following.outcome is not None and len(moves) + 1 < min(most, 10):
                break
            moves.append(move)
            position = following
        if len(moves) >= min(most, 10):
            return moves if position.outcome is None else moves[:-1]


def _after(game: Game, moves: list[Any]) -> Position:
    position = game.start()
    for move in moves:
        following = position.play(move)
        if following.outcome is not None:
            return position
        position = following
    return position


assert set(games()) == {"connect4", "gato", "boom"}, "every game has golden answers"
