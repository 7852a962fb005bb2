"""The contents of a player's card and of the details beside it, crowns, and progress in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from babel.dates import format_date, format_skeleton

from bot.features.statistics.rules import (
    BEFORE,
    FEWEST,
    RECENTLY,
    Coverage,
    PlayerStatistics,
    Progress,
    Standing,
)
from bot.features.statistics.store import BestWin, CrownRecord, LevelTally, PlayerSummary, streak
from bot.game.session import Session
from bot.i18n import Translator, escaped
from bot.ratings.glicko import PLACEMENT, number_of
from bot.ratings.levels import SizeClass, class_of, classes_of, known_game
from bot.show.texts import agent_title, drawn_title, figures_line, has_sizes, size_title
from bot.store.records import RatingPoint
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from engine.strength.ladder import is_rung
from engine.strength.roster import LEVELS
from renderers import Course, Face, Figure, StatisticsScene, Tally


def stats_scene(
    user_id: int, name: str, found: PlayerStatistics, now: float, say: Translator
) -> StatisticsScene:
    """A player's statistics at one game.

    Args:
        user_id: The player.
        name: Their name.
        found: Their statistics; at least one finished game.
        now: The present time.
        say: The texts.
    """
    standing, title = found.standing, drawn_title(name, say)
    rating = standing.rating
    has_number = rating is not None and rating.shown is not None
    played = 0 if rating is None else rating.games
    note = say("stats.waiting", games=say.count("rated_games_left", PLACEMENT - played))
    number = Figure(say("stats.placement_games"), say("stats.of", part=played, whole=PLACEMENT))
    if rating is not None and has_number:
        number = Figure(say("stats.rating"), say.rating(number_of(rating)))
    return StatisticsScene(
        face=Face(title, user_id),
        title=title,
        subtitle=game_words(found.game.key, found.coverage.size or _unusual(standing.size), say),
        number=number,
        tally=tally_of(found.history, say),
        footer=_footer(found.history, standing, found.coverage, found.game.key, now, say),
        rank=_rank(standing, say),
        change=standing.change if has_number else None,
        change_text=_week(standing.change, say),
        course=_course(standing.course, say) if has_number else None,
        progress=None if has_number else (played, PLACEMENT),
        note="" if has_number else note,
    )


def game_words(family: str, size: SizeClass | None, say: Translator) -> str:
    """A game, with the size class if there is one."""
    game = say(f"game.{family}")
    return game if size is None else say("stats.sized", game=game, size=size_title(size, say))


def _unusual(size: SizeClass | None) -> SizeClass | None:
    """A size class; None for that of the usual size."""
    if size is None or size == class_of(size.family, all_games()[size.family].usual):
        return None
    return size


def tally_of(history: PlayerSummary, say: Translator) -> Tally:
    """A player's results."""
    counts = history.wins, history.draws, history.losses
    return tally_words(counts, say)


def tally_words(counts: tuple[int, int, int], say: Translator) -> Tally:
    """Won, drawn and lost games with their texts."""
    wins, draws, losses = counts
    return Tally(
        counts,
        (
            say.count("streak_wins", wins),
            say.count("streak_draws", draws),
            say.count("streak_losses", losses),
        ),
    )


def _rank(standing: Standing, say: Translator) -> Figure | None:
    rank = standing.rank
    if rank is None:
        return None
    place, of = say.number(rank.place), say.number(rank.of)
    return Figure(say("stats.rank"), say("stats.of", part=place, whole=of))


def _week(change: int | None, say: Translator) -> str:
    if not change:
        return "" if change is None else say("stats.week_same")
    return say("stats.week", change=abs(change))


def _course(points: Sequence[RatingPoint], say: Translator) -> Course | None:
    if not points:
        return None
    values = tuple(number_of(point.rating) for point in points)
    placement = sum(point.rating.shown is None for point in points)
    rated = [say.rating(value) for value in values[placement:]] or [say.rating(values[-1])]
    summary = say(
        "stats.course_told",
        first=rated[0],
        last=rated[-1],
        low=min(rated, key=int),
        high=max(rated, key=int),
    )
    labels = say("stats.course_placement"), say("stats.course_rated")
    return Course(values, placement, labels, summary)


