"""From a player's history and rating to what their card says, in one language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bot.rating.standing import Standing
from bot.show.naming import drawn_title, escaped, figures_line
from bot.show.titles import agent_title, level_of, listed
from bot.store import LevelTally, PlayerSummary, Rating, streak
from bot.words import Say
from engine.game import Game
from engine.ladder import ladder_of
from renderers import CardScene, Course, Figure, Form, Result, Table

MOST_ROWS = 6
"""The most opponents in a card's table: with more, its letters would be too small."""


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
    return CardScene(
        title=drawn_title(name, say),
        subtitle=say("stats.subtitle", game=say(f"game.{game.key}")),
        figures=(Figure(say("stats.rating"), _rating(standing.rating, say)),),
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


def stats_lines(history: PlayerSummary, standing: Standing, name: str, say: Say) -> str:
    """The figures that a player's card has no room for, in a few lines of Markdown."""
    lines = [f"**{escaped(name)}**"]
    if not history.games:
        return lines[0]
    best = standing.best_win
    rate = say("stats.percent", value=say.number(100 * history.wins / history.games))
    results = [
        ("games", say.number(history.games)),
        ("wins", say.number(history.wins)),
        ("draws", say.number(history.draws)),
        ("losses", say.number(history.losses)),
        ("rate", rate),
    ]
    others = [
        ("streak", _streak(history, say)),
        ("mean_moves", say.number(history.moves / history.games, 1)),
        ("mean_time", say.duration(history.seconds / history.games)),
        ("hints", say.number(history.hints)),
    ]
    if best is not None:
        others.insert(0, ("best_win", say.rating(best)))
    lines += [
        figures_line((say(f"stats.{key}"), value) for key, value in line)
        for line in (results, others)
    ]
    return "\n".join(lines)


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
    shown = sorted(groups, key=lambda agent: _games(groups[agent]), reverse=True)
    level = level_of(rung, ladder)
    if len(shown) > MOST_ROWS:
        # Who is met now is told in any case, whatever is seldom met only in sum.
        shown.sort(key=lambda agent: agent != level)
        shown = shown[: MOST_ROWS - 1]
    order = sorted(shown, key=lambda agent: listed(game, agent))
    rows = [_row(_opponent(agent, game, say), groups[agent], say) for agent in order]
    rest = [tally for agent in groups if agent not in shown for tally in groups[agent]]
    if rest:
        rows.append(_row(say("stats.others"), rest, say))
    return Table(
        headers=tuple(
            say(f"stats.{key}") for key in ("opponent", "games", "wins", "draws", "losses")
        ),
        rows=tuple(rows),
        highlight=order.index(level) if level in order else None,
    )


def _opponent(agent: str | None, game: Game, say: Say) -> str:
    return say("stats.people") if agent is None else agent_title(game, agent, say)


def _games(tallies: Sequence[LevelTally]) -> int:
    return sum(tally.games for tally in tallies)


def _row(name: str, tallies: Sequence[LevelTally], say: Say) -> tuple[str, ...]:
    wins, draws = sum(t.wins for t in tallies), sum(t.draws for t in tallies)
    counts = (_games(tallies), wins, draws, sum(t.losses for t in tallies))
    return (name, *(say.number(count) for count in counts))
