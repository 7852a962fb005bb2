"""The league on Discord: its command, cross table and figures, and opening watched games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import Button
from bot.board.starting import WATCH
from bot.discord.commands import (
    GameCommand,
    command,
    game_option,
    option,
    suggest_variants_by_game,
)
from bot.discord.locales import public_locale
from bot.discord.replies import NO_PINGS, answer_privately, channel_of, png_file
from bot.discord.routes import FAMILY, SIZE, CustomId, chosen, game_action, lasting_view, row_id
from bot.feature import Core
from bot.features.league.rules import League
from bot.features.league.store import LeagueScope, LeagueTable, Results, WatchedGame
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, escaped, say_for
from bot.ratings.levels import known_game
from bot.show.scenes import card_picture
from bot.show.texts import agent_title, opponent_title, score_words
from bot.show.themes import reader_theme, theme_for
from engine.core.game import Game
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from engine.strength.judging import MAX_LOSS
from renderers import CardScene, LeagueRow, LeagueScene, card_alt_text

WATCHED = CustomId("watched", f"(?P<family>{FAMILY})")
"""Opens one of the latest games of a league."""

FIGURES = CustomId("league", f"(?P<family>{FAMILY})(:(?P<variant>{SIZE}))?")
"""Gives the figures of a league's agents, of one variant or of all."""


LEAGUE = game_action("league_of")
"""Posts the league that a game counts in."""


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
            family = await self.core.chosen(interaction, game, variant=variant)
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
        say = say_for(interaction.locale.value)
        # Checked before the public answer begins: an empty league is a private sentence.
        if not await self.league.count(scope):
            # The channel's own games count in no table, but can be opened.
            view = _games_view(family, await self.league.latest(scope), say)
            view.add_item(WATCH.button(family, label=say("button.watch_one")))
            await answer_privately(interaction, say("league.none"), view)
            return
        await interaction.response.defer(thinking=True)
        say = say_for(public_locale(interaction))
        table = await self.league.table(scope)
        game = game_of(family, variant or all_games()[family].usual)
        card = league_scene(game, variant, table, say)
        theme = await theme_for(self.core.store.preferences, (), interaction.guild_id)
        png = await self.core.workers.draw_report(card_picture, card, theme)
        view = _games_view(family, table.latest, say)
        values = (family,) if variant is None else (family, variant)
        view.add_item(FIGURES.button(*values, label=say("button.league_details")))
        await interaction.edit_original_response(
            content=title_line(interaction.guild_id, table, say),
            attachments=[png_file(png, f"{family}-league", card_alt_text(card))],
            view=view,
            allowed_mentions=NO_PINGS,
        )

    async def of_game(self, interaction: Interaction[Any], game_id: int) -> None:
        """Post the cross table that a watched game counts in."""
        session = await self.core.sessions.games.require(game_id)
        await self._post_table(interaction, session.game.key, None)

    async def details(
        self, interaction: Interaction[Any], family: str, variant: str | None
    ) -> None:
        """Give the figures of the agents privately."""
        scope = LeagueScope(family, interaction.guild_id, channel_of(interaction), variant)
        self.league.require_variant(scope)
        say = say_for(interaction.locale.value)
        await interaction.response.defer(ephemeral=True, thinking=True)
        table = await self.league.table(scope)
        game = game_of(family, variant or all_games()[family].usual)
        text = league_lines(game, table, say) if table.games else say("league.none")
        await interaction.edit_original_response(content=text, allowed_mentions=NO_PINGS)

    async def open(self, interaction: Interaction[Any], family: str) -> None:
        """Show the final board of a watched game privately, with its buttons."""
        session = await self.core.sessions.games.find(row_id(chosen(interaction)))
        if session is None or session.people or not session.is_over:
            raise Refusal("not_watched_here")
        here = LeagueScope(family, interaction.guild_id, channel_of(interaction))
        if not here.holds(session.guild_id, session.channel_id):
            raise Refusal("not_watched_here")
        self.core.limiter.take("pictures", interaction.user.id)
        say = say_for(interaction.locale.value)
        board = await self.core.messages.message(session, say, reader_theme())
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


