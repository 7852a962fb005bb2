"""What opponents are called, and in which order they are listed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from bot.rating.size_classes import known_game
from bot.table.orders import AUTO
from bot.words import Say
from engine.core.game import Game
from engine.strength.ladder import is_rung, ladder_of
from engine.strength.roster import agents_for


class Met(Protocol):
    """Games against one agent in one variant."""

    @property
    def agent(self) -> str | None:
        """Its name; None for people."""

    @property
    def variant(self) -> str:
        """In which variant."""

    @property
    def games(self) -> int:
        """How many."""


def agent_title(game: Game, name: str, say: Say) -> str:
    """What an agent is called at a game: its own text, or about how strong it is.

    One that no longer exists goes by its name.
    """
    if not is_rung(name):
        return say.agent(game.key, name) or name
    elo = ladder_of(game).elo_of(name)
    return name if elo is None else say("level.rung", elo=_rounded(elo))


def group_of(agent: str, *, auto: bool) -> str:
    """What games against an agent are counted under: `auto` whoever it stood for."""
    return AUTO if auto else agent


def group_title(family: str, group: str, met: Iterable[Met], say: Say, kind: str = "level") -> str:
    """What a group of games is called; `auto` with the mean strength at which it was met.

    Args:
        family: Which game.
        group: As `group_of` gives it.
        met: The games.
        say: The texts.
        kind: `level`, or `short` for where there is little room.
    """
    met = list(met)
    if group == AUTO:
        return auto_title(_strength(family, met), say)
    short = say.agent(family, group, kind)
    return short or agent_title(known_game(family, met[0].variant), group, say)


def auto_title(elo: float | None, say: Say) -> str:
    """What `auto` is called where it played at a strength."""
    return AUTO if elo is None else say("level.met", elo=_rounded(elo))


def opponent_title(game: Game, agent: str, say: Say, *, auto: bool) -> str:
    """What the opponent of one game is called where there is little room."""
    if auto:
        return auto_title(ladder_of(game).elo_of(agent), say)
    return say.agent(game.key, agent, "short") or agent_title(game, agent, say)


def score_words(winner: int | None) -> str:
    """How a game between two agents ended, as it is written everywhere."""
    return {1: "1-0", 2: "0-1", None: "½-½"}[winner]


def listed(game: Game, name: str | None) -> tuple[int, int, str]:
    """Where opponents stand in a table: `auto`, levels by number, other agents, people (None)."""
    if name is None:
        return (4, 0, "")
    if name == AUTO:
        return (0, 0, "")
    rung = ladder_of(game).find(name)
    if rung is not None:
        return (1, rung.number, name)
    others = tuple(agents_for(game.key))
    return (2, others.index(name), name) if name in others else (3, 0, name)


def _strength(family: str, met: Iterable[Met]) -> float | None:
    """The mean rating of the agents over the games."""
    found = [
        (ladder_of(known_game(family, one.variant)).elo_of(one.agent), one.games)
        for one in met
        if one.agent is not None
    ]
    known = [(elo, games) for elo, games in found if elo is not None]
    games = sum(count for _, count in known)
    return sum(elo * count for elo, count in known) / games if games else None


def _rounded(elo: float) -> int:
    return round(elo / 10) * 10
