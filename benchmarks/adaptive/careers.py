"""Careers of thirty games under different rules for the opponent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from benchmarks.adaptive.games import Outcome
from benchmarks.adaptive.people import Kind
from bot.ratings.glicko import WIN, Opposition, after_game, is_provisional, limits_of, newcomer
from bot.ratings.levels import RecentResults, fitting_rung
from bot.ratings.rated import evidence_from
from engine.core.game import Game as EngineGame
from engine.core.game import Player
from engine.strength.ladder import Rung, ladder_of

GAMES = 30
JUDGED, RAISE_FROM, LOWER_TO = 5, 4, 1
"""The first seed's rule: how many games it looks at, from how many wins on it raises the level, and
up to how many it lowers it."""
SEED_LEVELS = ("easy", "medium", "hard")

Games = Callable[[str, Rung, Player], Outcome]
"""Plays or draws a game of a style against a rung, from a seat."""


class Rule(Protocol):
    """A rule that chooses opponents and is given every result."""

    @property
    def is_unsure(self) -> bool:
        """Whether it knows little of the player yet."""

    def next(self, seat: Player) -> Rung:
        """Return the rung for the next game."""

    def note(self, rung: Rung, seat: Player, outcome: Outcome) -> None:
        """Take a result into account."""


class FiveGames:
    """The first seed's rule: the last five games move the level."""

    is_unsure = False

    def __init__(self, game: EngineGame) -> None:
        """Begin at the lowest level."""
        ladder = ladder_of(game)
        self._levels = [ladder.named(name) for name in SEED_LEVELS]
        self._level = 0
        self._last: list[float] = []

    def next(self, seat: Player) -> Rung:
        """Return the current level's rung."""
        return self._levels[self._level]

    def note(self, rung: Rung, seat: Player, outcome: Outcome) -> None:
        """Judge the last five games; they are forgotten when the level moves."""
        self._last = [*self._last, outcome.score][-JUDGED:]
        if len(self._last) < JUDGED:
            return
        wins = sum(score == WIN for score in self._last)
        step = (wins >= RAISE_FROM) - (wins <= LOWER_TO)
        moved = min(max(self._level + step, 0), len(self._levels) - 1)
        if moved != self._level:
            self._level, self._last = moved, []


class Fitting:
    """The bot's own rule: the rung that fits a rating."""

    def __init__(self, game: EngineGame) -> None:
        """Begin as a newcomer."""
        self._game, self._ladder = game, ladder_of(game)
        self._lately = RecentResults()
        self.rating = newcomer(self._ladder)

    @property
    def is_unsure(self) -> bool:
        """Whether the rating is provisional."""
        return is_provisional(self.rating)

    def next(self, seat: Player) -> Rung:
        """Return the rung that `auto` would choose."""
        return fitting_rung(self._ladder, self.rating, self._lately, seat)

    def note(self, rung: Rung, seat: Player, outcome: Outcome) -> None:
        """Rate the game as the bot does."""
        met = self._ladder.as_seated(rung.elo, is_first=seat is not Player.FIRST)
        evidence = None
        if outcome.value is not None:
            evidence = evidence_from(self._game, outcome.value, outcome.score, outcome.plies)
        within = limits_of(self._ladder)
        self.rating = after_game(self.rating, Opposition(met), outcome.score, evidence, within)
        losses = self._lately.losses + 1 if outcome.score == 0 else 0
        self._lately = RecentResults(rung.name, losses)


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a career."""

    style: str
    rung: Rung
    seat: Player
    score: float
    unsure: bool
    """Whether the rule knew little of the player before it."""
    rating: float
    """The player's before it; not a number under rules without ratings."""


Career = tuple[Game, ...]


def live(kind: Kind, rule: Rule, games: Games, rng: Random) -> Career:
    """A career of GAMES games; seats alternate, as in rematches, after a toss for the first."""
    seat, found = rng.choice(tuple(Player)), []
    for number in range(1, GAMES + 1):
        style = kind.styles[rng.random() < kind.share(number)]
        unsure, rung = rule.is_unsure, rule.next(seat)
        rating = rule.rating.value if isinstance(rule, Fitting) else float("nan")
        outcome = games(style, rung, seat)
        rule.note(rung, seat, outcome)
        found.append(Game(style, rung, seat, outcome.score, unsure, rating))
        seat = seat.other
    return tuple(found)


Table = Mapping[tuple[str, int, bool], Sequence[Outcome]]
"""The outcomes of a style against a rung, by whether the style moved first."""


def table_of(outcomes: Sequence[Outcome]) -> Table:
    """The outcomes of one board, sorted."""
    found: dict[tuple[str, int, bool], list[Outcome]] = {}
    for one in outcomes:
        found.setdefault((one.style, one.rung, one.is_first), []).append(one)
    return found


def drawn(
    kinds: Sequence[Kind], rule: Callable[[], Rule], table: Table, careers: int, seed: int
) -> dict[str, list[Career]]:
    """This many careers of every kind, their games drawn from real ones."""

    def career(kind: Kind, number: int) -> Career:
        rng = Random(f"{seed} {kind.name} {number}")

        def game(style: str, rung: Rung, seat: Player) -> Outcome:
            return rng.choice(table[style, rung.number, seat is Player.FIRST])

        return live(kind, rule(), game, rng)

    return {kind.name: [career(kind, number) for number in range(careers)] for kind in kinds}
