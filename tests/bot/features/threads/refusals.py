"""Scenes in which a game does not begin in a thread."""

from __future__ import annotations

from typing import Any

from tests.bot.board.test_permissions import forbid
from tests.bot.discord.stage import Stage, scene
from tests.bot.features.threads.opening import labels, newest_thread, refuse_threads


async def offers(stage: Stage) -> Any:
    """Let Ana be offered a thread, since Mod plays in the channel; return that answer."""
    await stage.begins(stage.venue.mod)
    refused = await stage.slash(stage.venue.ana, "start", level="easy")
    assert labels(refused.response) == ["Open a thread"]
    return refused.response.message


async def opens(stage: Stage, message: Any) -> Any:
    """Press the only button of a private answer, which opens a thread."""
    return await stage.venue.ana.click(message, custom_id=_first(message))


def _first(message: Any) -> str:
    return str(message.components[0].children[0].custom_id)


async def works(stage: Stage, message: Any) -> None:
    """Require that the button works once what was missing is there."""
    stage.venue.speak("en-US")
    await opens(stage, message)
    sessions = stage.venue.services.sessions
    game = await sessions.games.current(newest_thread(stage.channel).id)
    assert game.people == (stage.venue.ana.id,)


@scene("channel_taken_yours_apart")
async def ones_own_second_game(stage: Stage) -> None:
    """A player's second game in a channel can begin in a thread."""
    await stage.begins(stage.venue.ana)
    answers = list[Any]()

    async def ask() -> Any:
        answers.append(await stage.slash(stage.venue.ana, "start", level="easy"))
        return answers[-1]

    said = await stage.refuses("channel_taken_yours_apart", ask)
    assert stage.board().jump_url in said
    await works(stage, answers[-1].response.message)


@scene("thread_permission")
async def without_permission(stage: Stage) -> None:
    """Without a permission the answer names it, and Try again works once it is given."""
    message, venue = await offers(stage), stage.venue
    channel = venue.env.bot.get_channel(stage.channel.id)
    await forbid(venue, "create_public_threads", channel=channel)
    said = await stage.refuses("thread_permission", lambda: opens(stage, message), ["en"])
    assert "**Create Public Threads**" in said
    await stage.refuses("thread_permission", lambda: opens(stage, message), ["es"])
    await channel.set_permissions(channel.guild.me, create_public_threads=True)
    await works(stage, message)


async def fails(stage: Stage, key: str, code: int, text: str) -> None:
    """Require this refusal if Discord opens no thread for this reason; then the button works."""
    message = await offers(stage)

    async def ask() -> Any:
        refuse_threads(stage.venue, 400, code, text)
        return await opens(stage, message)

    await stage.refuses(key, ask)
    await works(stage, message)


@scene("thread_limit")
async def with_too_many_threads(stage: Stage) -> None:
    """In a server with the most threads that Discord allows, it works once one is closed."""
    await fails(stage, "thread_limit", 160006, "Maximum number of active threads reached")


@scene("thread_unopened")
async def without_an_answer(stage: Stage) -> None:
    """If Discord fails otherwise, nothing has changed, and trying again works."""
    await fails(stage, "thread_unopened", 0, "Bad Request")
