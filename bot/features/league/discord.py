"""The league on Discord: its command, cross table and figures, and opening watched games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.commands import (
    GameCommand,
    command,
    game_option,
    option,
    suggest_variants_by_game,
    takes,
)
from bot.discord.replies import NO_PINGS, channel_of, png_file
from bot.discord.routes import FAMILY, CustomId, chosen, lasting_view, row_id
from bot.feature import Core
from bot.features.league.rules import League
from bot.features.league.store import LeagueScope, LeagueTable, Results, WatchedGame
from bot.game.refusal import Refusal
from bot.i18n import Translator, cleaned, escaped, say_for
from bot.ratings.levels import known_game
from bot.show.scenes import card_picture
from bot.show.texts import agent_title, drawn_title, opponent_sort_key, score_words
from bot.show.themes import theme_for
from engine.core.game import Game
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from engine.strength.judging import MAX_LOSS
from renderers import Align, CardScene, Table, card_alt_text

WATCHED = CustomId("watched", f"(?P<family>{FAMILY})")
"""Opens one of the latest games of a league."""


@dataclass(frozen=True, slots=True)
class LeagueHandler:
    """Shows the results of agents against each other in a server's watched games."""

    core: Core
    league: League

    def command(self) -> GameCommand:
        """The command that posts the cross table of a server's watched games."""

        @command("league")
        @option("variant", "board")
        @game_option(all_games())
        async def league(
            interaction: Interaction[Any], game: str | None = None, variant: str | None = None
        ) -> None:
            fits = None if variant is None else takes(variant)
            family = await self.core.chosen(interaction, game, fits=fits)
            await self._post_table(interaction, family.key, variant)

        suggest_variants_by_game(league)
        return league

    async def _post_table(
        self, interaction: Interaction[Any], family: str, variant: str | None
    ) -> None:
        """Post the cross table of games of one variant or of all."""
        scope = LeagueScope(family, interaction.guild_id, channel_of(interaction), variant)
        self.league.require_variant(scope)
        self.core.limiter.take("pictures", interaction.user.id)
        await interaction.response.defer(thinking=True)
        table = await self.league.table(scope)
        say, guild = say_for(interaction.locale.value), interaction.guild
        game = game_of(family, variant or all_games()[family].usual)
        title = cleaned(guild.name) if guild else say("league.here")
        card = league_card(title, game, variant, table, say)
        theme = await theme_for(self.core.store.preferences, (), interaction.guild_id)
        png = await self.core.workers.draw_report(card_picture, card, theme)
        view = lasting_view()
        if table.latest:
            options = [
                discord.SelectOption(label=watched_text(family, one, say)[:100], value=str(one.id))
                for one in table.latest
            ]
            view.add_item(WATCHED.menu(family, options=options, text=say("history.open")))
        await interaction.edit_original_response(
            content=league_lines(game, table, say),
            attachments=[png_file(png, f"{family}-league", card_alt_text(card))],
            view=view,
            allowed_mentions=NO_PINGS,
        )

    async def open(self, interaction: Interaction[Any], family: str) -> None:
        """Show the final board of a watched game privately, with its buttons."""
        session = await self.core.sessions.games.find(row_id(chosen(interaction)))
        if session is None or session.people or not session.is_over:
            raise Refusal("not_watched_here")
        here = LeagueScope(family, interaction.guild_id, channel_of(interaction))
        if not here.holds(session.guild_id, session.channel_id):
            raise Refusal("not_watched_here")
        self.core.limiter.take("pictures", interaction.user.id)
        board = await self.core.messages.message(session, say_for(interaction.locale.value))
        await interaction.response.send_message(
            board.content, file=board.file, view=board.view, ephemeral=True
        )

    async def report_line(self, family: str, guild_id: int | None, say: Translator) -> str:
        """A line in a server's report that refers to its watched games; empty without any."""
        games = await self.league.count(LeagueScope(family, guild_id, None))
        if not games:
            return ""
        counted, game = say.count("watched_games", games), say(f"command.{family}.name")
        return say("league.report", games=counted, game=game)


MAX_CROSSED = 6
"""The most agents in the cross table."""

MAX_RESULT_LETTERS, MAX_LETTERS_BESIDE_NAMES = 36, 20
"""The most letters for the results in a row: with more, they would be wrapped. If names do not fit
beside them, the table has numbers, which the lines below it explain."""

MAX_LETTERS = 1900
"""The most characters below the picture; a message holds 2000."""


def league_card(
    title: str, game: Game, variant: str | None, table: LeagueTable, say: Translator
) -> CardScene:
    """The cross table of the agents with the most games.

    Args:
        title: The name of the server.
        game: The game in the table's variant, or in the usual variant if the table has all.
        variant: The table's variant; None for all.
        table: The sums over the games.
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


def league_lines(game: Game, table: LeagueTable, say: Translator) -> str:
    """A line with the figures of each agent, and a legend; empty without games."""
    if not table.games:
        return ""
    names = in_order(game, table)
    lines = [_line(number, name, game, table, say) for number, name in enumerate(names, 1)]
    legend = say("league.legend", most=say.number(MAX_LOSS, 1))
    while sum(len(line) + 1 for line in lines) + len(legend) > MAX_LETTERS:
        lines.pop()
    return "\n".join((*lines, legend))


def watched_text(family: str, game: WatchedGame, say: Translator) -> str:
    """The text of a watched game in a menu."""
    board = known_game(family, game.variant)
    first, second = (
        say("name.channel") if name is None else agent_title(board, name, say)
        for name in (game.first, game.second)
    )
    result = score_words(game.winner)
    return say("league.option", id=game.id, first=first, second=second, result=result)


def in_order(game: Game, table: LeagueTable) -> list[str]:
    """The agents in the table's order: those in the cross table come first."""
    crossed = _crossed(game, table)
    others = table.results.keys() - set(crossed)
    return crossed + sorted(others, key=lambda name: opponent_sort_key(game, name))


def _crossed(game: Game, table: LeagueTable) -> list[str]:
    """The agents with the most games, as many as fit."""
    names = sorted(table.results, key=lambda name: (-table.results[name].games, name))
    names = names[:MAX_CROSSED]
    while len(names) > 2 and _letters(table, names) > MAX_RESULT_LETTERS:
        names.pop()
    return sorted(names, key=lambda name: opponent_sort_key(game, name))


def _letters(table: LeagueTable, names: Sequence[str]) -> int:
    """The number of letters in the longest row of results of these agents."""
    return len(names) * max(len(_cell(table, a, b)) for a in names for b in names)


def _cross_table(game: Game, table: LeagueTable, say: Translator) -> Table:
    """Each agent's results against each: wins-draws-losses."""
    names = _crossed(game, table)
    is_named = _letters(table, names) <= MAX_LETTERS_BESIDE_NAMES
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


def _line(number: int, name: str, game: Game, table: LeagueTable, say: Translator) -> str:
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
