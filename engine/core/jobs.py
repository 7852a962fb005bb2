"""One piece of work for the engine, as a plain value that any process can take and answer.

A job holds everything its answer depends on, including the seed. A `Stop` is not part of it: the
flag belongs to the process that searches.

Which engine this is: processes that share work must have the same one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from engine.core.agent import Agent
from engine.core.analysis import SearchResult
from engine.core.compiled import sources_digest
from engine.core.game import Game, Move, Player, Position, replay
from engine.core.limits import Limit, Stop
from engine.core.position_code import position_of
from engine.core.registry import game_of, games
from engine.strength.agent import Strength
from engine.strength.dial import RatedOpponent
from engine.strength.judging import Judgement, judge
from engine.strength.ladder import OnLadder, ladder_of
from engine.strength.perfect import Perfect
from engine.strength.roster import nearest_agent
from engine.study import analysis as analysing
from engine.study.analysis import Analysed, Line, analysed, best_line
from engine.study.explaining import Explained, explained
from engine.study.hints import Adviser
from engine.study.review import SECONDS, Review, review

HINTS = Adviser()
"""The agent that gives hints, proven ones wherever time allows."""


@dataclass(frozen=True, slots=True)
class ChooseMove:
    """Find the move that an agent makes."""

    agent: str
    """The name it is stored under. If no agent has it any more, the nearest one moves."""
    opponent: float | None = None
    """The rating of whoever it plays, on the ladder of the game; None where nobody knows it. Only
    perfect play looks at it."""


@dataclass(frozen=True, slots=True)
class GiveHint:
    """Find a good move for a person."""


@dataclass(frozen=True, slots=True)
class JudgeGame:
    """Judge the moves of a finished game."""

    sides: tuple[int, ...] = (int(Player.FIRST), int(Player.SECOND))
    """Whose moves: 1, 2 or both."""


@dataclass(frozen=True, slots=True)
class Explain:
    """Say what an agent sees in the position, beside the exact values."""

    agent: str
    """The name it is stored under. If no agent has it any more, the nearest one is explained."""
    seconds: float = 1.0
    """How long proving the exact values may take."""


@dataclass(frozen=True, slots=True)
class ReviewGame:
    """Review the game so far, finished or not."""

    seconds: float = SECONDS
    """Of one core, counted in nodes."""


@dataclass(frozen=True, slots=True)
class ShowLine:
    """Find the best play from the position: what refutes the last move, or shows it was right."""

    seconds: float = 0.5
    """Of one core, counted in nodes."""


@dataclass(frozen=True, slots=True)
class AnalysePosition:
    """Find the value of every move of a position, and the best play from there."""

    code: str
    """The position's code. The job itself has no moves: a position may have been set up."""
    seconds: float = analysing.SECONDS
    """Of one core, counted in nodes."""


Task = ChooseMove | GiveHint | JudgeGame | Explain | ReviewGame | ShowLine | AnalysePosition

Answer = SearchResult | Judgement | Explained | Review | Line | Analysed


@dataclass(frozen=True, slots=True)
class SearchJob:
    """A game so far, and the question about it."""

    family: str
    variant: str
    moves: tuple[str, ...]
    """The game so far, each move as players write it."""
    task: Task
    seed: int = 0
    """All chance of the answer is drawn from this."""
    limit: Limit | None = None
    """What a search may take at most, where the agent would take more by itself.

    It caps the settings that the agent has: rungs have all three, perfect play has seconds, and the
    seed agents have a depth. A judgement has a fixed cost, a review and a line have limits of their
    own, as has an analysis; these take no limit.
    """


def answer(job: SearchJob, stop: Stop | None = None) -> Answer:
    """Do a job: find a move, or whatever else its task asks for.

    Raises KeyError or UnknownVariant for an unknown game, NotAMove or IllegalMove for moves that it
    does not allow, NotACode for such a code, and ValueError if a move or an analysis is wanted and
    the game is over.
    """
    if isinstance(job.task, JudgeGame):
        return judge_game(job)
    if isinstance(job.task, Explain):
        return explain(job, stop)
    if isinstance(job.task, ReviewGame):
        return review_game(job, stop)
    if isinstance(job.task, ShowLine):
        return show_line(job, stop)
    if isinstance(job.task, AnalysePosition):
        return analyse_position(job, stop)
    return find_move(job, stop)


def find_move(job: SearchJob, stop: Stop | None = None) -> SearchResult:
    """The move that a job asks for; raises as `answer`."""
    assert isinstance(job.task, ChooseMove | GiveHint), "nothing else is a move"
    game, moves = _game_and_moves(job)
    position = replay(game, moves)
    agent = HINTS if isinstance(job.task, GiveHint) else playing(job.task, game)
    if job.limit is not None:
        agent = within(job.limit, agent, position)
    return agent.choose(position, rng=Random(job.seed), stop=stop)