def _footer(
    history: PlayerSummary,
    standing: Standing,
    coverage: Coverage,
    family: str,
    now: float,
    say: Translator,
) -> str:
    games = since_words(history.games, coverage.since, now, say)
    if standing.best_win is None:
        return games
    best = _beaten(family, standing.best_win, say)
    return f"{games} · {say('stats.best_win', opponent=best)}"


def since_words(games: int, since: float | None, now: float, say: Translator) -> str:
    """A number of games and the day of the first, such as `60 games since March 3`."""
    count = say.count("listed_games", games)
    if since is None:
        return count
    return say("stats.since", games=count, day=long_day(since, now, say))


def _beaten(family: str, best: BestWin, say: Translator) -> str:
    """The strongest opponent that a player has beaten."""
    rating = say.rating(best.rating)
    if best.agent is None:
        return say("stats.best_person", rating=rating)
    if is_rung(best.agent):
        return say("stats.best_auto", rating=rating)
    return agent_title(known_game(family, best.variant), best.agent, say)


def long_day(time: float, now: float, say: Translator) -> str:
    """A day such as `March 3`, with its year unless it is the present one."""
    date, today = (datetime.fromtimestamp(one, UTC).date() for one in (time, now))
    if date.year == today.year:
        return str(format_skeleton("MMMMd", date, locale=say.locale))
    return format_date(date, format="long", locale=say.locale)


def near_day(time: float, now: float, say: Translator) -> str:
    """A day in few letters, such as `today`, `yesterday` or `Mar 3`."""
    date, today = (datetime.fromtimestamp(one, UTC).date() for one in (time, now))
    days = (today - date).days
    if 0 <= days < 2:
        return say("history.yesterday" if days else "history.today")
    if date.year == today.year:
        return str(format_skeleton("MMMd", date, locale=say.locale))
    return format_date(date, format="medium", locale=say.locale)


def details_text(
    name: str,
    found: PlayerStatistics,
    figures: Iterable[Figure],
    lines: Iterable[str],
    say: Translator,
) -> str:
    """What a player's card leaves out, in a few lines of Markdown.

    Args:
        name: The player's name.
        found: Their statistics.
        figures: Figures of other features.
        lines: Lines of other features, in Markdown.
        say: The texts.
    """
    game = found.game
    auto = say("stats.auto", level=agent_title(game, found.rung, say))
    shown = [(figure.label, figure.value) for figure in figures]
    text = [
        f"**{escaped(name)}** · {say(f'game.{game.key}')}",
        figures_line([(say("stats.streak"), _streak(found.history, say))]),
        *crown_lines(game.key, found.crowns, say),
        *([figures_line(shown)] if shown else []),
        *lines,
        auto,
    ]
    return "\n".join(text)


def between_line(tally: LevelTally, name: str, other: str, say: Translator) -> str:
    """The results of one person against another."""
    names = {"name": escaped(name), "other": escaped(other)}
    if not tally.games:
        return say("stats.between_none", **names)
    results = " · ".join(tally_words((tally.wins, tally.draws, tally.losses), say).texts)
    return say("stats.between", results=results, **names)


def _streak(history: PlayerSummary, say: Translator) -> str:
    won, length = streak(history.recent)
    if not length:
        return say("stats.nothing")
    kind = "draws" if won is None else "wins" if won else "losses"
    return say.count(f"streak_{kind}", length)


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
    size = class_of(game.key, game.variant)
    if size == class_of(game.key, all_games()[game.key].usual):
        return say("crowns.won", level=level)
    return say("crowns.won_on", level=level, size=size_title(size, say))


def progress_line(progress: Progress, say: Translator) -> str:
    """Whether a person's own moves have become better, in a sentence."""
    change = progress.change
    if change is None:
        return say("progress.too_little", fewest=FEWEST, weeks=RECENTLY, earlier=BEFORE)
    kind = "better" if change.difference < 0 else "worse"
    found = say(
        f"progress.{kind if change.is_certain else 'unclear'}",
        now=_percent(change.now, say),
        before=_percent(change.before, say),
    )
    exact, searched = change.proven, change.judged - change.proven
    counts = {"exact": say.number(exact), "searched": say.number(searched)}
    return f"{found} {say('progress.judged', **counts)}"


def _percent(share: float, say: Translator) -> str:
    return say.number(100 * share, 1)
