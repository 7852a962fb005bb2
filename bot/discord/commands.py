"""The slash commands: the same for every game, but for how its moves are said."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any

import discord
from discord import Interaction, app_commands

from bot.discord.dialects import Verb, dialect_of
from bot.discord.spoken import spoken
from bot.table.orders import AUTO
from bot.words import say_for
from engine.games import Family
from engine.levels import LEVELS
from engine.roster import agents_for

if TYPE_CHECKING:
    from bot.discord.desk import Desk

MOST_CHOICES = 25
"""Discord's limit of suggestions."""

GameCommand = app_commands.Command[Any, ..., None]
Handler = Callable[..., Coroutine[Any, Any, None]]


def game_commands(desk: Desk, family: Family) -> app_commands.Group:
    """The command group of one game."""
    group = app_commands.Group(
        name=spoken(f"command.{family.key}.name"),
        description=spoken(f"command.{family.key}.description"),
    )
    openings = _with_variants(desk, family) if len(family.variants) > 1 else _plain(desk, family)
    verbs = [_verb(desk, family.key, verb) for verb in dialect_of(family.key).verbs]
    for command in (*openings, *verbs, *_others(desk, family.key)):
        group.add_command(command)
    return group


def challenge_menu(desk: Desk, family: Family) -> app_commands.ContextMenu:
    """The entry in a person's menu that challenges them."""

    async def challenge(interaction: Interaction[Any], user: discord.User) -> None:
        await desk.openings.start(
            interaction, family.key, family.usual, against=AUTO, opponent=user, first="random"
        )

    return app_commands.ContextMenu(name=spoken("menu.challenge"), callback=challenge)


def _command(name: str, *options: str) -> Callable[[Handler], GameCommand]:
    """What makes a function a command: its texts, and those of its options."""

    def make(function: Handler) -> GameCommand:
        names = {option: spoken(f"option.{option}.name") for option in options}
        texts = {option: spoken(f"option.{option}.description") for option in options}
        function = app_commands.rename(**names)(app_commands.describe(**texts)(function))
        command: GameCommand = app_commands.command(
            name=spoken(f"command.{name}.name"), description=spoken(f"command.{name}.description")
        )(function)
        return command

    return make


def _choices(kind: str, values: Iterable[str]) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=spoken(f"{kind}.{value}"), value=value) for value in values]


def _plain(desk: Desk, family: Family) -> tuple[GameCommand, GameCommand]:
    """Beginning a game that has one variant."""

    @_command("start", "level", "opponent", "agent", "first")
    @_start_choices
    async def start(
        interaction: Interaction[Any],
        level: str = AUTO,
        opponent: discord.User | None = None,
        agent: str | None = None,
        first: str = "me",
    ) -> None:
        await desk.openings.start(
            interaction,
            family.key,
            family.usual,
            against=agent or level,
            opponent=opponent,
            first=first,
        )

    @_command("watch", "first_agent", "second_agent")
    async def watch(
        interaction: Interaction[Any], first_agent: str = "medium", second_agent: str = "hard"
    ) -> None:
        await desk.openings.watch(interaction, family.key, family.usual, first_agent, second_agent)

    _suggest_agents(family.key, start, "agent")
    _suggest_agents(family.key, watch, "first_agent", "second_agent")
    return start, watch


def _with_variants(desk: Desk, family: Family) -> tuple[GameCommand, GameCommand]:
    """Beginning a game that has several variants."""
    option = dialect_of(family.key).variant

    @_command("start", "level", "opponent", "agent", "first")
    @_start_choices
    @_called("variant", option)
    async def start(
        interaction: Interaction[Any],
        variant: str = family.usual,
        level: str = AUTO,
        opponent: discord.User | None = None,
        agent: str | None = None,
        first: str = "me",
    ) -> None:
        await desk.openings.start(
            interaction,
            family.key,
            variant,
            against=agent or level,
            opponent=opponent,
            first=first,
        )

    @_command("watch", "first_agent", "second_agent")
    @_called("variant", option)
    async def watch(
        interaction: Interaction[Any],
        first_agent: str = "medium",
        second_agent: str = "hard",
        variant: str = family.usual,
    ) -> None:
        await desk.openings.watch(interaction, family.key, variant, first_agent, second_agent)

    for command in (start, watch):
        _suggest_variants(family, command)
    _suggest_agents(family.key, start, "agent")
    _suggest_agents(family.key, watch, "first_agent", "second_agent")
    return start, watch


def _start_choices(function: Handler) -> Handler:
    return app_commands.choices(
        level=_choices("level", (AUTO, *LEVELS)), first=_choices("first", ("me", "bot", "random"))
    )(function)


def _called(parameter: str, option: str) -> Callable[[Handler], Handler]:
    """Give one parameter the name and the text of an option."""

    def apply(function: Handler) -> Handler:
        named = app_commands.rename(**{parameter: spoken(f"option.{option}.name")})(function)
        return app_commands.describe(**{parameter: spoken(f"option.{option}.description")})(named)

    return apply


