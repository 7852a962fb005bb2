"""Statistics on Discord: the commands, lists with pages, and the controls under a list.

As under a board, a control's custom id holds everything that it needs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ButtonStyle, Interaction, app_commands

from bot.board.messages import BoardMessages
from bot.discord.answering import Answering
from bot.discord.commands import GameCommand, choices, command, sized, suggest_sizes
from bot.discord.names import NameBook, name_of
from bot.discord.pages import Page
from bot.discord.presses import presses_of
from bot.discord.replies import NO_PINGS, png_file
from bot.discord.routes import (
    FAMILY,
    HISTORY,
    NOTHING,
    SIZE,
    SMALL,
    SNOWFLAKE,
    GameSelect,
)
from bot.feature import Contributions
from bot.features.league.discord import league_scope
from bot.features.league.rules import League
from bot.features.statistics.cards import (
    Shown,
    between_line,
    progress_line,
    stats_card,
    stats_lines,
)
from bot.features.statistics.lists import (
    GAMES_A_PAGE,
    PLAYERS_A_PAGE,
    Heading,
    PageOf,
    history_card,
    history_lines,
    leaders_card,
    leaders_lines,
    option_text,
    own_line,
    report_lines,
    report_scene,
)
from bot.features.statistics.rules import PlayerStatistics, Statistics
from bot.game.refusal import Refusal
from bot.i18n import Say, cleaned, say_for
from bot.ratings.levels import class_of, classes_of
from bot.sessions.people import Limiter
from bot.sessions.sessions import Sessions
from bot.show.names import size_called
from bot.show.scenes import card_picture, report_picture
from bot.store.results import PastGame, Scope
from bot.workers.workers import Workers
from engine.core.package import GamePackage
from renderers import CardScene, Figure, card_alt_text, report_alt_text

if TYPE_CHECKING:
    from bot.handlers import Handlers


class PageButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:page:(?P<kind>history|server|everywhere):(?P<family>{FAMILY})"
    rf":(?P<number>{SMALL}):(?P<whom>{SNOWFLAKE})(:(?P<size>{SIZE}))??(:by(?P<asker>{SNOWFLAKE}))?",
):
    """Shows another page of a list."""

    def __init__(self, page: Page, label: str = "", *, disabled: bool = False) -> None:
        """A button for a page."""
        super().__init__(
            discord.ui.Button(
                label=label or str(page.number + 1),
                style=ButtonStyle.secondary,
                custom_id=_page_id(page),
                disabled=disabled,
            )
        )
        self.page = page

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        number, whom = int(match["number"]), int(match["whom"])
        asker = int(match["asker"] or NOTHING)
        return cls(Page(match["kind"], match["family"], number, whom, match["size"] or "", asker))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Turn to the page."""
        await presses_of(interaction).turn_page(interaction, self.page)


def _page_id(page: Page) -> str:
    parts = ["cuatro:page", page.kind, page.family, str(page.number), str(page.whom)]
    parts += [page.size] if page.size else []
    parts += [f"by{page.asker}"] if page.asker else []
    return ":".join(parts)


class ListView(discord.ui.View):
    """The controls under one page of a list."""

    def __init__(
        self,
        page: Page,
        pages: int,
        say: Say,
        options: Sequence[discord.SelectOption] = (),
    ) -> None:
        """The controls of `page`, out of `pages` in all; with a menu if there are options."""
        super().__init__(timeout=None)
        if options:
            self.add_item(GameSelect(HISTORY, page.family, options, say("history.open")))
        for step, key in ((-1, "later"), (1, "earlier")):
            number = page.number + step
            there = 0 <= number < pages
            target = replace(page, number=number if there else page.number)
            if pages > 1 and there:
                self.add_item(PageButton(target, say(f"button.{key}")))