def playing(task: ChooseMove, game: Game) -> Agent:
    """The agent that is to move, with the opponent it was told of if it plays accordingly."""
    agent = nearest_agent(game, task.agent)
    rung = _on_its_rung(agent, game)
    if isinstance(rung, Perfect):
        return replace(rung, against=RatedOpponent(task.opponent))
    return agent


def regards_opponent(game: Game, agent: str) -> bool:
    """Whether the agent of a name plays according to its opponent's rating."""
    return isinstance(_on_its_rung(nearest_agent(game, agent), game), Perfect)


def judge_game(job: SearchJob) -> Judgement:
    """The judgement that a job asks for; raises as `answer`."""
    assert isinstance(job.task, JudgeGame), "only a judgement is one"
    game, moves = _game_and_moves(job)
    return judge(game, moves, job.task.sides)


def explain(job: SearchJob, stop: Stop | None = None) -> Explained:
    """What an agent sees in a position, which may be over; raises as `answer`."""
    assert isinstance(job.task, Explain), "only an explanation is one"
    game, moves = _game_and_moves(job)
    position, agent = replay(game, moves), nearest_agent(game, job.task.agent)
    if job.limit is not None:
        agent = within(job.limit, agent, position)
    return explained(agent, position, job.task.seconds, stop)


def review_game(job: SearchJob, stop: Stop | None = None) -> Review:
    """The review that a job asks for; raises as `answer`."""
    assert isinstance(job.task, ReviewGame), "only a review is one"
    game, moves = _game_and_moves(job)
    return review(game, moves, seconds=job.task.seconds, stop=stop)


def show_line(job: SearchJob, stop: Stop | None = None) -> Line:
    """The game so far and the best play after it; raises as `answer`."""
    assert isinstance(job.task, ShowLine), "only a line is one"
    game, moves = _game_and_moves(job)
    return best_line(game.start(), moves, seconds=job.task.seconds, stop=stop)


def analyse_position(job: SearchJob, stop: Stop | None = None) -> Analysed:
    """The analysis that a job asks for; raises as `answer`."""
    assert isinstance(job.task, AnalysePosition), "only an analysis is one"
    return analysed(position_of(job.task.code), seconds=job.task.seconds, stop=stop)


def parts_of(job: SearchJob) -> tuple[str, ...]:
    """The names of the compiled parts that doing a job may call; raises as `answer`."""
    package = games()[job.family]
    if isinstance(job.task, ChooseMove):
        game = game_of(job.family, job.variant)
        agent = _on_its_rung(nearest_agent(game, job.task.agent), game)
        if isinstance(agent, Strength) and not agent.knows:
            return package.part_names(for_search_only=True)
    return package.part_names()


def within(limit: Limit, agent: Agent, position: Position) -> Agent:
    """The agent with its settings capped at the limit."""
    agent = _on_its_rung(agent, position.game)
    settings: Any = agent
    own = {field.name for field in fields(settings)}
    capped: dict[str, Any] = {}
    for name, most in _most(limit).items():
        if name in own:
            wanted = getattr(agent, name)
            capped[name] = most if wanted is None else min(wanted, most)
    if "surely" in own and limit.depth is not None:
        capped["surely"] = min(settings.surely, limit.depth)
    changed: Agent = replace(settings, **capped)
    return changed


def _on_its_rung(agent: Agent, game: Game) -> Agent:
    """The agent behind a rung's name; any other agent is itself."""
    return ladder_of(game).nearest(agent.name).agent if isinstance(agent, OnLadder) else agent


def _most(limit: Limit) -> Mapping[str, float]:
    """The limits that are set, by name."""
    found = {field.name: getattr(limit, field.name) for field in fields(limit)}
    return {name: most for name, most in found.items() if most is not None}


def _game_and_moves(job: SearchJob) -> tuple[Game, list[Move]]:
    game = game_of(job.family, job.variant)
    return game, [game.parse(text) for text in job.moves]


SUFFIXES = (".py", ".csv", ".book")
"""Of the files that moves depend on: sources, ladders and books."""


@cache
def engine_digest() -> str:
    """A short hash of all that moves depend on, Numba's version included."""
    digest = hashlib.sha256(sources_digest().encode())
    folder = Path(__file__).parents[1]
    files = (file for file in folder.rglob("*") if file.suffix in SUFFIXES)
    # Sorted as text: paths sort differently from one system to another.
    for name in sorted(file.relative_to(folder).as_posix() for file in files):
        digest.update(name.encode())
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:12]
