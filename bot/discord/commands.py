"""The slash commands, the same for every game except for how its moves are entered."""

from __future__ import annotations

from typing import Any

import discord
from discord import Interaction, app_commands

from bot.discord.analysis_commands import analysis_commands
from bot.discord.command_parts import MOVE, GameCommand, choices, command, option, variant_of
from bot.discord.handlers import Handlers
from bot.discord.puzzle_commands import puzzle_commands
from bot.discord.spoken import spoken
from bot.discord.statistics_commands import statistics_commands
from bot.discord.suggestions import suggest_agents, suggest_variants
from bot.settings import LONGEST_GUESS
from bot.table.ballots import LONGEST, SHORTEST, USUAL_SECONDS
from bot.table.clocks import OFFERED
from bot.table.hints import HintLevel
from bot.table.orders import AUTO
from engine.core.package import GamePackage, MoveCommand
from engine.strength.roster import LEVELS

Commands = tuple[GameCommand, ...]


def game_commands(handlers: Handlers, family: GamePackage) -> app_commands.Group:
    """The command group of one game."""
    group = app_commands.Group(
        name=spoken(f"command.{family.key}.name"),
        description=spoken(f"command.{family.key}.description"),
    )
    for made in (
        *_beginning(handlers, family),
        *(_move(handlers, family.key, verb) for verb in family.commands),
        *_at_board(handlers, family.key),
        *puzzle_commands(handlers, family.key),
        *analysis_commands(handlers, family),
        *statistics_commands(handlers, family),
        _league(handlers, family),
        *(_lessons(handlers, family) if family.lessons else ()),
        *_settings(handlers, family.key),
    ):
        group.add_command(made)
    return group


def challenge_menu(handlers: Handlers, family: GamePackage) -> app_commands.ContextMenu:
    """The entry in a person's menu that challenges them."""

    async def challenge(interaction: Interaction[Any], user: discord.User) -> None:
        await handlers.new_games.start(
            interaction, family.key, family.usual, opponent=user, first="random"
        )

    name = spoken(f"menu.challenge.{family.key}")
    return app_commands.ContextMenu(name=name, callback=challenge)


def _beginning(handlers: Handlers, family: GamePackage) -> Commands:
    """The commands that begin a game."""

    @command("start", "level", "opponent", "agent", "first", "clock", "pie")
    @app_commands.choices(
        level=choices("level", (AUTO, *LEVELS)),
        first=choices("first", ("me", "bot", "random")),
        clock=choices("clock", OFFERED),
    )
    @variant_of(family)
    async def start(
        interaction: Interaction[Any],
        variant: str = family.usual,
        level: str | None = None,
        opponent: discord.User | None = None,
        agent: str | None = None,
        first: str = "me",
        clock: str | None = None,
        pie: bool = False,
    ) -> None:
        await handlers.new_games.start(
            interaction,
            family.key,
            variant,
            level=level,
            agent_name=agent,
            opponent=opponent,
            first=first,
            clock=clock,
            pie=pie,
        )

    @command("watch", "first_agent", "second_agent")
    @option("seconds", "guess_seconds")
    @variant_of(family)
    async def watch(
        interaction: Interaction[Any],
        first_agent: str = "medium",
        second_agent: str = "hard",
        variant: str = family.usual,
        seconds: app_commands.Range[int, 0, LONGEST_GUESS] | None = None,
    ) -> None:
        await handlers.new_games.watch(
            interaction, family.key, variant, first_agent, second_agent, seconds
        )

    together = _together(handlers, family)
    if len(family.variants) > 1:
        suggest_variants(family, start)
        suggest_variants(family, watch)
        suggest_variants(family, together)
    suggest_agents(family.key, start, "agent")
    suggest_agents(family.key, together, "agent")
    suggest_agents(family.key, watch, "first_agent", "second_agent")
    return start, watch, together


