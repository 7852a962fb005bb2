"""Real games of every style against every rung, and how strong each style is by them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random

from benchmarks.adaptive_types import styles
from bot.rating.evidence import evidence_from
from bot.rating.ratings import Evidence
from engine.agents import Agent
from engine.elo import expected
from engine.game import Move, Player
from engine.games import game_of
from engine.ladder import Ladder, ladder_of
from engine.quality import judge, losses_of, quality

GAME = game_of("connect4", "6x7")
NEAR = 450.0
"""A rung within this many Elo points of a style is near it: one that careers meet."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One game to be played; the style moves first in the first half of the numbers."""

    style: str
    rung: int
    number: int
    seed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The score of the style in a game, and the quality of its moves."""

    style: str
    rung: int
    number: int
    score: float
    value: float | None
    """The quality of the style's moves as the bot judges it; None for too few of them."""
    moves: str
    """The columns of all moves, for another judge to look at later."""
    settings: str
    """The rung's, so that games against a rung of an older ladder are not taken for new ones."""


def play(wanted: Wanted) -> Outcome:
    """Play one game and judge the style's moves."""
    ladder = ladder_of(GAME)
    style, rung = styles()[wanted.style], ladder.rungs[ladder.place_of(wanted.rung)].agent
    side = Player.FIRST if wanted.number % 2 == 0 else Player.SECOND
    text = f"{wanted.seed} {wanted.style} {wanted.rung} {wanted.number}"
    score, moves = contest(style, rung, side, Random(text))
    value = quality(losses_of(judge(GAME, moves, (side,)), side), trimmed=True)
    typed = "".join(map(GAME.label, moves))
    return Outcome(wanted.style, wanted.rung, wanted.number, score, value, typed, repr(rung))


def contest(style: Agent, rung: Agent, side: Player, rng: Random) -> tuple[float, list[Move]]:
    """Play a game with the style on a side; its points and the moves."""
    position, moves = GAME.start(), list[Move]()
    while position.outcome is None:
        agent = style if position.to_move is side else rung
        moves.append(agent.choose(position, rng=rng).move)
        position = position.play(moves[-1])
    winner = position.outcome.winner
    return (0.5 if winner is None else float(winner is side)), moves


def evidence(ladder: Ladder, outcome: Outcome) -> Evidence | None:
    """What the moves of a game say about strength on a ladder, as the bot sees it."""
    return None if outcome.value is None else evidence_from(ladder, outcome.value)


def collect(wanted: Iterable[Wanted], file: Path, processes: int) -> Iterator[Outcome]:
    """All outcomes: first those that the file holds, then the others as they are played.

    Each is appended to the file as a line of JSON, so that an interrupted run can go on.
    """
    wanted = list(wanted)
    known = {(one.style, one.rung, one.number): one for one in known_outcomes(file)}
    missing = [w for w in wanted if (w.style, w.rung, w.number) not in known]
    asked = {(w.style, w.rung, w.number) for w in wanted}
    yield from (one for key, one in known.items() if key in asked)
    with (
        ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool,
        file.open("a", encoding="utf-8") as log,
    ):
        for done in as_completed([pool.submit(play, one) for one in missing]):
            outcome = done.result()
            log.write(json.dumps(asdict(outcome)) + "\n")
            log.flush()
            yield outcome


def known_outcomes(file: Path) -> list[Outcome]:
    """The outcomes in a file of games against rungs that have not changed since."""
    settings = {rung.number: repr(rung.agent) for rung in ladder_of(GAME).rungs}
    return [one for one in read(file).values() if one.settings == settings.get(one.rung)]


def read(file: Path) -> dict[tuple[str, int, int], Outcome]:
    """The outcomes that a file holds."""
    if not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    found = [Outcome(**json.loads(line)) for line in lines]
    return {(one.style, one.rung, one.number): one for one in found}


def strength(outcomes: Sequence[Outcome], elos: Sequence[float], first: int = 1) -> float:
    """The most likely rating of a style, by its games against rungs of known rating.

    One fictitious draw against each end of the ladder keeps it finite. `elos` are the ratings of
    the rungs from number `first` on.
    """
    rated = [(elos[one.rung - first], one.score) for one in outcomes]
    rated += [(elos[0], 0.5), (elos[-1], 0.5)]
    low, high = elos[0] - 800, elos[-1] + 800
    for _ in range(60):
        middle = (low + high) / 2
        surplus = sum(score - float(expected(middle - elo)) for elo, score in rated)
        low, high = (middle, high) if surplus > 0 else (low, middle)
    return (low + high) / 2


def by_pair(outcomes: Iterable[Outcome]) -> Mapping[tuple[str, int], list[Outcome]]:
    """The outcomes of each style against each rung."""
    found: dict[tuple[str, int], list[Outcome]] = {}
    for one in outcomes:
        found.setdefault((one.style, one.rung), []).append(one)
    return found


def plan(seed: int, games: int, probes: int, known: Mapping[str, float]) -> list[Wanted]:
    """The games to play: `probes` for every style and rung, but `games` for near ones.

    A rung is near if it is within NEAR of the style's rating in `known`, if it has one there. Far
    rungs need fewer games: their results are a foregone conclusion.
    """
    wanted = []
    for style in styles():
        for rung in ladder_of(GAME).rungs:
            near = style in known and abs(known[style] - rung.elo) < NEAR
            count = games if near else probes
            wanted += [Wanted(style, rung.number, number, seed) for number in range(count)]
    return wanted
