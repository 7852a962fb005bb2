"""From a player's history to what their card says, in one language."""

from __future__ import annotations

from bot.store import LevelTally, PlayerSummary
from bot.store.history import streak
from bot.words import Say
from engine.roster import agents_for
from renderers import CardScene, Figure, Table


def stats_card(
    history: PlayerSummary, name: str, family: str, level: str, variant: str, say: Say
) -> CardScene:
    """A player's statistics at one game.

    Args:
        history: All that the player has finished.
        name: What the player is called.
        family: Which game.
        level: The level that `auto` would give them now.
        variant: On which variant.
        say: The texts.
    """
    figures = (
        ("games", say.number(history.games)),
        ("wins", say.number(history.wins)),
        ("draws", say.number(history.draws)),
        ("losses", say.number(history.losses)),
        ("level", say(f"level.{level}")),
        ("streak", _streak(history, say)),
        ("mean_moves", _mean(history.moves, history.games, say)),
        ("hints", say.number(history.hints)),
    )
    return CardScene(
        title=name,
        subtitle=say("stats.subtitle", game=say(f"game.{family}")),
        figures=tuple(Figure(say(f"stats.{key}"), value) for key, value in figures),
        table=_table(history, family, level, say) if history.games else None,
        footer=say(
            "stats.footer", variant=say.variant(family, variant), level=say(f"level.{level}")
        ),
        note="" if history.games else say("stats.none", game=say(f"command.{family}.name")),
    )


def _streak(history: PlayerSummary, say: Say) -> str:
    won, length = streak(history.recent)
    if not length:
        return say("stats.nothing")
    kind = "draws" if won is None else "wins" if won else "losses"
    return say(f"stats.streak_{kind}", count=say.number(length))


def _mean(total: int, games: int, say: Say) -> str:
    return say.number(total / games, 1) if games else say("stats.nothing")


def _table(history: PlayerSummary, family: str, level: str, say: Say) -> Table:
    """Results by opponent: the agents from the weakest level on, then people."""
    order = [*agents_for(family), None]
    tallies = sorted(history.tallies, key=lambda tally: order.index(tally.agent))
    agents = [tally.agent for tally in tallies]
    return Table(
        headers=tuple(
            say(f"stats.{key}") for key in ("opponent", "games", "wins", "draws", "losses", "rate")
        ),
        rows=tuple(_row(tally, say) for tally in tallies),
        highlight=agents.index(level) if level in agents else None,
    )


def _row(tally: LevelTally, say: Say) -> tuple[str, ...]:
    name = say("stats.people") if tally.agent is None else say(f"level.{tally.agent}")
    counts = (tally.games, tally.wins, tally.draws, tally.losses)
    rate = say("stats.percent", value=say.number(100 * tally.wins / tally.games))
    return (name, *(say.number(count) for count in counts), rate)
