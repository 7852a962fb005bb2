"""Jobs as plain values, run in this process and in another one."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

import pytest

from engine.core.agent import Agent
from engine.core.analysis import SearchResult
from engine.core.game import IllegalMove, NotAMove, UnknownVariant, replay
from engine.core.jobs import Job, Task
from engine.core.limits import Limit, Stop
from engine.core.registry import game_of
from engine.strength.agent import Strength
from engine.strength.judging import JudgeGame, judge
from engine.strength.ladder import RungAgent, ladder_of
from engine.strength.perfect import Perfect
from engine.strength.roster import ChooseMove, adapts_to_opponent, agent_named, own_agents, within
from engine.study.analysis import AnalysePosition, ShowLine
from engine.study.explaining import Explain, explanation_of
from engine.study.hints import GiveHint
from engine.study.review import ReviewGame, review
from tests.builders import ROOT

MOVES = ("4", "4", "5")
TASKS: list[Task] = [ChooseMove("easy"), ChooseMove("window-2"), GiveHint(), JudgeGame((2,))]
TASKS += [Explain(name) for name in ("greedy", "tuples-3", "easy", "perfect")]
TASKS += [ReviewGame(0.1), ShowLine(0.1), AnalysePosition("15053", 0.1)]
ANSWER = """
import pickle, sys

jobs = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps([job.run() for job in jobs]))
"""


def job(task: Task, seed: int = 1, limit: Limit | None = None) -> Job:
    """A job about a game on the classic board that has just begun."""
    return Job("connect4", "6x7", MOVES, task, seed, limit)


@pytest.mark.parametrize("task", TASKS, ids=repr)
def test_a_job_is_a_plain_value(task: Task) -> None:
    """A pickled and unpickled job is equal to the original, and its answer can be pickled."""
    one = job(task, 3, Limit(depth=2, seconds=0.5))
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301
    found = one.run()
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301


def timeless(value: Any) -> Any:
    """Return an answer as plain values, without the seconds that it took."""
    if is_dataclass(value):
        return {
            f.name: timeless(getattr(value, f.name)) for f in fields(value) if f.name != "seconds"
        }
    if isinstance(value, Mapping):
        return {key: timeless(one) for key, one in value.items()}
    return [timeless(one) for one in value] if isinstance(value, tuple) else value


def test_another_process_gives_the_same_answers() -> None:
    """For every task, another process gives the same answer, except for the time taken."""
    jobs = [job(ChooseMove(name), seed) for name in ("easy", "rung-3", "greedy") for seed in (1, 2)]
    jobs = [replace(one, moves=(*MOVES, "3", "3")) for one in jobs]
    jobs.append(Job("gato", "4x4", ("a1", "b2"), ChooseMove("lines"), 7))
    jobs += [
        Job("connect4", "5x4", tuple("12123144"), task) for task in (ReviewGame(), JudgeGame())
    ]
    jobs += [job(task) for task in (GiveHint(), Explain("rung-3"), ShowLine(0.1), TASKS[-1])]
    done = subprocess.run(
        [sys.executable, "-c", ANSWER],
        input=pickle.dumps(jobs),
        capture_output=True,
        check=True,
        cwd=ROOT,
    )
    there = pickle.loads(done.stdout)  # noqa: S301
    for one, found in zip(jobs, there, strict=True):
        assert timeless(found) == timeless(one.run())


def test_running_games_come_first() -> None:
    """Moves have the highest priority, then hints, then lines; judging has the lowest."""
    order: list[type[Task]] = [ChooseMove, GiveHint, ShowLine, Explain, JudgeGame]
    priorities = [task.priority for task in order]
    assert priorities == sorted(set(priorities), reverse=True)
    assert ReviewGame.priority == AnalysePosition.priority == Explain.priority


@pytest.mark.parametrize("name", ["easy", "medium", "rung-2", "window-4", "greedy"])
def test_a_job_moves_as_its_agent_does(name: str) -> None:
    """A job for an agent's name gives the move of that agent."""
    game = game_of("connect4", "6x7")
    position = replay(game, game.moves("".join(MOVES)))
    for seed in range(5):
        chosen = agent_named("connect4", name).choose(position, rng=Random(seed))
        found = job(ChooseMove(name), seed).run()
        assert replace(found, seconds=0.0) == replace(chosen, seconds=0.0)


def test_a_hint_is_proven_if_possible() -> None:
    """The hint for a position in the opening book is proven."""
    found = job(GiveHint()).run()
    assert isinstance(found, SearchResult)
    assert found.proven


def test_a_job_of_an_unknown_rung_is_done_by_the_nearest() -> None:
    """A job for a rung that the ladder no longer has is done by the strongest rung."""
    strongest = job(ChooseMove("perfect")).run()
    assert job(ChooseMove("rung-99")).run().score.points == strongest.score.points
    stranger, medium = (job(ChooseMove(name), 4).run() for name in ("nobody", "medium"))
    assert stranger.move == medium.move


def test_perfect_play_adapts_to_the_opponents_rating() -> None:
    """Perfect play chooses among equal moves by the opponent's rating in the job."""
    moves = tuple("22344221311")
    for elo, move in ((1200.0, 1), (900.0, 2), (None, 1)):
        for name in ("perfect", "rung-12"):
            task = ChooseMove(name, elo)
            assert Job("connect4", "5x4", moves, task, 3).run().move == move