def title_line(guild_id: int | None, table: LeagueTable, say: Translator) -> str:
    """Whose league it is, and how many games were watched."""
    title = say("league.title" if guild_id is not None else "league.title_private")
    return f"**{title}** · {say.count('watched', table.games)}."


def league_button(session: Session, say: Translator) -> Button | None:
    """The button under a watched game that was played to its end."""
    if not (session.is_watched and session.end is not None and session.end.ending.has_result):
        return None
    return LEAGUE.button(session.id, label=say("button.league"))


MAX_ROWS = 8
"""The most agents in the picture; with more, its letters would be too small."""

MAX_LETTERS = 1900
"""The most characters of the details; a message holds 2000."""

CONFIDENCE = 1.96
"""The half-width of a 95 % confidence interval, in standard errors."""


def league_scene(game: Game, variant: str | None, table: LeagueTable, say: Translator) -> CardScene:
    """The agents with the most games, those that win most first; at least one game.

    Args:
        game: The game in the table's variant, or in the usual variant if the table has all.
        variant: The table's variant; None for all.
        table: The sums over the games.
        say: The texts.
    """
    name = say(f"game.{game.key}")
    if variant is not None:
        name = f"{name} · {say.variant(game.key, variant)}"
    games = say.count("watched", table.games)
    return LeagueScene(
        say("league.title"),
        f"{name} · {games}",
        (say("league.agent"), say("league.results"), say("league.wins")),
        tuple(
            _row(opponent_title(game, name, say, auto=False), table.results[name], say)
            for name in in_order(table)[:MAX_ROWS]
        ),
        say("league.interval"),
    )


def _row(name: str, results: Results, say: Translator) -> LeagueRow:
    share = results.wins / results.games
    return LeagueRow(
        name,
        _result(results),
        share,
        interval(results.wins, results.games),
        say("league.share", value=say.number(100 * share)),
    )


def interval(won: int, games: int) -> tuple[float, float]:
    """The bounds of the true share of games won: the 95 % interval of Wilson (1927)."""
    share, square = won / games, CONFIDENCE**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = sqrt(share * (1 - share) / games + square / (4 * games**2))
    half *= CONFIDENCE / (1 + square / games)
    return max(min(middle - half, share), 0.0), min(max(middle + half, share), 1.0)


def league_lines(game: Game, table: LeagueTable, say: Translator) -> str:
    """A line with the figures of each agent, and a legend."""
    lines = [_line(name, game, table, say) for name in in_order(table)]
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


def in_order(table: LeagueTable) -> list[str]:
    """The agents: those with the most games, by their share of wins, then the others."""
    found = table.results
    names = sorted(found, key=lambda name: (-found[name].games, name))
    shown = sorted(names[:MAX_ROWS], key=lambda name: (-found[name].wins / found[name].games, name))
    return [*shown, *names[MAX_ROWS:]]


def _result(found: Results) -> str:
    return f"{found.wins}-{found.draws}-{found.losses}"


def _line(name: str, game: Game, table: LeagueTable, say: Translator) -> str:
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
        agent=escaped(agent_title(game, name, say)),
        games=say.count("watched_games", results.games),
        results=_result(results),
        nodes=nodes,
        seconds=seconds,
        error=error,
    )


def _games_view(family: str, games: Sequence[WatchedGame], say: Translator) -> discord.ui.View:
    """A menu that opens one of these games; empty without any."""
    view = lasting_view()
    options = [
        discord.SelectOption(label=watched_text(family, one, say)[:100], value=str(one.id))
        for one in games
    ]
    if options:
        view.add_item(WATCHED.menu(family, options=options, text=say("history.open")))
    return view