def _suggest_variants(family: Family, command: GameCommand) -> None:
    """Suggest the variants that go on from what has been typed, the usual one first."""

    async def suggest(
        interaction: Interaction[Any], current: str
    ) -> list[app_commands.Choice[str]]:
        say = say_for(interaction.locale.value)
        typed = current.strip().lower().replace("×", "x")
        names = {variant: say.variant(family.key, variant) for variant in family.variants}
        fitting = [v for v, name in names.items() if _begins_a_word(typed, f"{v} {name}")]
        fitting.sort(key=lambda variant: variant != family.usual)
        return [app_commands.Choice(name=names[v], value=v) for v in fitting[:MOST_CHOICES]]

    command.autocomplete("variant")(suggest)


def _begins_a_word(typed: str, text: str) -> bool:
    return not typed or any(word.startswith(typed) for word in text.lower().split())


def _suggest_agents(family_key: str, command: GameCommand, *options: str) -> None:
    """Suggest the agents whose name or title holds what has been typed."""

    async def suggest(
        interaction: Interaction[Any], current: str
    ) -> list[app_commands.Choice[str]]:
        say = say_for(interaction.locale.value)
        typed = current.strip().lower()
        titles = {name: say(f"level.{name}") for name in agents_for(family_key)}
        fitting = [n for n, title in titles.items() if _begins_a_word(typed, f"{n} {title}")]
        return [app_commands.Choice(name=titles[n], value=n) for n in fitting[:MOST_CHOICES]]

    for option in options:
        command.autocomplete(option)(suggest)


def _verb(desk: Desk, family_key: str, verb: Verb) -> GameCommand:
    """A command that makes a move."""
    if verb.option is None:

        @_command(verb.name)
        async def act(interaction: Interaction[Any]) -> None:
            await desk.play(interaction, family_key, verb.move)

        return act
    if verb.is_number:

        @_command(verb.name)
        @_called("move", verb.option)
        async def put(interaction: Interaction[Any], move: int) -> None:
            await desk.play(interaction, family_key, str(move))

        return put

    @_command(verb.name)
    @_called("move", verb.option)
    async def play(interaction: Interaction[Any], move: str) -> None:
        await desk.play(interaction, family_key, move)

    return play


def _others(desk: Desk, family_key: str) -> tuple[GameCommand, ...]:
    """What every game has besides its beginning and its moves."""
    at_board = _at_board(desk, family_key)
    return *at_board, *_figures(desk, family_key), *_settings(desk, family_key)


def _at_board(desk: Desk, family_key: str) -> tuple[GameCommand, ...]:
    """What is asked of a game that is going on."""

    @_command("hint")
    async def hint(interaction: Interaction[Any]) -> None:
        await desk.hint(interaction, family_key)

    @_command("undo")
    async def undo(interaction: Interaction[Any]) -> None:
        await desk.undos.ask(interaction, family_key)

    @_command("board")
    async def board(interaction: Interaction[Any]) -> None:
        await desk.board(interaction, family_key)

    @_command("resign")
    async def resign(interaction: Interaction[Any]) -> None:
        await desk.resign(interaction, family_key)

    return hint, undo, board, resign


def _figures(desk: Desk, family_key: str) -> tuple[GameCommand, ...]:
    """What players and servers have done."""

    @_command("stats", "player")
    async def stats(interaction: Interaction[Any], player: discord.User | None = None) -> None:
        await desk.figures.stats(interaction, family_key, player)

    @_command("report", "whose")
    @app_commands.choices(whose=_choices("whose", ("me", "server")))
    async def report(interaction: Interaction[Any], whose: str = "me") -> None:
        await desk.figures.report(interaction, family_key, whose)

    @_command("history")
    async def history(interaction: Interaction[Any]) -> None:
        await desk.lists.history(interaction, family_key)

    @_command("leaderboard", "where")
    @app_commands.choices(where=_choices("where", ("server", "everywhere")))
    async def leaderboard(interaction: Interaction[Any], where: str = "server") -> None:
        await desk.lists.leaderboard(interaction, family_key, where)

    @_command("export")
    async def export(interaction: Interaction[Any]) -> None:
        await desk.figures.export(interaction, family_key)

    return stats, report, history, leaderboard, export


def _settings(desk: Desk, family_key: str) -> tuple[GameCommand, ...]:
    """What people set for themselves, and what explains everything."""

    @_command("privacy", "stats")
    @app_commands.choices(stats=_choices("privacy", ("show", "hide")))
    async def privacy(interaction: Interaction[Any], stats: str) -> None:
        await desk.figures.privacy(interaction, family_key, stats)

    @_command("pings", "turns")
    @app_commands.choices(turns=_choices("pings", ("on", "off")))
    async def pings(interaction: Interaction[Any], turns: str) -> None:
        await desk.pings.switch(interaction, family_key, turns)

    @_command("help")
    async def help_(interaction: Interaction[Any]) -> None:
        await desk.help(interaction, family_key)

    return privacy, pings, help_
