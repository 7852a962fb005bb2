"""What agents are called, and in which order they are listed."""

from __future__ import annotations

from bot.words import Say
from engine.game import Game
from engine.ladder import Ladder, is_rung, ladder_of
from engine.roster import agents_for


def agent_title(game: Game, name: str, say: Say) -> str:
    """What an agent is called at a game: its own text, or about how strong it is.

    One that no longer exists goes by its name.
    """
    if not is_rung(name):
        return say.texts.get(f"level.{name}", name)
    elo = ladder_of(game).elo_of(name)
    return name if elo is None else say("level.rung", elo=round(elo / 10) * 10)


def listed(game: Game, name: str | None) -> tuple[int, int, str]:
    """Where opponents stand in a table: rungs and levels by number, other agents, people (None)."""
    if name is None:
        return (3, 0, "")
    rung = ladder_of(game).find(name)
    if rung is not None:
        return (0, rung.number, name)
    others = tuple(agents_for(game.key))
    return (1, others.index(name), name) if name in others else (2, 0, name)


def level_of(agent: str, ladder: Ladder) -> str:
    """The level that an agent counts as: its own name, for a rung the nearest level's."""
    return ladder.level_of(agent)
