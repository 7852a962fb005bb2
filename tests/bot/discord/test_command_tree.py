"""The tree of commands: its limits, the game that is meant, and where it answers."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from bot.discord.commands import CommandMentions
from bot.i18n import say_in
from engine.core.registry import games
from tests.bot.asked import note_asked
from tests.bot.present import needs
from tests.bot.support.command_limits import characters, require_within_limits


def sent(venue: Any) -> list[Any]:
    """The commands as they were sent to Discord."""
    requests = [r for r in venue.env.http_requests if r.path.endswith("/commands")]
    commands: list[Any] = requests[-1].json
    return commands


def with_another_game(payload: list[Any]) -> list[Any]:
    """The commands if there were one more game, with all subcommands that any game has."""
    commands = deepcopy(payload)
    groups = [one for one in commands if one["name"] in games()]
    every = {below["name"]: below for one in groups for below in one["options"]}
    largest = max(groups, key=characters)
    # It has one command for its moves, as most games do.
    moves = {command.name for game in games().values() for command in game.commands}
    options = [below for name, below in every.items() if name not in moves] + [every["drop"]]
    for one in commands:
        for below in (one, *one.get("options", ())):
            for option in below.get("options", ()):
                if option.get("name") == "game":
                    option["choices"].append(option["choices"][0])
    return [*commands, {**largest, "name": "another", "options": options}]


async def test_commands_keep_to_the_limits(venue: Any) -> None:
    """Groups have at most 8 subcommands and 6,500 characters.

    The same holds with one more game, and with a language whose texts are 30 % longer.
    """
    payload = sent(venue)
    require_within_limits(payload)
    require_within_limits(payload, longer=1.3)
    require_within_limits(with_another_game(payload), longer=1.3)


@needs("hints", "statistics")
async def test_the_four_usage_lines_work_as_they_are_written(venue: Any) -> None:
    """`start size:5x4 level:medium`, `drop 3`, `hint` and `stats` are commands of `/connect4`."""
    ana, here = venue.ana, venue.channel
    started = await ana.slash(here, "connect4 start", size="5x4", level="medium")
    assert not started.ephemeral
    await ana.slash(here, "connect4 drop", column=3)
    session = await venue.services.sessions.games.current(here.id)
    assert session.moves[0].move == "3"
    for name in ("hint", "stats"):
        assert (await ana.slash(here, f"connect4 {name}")).acknowledged


async def test_mentions_can_be_pressed_after_a_restart(venue: Any) -> None:
    """The ids of commands are stored, so a run that registers nothing knows them as well."""
    say = say_in("en")
    before = venue.env.bot.mentions("help", say=say)
    registered = len([r for r in venue.env.http_requests if r.path.endswith("/commands")])
    await venue.restart()
    assert venue.env.bot.mentions("help", say=say) == before
    assert before.startswith("</help:")
    after = len([r for r in venue.env.http_requests if r.path.endswith("/commands")])
    assert after == registered


def test_a_command_without_an_id_is_named() -> None:
    """Where no id is known, commands are named as the reader types them."""
    mentions = CommandMentions()
    assert mentions("lab", "watch", say=say_in("en")) == "`/lab watch`"
    assert mentions("lab", "watch", say=say_in("es")) == "`/lab ver`"
    assert mentions("gato", "place", say=say_in("es")) == "`/gato poner`"


async def test_a_command_is_about_the_game_played_last(venue: Any) -> None:
    """Without `game`, `play` begins Connect 4 at first, and later the game that was played last."""
    ana, other = venue.ana, venue.other_channel

    async def begun(channel: Any, **options: Any) -> str:
        await ana.slash(channel, "play", level="easy", **options)
        sessions = venue.services.sessions
        session = await sessions.games.current(channel.id)
        await sessions.resign(channel.id, 0, moderator=True)
        return f"{session.game.key} {session.game.variant}"

    assert await begun(venue.channel) == "connect4 6x7"
    assert (await begun(other, game="gato")).startswith("gato")
    await venue.restart()
    assert (await begun(venue.channel)).startswith("gato")
    assert await begun(venue.channel, size="5x4") == "connect4 5x4", "only it has this size"


@needs("statistics", "puzzles")
async def test_a_game_that_lacks_a_command_is_passed_over(venue: Any) -> None:
    """The last game counts only among those that a command is for; refusals are about that game."""
    await venue.ana.slash(venue.channel, "boom start", level="easy")
    refused = await venue.ana.slash(venue.channel, "stats", size="nonsense")
    assert refused.ephemeral
    sizes = await venue.ana.autocomplete(venue.channel, "stats", "size", "", game="connect4")
    assert {"small", "classic", "large"} <= {one["value"] for one in sizes}


async def test_global_commands_keep_to_the_channel_for_games(venue: Any) -> None:
    """Where a server has a channel for games, elsewhere only settings and privacy are answered."""
    preferences, guild_id = venue.services.store.preferences, venue.env.guild.id
    await preferences.set_server(guild_id, games_channel_id=venue.channel.id)
    required = {"lab play": {"agent": "easy"}, "lab watch": {"first": "easy", "second": "easy"}}
    here = f"<#{venue.channel.id}>"
    asked = 0
    for one in sent(venue):
        below = [option["name"] for option in one.get("options", ()) if option["type"] == 1]
        if one["name"] in games() or "options" not in one:
            continue
        for name in [f"{one['name']} {path}" for path in below] or [one["name"]]:
            answer = await venue.ana.slash(venue.other_channel, name, **required.get(name, {}))
            said = "" if answer.response is None else answer.response.content
            assert (here in said) is (name not in ("settings", "privacy")), name
            asked += 1
    assert asked > 5
    await note_asked(venue.services, venue.ana.id)
    assert not (await venue.ana.slash(venue.channel, "play")).ephemeral
