"""Hints: a move for a person, proven best if possible, and all proven values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter
from typing import ClassVar

from engine.core.analysis import Analysis, SearchResult
from engine.core.game import Game, Move, Position, replay, target
from engine.core.kernel import KernelKind
from engine.core.limits import Limit, Stop
from engine.core.registry import package_of
from engine.core.search import analyse
from engine.core.threat import Threat, ThreatKind
from engine.core.values import is_decided
from engine.strength.judging import FULL_MARGIN
from engine.strength.roster import within
from engine.study.advice import worth_saying

PROVING, DECIDING = 0.75, 0.2
"""The largest share of the time for the proof and, of what remains after it, the share for a search
of all moves: some of them are decided even if the best one is not."""

LEAST = 0.05
"""Minimum seconds for a search."""


@dataclass(frozen=True, slots=True)
class Adviser:
    """An agent that proves the value of every move or, failing that, searches."""

    seconds: float = 2.0
    """Seconds for a hint, proof and search together."""
    name: str = "hint"

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose a move, and find the values of all moves that can be proven.

        Of equal moves one with the weightiest reason is chosen, at random if there are several; in
        a lost position one that blocks a four of the other player comes first. Raises ValueError
        for a game that is over.
        """
        if position.outcome is not None:
            raise ValueError("the game is over: there is no move to search for")
        began = perf_counter()
        package = package_of(position)
        proof = package.prove_if_likely(position, seconds=PROVING * self.seconds, stop=stop)
        if proof is not None:
            chosen = _pick(position, proof, rng)
            exact = _decided(position, proof)
        else:
            left = max(self.seconds - (perf_counter() - began), LEAST)
            is_informed = package.named_best(position) or package.known_worse(position)
            # With a margin of 0 a search would leave out moves that it likes less.
            margin = FULL_MARGIN if is_informed else 0
            limit, kind = Limit(seconds=(1 - DECIDING) * left), KernelKind.FITTED
            found = analyse(position, limit, stop, margin, kind=kind)
            chosen = _pick(position, package.informed(position, found), rng)
            limit = Limit(seconds=DECIDING * left)
            every = analyse(position, limit, stop, FULL_MARGIN, kind=kind)
            exact = _decided(position, every, chosen)
        return replace(chosen, exact=exact, seconds=perf_counter() - began)


def _pick(position: Position, found: Analysis, rng: Random) -> SearchResult:
    """Choose at random among the best moves for which there is most to say.

    Where all lose, one that blocks a four comes first: the other player may overlook the win that
    is left, but not a four that was not blocked.
    """
    best, is_lost = sorted(found.best()), is_decided(found.top) and found.top < 0
    if is_lost:
        stopping = blocks(position)
        best = [move for move in best if move in stopping] or best
    if len(best) > 1:
        best = worth_saying(position, best, is_lost=is_lost)
    return found.result(rng.choice(best), position.to_move)


FOURS = (ThreatKind.THREAT, ThreatKind.DOUBLE, ThreatKind.TURN)
"""The threats of lines that the other player would complete in their next turn."""


def blocks(position: Position, threats: Iterable[Threat] | None = None) -> tuple[Move, ...]:
    """The moves onto squares where the other player would complete a line in their next turn.

    `threats` are those of the position; they are looked for if they are not given.
    """
    mover = position.to_move
    if threats is None:
        threats = package_of(position.game).threats_in(position)
    squares = {
        square
        for threat in threats
        if threat.kind in FOURS and threat.player is not mover
        for square in threat.squares
    }
    return tuple(move for move in position.legal_moves() if target(position, move) in squares)


def _decided(
    position: Position, found: Analysis, chosen: SearchResult | None = None
) -> tuple[tuple[Move, int], ...]:
    """Return the moves whose scores are exact, with these scores."""
    scores = {move: score for move, score in found.scores.items() if found.is_exact(move)}
    if chosen is not None and chosen.score.is_decided:
        scores[chosen.move] = chosen.score.points
    return tuple((move, scores[move]) for move in position.legal_moves() if move in scores)


HINTS = Adviser()
"""The agent that gives hints, proven ones if time allows."""


@dataclass(frozen=True, slots=True)
class GiveHint:
    """The task of finding a good move for a person."""

    priority: ClassVar[int] = 30
    takes_limit: ClassVar[bool] = True

    def run(
        self,
        game: Game,
        moves: Sequence[Move],
        *,
        seed: int,
        limit: Limit | None,
        stop: Stop | None,
    ) -> SearchResult:
        """Return the move, with the values of all moves that are proven."""
        position = replay(game, moves)
        adviser = HINTS if limit is None else within(limit, HINTS, position)
        return adviser.choose(position, rng=Random(seed), stop=stop)

    def parts(self, game: Game) -> tuple[str, ...]:
        """Return all compiled parts of the game."""
        return package_of(game).part_names()
