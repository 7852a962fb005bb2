"""Statistics on Discord: cards, reports, lists with pages, and opening the games in a list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import Interaction, app_commands

from bot.discord.commands import (
    Commands,
    GameCommand,
    choices,
    command,
    game_option,
    has_classes,
    option,
    sized,
    suggest_sizes,
    suggest_sizes_by_game,
)
from bot.discord.names import name_of
from bot.discord.replies import NO_PINGS, png_file
from bot.discord.routes import (
    FAMILY,
    SIZE,
    SMALL,
    SNOWFLAKE,
    CustomId,
    chosen,
    lasting_view,
    row_id,
)
from bot.feature import Core
from bot.features.statistics.cards import (
    CardContents,
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
from bot.i18n import Translator, cleaned, say_for
from bot.ratings.levels import class_of
from bot.show.scenes import card_picture, report_picture
from bot.show.texts import size_from_text
from bot.show.themes import reader_theme, theme_for
from bot.store.results import Scope
from engine.core.package import GamePackage
from engine.core.registry import default_game, games
from renderers import CardScene, Figure, Theme, card_alt_text, report_alt_text

PAGE = CustomId(
    "page",
    "(?P<kind>history|server|everywhere)",
    f"(?P<family>{FAMILY})",
    f"(?P<number>{SMALL})",
    rf"(?P<whom>{SNOWFLAKE})(:(?P<size>{SIZE}))??(:by(?P<asker>{SNOWFLAKE}))?",
    number=int,
    whom=int,
    asker=int,
)
"""Shows a page of a list; its last two values may be missing."""

OPEN = CustomId("open", f"(?P<family>{FAMILY})")
"""Opens a game of a history."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list."""

    kind: str
    """`history`, or the leaderboard of a `server` or `everywhere`."""
    family: str
    number: int
    """Counted from 0."""
    whom: int
    """The user whose history it is, or the server; 0 outside of servers."""
    size: str = ""
    """The name of the size class that is listed; empty for all sizes."""
    asker: int = 0
    """Who requested the list and may turn its pages; 0 on lists that are older than this field."""

    def is_of(self, user_id: int, guild_id: int | None) -> bool:
        """Whether a user may turn to this page on a server."""
        if self.kind == "history":
            return self.whom == user_id
        return self.whom == (guild_id or 0) and self.asker in (0, user_id)

    @property
    def values(self) -> Iterator[object]:
        """The values of the page's id."""
        yield from (self.kind, self.family, self.number, self.whom)
        if self.size:
            yield self.size
        if self.asker:
            yield f"by{self.asker}"


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A page, ready to be drawn and sent."""

    card: CardScene
    lines: str
    """Below the picture; may be empty."""
    pages: int
    options: tuple[discord.SelectOption, ...] = ()
    """The games that can be opened."""

    def view(self, page: Page, say: Translator) -> discord.ui.View:
        """A menu of the games, and buttons for the pages before and after this one."""
        view = lasting_view()
        if self.options:
            view.add_item(OPEN.menu(page.family, options=self.options, text=say("history.open")))
        for number, key in ((page.number - 1, "later"), (page.number + 1, "earlier")):
            if self.pages > 1 and 0 <= number < self.pages:
                target = replace(page, number=number)
                view.add_item(PAGE.button(*target.values, label=say(f"button.{key}")))
        return view


@dataclass(frozen=True, slots=True)
class ListHandler:
    """Shows lists, turns their pages and opens their games."""

    core: Core
    statistics: Statistics

    def history(self) -> GameCommand:
        """The command that shows people their past games, privately."""

        @command("history")
        @option("size", "scale")
        @game_option(games())
        async def history(
            interaction: Interaction[Any], game: str | None = None, size: str | None = None
        ) -> None:
            family = await chosen_family(self.core, interaction, game, size)
            self.core.limiter.take("pictures", interaction.user.id)
            page = Page("history", family, 0, interaction.user.id, _size(family, size))
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._show(interaction, page)

        suggest_sizes_by_game(history)
        return history

    def leaderboard(self) -> GameCommand:
        """The command that posts the best players of the server or of all servers."""

        @command("leaderboard", "where")
        @option("size", "scale")
        @game_option(games())
        @app_commands.choices(where=choices("where", ("server", "everywhere")))
        async def leaderboard(
            interaction: Interaction[Any],
            game: str | None = None,
            size: str | None = None,
            where: str = "server",
        ) -> None:
            family = await chosen_family(self.core, interaction, game, size)
            self.core.limiter.take("pictures", interaction.user.id)
            kind = "server" if where == "server" and interaction.guild_id else "everywhere"
            guild_id, asker = interaction.guild_id or 0, interaction.user.id
            page = Page(kind, family, 0, guild_id, _size(family, size), asker)
            await interaction.response.defer(thinking=True)
            await self._show(interaction, page)

        suggest_sizes_by_game(leaderboard)
        return leaderboard

    async def turn(
        self,
        interaction: Interaction[Any],
        kind: str,
        family: str,
        number: int,
        whom: int,
        size: str | None,
        asker: int | None,
    ) -> None:
        """Show another page in place of the present one."""
        page = Page(kind, family, number, whom, size or "", asker or 0)
        if not page.is_of(interaction.user.id, interaction.guild_id):
            raise Refusal("not_your_page" if kind == "history" else "not_your_list")
        self.core.limiter.take("pictures", interaction.user.id)
        await interaction.response.defer()
        await self._show(interaction, page)

    async def open(self, interaction: Interaction[Any], family: str) -> None:
        """Show the final board of a past game, privately; it has a button for a replay."""
        session = await self.core.sessions.games.find(row_id(chosen(interaction)))
        user_id = interaction.user.id
        if session is None or user_id not in (*session.people, session.setup.started_by):
            raise Refusal("not_in_that_game")
        self.core.limiter.take("pictures", interaction.user.id)
        board = await self.core.messages.message(session, say_for(interaction.locale.value))
        await interaction.response.send_message(
            board.content, file=board.file, view=board.view, ephemeral=True
        )

    async def _show(self, interaction: Interaction[Any], page: Page) -> None:
        """Show a page in the answer of a deferred interaction."""
        say = say_for(interaction.locale.value)
        drawn = await (self._history if page.kind == "history" else self._leaders)(
            interaction, page, say
        )
        theme = await answer_theme(self.core, interaction, is_private=page.kind == "history")
        png = await self.core.workers.draw_report(card_picture, drawn.card, theme)
        name = f"{page.family}-{page.kind}-{page.number + 1}"
        await interaction.edit_original_response(
            content=drawn.lines,
            attachments=[png_file(png, name, card_alt_text(drawn.card))],
            view=drawn.view(page, say),
            allowed_mentions=NO_PINGS,
        )

    async def _history(self, interaction: Interaction[Any], page: Page, say: Translator) -> _Drawn:
        family, size = page.family, size_from_text(page.family, page.size)
        found = await self.statistics.history(page.whom, family, page.number, GAMES_A_PAGE, size)
        names = await self.core.names.of((game.opponent for game in found.games), say)
        place = PageOf(page.number, found.pages, found.coverage)
        card = history_card(name_of(interaction.user), family, found.games, names, place, say)
        options = tuple(
            discord.SelectOption(
                label=option_text(family, game, names, say)[:100], value=str(game.id)
            )
            for game in found.games
        )
        return _Drawn(card, history_lines(found.games, names, say), found.pages, options)

    async def _leaders(self, interaction: Interaction[Any], page: Page, say: Translator) -> _Drawn:
        found = await self.statistics.leaderboard(
            page.family,
            page.whom if page.kind == "server" else None,
            page.number,
            PLAYERS_A_PAGE,
            size_from_text(page.family, page.size),
            seen_by=interaction.user.id,
        )
        names = await self.core.names.of((player.user_id for player in found.players), say)
        place = PageOf(page.number, found.pages, found.coverage)
        card = leaders_card(page.kind, page.family, found.players, names, place, say)
        own = own_line(name_of(interaction.user), found.own.rank, found.own.rating, say)
        return _Drawn(card, leaders_lines(found.players, names, own, say), found.pages)


async def chosen_family(
    core: Core, interaction: Interaction[Any], game: str | None, size: str | None
) -> str:
    """The key of the game that was chosen, or of one that has size classes if one was given."""
    fits = None if size is None else has_classes
    return (await core.chosen(interaction, game, fits=fits)).key


def _size(family: str, typed: str | None) -> str:
    """The name of the size class that was typed; empty for all sizes."""
    found = size_from_text(family, typed)
    return found.name if found else ""


@dataclass(frozen=True, slots=True)
class StatisticsHandler:
    """Shows what players and servers have done."""

    core: Core
    statistics: Statistics

    def stats_of_game(self, game: GamePackage) -> Commands:
        """The same as `stats` in the group of the default game; none in others."""

        @command("game_stats", "player")
        @sized(game)
        async def stats(
            interaction: Interaction[Any],
            player: discord.User | None = None,
            size: str | None = None,
        ) -> None:
            await self._post_stats(interaction, game.key, player or interaction.user, size)

        return (suggest_sizes(game, stats),) if game is default_game() else ()

    def stats(self) -> GameCommand:
        """The command that posts the card of a player; privately if the player hides statistics."""

        @command("stats", "player")
        @option("size", "scale")
        @game_option(games())
        async def stats(
            interaction: Interaction[Any],
            game: str | None = None,
            player: discord.User | None = None,
            size: str | None = None,
        ) -> None:
            family = await chosen_family(self.core, interaction, game, size)
            await self._post_stats(interaction, family, player or interaction.user, size)

        suggest_sizes_by_game(stats)
        return stats

    def report(self) -> GameCommand:
        """The command that shows people the report of their games, or posts the server's."""

        @command("report", "whose")
        @option("size", "scale")
        @game_option(games())
        @app_commands.choices(whose=choices("whose", ("me", "server")))
        async def report(
            interaction: Interaction[Any],
            whose: str = "me",
            game: str | None = None,
            size: str | None = None,
        ) -> None:
            family = await chosen_family(self.core, interaction, game, size)
            is_own = whose == "me" or interaction.guild_id is None
            await self._show_report(interaction, family, size, is_own=is_own)

        suggest_sizes_by_game(report)
        return report

    async def _post_stats(
        self,
        interaction: Interaction[Any],
        family: str,
        person: discord.User | discord.Member,
        size: str | None,
    ) -> None:
        # Checked before the public answer begins: after that a refusal would be public too.
        if person.bot:
            raise Refusal("no_stats_for_bots")
        wanted, viewer = size_from_text(family, size), interaction.user
        await self.statistics.require_visible(person.id, to=viewer.id)
        self.core.limiter.take("pictures", viewer.id)
        is_hidden = await self.statistics.is_hidden(person.id)
        await interaction.response.defer(ephemeral=is_hidden, thinking=True)
        found = await self.statistics.of_player(person.id, family, wanted, seen_by=viewer.id)
        say, name = say_for(interaction.locale.value), name_of(person)
        figures, added = await self._contributed(person.id, found, say)
        shown = CardContents(
            found.game, found.rung, found.coverage, found.others, found.crowns, figures, added
        )
        card = stats_card(found.history, found.standing, name, shown, say)
        lines = stats_lines(found.history, found.standing, name, shown, say)
        if found.against is not None:
            lines += "\n" + between_line(found.against, name, name_of(viewer), say)
        theme = await answer_theme(self.core, interaction, is_private=is_hidden)
        png = await self.core.workers.draw_report(card_picture, card, theme)
        await interaction.edit_original_response(
            content=lines,
            attachments=[png_file(png, f"{family}-stats", card_alt_text(card))],
            allowed_mentions=NO_PINGS,
        )

    async def _contributed(
        self, user_id: int, found: PlayerStatistics, say: Translator
    ) -> tuple[list[Figure], list[str]]:
        """What other features add to a player's card: figures, and lines below it."""
        size = class_of(found.game.key, found.game.variant)
        figures: list[Figure] = []
        lines: list[str] = []
        for one in self.core.contributions.card_figures:
            more_figures, more_lines = await one.figures(user_id, size, say)
            figures += more_figures
            lines += more_lines
        return figures, lines

    async def _show_report(
        self, interaction: Interaction[Any], family: str, size: str | None, *, is_own: bool
    ) -> None:
        wanted, user, guild = size_from_text(family, size), interaction.user, interaction.guild
        self.core.limiter.take("pictures", user.id)
        await interaction.response.defer(ephemeral=is_own, thinking=True)
        say = say_for(interaction.locale.value)
        added: list[str | None] = []
        if is_own:
            scope, title = Scope(family, user_id=user.id), name_of(user)
        else:
            scope = Scope(family, guild_id=interaction.guild_id)
            title = cleaned(guild.name) if guild else ""
            contributed = self.core.contributions.report_lines
            added = [await one.line(family, interaction.guild_id, say) for one in contributed]
        found = await self.statistics.report(scope, wanted)
        heading = Heading(title or say("report.server"), family, found.coverage)
        learned = progress_line(found.progress, say) if found.progress else ""
        scene = report_scene(heading, found.levels, found.games, say, learned)
        theme = await answer_theme(self.core, interaction, is_private=is_own)
        png = await self.core.workers.draw_report(report_picture, scene, theme)
        lines = (report_lines(heading, scene, say), *filter(None, added))
        await interaction.edit_original_response(
            content="\n".join(lines),
            attachments=[png_file(png, f"{family}-report", report_alt_text(scene))],
            allowed_mentions=NO_PINGS,
        )


async def answer_theme(core: Core, interaction: Interaction[Any], *, is_private: bool) -> Theme:
    """The theme of the picture in an answer: the reader's if it is private, else the server's."""
    if is_private:
        return reader_theme()
    return await theme_for(core.store.preferences, (), interaction.guild_id)
