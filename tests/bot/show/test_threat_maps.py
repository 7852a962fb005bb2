"""The map of threats in words, and the rule that words never contradict a proof."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.i18n import LANGUAGES, say_in
from bot.show.scenes import position_scene
from bot.show.threat_maps import ShownThreats, Side, marked_with_threats, threat_words, threats_of
from engine.core.game import Player, Position, Square
from engine.core.threat_map import ThreatMap
from tests.builders import after

SIDES = {Player.FIRST: Side("other", "Ana"), Player.SECOND: Side("me", "Cuatro")}


def shown(position: Position, winner: Player | None = None) -> ShownThreats:
    """The threats of a position."""
    found = threats_of(position, winner)
    assert found is not None
    return found


def test_each_sides_squares_are_named_with_their_rows() -> None:
    """Squares that can be played now are named so, others with the kind of their row."""
    position = after("connect4:6x7", "3434442352")
    english = threat_words(shown(position), SIDES, say_in("en"))
    assert english == (
        "Threats of Ana: column 5 row 4 (even). "
        "My threats: column 1 row 1 (now); column 5 row 5 (odd)."
    )
    spanish = threat_words(shown(position), SIDES, say_in("es"))
    assert spanish == (
        "Amenazas de Ana: columna 5 fila 4 (par). "
        "Mis amenazas: columna 1 fila 1 (ya); columna 5 fila 5 (impar)."
    )
    gato = threat_words(shown(after("gato:4x4", "a1b1a2b2a3b3")), SIDES, say_in("en"))
    assert gato == "Threats of Ana: a4. My threats: b4."
    none = threat_words(shown(after("gato:4x4", "")), SIDES, say_in("en"))
    assert none == "No square completes a four yet."


def test_a_quiet_board_says_whom_it_suits() -> None:
    """A rule of thumb and a proof follow the threats that they are about."""
    usual = threat_words(shown(after("connect4:6x7", "616435466")), SIDES, say_in("en"))
    assert usual == (
        "Threats of Ana: column 5 row 3 (odd). If the board just fills up, that usually suits Ana."
    )
    proven = threat_words(shown(after("connect4:6x7", "327565712316")), SIDES, say_in("en"))
    assert proven.endswith("If I always answer on top, column 4 row 2 falls to me in the end.")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("person", ["you", "me", "other"])
def test_whom_a_full_board_suits_is_said(language: str, person: str) -> None:
    """A rule of thumb says usually and a proof names its square, for every person."""
    say, position = say_in(language), after("connect4:6x7", "")
    sides = {player: Side(person, "Ana") for player in Player}
    usual = ShownThreats(position, ThreatMap((), Player.FIRST))
    assert say(f"threats.usual.{person}", name="Ana") in threat_words(usual, sides, say)
    proven = replace(usual, found=ThreatMap((), Player.FIRST, Square(3, 1)))
    place = say("threats.square", column="2", row="3")
    assert say(f"threats.proven.{person}", name="Ana", place=place) in threat_words(
        proven, sides, say
    )
    scene = position_scene(position, (position, []), say)
    told = say(f"threats.usual.{person}", name="Ana")
    assert told in marked_with_threats(scene, usual, sides, say).status


def test_a_rule_of_thumb_is_not_told_against_a_proof() -> None:
    """If the other side or neither is proven to win, only a proof of the square is given."""
    position = after("connect4:6x7", "")
    usual = ThreatMap((), Player.FIRST)
    assert ShownThreats(position, usual).favours is Player.FIRST
    assert ShownThreats(position, usual, Player.FIRST).favours is Player.FIRST
    assert ShownThreats(position, usual, Player.SECOND).favours is None
    proven = replace(usual, decisive=Square(3, 1))
    assert ShownThreats(position, proven, Player.FIRST).favours is Player.FIRST
