"""The map of a position's threats: in a scene, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from bot.i18n import Translator
from engine.core.game import Player, Position, Square
from engine.core.registry import package_of
from engine.core.threat_map import MappedThreat, ThreatMap
from renderers import BoardScene, ThreatLegend, ThreatMark


@dataclass(frozen=True, slots=True)
class Side:
    """How a text calls one side."""

    person: str
    """`you`, `me` for Cuatro, or `other` for a player with a name."""
    name: str


Sides = Mapping[Player, Side]
"""How a text calls both sides."""


@dataclass(frozen=True, slots=True)
class ShownThreats:
    """The threats of a position as a reader sees them.

    `winner` is the side that is proven to win. A rule of thumb that contradicts this is left out.
    """

    position: Position
    found: ThreatMap
    winner: Player | None = None

    @property
    def favours(self) -> Player | None:
        """Whom the threats suit if both sides only fill up the board."""
        is_proven = self.found.decisive is not None
        is_denied = self.winner is not None and self.winner is not self.found.favours
        return None if is_denied and not is_proven else self.found.favours


def has_threat_map(position: Position) -> bool:
    """Whether a position has a map of threats: its game has one, and it is not over."""
    return package_of(position.game).threat_map is not None and position.outcome is None


def switch_words(say: Translator, *, is_on: bool) -> str:
    """The label of the button that marks the threats, or that hides them once they are marked."""
    return say("button.no_threats" if is_on else "button.threats")


def threats_of(position: Position, winner: Player | None = None) -> ShownThreats | None:
    """The threats of a position; None if it has no map of them.

    `winner` is the side that is proven to win, if one is.
    """
    found = package_of(position.game).threat_map_of(position)
    return None if found is None else ShownThreats(position, found, winner)


def marked_with_threats(
    scene: BoardScene, shown: ShownThreats, sides: Sides, say: Translator
) -> BoardScene:
    """The scene of a position with its threats marked, and whom they suit in its status.

    No hint is marked beside them.
    """
    threats = tuple(
        ThreatMark(one.square, one.players, one.is_playable, one.is_odd)
        for one in shown.found.threats
    )
    signs = (say(f"threats.legend.{sign}") for sign in ("odd", "even", "now"))
    status = scene.status
    if shown.favours is not None:
        status = f"{status} {_favoured_words(shown, sides, say)}"
    return replace(
        scene,
        threats=threats,
        threat_legend=None if scene.row_labels else ThreatLegend(*signs),
        status=status,
        hint=frozenset(),
    )


def threat_words(shown: ShownThreats, sides: Sides, say: Translator) -> str:
    """The threats of both sides and whom they suit, in a line of Markdown; names are escaped."""
    return " ".join(_sentences(shown, sides, say))


def _sentences(shown: ShownThreats, sides: Sides, say: Translator) -> Iterator[str]:
    if not shown.found.threats:
        yield say("threats.none")
    for player in Player:
        own = [one for one in shown.found.threats if player in one.players]
        if own:
            side, places = sides[player], "; ".join(_place(shown, one, say) for one in own)
            yield say(f"threats.of.{side.person}", name=side.name, places=places)
    if shown.favours is not None:
        yield _favoured_words(shown, sides, say)


def _favoured_words(shown: ShownThreats, sides: Sides, say: Translator) -> str:
    assert shown.favours is not None, "the threats suit somebody"
    side, square = sides[shown.favours], shown.found.decisive
    if square is None:
        return say(f"threats.usual.{side.person}", name=side.name)
    place = _square(shown.position, square, say)
    return say(f"threats.proven.{side.person}", name=side.name, place=place)


def _place(shown: ShownThreats, one: MappedThreat, say: Translator) -> str:
    """A square, and whether it can be filled now or in which kind of row it waits."""
    place = _square(shown.position, one.square, say)
    if one.is_odd is None:
        return place
    kind = "now" if one.is_playable else "odd" if one.is_odd else "even"
    return say(f"threats.{kind}", place=place)


def _square(position: Position, square: Square, say: Translator) -> str:
    """A square as players count: by column and row, or by its name."""
    game = position.game
    if game.row_names:
        return game.column_names[square.column] + game.row_names[square.row]
    row = len(position.cells()) - square.row
    return say("threats.square", column=game.column_names[square.column], row=say.number(row))
