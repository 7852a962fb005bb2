"""The contents of a player's card, and crowns and progress in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.features.statistics.rules import (
    BEFORE,
    EVERYTHING,
    FEWEST,
    RECENTLY,
    Coverage,
    Progress,
    Standing,
)
from bot.features.statistics.store import CrownRecord, LevelTally, PlayerSummary, streak
from bot.game.session import Session
from bot.i18n import Translator, escaped
from bot.ratings.glicko import PLACEMENT, is_provisional, number_of, placement
from bot.ratings.levels import SizeClass, class_of, classes_of
from bot.show.texts import (
    agent_title,
    day,
    drawn_title,
    figures_line,
    group_of,
    group_title,
    has_sizes,
    number_words,
    opponent_sort_key,
    placement_words,
    size_title,
)
from bot.store.records import AUTO, Rating
from engine.core.game import Game
from engine.core.registry import game_of
from engine.strength.roster import LEVELS
from renderers import CardScene, Course, Figure, Form, Result, Table

MAX_ROWS = 6
"""The most opponents in a card's table: with more, its letters would be too small."""


@dataclass(frozen=True, slots=True)
class CardContents:
    """The contents of a card besides the player's own figures."""

    game: Game
    """Its variant is that of `rung` and of the standing."""
    rung: str
    """The agent that `auto` would give the player now."""
    coverage: Coverage = EVERYTHING
    """The selection of games."""
    others: Sequence[tuple[SizeClass, Rating]] = ()
    """The player's ratings in other sizes."""
    crowns: Sequence[CrownRecord] = ()
    """The agents that the player has beaten without help."""
    figures: Sequence[Figure] = ()
    """Figures of other features."""
    lines: Sequence[str] = ()
    """Lines of other features, in Markdown."""


def stats_card(
    history: PlayerSummary, standing: Standing, name: str, shown: CardContents, say: Translator
) -> CardScene:
    """A player's statistics at one game.

    Args:
        history: All that the player has finished.
        standing: Their rating on the game's ladder.
        name: The player's name.
        shown: The game, its sizes and further contents.
        say: The texts.
    """
    game = shown.game
    auto = say(
        "stats.footer",
        variant=say.variant(game.key, game.variant),
        level=agent_title(game, shown.rung, say),
    )
    return CardScene(
        title=drawn_title(name, say),
        subtitle=say("stats.subtitle", game=say(f"game.{game.key}")),
        figures=_figures(standing, shown, say),
        table=_table(history, game, say) if history.games else None,
        footer=f"{covered(shown.coverage, game.key, say)} · {auto}",
        note="" if history.games else say("stats.none", game=say(f"command.{game.key}.name")),
        course=_course(standing, game, say),
        form=_form(history, say),
    )


def stats_lines(
    history: PlayerSummary, standing: Standing, name: str, shown: CardContents, say: Translator
) -> str:
    """The figures that do not fit on a player's card, in a few lines of Markdown."""
    heading = f"**{escaped(name)}** · {covered(shown.coverage, shown.game.key, say)}"
    if not history.games:
        return "\n".join([heading, *shown.lines])
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
    figures = (results, [*_ranked(standing, say), *others])
    lines = [figures_line((say(f"stats.{key}"), value) for key, value in line) for line in figures]
    lines += [*crown_lines(shown.game.key, shown.crowns, say), *shown.lines]
    return "\n".join([heading, *lines, *_notes(standing, shown, say)])


def between_line(tally: LevelTally, name: str, other: str, say: Translator) -> str:
    """The results of one person against another."""
    names = {"name": escaped(name), "other": escaped(other)}
    if not tally.games:
        return say("stats.between_none", **names)
    kinds = {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}
    counts = " · ".join(say.count(f"streak_{kind}", n) for kind, n in kinds.items())
    return say("stats.between", results=counts, **names)


def _ranked(standing: Standing, say: Translator) -> Iterator[tuple[str, str]]:
    """The place on the leaderboard and the best win, if there are any."""
    if standing.rank is not None:
        rank = standing.rank
        place, of = say.number(rank.place), say.number(rank.of)
        yield "rank", say("stats.rank_of", place=place, of=of)
    if standing.best_win is not None:
        yield "best_win", say.rating(standing.best_win)


def _notes(standing: Standing, shown: CardContents, say: Translator) -> Iterator[str]:
    """The legend of the marks beside the card's ratings."""
    ratings = [rating for _, rating in shown.others]
    if standing.rating is not None:
        ratings.append(standing.rating)
    if any(placement(rating) for rating in ratings):
        yield say("rating.note", of=PLACEMENT)
    if any(not placement(rating) and is_provisional(rating) for rating in ratings):
        yield say("leaders.note")


def _figures(standing: Standing, shown: CardContents, say: Translator) -> tuple[Figure, ...]:
    """A rating for each size class that is covered and played, the present one first."""
    here = class_of(shown.game.key, shown.game.variant)
    known = [(here, standing.rating), *shown.others]
    figures = [Figure(_rating_label(size, say), _rating(rating, say)) for size, rating in known]
    return (*figures, *shown.figures)


def _rating_label(size: SizeClass, say: Translator) -> str:
    if not has_sizes(size.family):
        return say("stats.rating")
    return say("stats.rating_in", size=size_title(size, say))


def _rating(rating: Rating | None, say: Translator) -> str:
    if rating is None:
        return say("stats.nothing")
    if placing := placement_words(rating, say):
        return placing
    value, deviation = say.rating(number_of(rating)), say.rating(rating.deviation)
    return number_words(rating, say, say("stats.rating_value", value=value, deviation=deviation))