def test_only_perfect_play_adapts_to_the_opponent() -> None:
    """Only perfect play, also by its rung number, adapts to the opponent."""
    game = game_of("connect4", "6x7")
    assert adapts_to_opponent(game, "perfect")
    assert adapts_to_opponent(game, "rung-17")
    assert not any(adapts_to_opponent(game, name) for name in ("expert", "rung-3", "window-2"))


def test_a_judgement_is_that_of_the_judge() -> None:
    """A judging job gives the judgement of both sides, or of the one requested."""
    game = game_of("connect4", "5x4")
    moves = ("1", "2", "1", "2", "3", "1", "4", "4")
    whole = Job("connect4", "5x4", moves, JudgeGame())
    both = judge(game, game.moves("".join(moves)))
    assert whole.run().losses == both.losses
    second = replace(whole, task=JudgeGame((2,))).run()
    assert second.losses[1::2] == both.losses[1::2]
    assert second.losses[::2] == (None,) * 4


def test_a_review_is_that_of_the_reviewer() -> None:
    """A review job gives the review of the moves so far within the task's time."""
    game, moves = game_of("connect4", "5x4"), tuple("12123144")
    found = Job("connect4", "5x4", moves, ReviewGame()).run()
    expected = review(game, game.moves("".join(moves)))
    assert [one.losses for one in found.moves] == [one.losses for one in expected.moves]
    brief = Job("connect4", "8x8", moves, ReviewGame(seconds=0.01)).run()
    assert not any(one.analysis.proven for one in brief.moves)


def test_a_line_begins_with_the_game_so_far() -> None:
    """The line of a job begins with the game so far and continues with the refutation."""
    wrong = Job("connect4", "6x7", tuple("414247"), ShowLine(seconds=20))
    found = wrong.run()
    assert found.proven
    assert found.moves == (3, 0, 3, 1, 3, 6, 3)


def test_an_explanation_includes_the_exact_values() -> None:
    """An explanation has the agent's own values beside the proven ones."""
    found = job(Explain("greedy")).run()
    game = game_of("connect4", "6x7")
    position = replay(game, game.moves("".join(MOVES)))
    assert found.explanation == explanation_of(agent_named("connect4", "greedy"), position)
    assert found.exact is not None
    assert found.exact.proven
    assert set(found.exact.scores) == set(found.explanation.values) == set(range(7))


def test_unprovable_positions_have_no_exact_values() -> None:
    """Without a solver, or if proving takes too long, an explanation has no exact values."""
    for one in (
        Job("boom", "7x7", ("4",), Explain("tokens")),
        Job("connect4", "8x8", (), Explain("rung-3", seconds=0.1)),
    ):
        found = one.run()
        assert found.exact is None
        assert found.explanation.values


def test_perfect_play_explains_itself_by_the_proof() -> None:
    """Perfect play explains itself by a single proof; a finished game has no values."""
    found = Job("gato", "4x4", ("a1",), Explain("perfect")).run()
    assert found.exact is not None
    assert dict(found.explanation.values) == dict(found.exact.scores)
    over = Job("connect4", "6x7", tuple("1212121"), Explain("perfect")).run()
    assert (dict(over.explanation.values), over.exact) == ({}, None)


def test_a_set_stop_ends_a_job_at_once() -> None:
    """A job with a stop that is set ends at once."""
    stop = Stop()
    stop.set()
    free = Job("connect4", "8x8", (), ChooseMove("perfect"))
    assert free.run(stop).depth == 1


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"family": "chess"}, KeyError),
        ({"variant": "9x9"}, UnknownVariant),
        ({"moves": ("x",)}, NotAMove),
        ({"moves": ("1",) * 7}, IllegalMove),
        ({"moves": tuple("1212121")}, ValueError),
    ],
    ids=repr,
)
def test_an_invalid_job_is_refused(wrong: dict[str, object], error: type[Exception]) -> None:
    """Unknown games, illegal moves and moves after the end raise the documented errors."""
    with pytest.raises(error):
        replace(job(ChooseMove("easy")), **wrong).run()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("agent", "limit", "capped"),
    [
        (Perfect(), Limit(seconds=0.5), Perfect(seconds=0.5)),
        (Perfect(), Limit(seconds=5), Perfect()),
        (
            Strength("s", depth=9, surely=3),
            Limit(depth=2, seconds=0.1, nodes=50),
            Strength("s", depth=2, surely=2, nodes=50, seconds=0.1),
        ),
        (Strength("s", depth=9, nodes=20), Limit(nodes=50), Strength("s", depth=9, nodes=20)),
        (own_agents("connect4")["window-6"], Limit(depth=4), own_agents("connect4")["window-4"]),
        (own_agents("connect4")["greedy"], Limit(seconds=1), own_agents("connect4")["greedy"]),
    ],
    ids=repr,
)
def test_limits_come_on_top(agent: Agent, limit: Limit, capped: Agent) -> None:
    """A job's limit caps the agent's own limits and never raises them."""
    assert within(limit, agent, game_of("connect4", "6x7").start()) == capped


def test_limits_reach_the_rungs() -> None:
    """A level is limited like its rung on the game's ladder."""
    start = game_of("connect4", "6x7").start()
    easy = ladder_of(start.game).named("easy").agent
    assert isinstance(easy, Strength)
    limited = within(Limit(depth=2), RungAgent("easy"), start)
    assert limited == replace(easy, depth=2, surely=min(easy.surely, 2))
    assert job(ChooseMove("easy"), limit=Limit(depth=2)).run().depth <= 2
