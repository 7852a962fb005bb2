"""The levels of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

from engine.agents import Agent
from engine.connect4 import Connect4
from engine.game import Game, Move, Player, Position, replay
from engine.levels import LEVELS, Level
from engine.perfect import Perfect
from engine.search import Limit, Stop

Wander = Callable[[Game, Random, int], Position]
CAREFUL = [name for name in LEVELS if name != "easy"]
SEARCHING = {name: level for name, level in LEVELS.items() if isinstance(level, Level)}


def brisk(name: str) -> Agent:
    """A level as it is, but for its time: experts get 5,000 nodes, and proofs a moment."""
    if name == "perfect":
        return Perfect(seconds=0.02)
    level = SEARCHING[name]
    if level.limit.seconds is None:
        return level
    return Level(name, Limit(nodes=5000), level.noise, level.slip)


def wins(position: Position) -> list[Move]:
    """The moves that win at once."""
    found = []
    for move in position.legal_moves():
        outcome = position.play(move).outcome
        if outcome is not None and outcome.winner is not None:
            found.append(move)
    return found


def parries(position: Position) -> list[Move]:
    """The moves after which the opponent cannot win at once."""
    after = {move: position.play(move) for move in position.legal_moves()}
    return [move for move, then in after.items() if then.outcome is not None or not wins(then)]


def wandered(wander: Wander, count: int) -> Iterator[Position]:
    """Random positions that go on, on boards of every size."""
    rng = Random(99)
    while count:
        game = Connect4.from_variant(rng.choice(Connect4.SIZES))
        position = wander(game, rng, rng.randrange(4, 30))
        if position.outcome is None:
            count -= 1
            yield position


def test_levels_are_ordered_by_strength() -> None:
    """There are five levels, stored by name from the weakest to the strongest."""
    assert list(LEVELS) == ["easy", "medium", "hard", "expert", "perfect"]
    assert all(level.name == name for name, level in LEVELS.items())


def test_only_the_weakest_slips() -> None:
    """Up to hard, each level looks further and strays less; only easy moves without looking."""
    looks = [SEARCHING[name].limit.depth or 0 for name in ("easy", "medium", "hard")]
    noises = [level.noise for level in SEARCHING.values()]
    assert looks == sorted(set(looks))
    assert noises == sorted(set(noises), reverse=True)
    assert [name for name, level in SEARCHING.items() if level.slip] == ["easy"]


@pytest.mark.parametrize("name", CAREFUL)
def test_a_win_in_one_is_taken(name: str, wander: Wander) -> None:
    """From medium up, a level that can win at once does."""
    level, rng, seen = brisk(name), Random(1), 0
    for position in wandered(wander, 600):
        winning = wins(position)
        if winning:
            seen += 1
            assert level.choose(position, rng=rng).move in winning
    assert seen > 100


@pytest.mark.parametrize("name", CAREFUL)
def test_a_threat_is_parried(name: str, wander: Wander) -> None:
    """From medium up, a level lets nobody win at once where that can be prevented."""
    level, rng, seen = brisk(name), Random(1), 0
    for position in wandered(wander, 600):
        safe = parries(position)
        if not wins(position) and 0 < len(safe) < len(position.legal_moves()):
            seen += 1
            assert level.choose(position, rng=rng).move in safe
    assert seen > 100


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_is_an_agent_that_moves_legally(name: str, wander: Wander) -> None:
    """Whatever a level decides is a legal move, and its line begins with it."""
    agent: Agent = brisk(name)
    rng = Random(4)
    for position in wandered(wander, 150):
        result = agent.choose(position, rng=rng)
        assert result.move in position.legal_moves()
        assert result.line[0] == result.move
    assert agent.name == name


def test_a_slip_is_any_legal_move() -> None:
    """A level that always slips moves evenly at random, without a search."""
    careless, rng = Level("careless", Limit(depth=2), slip=1.0), Random(8)
    game = Connect4(4, 5)
    position = replay(game, game.moves("1111"))
    results = [careless.choose(position, rng=rng) for _ in range(2000)]
    assert {(result.score, result.depth, result.nodes) for result in results} == {(0, 0, 0)}
    counts = Counter(result.move for result in results)
    assert counts.keys() == {1, 2, 3, 4}
    assert all(abs(count - 500) < 80 for count in counts.values())


def test_easy_slips_about_once_in_five() -> None:
    """The weakest level moves without looking as often as it says."""
    position, rng = Connect4().start(), Random(8)
    easy = SEARCHING["easy"]
    slips = sum(easy.choose(position, rng=rng).depth == 0 for _ in range(2000))
    assert abs(slips / 2000 - easy.slip) < 0.04


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_levels_vary_their_play_repeatably(name: str) -> None:
    """The same seed gives the same move again, and other seeds other moves."""
    position = Connect4().start()
    runs = [
        [LEVELS[name].choose(position, rng=Random(seed)).move for seed in range(12)]
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert len(set(runs[0])) > 1


def test_experts_take_the_time_they_have() -> None:
    """The strongest level that never proves is limited by time alone, and can move at once."""
    stop = Stop()
    stop.set()
    expert = SEARCHING["expert"]
    assert (expert.limit.depth, expert.limit.nodes) == (None, None)
    assert expert.limit.seconds is not None
    result = expert.choose(Connect4(8, 8).start(), rng=Random(1), stop=stop)
    assert result.depth == 1


@pytest.mark.parametrize(("weak", "strong"), [("easy", "medium"), ("medium", "hard")])
def test_each_level_clearly_beats_the_one_below(weak: str, strong: str) -> None:
    """Over 40 games with alternating colours, a level scores 65 % or more against the next."""
    score, games = 0.0, 40
    for number in range(games):
        stronger = Player(1 + number % 2)
        rng, position = Random(number), Connect4().start()
        while position.outcome is None:
            name = strong if position.to_move is stronger else weak
            position = position.play(LEVELS[name].choose(position, rng=rng).move)
        winner = position.outcome.winner
        score += 0.5 if winner is None else float(winner is stronger)
    assert score / games >= 0.65
