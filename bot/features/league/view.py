"""The contents of a league: its table and the figures of its agents, page by page."""

from __future__ import annotations

from math import sqrt

from bot.features.league.store import (
    AgentFigures,
    Entry,
    LeagueTable,
    Results,
    WatchedGame,
)
from bot.i18n import Translator, escaped
from bot.ratings.levels import known_game
from bot.show.texts import agent_title, opponent_title, score_words
from engine.core.game import Game
from renderers import LeagueRow, LeagueScene

ROWS_A_PAGE = 8
"""The most agents in a picture; with more, its letters would be too small."""

CONFIDENCE = 1.96
"""The half-width of a 95 % confidence interval, in standard errors."""


def title_line(guild_id: int | None, table: LeagueTable, say: Translator) -> str:
    """Whose league it is, and how many games were watched."""
    title = say("league.title" if guild_id is not None else "league.title_private")
    return f"**{title}** · {say.count('watched', table.games)}."


def page_count(table: LeagueTable) -> int:
    """The number of pages; at least one."""
    return max(1, -(-len(table.results) // ROWS_A_PAGE))


def league_scene(
    game: Game, variant: str | None, table: LeagueTable, say: Translator, page: int = 0
) -> LeagueScene:
    """A page of the agents, those that win most first; at least one game.

    Args:
        game: The game in the table's variant, or in the usual variant if the table has all.
        variant: The table's variant; None for all.
        table: The sums over the games.
        say: The texts.
        page: Which page, counted from 0.
    """
    parts = [say(f"game.{game.key}")]
    if variant is not None:
        parts.append(say.variant(game.key, variant))
    parts.append(say.count("watched", table.games))
    if page_count(table) > 1:
        parts.append(say("league.page", page=page + 1, pages=page_count(table)))
    return LeagueScene(
        say("league.title"),
        " · ".join(parts),
        (say("league.agent"), say("league.results"), say("league.wins")),
        tuple(
            _row(_title(game, one, say, is_short=True), table.results[one], say)
            for one in on_page(table, page)
        ),
        say("league.interval"),
        page * ROWS_A_PAGE + 1,
    )


def in_order(table: LeagueTable) -> list[Entry]:
    """The agents that certainly win most first, then those that only played themselves."""

    def key(entry: Entry) -> tuple[bool, float, float, str]:
        found = table.results[entry]
        low, _ = interval(found.wins, found.games)
        return entry.alone, -low, -(found.wins + found.draws / 2) / found.games, entry.agent

    return sorted(table.results, key=key)


def on_page(table: LeagueTable, page: int) -> list[Entry]:
    """The agents of a page, counted from 0."""
    return in_order(table)[page * ROWS_A_PAGE : (page + 1) * ROWS_A_PAGE]


def interval(won: int, games: int) -> tuple[float, float]:
    """The bounds of the true share of games won: the 95 % interval of Wilson (1927)."""
    share, square = won / games, CONFIDENCE**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = sqrt(share * (1 - share) / games + square / (4 * games**2))
    half *= CONFIDENCE / (1 + square / games)
    return max(min(middle - half, share), 0.0), min(max(middle + half, share), 1.0)


def share_words(won: int, games: int, say: Translator) -> str:
    """A share of games won with its interval, such as `60 % (39 to 78)`."""
    low, high = interval(won, games)
    return say(
        "league.share_between",
        share=say.number(100 * won / games),
        low=say.number(100 * low),
        high=say.number(100 * high),
    )


def league_lines(game: Game, table: LeagueTable, say: Translator, page: int = 0) -> str:
    """A line with the figures of each agent on a page, and a legend."""
    lines = [_line(one, game, table, say) for one in on_page(table, page)]
    return "\n".join((*lines, say("league.legend")))


def error_words(judged: int, loss: float, proven: int, proven_loss: float, say: Translator) -> str:
    """What moves gave away on average, exactly and by search, with the number of each.

    Args:
        judged: The moves that were judged.
        loss: The expected score that they gave away, added up.
        proven: How many of them were judged by the results of perfect play.
        proven_loss: What these gave away, added up.
        say: The texts.
    """
    parts = []
    if proven:
        error = _small(proven_loss / proven, say)
        parts.append(say("league.error_exact", error=error, moves=say.count("judged", proven)))
    if judged > proven:
        error = _small((loss - proven_loss) / (judged - proven), say)
        moves = say.count("judged", judged - proven)
        parts.append(say("league.error_searched", error=error, moves=moves))
    return ", ".join(parts) or say("league.error_unknown")


def _small(error: float, say: Translator) -> str:
    """An error; only none at all is written as zero."""
    return say.number(error, 3 if error >= 0.001 else 5) if error else say.number(0)


def watched_text(family: str, game: WatchedGame, say: Translator) -> str:
    """The text of a watched game in a menu."""
    board = known_game(family, game.variant)
    first, second = (
        say("name.channel") if name is None else agent_title(board, name, say)
        for name in (game.first, game.second)
    )
    result = score_words(game.winner)
    return say("league.option", id=game.id, first=first, second=second, result=result)


def _title(game: Game, entry: Entry, say: Translator, *, is_short: bool) -> str:
    name = (
        opponent_title(game, entry.agent, say, auto=False)
        if is_short
        else agent_title(game, entry.agent, say)
    )
    return say("league.alone", agent=name) if entry.alone else name


def _row(name: str, results: Results, say: Translator) -> LeagueRow:
    share = results.wins / results.games
    return LeagueRow(
        name,
        _result(results),
        share,
        interval(results.wins, results.games),
        say("league.share", value=say.number(100 * share)),
    )


def _result(found: Results) -> str:
    return f"{found.wins}-{found.draws}-{found.losses}"


def _line(entry: Entry, game: Game, table: LeagueTable, say: Translator) -> str:
    """One agent: its results, and how it played on average."""
    results = table.results[entry]
    figures = table.figures.get(entry, AgentFigures(entry.agent, 0, 0, 0.0, 0, 0.0))
    nodes = seconds = say("stats.nothing")
    if figures.moves:
        nodes = say.number(figures.nodes / figures.moves)
        seconds = say.decimal(figures.seconds / figures.moves)
    return say(
        "league.line",
        agent=escaped(_title(game, entry, say, is_short=False)),
        games=say.count("watched_games", results.games),
        results=_result(results),
        wins=share_words(results.wins, results.games, say),
        nodes=nodes,
        seconds=seconds,
        error=error_words(figures.judged, figures.loss, figures.proven, figures.proven_loss, say),
    )
