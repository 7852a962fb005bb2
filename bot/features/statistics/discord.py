"""Statistics on Discord: cards, reports, lists with pages, and opening the games in a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction, app_commands

from bot.discord.commands import (
    Commands,
    GameCommand,
    choices,
    command,
    game_option,
    option,
    sized,
    suggest_sizes,
    suggest_sizes_by_game,
)
from bot.discord.locales import answer_locale
from bot.discord.names import name_of
from bot.discord.replies import NO_PINGS, answer_privately, png_file
from bot.discord.routes import (
    chosen,
    lasting_view,
    row_id,
)
from bot.feature import Core
from bot.features.statistics.buttons import (
    SHOW,
    Drawn,
    Page,
    play_view,
)
from bot.features.statistics.cards import between_line, details_text, stats_scene
from bot.features.statistics.lists import (
    GAMES_A_PAGE,
    PLAYERS_A_PAGE,
    PageOf,
    history_lines,
    history_scene,
    leaders_lines,
    leaders_scene,
    option_text,
    own_line,
)
from bot.features.statistics.rules import PlayerStatistics, Statistics
from bot.game.refusal import Refusal
from bot.i18n import Translator, escaped, say_for
from bot.ratings.glicko import PLACEMENT
from bot.ratings.levels import SizeClass, class_of
from bot.show.scenes import card_picture
from bot.show.texts import has_sizes, size_from_text
from bot.show.themes import reader_theme, theme_for
from engine.core.package import GamePackage
from engine.core.registry import default_game, games
from renderers import Figure, Theme, card_alt_text


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
            page = Page("history", family, 0, interaction.user.id, typed_size(family, size))
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self.show(interaction, page)

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
            page = Page(kind, family, 0, guild_id, typed_size(family, size), asker)
            await self._begin(interaction, page)
            await self.show(interaction, page)

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
        await self.show(interaction, page)

    async def open(self, interaction: Interaction[Any], family: str) -> None:
        """Show the final board of a past game, privately; it has a button for a replay."""
        session = await self.core.sessions.games.find(row_id(chosen(interaction)))
        user_id = interaction.user.id
        if session is None or user_id not in (*session.people, session.setup.started_by):
            raise Refusal("not_in_that_game")
        self.core.limiter.take("pictures", interaction.user.id)
        say = say_for(interaction.locale.value)
        board = await self.core.messages.message(session, say, reader_theme())
        await interaction.response.send_message(
            board.content, file=board.file, view=board.view, ephemeral=True
        )

    async def _begin(self, interaction: Interaction[Any], page: Page) -> None:
        """Defer the answer: publicly, or privately for an empty list."""
        guild_id = page.whom if page.kind == "server" else None
        is_empty = not await self.statistics.rated_players(
            page.family, guild_id, size_from_text(page.family, page.size)
        )
        await interaction.response.defer(ephemeral=is_empty, thinking=True)

    async def show(self, interaction: Interaction[Any], page: Page) -> None:
        """Show a page in the answer of a deferred interaction."""
        is_private = page.kind == "history" or _is_private(interaction)
        say = say_for(answer_locale(interaction, is_private=is_private))
        drawn = await (self._history if page.kind == "history" else self._leaders)(
            interaction, page, say
        )
        files = []
        if drawn.card is not None:
            theme = await answer_theme(self.core, interaction, is_private=is_private)
            png = await self.core.workers.draw_report(card_picture, drawn.card, theme)
            name = f"{page.family}-{page.kind}-{page.number + 1}"
            files.append(png_file(png, name, card_alt_text(drawn.card)))
        await interaction.edit_original_response(
            content=drawn.lines,
            attachments=files,
            view=drawn.view(page, say),
            allowed_mentions=NO_PINGS,
        )

    async def _history(self, interaction: Interaction[Any], page: Page, say: Translator) -> Drawn:
        family, size = page.family, size_from_text(page.family, page.size)
        found = await self.statistics.history(page.whom, family, page.number, GAMES_A_PAGE, size)
        if not found.games:
            return Drawn(None, say("stats.empty"), 0)
        names = await self.core.names.of((one.game.opponent for one in found.games), say)
        now = self.core.clock()
        place = PageOf(page.number, found.pages, found.coverage, found.count, page.whom, now)
        card = history_scene(family, found.games, names, place, say)
        options = tuple(
            discord.SelectOption(
                label=option_text(family, one, names, say)[:100], value=str(one.game.id)
            )
            for one in found.games
        )
        return Drawn(card, history_lines(found.games, names, say), found.pages, options)

    async def _leaders(self, interaction: Interaction[Any], page: Page, say: Translator) -> Drawn:
        reader = interaction.user.id
        found = await self.statistics.leaderboard(
            page.family,
            page.whom if page.kind == "server" else None,
            page.number,
            PLAYERS_A_PAGE,
            size_from_text(page.family, page.size),
            seen_by=reader,
        )
        own = own_line(name_of(interaction.user), found.own.record, say)
        if not found.players:
            text = say("leaders.empty", games=say.count("rated_games", PLACEMENT))
            return Drawn(None, "\n".join(line for line in (text, own) if line), 0)
        names = await self.core.names.of((player.user_id for player in found.players), say)
        names[reader] = name_of(interaction.user)
        place = PageOf(page.number, found.pages, found.coverage, reader=reader)
        is_private = _is_private(interaction)
        card = leaders_scene(
            page.kind, page.family, found, names, place, say, is_private=is_private
        )
        return Drawn(card, leaders_lines(found.players, names, own, say), found.pages)


async def chosen_family(
    core: Core, interaction: Interaction[Any], game: str | None, size: str | None
) -> str:
    """The key of the game that was chosen, or of one that has size classes if one was given."""
    fits = None if size is None else has_sizes
    return (await core.chosen(interaction, game, fits=fits)).key


def _is_private(interaction: Interaction[Any]) -> bool:
    """Whether a button under a private message was pressed, or its answer is private."""
    message = interaction.message
    return bool(interaction.extras.get(_PRIVATE)) or (
        message is not None and message.flags.ephemeral
    )


_PRIVATE = "statistics.private"
"""The key of an interaction's extras that marks a list as answered privately."""


