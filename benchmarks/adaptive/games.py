"""Real games of every style against every rung, and how strong each style is by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.adaptive.characters import PLAYERS
from benchmarks.kept_games import lines_in, played
from benchmarks.oversights import overlooked_by
from benchmarks.seeds import rated
from engine.core.agent import Agent
from engine.core.game import Game, Move, Player
from engine.core.registry import game_called
from engine.strength.elo import expected
from engine.strength.judging import judge, losses_of, quality
from engine.strength.ladder import Ladder, Rung, ladder_of

BOARDS = ("connect4:6x7", "connect4:5x4", "connect4:8x8", "boom:7x7", "gato:4x4")
NEAR = 420.0
"""Distance in Elo points within which a rung is near a style, so that careers include it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game to be played; the style moves first in games with an even number."""

    board: str
    style: str
    rung: int
    number: int
    seed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The score of the style in a game, and the quality of its moves."""

    board: str
    style: str
    rung: int
    number: int
    score: float
    plies: int
    value: float | None
    """The quality of the style's moves as the bot judges it; None for too few of them."""
    settings: str
    """Settings of the style and the rung, to recognise games against an older rung."""
    missed_win: bool | None = None
    """Whether the rung could once have won at once, and did not; None in older files."""

    @property
    def is_first(self) -> bool:
        """Whether the style moved first."""
        return self.number % 2 == 0


def settings_of(style: str, rung: Rung) -> str:
    """The settings that determine a game together with its seed."""
    return f"{PLAYERS[style]!r} {rung.agent!r}"


def play(wanted: Wanted) -> Outcome:
    """Play one game and judge the style's moves."""
    game = game_called(wanted.board)
    ladder = ladder_of(game)
    rung = ladder.rungs[ladder.place_of(wanted.rung)]
    side = Player.FIRST if wanted.number % 2 == 0 else Player.SECOND
    rng = Random(f"{wanted.seed} {wanted.board} {wanted.style} {wanted.rung} {wanted.number}")
    score, moves = contest(game, wanted.style, rung.agent, side, rng)
    value = quality(losses_of(judge(game, moves, (side,)), side), trimmed=True)
    settings = settings_of(wanted.style, rung)
    place = (wanted.board, wanted.style, wanted.rung, wanted.number)
    missed = missed_a_win(game, moves, side.other)
    return Outcome(*place, score, len(moves), value, settings, missed)


def missed_a_win(game: Game, moves: Sequence[Move], side: Player) -> bool:
    """Return whether a side could have won with one of its moves and made another."""
    position = game.start()
    for move in moves:
        if position.to_move is side and ("win", "all", True) in overlooked_by(position, move):
            return True
        position = position.play(move)
    return False


def contest(
    game: Game, style: str, agent: Agent, side: Player, rng: Random
) -> tuple[float, list[Move]]:
    """Play a game with the style on one side; returns its score and the moves."""
    position, moves = game.start(), list[Move]()
    while position.outcome is None:
        if position.to_move is side:
            moves.append(PLAYERS[style].choose(position, rng))
        else:
            moves.append(agent.choose(position, rng=rng).move)
        position = position.play(moves[-1])
    winner = position.outcome.winner
    return (0.5 if winner is None else float(winner is side)), moves


def collect(wanted: Iterable[Wanted], file: Path, processes: int) -> Iterator[Outcome]:
    """Yield all outcomes: those in the file, then the others as they are played and appended."""
    known = {(one.style, one.rung, one.number): one for one in known_outcomes(file)}
    missing = []
    for one in wanted:
        found = known.get((one.style, one.rung, one.number))
        if found is None:
            missing.append(one)
        else:
            yield found
    if missing:
        for _, outcome in played(play, missing, file, processes, _cells):
            yield outcome


def _cells(_wanted: Wanted, outcome: Outcome) -> dict[str, Any]:
    return asdict(outcome)


def known_outcomes(file: Path) -> list[Outcome]:
    """The outcomes in a file, of games with the present settings."""
    return [one for one in (Outcome(**cells) for cells in lines_in(file)) if _is_current(one)]


def _is_current(outcome: Outcome) -> bool:
    ladder = ladder_of(game_called(outcome.board))
    rungs = {rung.number: rung for rung in ladder.rungs}
    if outcome.style not in PLAYERS or outcome.rung not in rungs or outcome.missed_win is None:
        return False
    return outcome.settings == settings_of(outcome.style, rungs[outcome.rung])


def plan(
    board: str,
    styles: Iterable[str],
    seed: int,
    games: int,
    probes: int,
    known: Mapping[str, float],
) -> list[Wanted]:
    """The games to play: `probes` for every style and rung, but `games` for near ones.

    A rung is near if it is within NEAR of the style's rating in `known`, if it has one there. Far
    rungs need fewer games, since their results are predictable.
    """
    wanted = []
    for style in styles:
        for rung in ladder_of(game_called(board)).rungs:
            near = style in known and abs(known[style] - rung.elo) < NEAR
            count = games if near else probes
            wanted += [Wanted(board, style, rung.number, n, seed) for n in range(count)]
    return wanted


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong a style is: a rating, and how much better it scores when it moves first."""

    elo: float
    head_start: float
    """Elo points between its two seats."""

    def expected_score(self, elo: float, *, is_first: bool) -> float:
        """The expected score against an opponent of this rating."""
        seat = self.head_start / 2 if is_first else -self.head_start / 2
        return float(expected(self.elo + seat - elo))


def strength(outcomes: Sequence[Outcome], ladder: Ladder) -> Strength:
    """The most likely strength of a style, by its games against rungs of known rating.

    One fictitious draw against each end of the ladder keeps it finite.
    """
    ends = [(rung.elo, 0.5) for rung in (ladder.rungs[0], ladder.rungs[-1])]
    by_seat = []
    for is_first in (True, False):
        own = [one for one in outcomes if one.is_first is is_first]
        known = [(ladder.rungs[ladder.place_of(one.rung)].elo, one.score) for one in own]
        by_seat.append(rated(known + ends)[0])
    first, second = by_seat
    return Strength((first + second) / 2, first - second)


def by_style(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """The outcomes of each style."""
    found: dict[str, list[Outcome]] = {style: [] for style in PLAYERS}
    for one in outcomes:
        found[one.style].append(one)
    return found


def strengths(outcomes: Iterable[Outcome], ladder: Ladder) -> dict[str, Strength]:
    """The strength of every style that has played."""
    return {style: strength(own, ladder) for style, own in by_style(outcomes).items() if own}
