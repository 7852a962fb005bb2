"""Careers of thirty games, drawn from real games, under different rules for the opponent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.adaptive_games import Outcome, evidence
from benchmarks.adaptive_types import PlayerType
from bot.rating.difficulty import fitting_rung
from bot.rating.ratings import NEWCOMER, Opposition, after_game
from engine.ladder import Ladder

GAMES = 30
JUDGED, RAISE_FROM, LOWER_TO = 5, 4, 1
"""The seed's rule: how many games it looks at, from how many wins on it raises the level, and up to
how many it lowers it."""
SEED_LEVELS = ("easy", "medium", "hard")

Outcomes = Mapping[tuple[str, int], Sequence[Outcome]]


@dataclass(frozen=True, slots=True)
class Career:
    """One player's games: the score of each, and the rung it was against."""

    scores: tuple[float, ...]
    rungs: tuple[int, ...]
    """Their numbers."""


class Opponents:
    """A rule that chooses opponents and is given every result."""

    def next(self) -> int:
        """Return the number of the rung for the next game."""
        raise NotImplementedError

    def note(self, outcome: Outcome) -> None:
        """Take a result into account."""
        raise NotImplementedError


class FiveGames(Opponents):
    """The first seed's rule: the last five games, of all who share it, move the level."""

    def __init__(self, ladder: Ladder) -> None:
        """Begin at the lowest level."""
        self._levels = [ladder.named(name).number for name in SEED_LEVELS]
        self._level = 0
        self._last: list[float] = []

    def next(self) -> int:
        """Return the current level's rung."""
        return self._levels[self._level]

    def note(self, outcome: Outcome) -> None:
        """Judge the last five games; they are forgotten when the level moves."""
        self._last = [*self._last, outcome.score][-JUDGED:]
        if len(self._last) < JUDGED:
            return
        wins = sum(score == 1.0 for score in self._last)
        step = (wins >= RAISE_FROM) - (wins <= LOWER_TO)
        moved = min(max(self._level + step, 0), len(self._levels) - 1)
        if moved != self._level:
            self._level, self._last = moved, []


class Fitting(Opponents):
    """The bot's own rule: the rung that fits a Glicko-2 rating."""

    def __init__(self, ladder: Ladder, *, judged: bool = True) -> None:
        """Begin as a newcomer; with `judged`, the quality of moves counts as well."""
        self._ladder = ladder
        self._judged = judged
        self.rating = NEWCOMER
        self._last: str | None = None

    def next(self) -> int:
        """Return the rung that `auto` would choose."""
        rung = fitting_rung(self._ladder, self.rating, self._last)
        self._last = rung.name
        return rung.number

    def note(self, outcome: Outcome) -> None:
        """Rate the game as the bot does."""
        found = evidence(self._ladder, outcome) if self._judged else None
        elo = self._ladder.rungs[self._ladder.place_of(outcome.rung)].elo
        self.rating = after_game(self.rating, Opposition(elo), outcome.score, found)


def draw_career(
    player: PlayerType, opponents: Opponents, outcomes: Outcomes, rng: Random
) -> Career:
    """A career whose games are drawn from the real ones."""

    def game(style: str, rung: int) -> Outcome:
        return rng.choice(outcomes[style, rung])

    return live(player, opponents, game, rng)


def live(
    player: PlayerType,
    opponents: Opponents,
    game: Callable[[str, int], Outcome],
    rng: Random,
) -> Career:
    """A career of GAMES games; `game` plays or draws one by a style against a rung."""
    scores, rungs = [], []
    for number in range(1, GAMES + 1):
        style = player.styles[rng.random() < player.share(number)]
        rung = opponents.next()
        outcome = game(style, rung)
        opponents.note(outcome)
        scores.append(outcome.score)
        rungs.append(rung)
    return Career(tuple(scores), tuple(rungs))


def draw_together(
    players: Sequence[PlayerType], ladder: Ladder, outcomes: Outcomes, rng: Random
) -> list[Career]:
    """One career of every type, all at once under the seed's rule: they share the last games."""
    opponents = FiveGames(ladder)
    scores: list[list[float]] = [[] for _ in players]
    rungs: list[list[int]] = [[] for _ in players]
    order = list(range(len(players)))
    for number in range(1, GAMES + 1):
        rng.shuffle(order)
        for at in order:
            style = players[at].styles[rng.random() < players[at].share(number)]
            rung = opponents.next()
            outcome = rng.choice(outcomes[style, rung])
            opponents.note(outcome)
            scores[at].append(outcome.score)
            rungs[at].append(rung)
    return [Career(tuple(s), tuple(r)) for s, r in zip(scores, rungs, strict=True)]
