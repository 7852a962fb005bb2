"""From a player's history and rating to what their card says, in one language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bot.rating.standing import Standing
from bot.show.titles import agent_title, level_of, listed
from bot.store import LevelTally, PlayerSummary, Rating, streak
from bot.words import Say
from engine.game import Game
from engine.ladder import ladder_of
from renderers import CardScene, Course, Figure, Form, Result, Table


def stats_card(
    history: PlayerSummary, standing: Standing, name: str, game: Game, rung: str, say: Say
) -> CardScene:
    """A player's statistics at one game.

    Args:
        history: All that the player has finished.
        standing: Their rating on the game's ladder.
        name: What the player is called.
        game: Which game; its variant is the one that `rung` and the rating are about.
        rung: The agent that `auto` would give them now.
        say: The texts.
    """
    nothing = say("stats.nothing")
    best = nothing if standing.best_win is None else say.rating(standing.best_win)
    figures = (
        ("rating", _rating(standing.rating, say)),
        ("best_win", best),
        ("games", say.number(history.games)),
        ("wins", say.number(history.wins)),
        ("draws", say.number(history.draws)),
        ("losses", say.number(history.losses)),
        ("mean_moves", say.number(history.moves / history.games, 1) if history.games else nothing),
        ("mean_time", say.duration(history.seconds / history.games) if history.games else nothing),
        ("streak", _streak(history, say)),
        ("hints", say.number(history.hints)),
    )
    return CardScene(
        title=name,
        subtitle=say("stats.subtitle", game=say(f"game.{game.key}")),
        figures=tuple(Figure(say(f"stats.{key}"), value) for key, value in figures),
        table=_table(history, game, rung, say) if history.games else None,
        footer=say(
            "stats.footer",
            variant=say.variant(game.key, game.variant),
            level=agent_title(game, rung, say),
        ),
        note="" if history.games else say("stats.none", game=say(f"command.{game.key}.name")),
        course=_course(standing, say),
        form=_form(history, say),
    )


def _rating(rating: Rating | None, say: Say) -> str:
    if rating is None:
        return say("stats.nothing")
    value, deviation = say.rating(rating.value), say.rating(rating.deviation)
    return say("stats.rating_value", value=value, deviation=deviation)


def _course(standing: Standing, say: Say) -> Course | None:
    if not standing.course:
        return None
    values = tuple(rating.value for rating in standing.course)
    deviations = tuple(rating.deviation for rating in standing.course)
    return Course(say("stats.course"), values, say.texts["stats.course_told"], deviations)


def _form(history: PlayerSummary, say: Say) -> Form | None:
    if not history.recent:
        return None
    kinds = {True: Result.WON, None: Result.DRAWN, False: Result.LOST}
    results = tuple(kinds[result.won] for result in reversed(history.recent))
    words = (say(f"report.games_{kind}") for kind in (Result.WON, Result.DRAWN, Result.LOST))
    return Form(say("stats.form"), results, *words)


def _streak(history: PlayerSummary, say: Say) -> str:
    won, length = streak(history.recent)
    if not length:
        return say("stats.nothing")
    kind = "draws" if won is None else "wins" if won else "losses"
    return say.count(f"streak_{kind}", length)


def _table(history: PlayerSummary, game: Game, rung: str, say: Say) -> Table:
    """Results by opponent: the levels from the weakest on, other agents, then people."""
    ladder = ladder_of(game)
    groups: dict[str | None, list[LevelTally]] = defaultdict(list)
    for tally in history.tallies:
        groups[None if tally.agent is None else level_of(tally.agent, ladder)].append(tally)
    order = sorted(groups, key=lambda agent: listed(game, agent))
    level = level_of(rung, ladder)
    return Table(
        headers=tuple(
            say(f"stats.{key}") for key in ("opponent", "games", "wins", "draws", "losses", "rate")
        ),
        rows=tuple(_row(agent, groups[agent], game, say) for agent in order),
        highlight=order.index(level) if level in order else None,
    )


def _row(agent: str | None, tallies: Sequence[LevelTally], game: Game, say: Say) -> tuple[str, ...]:
    name = say("stats.people") if agent is None else agent_title(game, agent, say)
    games, wins = sum(t.games for t in tallies), sum(t.wins for t in tallies)
    counts = (games, wins, sum(t.draws for t in tallies), sum(t.losses for t in tallies))
    rate = say("stats.percent", value=say.number(100 * wins / games))
    return (name, *(say.number(count) for count in counts), rate)
