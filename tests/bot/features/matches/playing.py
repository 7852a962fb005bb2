"""Playing matches between Ana and Bea."""

from __future__ import annotations

from typing import Any


async def begin(venue: Any, games: int, **options: Any) -> Any:
    """Ana and Bea begin a match in which Ana begins; return its first game."""
    options = {"size": "5x4", **options}
    asked = await venue.ana.slash(
        venue.channel, "connect4 start", opponent=venue.bea, match=games, **options
    )
    await venue.bea.click(asked.response, custom_id="cuatro:accept:1")
    return await running(venue)


async def running(venue: Any) -> Any:
    """The running game."""
    return await venue.services.sessions.games.current(venue.channel.id)


async def win(venue: Any, winner: Any) -> None:
    """Play the running game to its end, won by a person."""
    session = await running(venue)
    sides = [venue.ana, venue.bea]
    first, second = sorted(sides, key=lambda one: session.people.index(one.id))
    columns = "1212121" if first is winner else "12123232"
    for number, column in enumerate(columns[:-1]):
        mover = (first, second)[number % 2]
        await venue.services.sessions.play(venue.channel.id, mover.id, column)
    last = (first, second)[(len(columns) - 1) % 2]
    await last.slash(venue.channel, "connect4 drop", column=int(columns[-1]))


async def concede(venue: Any, loser: Any) -> None:
    """End the running game, which is part of a match, before its first move."""
    session = await venue.services.sessions.resign(venue.channel.id, loser.id)
    await venue.app.core.boards.show(session)


async def draw(venue: Any) -> None:
    """End the running game as a draw by agreement."""
    for column in "1122":
        mover = (await running(venue)).mover.user_id
        await venue.services.sessions.play(venue.channel.id, mover, column)
    await venue.services.sessions.agree(venue.channel.id, lambda _: None)
    await shown(venue, "Next game")


async def shown(venue: Any, label: str) -> None:
    """Let time pass until the newest board has a button, as it is shown without a request."""
    for _ in range(20):
        if label in labels(venue.board()):
            return
        await venue.let_pass(4.0)
    raise AssertionError(f"the board does not show {label}")


def lines(venue: Any) -> list[str]:
    """The lines of the newest board."""
    return list(venue.board().content.splitlines())


def labels(message: Any) -> list[str]:
    """The labels of a message's buttons, as they are now."""
    return [item.label for row in message.components for item in row.children]


async def press_next(actor: Any, message: Any) -> Any:
    """Press the button for the next game, in any language."""
    ids = [str(item.custom_id) for row in message.components for item in row.children]
    return await actor.click(message, custom_id=next(i for i in ids if "match:next" in i))