def _course(standing: Standing, game: Game, say: Translator) -> Course | None:
    if not standing.course:
        return None
    values = tuple(number_of(rating) for rating in standing.course)
    deviations = tuple(rating.deviation for rating in standing.course)
    size = class_of(game.key, game.variant)
    title = say("stats.course")
    if has_sizes(game.key):
        title = say("stats.course_in", size=size_title(size, say))
    return Course(title, values, say.texts["stats.course_told"], deviations)


def _form(history: PlayerSummary, say: Translator) -> Form | None:
    if not history.recent:
        return None
    kinds = {True: Result.WON, None: Result.DRAWN, False: Result.LOST}
    results = tuple(kinds[result.won] for result in reversed(history.recent))
    words = (say(f"report.games_{kind}") for kind in (Result.WON, Result.DRAWN, Result.LOST))
    return Form(say("stats.form"), results, *words)


def _streak(history: PlayerSummary, say: Translator) -> str:
    won, length = streak(history.recent)
    if not length:
        return say("stats.nothing")
    kind = "draws" if won is None else "wins" if won else "losses"
    return say.count(f"streak_{kind}", length)


def _table(history: PlayerSummary, game: Game, say: Translator) -> Table:
    """Results by opponent: `auto`, the levels from the weakest on, other agents, then people."""
    groups: dict[str | None, list[LevelTally]] = defaultdict(list)
    for tally in history.tallies:
        agent = tally.agent
        groups[None if agent is None else group_of(agent, auto=tally.auto)].append(tally)
    shown = sorted(groups, key=lambda group: _games(groups[group]), reverse=True)
    if len(shown) > MAX_ROWS:
        # `auto` always has a row; rare opponents share one.
        shown.sort(key=lambda group: group != AUTO)
        shown = shown[: MAX_ROWS - 1]
    order = sorted(shown, key=lambda group: opponent_sort_key(game, group))
    rows = [_row(_opponent(game, group, groups[group], say), groups[group], say) for group in order]
    rest = [tally for group in groups if group not in shown for tally in groups[group]]
    if rest:
        rows.append(_row(say("stats.others"), rest, say))
    return Table(
        headers=tuple(
            say(f"stats.{key}")
            for key in ("opponent", "games", "column_wins", "column_draws", "column_losses")
        ),
        rows=tuple(rows),
        highlight=order.index(AUTO) if AUTO in order else None,
    )


def _opponent(game: Game, group: str | None, met: Sequence[LevelTally], say: Translator) -> str:
    return say("stats.people") if group is None else group_title(game.key, group, met, say, "short")


def _games(tallies: Sequence[LevelTally]) -> int:
    return sum(tally.games for tally in tallies)


def _row(name: str, tallies: Sequence[LevelTally], say: Translator) -> tuple[str, ...]:
    wins, draws = sum(t.wins for t in tallies), sum(t.draws for t in tallies)
    counts = (_games(tallies), wins, draws, sum(t.losses for t in tallies))
    return (name, *(say.number(count) for count in counts))


def covered(coverage: Coverage, family: str, say: Translator) -> str:
    """The size class and the period, such as `All sizes · since 9/21/26`."""
    size = coverage.size
    if size is None and not has_sizes(family):
        (size,) = classes_of(family)
    sizes = say("covers.all") if size is None else say.texts.get(f"covers.{size.name}", size.usual)
    if coverage.since is None:
        return f"{sizes} · {say('covers.always')}"
    return f"{sizes} · {say('covers.since', date=day(coverage.since, say))}"


def crown_lines(family: str, crowns: Sequence[CrownRecord], say: Translator) -> list[str]:
    """The levels by size, each size's from the weakest on; nothing without crowns."""
    won = defaultdict(set)
    for crown in crowns:
        won[crown.ladder].add(crown.agent)
    parts = []
    for size in classes_of(family):
        game = game_of(family, size.usual)
        levels = ", ".join(agent_title(game, n, say) for n in LEVELS if n in won[size.ladder])
        if levels:
            named = has_sizes(family)
            parts.append(f"{size_title(size, say)}: **{levels}**" if named else f"**{levels}**")
    return [say("crowns.line", crowns=" · ".join(parts))] if parts else []


def crown_won_line(session: Session, crowns: Sequence[CrownRecord], say: Translator) -> str:
    """The announcement of a crown that a game has won its player; empty without one."""
    first = [crown for crown in crowns if crown.game_id == session.id and crown.agent in LEVELS]
    if not first:
        return ""
    game = session.game
    level = agent_title(game, first[0].agent, say)
    if not has_sizes(game.key):
        return say("crowns.won", level=level)
    size = size_title(class_of(game.key, game.variant), say)
    return say("crowns.won_on", level=level, size=size)


def progress_line(progress: Progress, say: Translator) -> str:
    """The losses by a person's own moves before and now, and whether the change is significant."""
    change = progress.change
    if change is None:
        return say(
            "progress.too_little",
            fewest=FEWEST,
            weeks=RECENTLY,
            earlier=BEFORE,
            now=progress.now,
            before=progress.before,
        )
    kind = "better" if change.difference < 0 else "worse"
    return say(
        f"progress.{kind if change.is_certain else 'unclear'}",
        now=_percent(change.now, say),
        before=_percent(change.before, say),
        difference=_percent(abs(change.difference), say),
        margin=_percent(change.margin, say),
        weeks=RECENTLY,
        earlier=BEFORE,
    )


def _percent(share: float, say: Translator) -> str:
    return say.number(100 * share, 1)
