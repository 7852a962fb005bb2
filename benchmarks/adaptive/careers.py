"""Careers of thirty games against opponents that `auto` chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from benchmarks.adaptive.characters import EXPERT
from benchmarks.adaptive.games import Outcome, Strength
from benchmarks.adaptive.people import Kind
from bot.ratings.glicko import (
    Opposition,
    after_game,
    expected,
    is_provisional,
    limits_of,
    newcomer,
)
from bot.ratings.levels import fitting_rung
from bot.ratings.rated import evidence_from
from engine.core.game import Game as EngineGame
from engine.core.game import Player
from engine.strength.ladder import Ladder, Rung, ladder_of

GAMES = 30
Games = Callable[[str, Rung, Player], Outcome]
"""Plays a game of a style against a rung, or draws it from played ones."""


class FittingRule:
    """The bot's rule for choosing opponents: the rung that fits the player's rating."""

    def __init__(self, game: EngineGame) -> None:
        """Begin with the rating of a new player."""
        self._game, self._ladder = game, ladder_of(game)
        self._losses = 0
        self.rating = newcomer(self._ladder)

    @property
    def is_unsure(self) -> bool:
        """Whether the rating is provisional."""
        return is_provisional(self.rating)

    def next(self, seat: Player) -> Rung:
        """Return the rung that `auto` would choose."""
        return fitting_rung(self._ladder, self.rating, self._losses, seat)

    def note(self, rung: Rung, seat: Player, outcome: Outcome) -> None:
        """Rate the game as the bot does."""
        met = self._ladder.adjusted_for_seat(rung.elo, is_first=seat is not Player.FIRST)
        evidence = None
        if outcome.value is not None:
            evidence = evidence_from(self._game, outcome.value, outcome.score, outcome.plies)
        within = limits_of(self._ladder)
        self.rating = after_game(self.rating, Opposition(met), outcome.score, evidence, within)
        self._losses = self._losses + 1 if outcome.score == 0 else 0


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a career."""

    style: str
    rung: Rung
    seat: Player
    score: float
    unsure: bool
    """Whether the rating was provisional before it."""
    rating: float
    """The player's rating before it."""
    missed_win: bool = False
    """Whether the opponent could once have won at once, and did not."""


Career = tuple[Game, ...]


def play_career(kind: Kind, rule: FittingRule, games: Games, rng: Random) -> Career:
    """Return a career of GAMES games; seats alternate as in rematches, after a random first one."""
    seat, found = rng.choice(tuple(Player)), []
    for number in range(1, GAMES + 1):
        style = kind.style_of(number, rng)
        unsure, rung = rule.is_unsure, rule.next(seat)
        rating = rule.rating.value
        outcome = games(style, rung, seat)
        rule.note(rung, seat, outcome)
        missed = bool(outcome.missed_win)
        found.append(Game(style, rung, seat, outcome.score, unsure, rating, missed))
        seat = seat.other
    return tuple(found)


Table = Mapping[tuple[str, int, bool], Sequence[Outcome]]
"""The outcomes of a style against a rung, by whether the style moved first."""


def table_of(outcomes: Sequence[Outcome]) -> Table:
    """The outcomes of one board by style, rung and seat."""
    found: dict[tuple[str, int, bool], list[Outcome]] = {}
    for one in outcomes:
        found.setdefault((one.style, one.rung, one.is_first), []).append(one)
    return found


@dataclass(frozen=True, slots=True)
class Climber(Kind):
    """A player who improves by GAIN points with each game, in the styles of these strengths."""

    ladder: tuple[tuple[float, str], ...] = ()
    """Styles and their ratings, the weakest first."""

    def style_of(self, number: int, rng: Random) -> str:
        """One of the two styles beside the present strength, the nearer one more often."""
        elo = self.ladder[0][0] + GAIN * (number - 1)
        for (low, weak), (high, strong) in pairwise(self.ladder):
            if elo <= high:
                return strong if rng.random() < (elo - low) / max(high - low, 1.0) else weak
        return self.ladder[-1][1]


GAIN = 20.0
"""Elo points per game."""


def climbers(known: Mapping[str, Strength]) -> tuple[Climber, ...]:
    """A climber from every style that leaves room for most of a career."""
    rising = sorted((strength.elo, style) for style, strength in known.items())
    room = GAIN * GAMES * 2 / 3
    found = []
    for place, (elo, style) in enumerate(rising):
        if elo + room <= rising[-1][0]:
            above = tuple(rising[place:])
            name, share = f"{style} climbs", lambda _game: 0.0
            found.append(Climber(name, (style, style), share, improves=True, ladder=above))
    return tuple(found)


def draw_careers(
    kinds: Sequence[Kind], game: EngineGame, table: Table, careers: int, seed: int
) -> dict[str, list[Career]]:
    """Return `careers` careers of every kind, whose games are drawn from played ones."""
    ladder = ladder_of(game)

    def career(kind: Kind, number: int) -> Career:
        rng = Random(f"{seed} {kind.name} {number}")

        def draw(style: str, rung: Rung, seat: Player) -> Outcome:
            if style == EXPERT:
                return _expert(ladder, rung, seat, rng)
            place = _played_rung(ladder, rung, rng)
            return rng.choice(table[style, place, seat is Player.FIRST])

        return play_career(kind, FittingRule(game), draw, rng)

    return {kind.name: [career(kind, number) for number in range(careers)] for kind in kinds}


def _played_rung(ladder: Ladder, rung: Rung, rng: Random) -> int:
    """The number of a rung with games: between two, one of these, the nearer one more often."""
    if not rung.is_between:
        return rung.number
    low, high = next(two for two in pairwise(ladder.rungs) if two[1].elo >= rung.elo)
    share = (rung.elo - low.elo) / (high.elo - low.elo)
    return (high if rng.random() < share else low).number


def _expert(ladder: Ladder, rung: Rung, seat: Player, rng: Random) -> Outcome:
    """A game by a player as strong as the last rung, with moves of its quality."""
    top = ladder.rungs[-1]
    met = ladder.adjusted_for_seat(rung.elo, is_first=seat is not Player.FIRST)
    score = float(rng.random() < expected(top.elo, met))
    moves = None if top.trimmed is None else rng.gauss(top.trimmed.mean, top.trimmed.deviation)
    value = None if moves is None else max(0.0, moves)
    return Outcome("", EXPERT, rung.number, int(seat is not Player.FIRST), score, 30, value, "")