LIST_CONTROLS = (PageButton, GameSelect)
"""What the client registers so that controls from earlier runs work."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """One page, ready to be sent."""

    card: CardScene
    lines: str
    """What the picture leaves to words; may be empty."""
    view: discord.ui.View


@dataclass(frozen=True, slots=True)
class ListHandler:
    """Shows lists, turns their pages and opens their games."""

    answering: Answering
    statistics: Statistics
    sessions: Sessions
    workers: Workers
    messages: BoardMessages
    names: NameBook
    limiter: Limiter

    async def history(
        self, interaction: Interaction[Any], family: str, size: str | None = None
    ) -> None:
        """Show people their past games, privately."""
        async with self.answering(interaction, family):
            self.limiter.take("pictures", interaction.user.id)
            page = Page("history", family, 0, interaction.user.id, _size(family, size))
            await self._answer(interaction, page, ephemeral=True)

    async def leaderboard(
        self, interaction: Interaction[Any], family: str, where: str, size: str | None = None
    ) -> None:
        """Post the best players of the server or of all servers."""
        async with self.answering(interaction, family):
            self.limiter.take("pictures", interaction.user.id)
            kind = "server" if where == "server" and interaction.guild_id else "everywhere"
            guild_id, asker = interaction.guild_id or 0, interaction.user.id
            page = Page(kind, family, 0, guild_id, _size(family, size), asker)
            await self._answer(interaction, page, ephemeral=False)

    async def turn(self, interaction: Interaction[Any], page: Page) -> None:
        """Show another page in place of the present one."""
        async with self.answering(interaction, page.family):
            if not page.is_of(interaction.user.id, interaction.guild_id):
                raise Refusal("not_your_page" if page.kind == "history" else "not_your_list")
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer()
            shown = await self._page(interaction, page)
            await interaction.edit_original_response(
                content=shown.lines,
                attachments=[await self._picture(shown, page)],
                view=shown.view,
                allowed_mentions=NO_PINGS,
            )

    async def open(self, interaction: Interaction[Any], family: str, game_id: int) -> None:
        """Show the final board of a past game, privately; it has a button for a replay."""
        async with self.answering(interaction, family):
            session = await self.sessions.games.find(game_id)
            if session is None or interaction.user.id not in (*session.people, session.started_by):
                raise Refusal("not_in_that_game")
            self.limiter.take("pictures", interaction.user.id)
            say = say_for(interaction.locale.value)
            board = await self.messages.message(session, say)
            await interaction.response.send_message(
                board.content, file=board.file, view=board.view, ephemeral=True
            )

    async def _answer(self, interaction: Interaction[Any], page: Page, *, ephemeral: bool) -> None:
        await interaction.response.defer(ephemeral=ephemeral, thinking=True)
        shown = await self._page(interaction, page)
        await interaction.edit_original_response(
            content=shown.lines,
            attachments=[await self._picture(shown, page)],
            view=shown.view,
            allowed_mentions=NO_PINGS,
        )

    async def _picture(self, shown: _Shown, page: Page) -> discord.File:
        png = await self.workers.draw_report(card_picture, shown.card)
        name = f"{page.family}-{page.kind}-{page.number + 1}"
        return png_file(png, name, card_alt_text(shown.card))

    async def _page(self, interaction: Interaction[Any], page: Page) -> _Shown:
        say = say_for(interaction.locale.value)
        if page.kind == "history":
            return await self._history_page(interaction, page, say)
        return await self._leaders_page(interaction, page, say)

    async def _history_page(self, interaction: Interaction[Any], page: Page, say: Say) -> _Shown:
        size = size_called(page.family, page.size)
        found = await self.statistics.history(
            page.whom, page.family, page.number, GAMES_A_PAGE, size
        )
        names = await self.names.of((game.opponent for game in found.games), say)
        place = PageOf(page.number, found.pages, found.coverage)
        title = name_of(interaction.user)
        card = history_card(title, page.family, found.games, names, place, say)
        options = _options(page.family, found.games, names, say)
        lines = history_lines(found.games, names, say)
        return _Shown(card, lines, ListView(page, found.pages, say, options))

    async def _leaders_page(self, interaction: Interaction[Any], page: Page, say: Say) -> _Shown:
        guild_id = page.whom if page.kind == "server" else None
        size = size_called(page.family, page.size)
        found = await self.statistics.leaderboard(
            page.family, guild_id, page.number, PLAYERS_A_PAGE, size, seen_by=interaction.user.id
        )
        names = await self.names.of((player.user_id for player in found.players), say)
        place = PageOf(page.number, found.pages, found.coverage)
        card = leaders_card(page.kind, page.family, found.players, names, place, say)
        own = own_line(name_of(interaction.user), found.own.rank, found.own.rating, say)
        lines = leaders_lines(found.players, names, own, say)
        return _Shown(card, lines, ListView(page, found.pages, say))


def _size(family: str, typed: str | None) -> str:
    """The name of the size class that somebody asks for; empty for all sizes."""
    found = size_called(family, typed)
    return found.name if found else ""


def _options(
    family: str, games: Sequence[PastGame], names: dict[int, str], say: Say
) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=option_text(family, game, names, say)[:100], value=str(game.id))
        for game in games
    ]


def statistics_commands(handlers: Handlers, family: GamePackage) -> tuple[GameCommand, ...]:
    """The commands of one game; `size` is an option only where there are several size classes."""
    has_sizes = len(classes_of(family.key)) > 1
    sizable = (
        *_results(handlers, family.key, has_sizes),
        *_lists(handlers, family.key, has_sizes),
    )
    if has_sizes:
        for made in sizable:
            suggest_sizes(family.key, made)
    return sizable


def _results(handlers: Handlers, key: str, has_sizes: bool) -> tuple[GameCommand, ...]:
    """The commands that show results in sum."""

    @command("stats", "player")
    @sized(has_sizes)
    async def stats(
        interaction: Interaction[Any],
        player: discord.User | None = None,
        size: str | None = None,
    ) -> None:
        await handlers.statistics.stats(interaction, key, player, size)

    @command("report", "whose")
    @app_commands.choices(whose=choices("whose", ("me", "server")))
    @sized(has_sizes)
    async def report(
        interaction: Interaction[Any], whose: str = "me", size: str | None = None
    ) -> None:
        await handlers.statistics.report(interaction, key, whose, size)

    return stats, report


def _lists(handlers: Handlers, key: str, has_sizes: bool) -> tuple[GameCommand, ...]:
    """The commands that show lists with pages."""

    @command("history")
    @sized(has_sizes)
    async def history(interaction: Interaction[Any], size: str | None = None) -> None:
        await handlers.lists.history(interaction, key, size)

    @command("leaderboard", "where")
    @app_commands.choices(where=choices("where", ("server", "everywhere")))
    @sized(has_sizes)
    async def leaderboard(
        interaction: Interaction[Any], where: str = "server", size: str | None = None
    ) -> None:
        await handlers.lists.leaderboard(interaction, key, where, size)

    return history, leaderboard


@dataclass(frozen=True, slots=True)
class StatisticsHandler:
    """Shows what players and servers have done, and hands out people's own games."""

    answering: Answering
    statistics: Statistics
    workers: Workers
    league: League
    limiter: Limiter
    contributions: Contributions

    async def stats(
        self,
        interaction: Interaction[Any],
        family: str,
        player: discord.User | None,
        size: str | None = None,
    ) -> None:
        """Post the card with a player's statistics; those who hide theirs see them privately."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            person = player or interaction.user
            # Checked before the public answer begins: after that a refusal would be public too.
            if person.bot:
                raise Refusal("no_stats_for_bots")
            chosen = size_called(family, size)
            await self.statistics.require_visible(person.id, to=interaction.user.id)
            self.limiter.take("pictures", interaction.user.id)
            hidden = await self.statistics.is_hidden(person.id)
            await interaction.response.defer(ephemeral=hidden, thinking=True)
            found = await self.statistics.of_player(
                person.id, family, chosen, seen_by=interaction.user.id
            )
            figures, added = await self._contributed(person.id, found, say)
            told = found.coverage, found.others, found.crowns, figures, added
            shown = Shown(found.game, found.rung, *told)
            name = name_of(person)
            card = stats_card(found.history, found.standing, name, shown, say)
            lines = stats_lines(found.history, found.standing, name, shown, say)
            if found.against is not None:
                viewer = name_of(interaction.user)
                lines += "\n" + between_line(found.against, name, viewer, say)
            png = await self.workers.draw_report(card_picture, card)
            await interaction.edit_original_response(
                content=lines,
                attachments=[png_file(png, f"{family}-stats", card_alt_text(card))],
                allowed_mentions=NO_PINGS,
            )

    async def _contributed(
        self, user_id: int, found: PlayerStatistics, say: Say
    ) -> tuple[list[Figure], list[str]]:
        """What other features add to a player's card: figures, and lines below it."""
        size = class_of(found.game.key, found.game.variant)
        figures: list[Figure] = []
        lines: list[str] = []
        for one in self.contributions.card_figures:
            more_figures, more_lines = await one.figures(user_id, size, say)
            figures += more_figures
            lines += more_lines
        return figures, lines

    async def report(
        self, interaction: Interaction[Any], family: str, whose: str, size: str | None = None
    ) -> None:
        """Show people the report of their own games, privately, or post the server's."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            own = whose == "me" or interaction.guild_id is None
            chosen = size_called(family, size)
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer(ephemeral=own, thinking=True)
            scope = (
                Scope(family, user_id=interaction.user.id)
                if own
                else Scope(family, guild_id=interaction.guild_id)
            )
            found = await self.statistics.report(scope, chosen)
            guild = interaction.guild
            title = name_of(interaction.user) if own else cleaned(guild.name) if guild else ""
            heading = Heading(title or say("report.server"), family, found.coverage)
            watched = "" if own else await self._watched(interaction, family, say)
            learned = progress_line(found.progress, say) if found.progress else ""
            scene = report_scene(heading, found.levels, found.games, say, learned)
            png = await self.workers.draw_report(report_picture, scene)
            await interaction.edit_original_response(
                content=report_lines(heading, scene, say) + watched,
                attachments=[png_file(png, f"{family}-report", report_alt_text(scene))],
                allowed_mentions=NO_PINGS,
            )

    async def _watched(self, interaction: Interaction[Any], family: str, say: Say) -> str:
        """A line that leads from a server's report to its watched games; empty without any."""
        games = await self.league.count(league_scope(interaction, family))
        told = say.count("watched_games", games)
        game = say(f"command.{family}.name")
        return "\n" + say("league.report", games=told, game=game) if games else ""
