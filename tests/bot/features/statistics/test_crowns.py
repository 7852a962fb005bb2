"""Crowns: the first unaided win against a level on each size."""

from __future__ import annotations

from typing import Any

from bot.i18n import say_in
from tests.bot.hinting import note_hint


async def win(venue: Any, *, hints: bool = False, **options: Any) -> str:
    """Let Ana beat an agent on 5x4, at the latest in her fifth game; return the final text."""
    for _ in range(5):
        if await plays(venue, hints=hints, **options) == 1:
            assert await venue.services.ratings.settled(venue.ana.id, 60)
            await venue.env.settle()
            return str(venue.board().content)
    raise AssertionError("the agent was not beaten")


async def plays(venue: Any, *, hints: bool, **options: Any) -> int | None:
    """Let Ana play an agent on 5x4, moving first; return the winner."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", **options)
    while (session := await venue.services.sessions.games.current(venue.channel.id)) is not None:
        game_id = session.id
        if hints:
            await note_hint(venue.services, venue.channel.id, venue.ana.id)
        column = int(await venue.best_move())
        await venue.ana.slash(venue.channel, "connect4 drop", column=column)
    found = await venue.services.store.games.find(game_id)
    winner: int | None = found.end.winner
    return winner


async def test_the_first_win_without_help_is_a_crown(venue: Any) -> None:
    """The first unaided win against each level is a crown on the board and in details."""
    say = say_in("es")
    venue.speak("es")
    crown = "👑"
    assert crown not in await win(venue, level="easy", hints=True)
    announced = await win(venue, level="easy")
    line = say("crowns.won_on", level=say("level.easy"), size=say("size.small"))
    # The line also says how many games are missing to a rating.
    assert announced.splitlines()[1:] == [f"{line} {say.plural('result.placing', 4)}"]
    assert crown not in await win(venue, level="easy")
    stats = await venue.ana.slash(venue.channel, "connect4 stats")
    details = await venue.bea.click(stats.response, label=say("button.stats_details"))
    line = say("crowns.line", crowns=f"{say('size.small')}: **{say('level.easy')}**")
    assert line in details.response.content