def typed_size(family: str, typed: str | None) -> str:
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

    async def show_own(self, interaction: Interaction[Any], family: str) -> None:
        """Show the card of the person who pressed the button under help, privately."""
        await self._post_own(interaction, family)

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
        size_class, viewer = size_from_text(family, size), interaction.user
        say, name = say_for(interaction.locale.value), name_of(person)
        if await self._keeps_private(interaction, family, person.id, name):
            return
        self.core.limiter.take("pictures", viewer.id)
        if not await self.statistics.has_games(person.id, family, size_class):
            key = "stats.empty" if viewer.id == person.id else "stats.empty_of"
            text = say(key, name=escaped(name))
            await answer_privately(interaction, text, play_view(family, say))
            return
        is_hidden = await self.statistics.is_hidden(person.id)
        await interaction.response.defer(ephemeral=is_hidden, thinking=True)
        await self._show_stats(interaction, family, person, size_class, is_private=is_hidden)

    async def _show_stats(
        self,
        interaction: Interaction[Any],
        family: str,
        person: discord.User | discord.Member,
        size: SizeClass | None,
        *,
        is_private: bool,
    ) -> None:
        """Show a player's card in the answer of a deferred interaction."""
        say = say_for(answer_locale(interaction, is_private=is_private))
        found = await self.statistics.of_player(person.id, family, size)
        card = stats_scene(person.id, name_of(person), found, self.core.clock(), say)
        theme = await answer_theme(self.core, interaction, is_private=is_private)
        png = await self.core.workers.draw_report(card_picture, card, theme)
        view, sized_by = lasting_view(), [] if size is None else [size.name]
        for what in ("games", "leaders", "details"):
            values = (what, family, person.id, *sized_by)
            view.add_item(SHOW.button(*values, label=say(f"button.stats_{what}")))
        await interaction.edit_original_response(
            content="",
            attachments=[png_file(png, f"{family}-stats", card_alt_text(card))],
            view=view,
            allowed_mentions=NO_PINGS,
        )

    async def show(
        self, interaction: Interaction[Any], what: str, family: str, whom: int, size: str | None
    ) -> None:
        """Answer a button under a card privately."""
        viewer = interaction.user
        wanted = size_from_text(family, size)
        if what == "card":
            await self._post_own(interaction, family)
            return
        self.core.limiter.take("pictures", viewer.id)
        if what == "details":
            say = say_for(interaction.locale.value)
            names = await self.core.names.of([whom], say)
            if await self._keeps_private(interaction, family, whom, names[whom]):
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            text = await self._details(interaction, family, whom, wanted)
            await interaction.edit_original_response(content=text, allowed_mentions=NO_PINGS)
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        interaction.extras[_PRIVATE] = True
        lists = ListHandler(self.core, self.statistics)
        kind = "server" if interaction.guild_id else "everywhere"
        page = Page(kind, family, 0, interaction.guild_id or 0, size or "", viewer.id)
        if what == "games":
            page = Page("history", family, 0, viewer.id, size or "")
        await lists.show(interaction, page)

    async def _keeps_private(
        self, interaction: Interaction[Any], family: str, whom: int, name: str
    ) -> bool:
        """Whether a person hides their statistics from the reader; if so, answers with that."""
        viewer, say = interaction.user, say_for(interaction.locale.value)
        if viewer.id == whom or not await self.statistics.is_hidden(whom):
            return False
        view = lasting_view()
        view.add_item(SHOW.button("card", family, viewer.id, label=say("button.my_stats")))
        text = say("refusal.stats_are_private", name=escaped(name))
        await answer_privately(interaction, text, view)
        return True

    async def _post_own(self, interaction: Interaction[Any], family: str) -> None:
        """Show people their own card privately."""
        viewer, say = interaction.user, say_for(interaction.locale.value)
        self.core.limiter.take("pictures", viewer.id)
        if not await self.statistics.has_games(viewer.id, family):
            await answer_privately(interaction, say("stats.empty"), play_view(family, say))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._show_stats(interaction, family, viewer, None, is_private=True)

    async def _details(
        self, interaction: Interaction[Any], family: str, whom: int, size: SizeClass | None
    ) -> str:
        """What a player's card leaves out."""
        viewer, say = interaction.user, say_for(interaction.locale.value)
        found = await self.statistics.of_player(whom, family, size, seen_by=viewer.id)
        names = await self.core.names.of([whom], say)
        figures, added = await self._contributed(whom, found, say)
        text = details_text(names[whom], found, figures, added, say)
        if found.against is None:
            return text
        return f"{text}\n{between_line(found.against, names[whom], name_of(viewer), say)}"

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


async def answer_theme(core: Core, interaction: Interaction[Any], *, is_private: bool) -> Theme:
    """The theme of the picture in an answer: the reader's if it is private, else the server's."""
    if is_private:
        return reader_theme()
    return await theme_for(core.store.preferences, (), interaction.guild_id)
