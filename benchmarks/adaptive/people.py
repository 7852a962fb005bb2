"""Simulated players, which are independent of the rungs of the ladders.

A rung overlooks single lines. These players make other mistakes: they notice or miss wins and
losses on the whole board at once, read to different depths, move at random or by habit, and have
weak openings, weak endgames, and good and bad days. No ladder was tuned with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from engine.core.game import Move, Position
from engine.core.limits import Limit
from engine.core.registry import package_of
from engine.core.search import analyse
from engine.core.values import is_decided, plies_to_end
from engine.strength.judging import FULL_MARGIN

NODES = 30_000
"""Node limit of a search."""
CERTAIN = 100.0
"""Value of a noticed win, in units of the evaluation's spread."""


@dataclass(frozen=True, slots=True)
class Person:
    """A style of play. Probabilities are per move; a turn of BOOM has two plies."""

    name: str
    turns: int = 1
    """Depth of their search in turns."""
    wins: float = 1.0
    """Probability to notice wins within this turn."""
    losses: float = 1.0
    """Probability to notice losses within the next turn."""
    far: float = 1.0
    """Probability to notice results further away."""
    noise: float = 0.3
    """Standard deviation of evaluations, in spreads of the evaluation."""
    middle: float = 0.2
    """Preference for each step towards the centre, in the same unit."""
    lapse: float = 0.0
    """Probability to move without a search."""
    worse: float = 0.0
    """The same in the opening or, if `tired`, after it."""
    tired: bool = False

    def choose(self, position: Position, rng: Random) -> Move:
        """Choose a move."""
        moves = list(position.legal_moves())
        centre = (len(moves) - 1) / 2
        liked = {m: -self.middle * abs(i - centre) for i, m in enumerate(moves)}
        if rng.random() < self._lapse_at(position):
            return max(moves, key=lambda move: liked[move] + rng.gauss(0, 1))
        family = package_of(position.game)
        turn = plies_of_a_turn(position)
        limit = Limit(depth=turn * self.turns, nodes=NODES)
        scores = analyse(position, limit, margin=FULL_MARGIN).scores
        sees = self._sees(rng)
        spread = family.judging.spread

        def value(move: Move) -> float:
            score = scores.get(move, 0)
            if is_decided(score):
                plies = plies_to_end(score, position.ply)
                certain = CERTAIN - plies if score > 0 else plies - CERTAIN
                seen = certain if sees(score > 0, plies, turn) else 0.0
            else:
                seen = score / spread
            return seen + liked[move] + rng.gauss(0, self.noise)

        return max(moves, key=value)

    def _lapse_at(self, position: Position) -> float:
        opening = position.ply < 12 * plies_of_a_turn(position)
        return max(self.lapse, self.worse if opening is not self.tired else 0.0)

    def _sees(self, rng: Random) -> Callable[[bool, int, int], bool]:
        """Draw what the player notices: a function of (is a win, plies, plies of a turn)."""
        win, loss, far = (rng.random() < rate for rate in (self.wins, self.losses, self.far))

        def sees(is_win: bool, plies: int, turn: int) -> bool:
            if is_win and plies <= turn:
                return win
            if not is_win and plies <= 2 * turn:
                return loss
            return far and (win if is_win else loss)

        return sees


def plies_of_a_turn(position: Position) -> int:
    """The number of plies of a turn."""
    return 2 if position.game.key == "boom" else 1


STYLES: dict[str, Person] = {
    person.name: person
    for person in (
        Person("first games", 2, wins=0.5, losses=0.2, noise=1.5, lapse=0.25),
        Person("own moves only", 1, wins=0.8, noise=1.0),
        Person("looks once", 1, lapse=0.1, noise=0.5),
        Person("child", 2, wins=0.7, losses=0.4, noise=1.2),
        Person("casual", 2, wins=0.85, losses=0.6, noise=1.0),
        Person("attacker", 2, wins=0.97, losses=0.55, noise=0.6),
        Person("defender", 2, wins=0.6, losses=0.95, noise=0.8),
        Person("careful beginner", 2, wins=0.95, losses=0.9, noise=1.0),
        Person("whimsical", 2, lapse=0.2, noise=0.7),
        Person("dreamer", 4, wins=0.95, losses=0.9, far=0.5, lapse=0.12),
        Person("steady", 3, wins=0.99, losses=0.96, far=0.6, noise=0.5),
        Person("tired", 4, wins=0.99, losses=0.97, worse=0.2, tired=True),
        Person("slow starter", 4, wins=0.99, losses=0.97, worse=0.4),
        Person("reader", 4, wins=0.99, losses=0.98, far=0.8, lapse=0.05),
        Person("regular", 5, far=0.9, lapse=0.02, noise=0.4),
        Person("club player", 6, lapse=0.01, noise=0.3),
        Person("strong", 8, noise=0.15),
        Person("very strong", 14, noise=0.05),
        Person("strong but careless", 8, losses=0.97, lapse=0.06, noise=0.2),
    )
}
"""All styles by name."""
BEYOND_PEOPLE = 6
"""Depth from which on a style plays like a program: printed, but not in the figures."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of player: which of two styles plays a game depends on its number in the career."""

    name: str
    styles: tuple[str, str]
    share: Callable[[int], float]
    """Probability that the second style plays game number n, counted from 1."""
    improves: bool = False

    is_human: bool = True
    """Whether it counts: programs are printed only."""

    def style_of(self, number: int, rng: Random) -> str:
        """The style in which game `number` is played."""
        return self.styles[rng.random() < self.share(number)]


IMPROVES_AFTER = 15
"""Games in the weaker style before a player improves."""


def steady_kinds() -> tuple[Kind, ...]:
    """A kind for every style, and one with good and bad days."""
    always = tuple(_always(name, is_human=_is_human(name)) for name in STYLES)
    return (*always, Kind("good and bad days", ("casual", "reader"), lambda _game: 0.5))


def _always(name: str, *, is_human: bool = True) -> Kind:
    return Kind(name, (name, name), lambda _game: 0.0, is_human=is_human)


def _is_human(style: str) -> bool:
    return STYLES[style].turns < BEYOND_PEOPLE


def improving(weak: str, strong: str) -> Kind:
    """A player who changes to a better style after IMPROVES_AFTER games."""
    share: Callable[[int], float] = lambda game: float(game > IMPROVES_AFTER)  # noqa: E731
    is_human = _is_human(weak) and _is_human(strong)
    styles, name = (weak, strong), f"{weak} becomes {strong}"
    return Kind(name, styles, share, improves=True, is_human=is_human)


def kinds_of(names: Iterable[str]) -> tuple[Kind, ...]:
    """A kind for each of these players, who always plays in the same style."""
    return tuple(map(_always, names))
