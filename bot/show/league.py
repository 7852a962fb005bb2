"""From the league of a server's agents to its cross table and its figures, in one language."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rating.size_classes import known_game
from bot.show.naming import drawn_title
from bot.show.titles import agent_title, listed, score_words
from bot.store import LeagueTable, Results, WatchedGame
from bot.words import Say
from bot.words.plain import escaped
from engine.core.game import Game
from engine.strength.judging import MOST_LOSS
from renderers import Align, CardScene, Table

MOST_CROSSED = 6
"""The most agents in the cross table."""
ROOM, ROOM_BESIDE_NAMES = 36, 20
"""How many letters the results in a row may have altogether: with more they would be broken. Where
names do not fit beside them, the table has the numbers under which the lines below it name them."""
MOST_LETTERS = 1900
"""The most that is told below the picture: a message holds 2000."""


def league_card(
    title: str, game: Game, variant: str | None, table: LeagueTable, say: Say
) -> CardScene:
    """The cross table of those agents that have played most.

    Args:
        title: What the server is called.
        game: In the variant that the table is about, or the usual one if it is about all.
        variant: That variant; None for all.
        table: What the games come to.
        say: The texts.
    """
    size = say("league.all") if variant is None else say.variant(game.key, variant)
    games = say.count("watched_games", table.games)
    note = say("league.none", game=say(f"command.{game.key}.name"))
    return CardScene(
        title=drawn_title(title, say),
        subtitle=say("league.subtitle", game=say(f"game.{game.key}"), variant=size),
        figures=(),
        table=_cross_table(game, table, say) if table.games else None,
        footer=say("league.footer", games=games) if table.games else "",
        note="" if table.games else note,
    )


def league_lines(game: Game, table: LeagueTable, say: Say) -> str:
    """How every agent played, a line each, and what the figures mean; empty without games."""
    if not table.games:
        return ""
    names = in_order(game, table)
    lines = [_line(number, name, game, table, say) for number, name in enumerate(names, 1)]
    legend = say("league.legend", most=say.number(MOST_LOSS, 1))
    while sum(len(line) + 1 for line in lines) + len(legend) > MOST_LETTERS:
        lines.pop()
    return "\n".join((*lines, legend))


def watched_text(family: str, game: WatchedGame, say: Say) -> str:
    """What a menu says of one watched game."""
    board = known_game(family, game.variant)
    first, second = (
        say("name.channel") if name is None else agent_title(board, name, say)
        for name in (game.first, game.second)
    )
    result = score_words(game.winner)
    return say("league.option", id=game.id, first=first, second=second, result=result)


def in_order(game: Game, table: LeagueTable) -> list[str]:
    """The agents as the table numbers them: those it crosses come first."""
    crossed = _crossed(game, table)
    others = table.results.keys() - set(crossed)
    return crossed + sorted(others, key=lambda name: listed(game, name))


def _crossed(game: Game, table: LeagueTable) -> list[str]:
    """Those with the most games, as many as have room."""
    names = sorted(table.results, key=lambda name: (-table.results[name].games, name))
    names = names[:MOST_CROSSED]
    while len(names) > 2 and _letters(table, names) > ROOM:
        names.pop()
    return sorted(names, key=lambda name: listed(game, name))


def _letters(table: LeagueTable, names: Sequence[str]) -> int:
    """What the results in a row of these agents may take, at the longest."""
    return len(names) * max(len(_cell(table, a, b)) for a in names for b in names)


def _cross_table(game: Game, table: LeagueTable, say: Say) -> Table:
    """Each agent's results against each: wins-draws-losses."""
    names = _crossed(game, table)
    is_named = _letters(table, names) <= ROOM_BESIDE_NAMES
    numbers = tuple(str(number) for number in range(1, len(names) + 1))
    rows = tuple(
        (
            f"{number} {agent_title(game, name, say)}" if is_named else number,
            *(_cell(table, name, other) for other in names),
        )
        for number, name in zip(numbers, names, strict=True)
    )
    sides = (Align.LEFT, *(Align.RIGHT for _ in names))
    return Table((say("league.agent"), *numbers), rows, sides=sides)


def _cell(table: LeagueTable, name: str, other: str) -> str:
    found = table.against.get((name, other))
    return "–" if found is None else _result(found)


def _result(found: Results) -> str:
    return f"{found.wins}-{found.draws}-{found.losses}"


def _line(number: int, name: str, game: Game, table: LeagueTable, say: Say) -> str:
    """One agent: its results, and how it played on average."""
    results, found = table.results[name], table.figures.get(name)
    nothing = say("stats.nothing")
    nodes = seconds = error = nothing
    if found is not None and found.moves:
        nodes = say.number(found.nodes / found.moves)
        seconds = say.decimal(found.seconds / found.moves)
    if found is not None and found.judged:
        error = say.number(found.loss / found.judged, 3)
    return say(
        "league.line",
        number=number,
        agent=escaped(agent_title(game, name, say)),
        games=say.count("watched_games", results.games),
        results=_result(results),
        nodes=nodes,
        seconds=seconds,
        error=error,
    )
