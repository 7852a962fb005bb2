"""Scenes in which votes are refused."""

from __future__ import annotations

from functools import partial

from bot.features.voting.rules import Voting
from bot.features.voting.store import Votes
from bot.i18n import LANGUAGES, say_in
from tests.bot.discord.stage import Stage, scene


@scene()
async def where_the_channel_plays(stage: Stage) -> None:
    """A move in a channel's game is refused; a vote by command or button works."""
    venue = stage.venue
    started = await stage.slash(venue.ana, "together", level="easy", seconds=30)
    assert not started.ephemeral
    for command in filter(stage.has, ("hint", "undo", "draw")):
        for actor in (venue.ana, venue.bea):
            ask = partial(stage.slash, actor, command)
            await stage.refuses("channel_plays", ask)
    await stage.play(venue.bea)
    assert (await stage.game()).ballot.votes
    await (await stage.in_another_channel()).begins(venue.bea)


@scene("begin_not_yours", "has_begun")
async def before_a_watched_game(stage: Stage) -> None:
    """A guess after a watched game has begun is refused; until then it counts."""
    venue = stage.venue
    await stage.slash(venue.ana, "watch", seconds=600)
    await stage.refuses("begin_not_yours", lambda: stage.press(venue.bea, "Start now"))
    draw = say_in(LANGUAGES[0])("button.guess_draw")
    await stage.press(venue.bea, draw)
    assert (await stage.game()).ballot.votes
    # Before the board shows the change.
    game = await stage.game()
    services = venue.services
    votes, games = Votes(services.store.database), services.sessions.games
    voting = Voting(votes, games, services.ownership.id, services.clock)
    await voting.begin(stage.channel.id, venue.ana.id, game.id, moderator=False)
    await stage.refuses("has_begun", lambda: stage.press(venue.bea, draw))
    await stage.resign(venue.ana)
    await stage.slash(venue.ana, "watch", seconds=600)
    await stage.press(venue.bea, draw)
    assert (await stage.game()).ballot.votes
