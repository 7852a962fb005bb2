"""The named levels of play, which are rungs of each game's ladder."""

from __future__ import annotations

from collections.abc import Mapping

from engine.agents import Agent
from engine.ladder import OnLadder
from engine.opponent import RatedOpponent
from engine.perfect import Perfect

LEVELS: Mapping[str, Agent] = {
    level.name: level
    for level in (
        OnLadder("easy"),
        OnLadder("medium"),
        OnLadder("hard"),
        OnLadder("expert"),
        Perfect(against=RatedOpponent()),
    )
}
"""The levels by name, from the weakest to the strongest."""
