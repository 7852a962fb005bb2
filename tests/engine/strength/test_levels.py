"""The levels of play: named rungs of each game's ladder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from engine.core.agent import Agent
from engine.core.game import Game, Move, Player, Position
from engine.core.registry import game_called, game_of
from engine.core.registry import games as all_games
from engine.games.connect4.rules import Connect4
from engine.strength.agent import Strength
from engine.strength.ladder import ladder_of
from engine.strength.perfect import Perfect
from engine.strength.roster import LEVELS
from tests.builders import RandomPosition

pytestmark = pytest.mark.long

LADDERS = ("5x4", "6x7", "8x8", "gato", "boom")
"""A game of each ladder."""
CAREFUL = [name for name in LEVELS if name != "easy"]
ENOUGH = 4
"""Positions with a win, or with a threat that can be parried, in which each level is tried."""


def limited_rung(game: Game, name: str) -> Agent:
    """A rung with limited work: 2,000 positions at most, and hardly any proofs."""
    agent = ladder_of(game).named(name).agent
    if isinstance(agent, Perfect):
        return Perfect(seconds=0.02)
    assert isinstance(agent, Strength)
    return replace(agent, nodes=min(agent.nodes or 2000, 2000), knows=0.0)


def wins(position: Position) -> list[Move]:
    """The moves with which the player to move can still win in this turn."""
    found = []
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome is not None:
            if after.outcome.winner is position.to_move:
                found.append(move)
        elif after.to_move is position.to_move and wins(after):
            found.append(move)
    return found


def parries(position: Position) -> list[Move]:
    """The moves after which the turn can still end so that the opponent cannot win in theirs."""
    mover = position.to_move

    def is_safe(after: Position) -> bool:
        if after.outcome is not None:
            return after.outcome.winner is not mover.other
        if after.to_move is mover:
            return any(is_safe(after.play(move)) for move in after.legal_moves())
        return not wins(after)

    return [move for move in position.legal_moves() if is_safe(position.play(move))]


def random_positions(random_position: RandomPosition, text: str, count: int) -> Iterator[Position]:
    """Random positions of a game that are not over."""
    game, rng = game_called(text), Random(99)
    if isinstance(game, Connect4):
        most = min(30, game.rows * game.columns - 4)
    else:
        most = 13 if game.key == "gato" else 26
    while count:
        position = random_position(game, rng, rng.randrange(4, most))
        if position.outcome is None:
            count -= 1
            yield position


def test_there_are_five_levels() -> None:
    """The levels are stored by name from the weakest to the strongest."""
    assert list(LEVELS) == ["easy", "medium", "hard", "expert", "perfect"]
    assert all(level.name == name for name, level in LEVELS.items())


@pytest.mark.parametrize("family", all_games())
def test_every_level_is_a_rung_of_every_ladder(family: str) -> None:
    """On each variant of each game the levels are in order, the perfect one at the top."""
    for variant in all_games()[family].variants:
        ladder = ladder_of(game_of(family, variant))
        numbers = [ladder.named(name).number for name in LEVELS]
        assert numbers == sorted(set(numbers))
        assert ladder.named("perfect") is ladder.rungs[-1]


@pytest.mark.parametrize("text", LADDERS)
def test_levels_are_ordered_by_strength(text: str) -> None:
    """No level has less depth, more noise, more missed or fewer sure plies than the one below."""
    ladder = ladder_of(game_called(text))
    agents = [ladder.named(name).agent for name in LEVELS if name != "perfect"]
    settings = [agent for agent in agents if isinstance(agent, Strength)]
    assert len(settings) == 4
    for low, high in pairwise(settings):
        assert (low.depth, -low.noise, low.surely) <= (high.depth, -high.noise, high.surely)
        assert low.noise >= high.noise
        assert low.overlook >= high.overlook
        assert low.surely <= high.surely


@pytest.mark.parametrize("text", LADDERS)
@pytest.mark.parametrize("name", CAREFUL)
def test_a_win_in_one_turn_is_taken(name: str, text: str, random_position: RandomPosition) -> None:
    """From medium up, a level that can win in this turn does, also in two movements."""
    level, rng, seen = limited_rung(game_called(text), name), Random(1), 0
    for position in random_positions(random_position, text, 200):
        winning = wins(position)
        if winning:
            seen += 1
            assert level.choose(position, rng=rng).move in winning
        if seen == ENOUGH:
            break
    assert seen == ENOUGH


@pytest.mark.parametrize("text", LADDERS)
@pytest.mark.parametrize("name", CAREFUL)
def test_a_threat_is_parried(name: str, text: str, random_position: RandomPosition) -> None:
    """From medium up, a level prevents every win in one turn that can be prevented."""
    level, rng, seen = limited_rung(game_called(text), name), Random(1), 0
    for position in random_positions(random_position, text, 200):
        safe = [] if wins(position) else parries(position)
        if 0 < len(safe) < len(position.legal_moves()):
            seen += 1
            assert level.choose(position, rng=rng).move in safe
        if seen == ENOUGH:
            break
    assert seen == ENOUGH


@pytest.mark.parametrize("text", LADDERS)
def test_easy_mostly_sees_a_win_in_one_move(text: str, random_position: RandomPosition) -> None:
    """The weakest level takes most of the wins that are one move away."""
    game, rng = game_called(text), Random(2)
    taken, seen = 0, 0
    for position in random_positions(random_position, text, 120):
        after = {move: position.play(move).outcome for move in position.legal_moves()}
        winning = [m for m, end in after.items() if end and end.winner is position.to_move]
        if winning:
            seen += 1
            taken += limited_rung(game, "easy").choose(position, rng=rng).move in winning
    assert seen > 10
    assert taken / seen > 0.5


@pytest.mark.parametrize("text", LADDERS)
def test_every_rung_plays_legal_moves(text: str, random_position: RandomPosition) -> None:
    """Every rung makes a legal move, and its line begins with it."""
    game, rng = game_called(text), Random(4)
    for rung in ladder_of(game).rungs:
        agent = limited_rung(game, rung.name)
        for position in random_positions(random_position, text, 5):
            result = agent.choose(position, rng=rng)
            assert result.move in position.legal_moves()
            assert result.line[0] == result.move


@pytest.mark.parametrize("text", LADDERS)
@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_levels_vary_their_play_repeatably(name: str, text: str) -> None:
    """The same seed gives the same move again, and other seeds sometimes give other moves."""
    position, agent = game_called(text).start(), limited_rung(game_called(text), name)
    position = position.play(position.legal_moves()[0])
    runs = [[agent.choose(position, rng=Random(seed)).move for seed in range(12)] for _ in range(2)]
    assert runs[0] == runs[1]
    if name == "easy":
        assert len(set(runs[0])) > 1


@pytest.mark.parametrize(("weak", "strong"), [("easy", "medium"), ("medium", "hard")])
def test_each_level_clearly_beats_the_one_below(weak: str, strong: str) -> None:
    """Over 20 games with alternating colours, a level scores 65 % or more against the next.

    This holds for `hard` even with a hundredth of its work.
    """
    score, games = 0.0, 20
    for number in range(games):
        stronger = Player(1 + number % 2)
        rng, position = Random(number), Connect4().start()
        while position.outcome is None:
            name = strong if position.to_move is stronger else weak
            position = position.play(limited_rung(Connect4(), name).choose(position, rng=rng).move)
        winner = position.outcome.winner
        score += 0.5 if winner is None else float(winner is stronger)
    assert score / games >= 0.65
