"""From a player's history to what their card says, in one language."""

from __future__ import annotations

from bot.store import LevelTally, PlayerSummary
from bot.store.history import streak
from bot.titles import agent_title, listed
from bot.words import Say
from engine.game import Game
from renderers import CardScene, Figure, Table


def stats_card(history: PlayerSummary, name: str, game: Game, level: str, say: Say) -> CardScene:
    """A player's statistics at one game.

    Args:
        history: All that the player has finished.
        name: What the player is called.
        game: Which game; its variant is the one that `level` is about.
        level: The agent that `auto` would give them now.
        say: The texts.
    """
    figures = (
        ("games", say.number(history.games)),
        ("wins", say.number(history.wins)),
        ("draws", say.number(history.draws)),
        ("losses", say.number(history.losses)),
        ("level", agent_title(game, level, say)),
        ("streak", _streak(history, say)),
        ("mean_moves", _mean(history.moves, history.games, say)),
        ("hints", say.number(history.hints)),
    )
    return CardScene(
        title=name,
        subtitle=say("stats.subtitle", game=say(f"game.{game.key}")),
        figures=tuple(Figure(say(f"stats.{key}"), value) for key, value in figures),
        table=_table(history, game, level, say) if history.games else None,
        footer=say(
            "stats.footer",
            variant=say.variant(game.key, game.variant),
            level=agent_title(game, level, say),
        ),
        note="" if history.games else say("stats.none", game=say(f"command.{game.key}.name")),
    )


def _streak(history: PlayerSummary, say: Say) -> str:
    won, length = streak(history.recent)
    if not length:
        return say("stats.nothing")
    kind = "draws" if won is None else "wins" if won else "losses"
    return say(f"stats.streak_{kind}", count=say.number(length))


def _mean(total: int, games: int, say: Say) -> str:
    return say.number(total / games, 1) if games else say("stats.nothing")


def _table(history: PlayerSummary, game: Game, level: str, say: Say) -> Table:
    """Results by opponent: the rungs from the weakest on, other agents, then people.

    Rungs are told by their strength on the ladder of this variant; others may differ a little.
    """
    tallies = sorted(history.tallies, key=lambda tally: listed(game, tally.agent))
    agents = [tally.agent for tally in tallies]
    return Table(
        headers=tuple(
            say(f"stats.{key}") for key in ("opponent", "games", "wins", "draws", "losses", "rate")
        ),
        rows=tuple(_row(tally, game, say) for tally in tallies),
        highlight=agents.index(level) if level in agents else None,
    )


def _row(tally: LevelTally, game: Game, say: Say) -> tuple[str, ...]:
    agent = tally.agent
    name = say("stats.people") if agent is None else agent_title(game, agent, say)
    counts = (tally.games, tally.wins, tally.draws, tally.losses)
    rate = say("stats.percent", value=say.number(100 * tally.wins / tally.games))
    return (name, *(say.number(count) for count in counts), rate)