def _together(handlers: Handlers, family: GamePackage) -> GameCommand:
    """The command that begins a game of a channel."""

    @command("together", "level", "agent", "first", "seconds")
    @app_commands.choices(
        level=choices("level", LEVELS), first=choices("begins", ("channel", "bot", "random"))
    )
    @variant_of(family)
    async def together(
        interaction: Interaction[Any],
        variant: str = family.usual,
        level: str | None = None,
        agent: str | None = None,
        first: str = "channel",
        seconds: app_commands.Range[int, SHORTEST, LONGEST] = int(USUAL_SECONDS),
    ) -> None:
        await handlers.new_games.together(
            interaction,
            family.key,
            variant,
            level=level,
            agent_name=agent,
            first=first,
            seconds=seconds,
        )

    return together


def _move(handlers: Handlers, family_key: str, verb: MoveCommand) -> GameCommand:
    """A command that plays a move."""
    if verb.option is None:

        @command(verb.name, game=family_key)
        async def act(interaction: Interaction[Any]) -> None:
            await handlers.moves.play(interaction, family_key, verb.text)

        return act
    if verb.is_number:

        @command(verb.name, game=family_key)
        @option(MOVE, verb.option, family_key)
        async def put(interaction: Interaction[Any], move: int) -> None:
            await handlers.moves.play(interaction, family_key, verb.text.format(move))

        return put

    @command(verb.name, game=family_key)
    @option(MOVE, verb.option, family_key)
    async def play(interaction: Interaction[Any], move: str) -> None:
        await handlers.moves.play(interaction, family_key, verb.text.format(move))

    return play


def _at_board(handlers: Handlers, family_key: str) -> Commands:
    """The commands about the channel's game."""

    @command("hint")
    @option("level", "hint_level")
    @app_commands.choices(level=choices("hint_level", [one.name.lower() for one in HintLevel]))
    async def hint(interaction: Interaction[Any], level: str | None = None) -> None:
        await handlers.hints.hint(interaction, family_key, level)

    @command("undo")
    async def undo(interaction: Interaction[Any]) -> None:
        await handlers.undos.ask(interaction, family_key)

    @command("draw")
    async def draw(interaction: Interaction[Any]) -> None:
        await handlers.draws.offer(interaction, family_key)

    @command("board")
    async def board(interaction: Interaction[Any]) -> None:
        await handlers.board.board(interaction, family_key)

    @command("resign")
    async def resign(interaction: Interaction[Any]) -> None:
        await handlers.resigning.resign(interaction, family_key)

    @command("games")
    async def games(interaction: Interaction[Any]) -> None:
        await handlers.games.games(interaction, family_key)

    return hint, undo, draw, board, resign, games


def _league(handlers: Handlers, family: GamePackage) -> GameCommand:
    """The command about the games that a server has watched."""

    @command("league")
    @variant_of(family)
    async def league(interaction: Interaction[Any], variant: str | None = None) -> None:
        await handlers.league.league(interaction, family.key, variant)

    if len(family.variants) > 1:
        suggest_variants(family, league)
    return league


def _lessons(handlers: Handlers, family: GamePackage) -> Commands:
    """The command that teaches a game, where there are lessons in it."""

    @command("learn", "lesson")
    async def learn(interaction: Interaction[Any], lesson: int | None = None) -> None:
        await handlers.lessons.learn(interaction, family.key, lesson)

    return (learn,)


def _settings(handlers: Handlers, family_key: str) -> Commands:
    """The commands for people's own settings, and help."""

    @command("privacy", "stats")
    @app_commands.choices(stats=choices("privacy", ("show", "hide")))
    async def privacy(interaction: Interaction[Any], stats: str) -> None:
        await handlers.settings.privacy(interaction, family_key, stats)

    @command("pings", "turns")
    @app_commands.choices(turns=choices("pings", ("on", "off")))
    async def pings(interaction: Interaction[Any], turns: str) -> None:
        await handlers.settings.pings(interaction, family_key, turns)

    @command("spoken", "moves")
    @app_commands.choices(moves=choices("spoken", ("say", "hush")))
    async def spoken_(interaction: Interaction[Any], moves: str) -> None:
        await handlers.settings.words(interaction, family_key, moves)

    @command("help")
    async def help_(interaction: Interaction[Any]) -> None:
        await handlers.help.help(interaction, family_key)

    return privacy, pings, spoken_, help_
