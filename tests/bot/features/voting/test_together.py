"""A channel's game against Cuatro, on the offline Discord."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from bot.features.voting.store import Votes
from bot.i18n import LANGUAGES, say_in
from bot.show.moves import button_words
from bot.store.records import THE_CHANNEL
from tests.bot.discord.stage import Stage
from tests.bot.features.voting.boards import seen, shows
from tests.bot.present import needs
from tests.builders import until

FIRST = {"gato": ("b2", "b3"), "boom": ("2", "3")}
"""Two moves of each game."""


@pytest.fixture
def stage(venue: Any) -> Stage:
    """Connect 4 in the channel."""
    return Stage(venue, "connect4", venue.channel)


async def begin(stage: Stage, **options: Any) -> None:
    """Let Ana begin a channel's game."""
    started = await stage.slash(stage.venue.ana, "together", **({"level": "easy"} | options))
    assert not started.ephemeral, started.response.content


async def decide(stage: Stage) -> None:
    """Let the time for a vote pass, and wait until the board shows the result."""
    venue, before = stage.venue, await made(stage)
    venue.services.clock.forward(61)
    await venue.app.timeouts.check()
    await until(lambda: is_done(stage, len(before)))


async def is_done(stage: Stage, before: int) -> bool:
    """Whether the channel can vote again or the game is over, and the board shows it."""
    session = await stage.game()
    if session is not None and (len(session.moves) <= before or session.awaits_agent):
        return False
    return await stage.venue.app.convergence.differing() == 0


async def made(stage: Stage) -> list[tuple[int | None, str]]:
    """Each move of the game so far with who made it."""
    return [(move.user_id, move.move) for move in (await stage.game()).moves]


@pytest.mark.parametrize("family", ["gato", "boom"])
async def test_the_channel_plays_what_most_vote_for(venue: Any, family: str) -> None:
    """Everyone may vote and change their vote; when the time is up, the most voted move is made."""
    say, stage = say_in("es"), Stage(venue, family, venue.channel)
    venue.speak("es")
    await begin(stage)
    one, two = FIRST[family]
    assert say("vote.open", time=say.duration(60.0)) in stage.board().content
    assert say("name.channel") in stage.board().content
    label, other = (say.move(family, move) for move in FIRST[family])
    answer = await stage.press(venue.ana, label)
    assert answer.followups[-1].ephemeral
    until = f"<t:{int((await stage.game()).ballot.until)}:R>"
    game = (await stage.game()).game
    first, second = (button_words(game, game.parse(move), say) for move in (two, one))
    assert answer.followups[-1].content == say("vote.yours", move=second)
    await stage.press(venue.bea, label)
    assert (await stage.play(venue.mod, one)).ephemeral
    # A second press changes the vote.
    await stage.press(venue.bea, other)
    await stage.press(venue.mod, other)
    text = await seen(stage)
    assert f"{say.count('votes', 2)} · {second}: 1" in text
    assert first[1:] in text
    assert text.endswith(say("vote.tally", votes="", until=until).rpartition(". ")[2])
    assert await made(stage) == []
    await decide(stage)
    moves = await made(stage)
    assert moves[0] == (THE_CHANNEL, two)
    turn = (await stage.game()).moves
    assert any(move.user_id is None for move in turn) == (turn[-1].player == 2)
    assert say("vote.open", time=say.duration(60.0)) in stage.board().content


async def test_many_votes_make_few_edits(stage: Stage) -> None:
    """The board is edited once for many votes."""
    venue = stage.venue
    await begin(stage)
    await seen(stage)
    before = len(venue.edits())
    for label in ("1", "2", "3", "4"):
        for actor in (venue.ana, venue.bea, venue.mod):
            await stage.press(actor, label)
    await shows(stage, "Column 4: 3 votes")
    assert len(venue.edits()) == before + 1


async def test_an_empty_channel_does_nothing(stage: Stage) -> None:
    """The time for a vote runs from the first one; an abandoned game is called off."""
    venue = stage.venue
    await begin(stage, seconds=30)
    for hours in (1, venue.services.settings.turn_hours):
        assert await made(stage) == []
        venue.services.clock.forward(hours * 3600)
        await venue.app.timeouts.check()
    assert await stage.game() is None
    await shows(stage, "Game cancelled")


async def test_votes_survive_a_restart(stage: Stage) -> None:
    """Votes from before a restart still count, and their time runs on."""
    venue = stage.venue
    await begin(stage)
    for actor in (venue.ana, venue.bea):
        await stage.press(actor, "3")
    await stage.press(venue.mod, "4")
    until = (await stage.game()).ballot.until
    await venue.restart()
    assert (await stage.game()).ballot.until == until
    await shows(stage, "Column 3: 2 votes · column 4: 1")
    # The time is up while no process checks.
    await venue.services.presence.stop()
    venue.services.clock.forward(3600)
    await venue.restart()
    await venue.app.timeouts.check()
    await venue.env.advance_time(2)
    assert (await made(stage))[0] == (THE_CHANNEL, "3")


async def test_cuatro_begins_where_that_is_asked_for(stage: Stage) -> None:
    """The bot, its seat, the size and the time for votes can be chosen."""
    await begin(stage, first="bot", size="5x4", level="medium", seconds=600)
    session = await stage.game()
    assert (session.seats[0].agent, session.seats[1].user_id) == ("medium", THE_CHANNEL)
    assert len(session.moves) == 1
    await stage.press(stage.venue.bea, "2")
    session = await stage.game()
    assert session.ballot.until - session.ballot.votes[0].at == 600.0


async def test_the_starter_and_moderators_can_stop_it(stage: Stage) -> None:
    """The game ends without a result; the channel keeps its board, and a new game can begin."""
    venue = stage.venue
    await begin(stage)
    await stage.refuses("stop_not_yours", lambda: stage.press(venue.bea, "Stop"))
    await stage.press(venue.ana, "Stop")
    assert "Game cancelled" in stage.board().content
    await venue.bea.click(stage.board(), label="Rematch")
    session = await stage.game()
    assert session.seats[1].user_id == THE_CHANNEL
    assert (session.setup.started_by, session.ballot.seconds) == (venue.bea.id, 60.0)
    await stage.press(venue.mod, "Stop")
    assert await stage.game() is None


@needs("league", "replays", "reviews", "statistics")
async def test_the_end_is_in_no_persons_results(stage: Stage) -> None:
    """A finished game is in the league's list and its starter's history, but in no figures."""
    venue = stage.venue
    await begin(stage, level="easy", size="5x4")
    while await stage.game() is not None:
        await stage.press(venue.bea, await venue.best_move())
        await decide(stage)
    board = stage.board()
    assert "The channel" in board.content
    for actor in (venue.ana, venue.bea):
        card = await stage.slash(actor, "stats")
        assert "No finished games yet" in card.response.content
    league = await stage.slash(venue.bea, "league")
    (menu,) = league.response.components[0]["components"]
    assert "The channel – easy" in menu["options"][0]["label"]
    shown = await venue.bea.select(league.response, ["1"], custom_id="cuatro:watched:connect4")
    assert "The channel" in shown.response.content
    history = await stage.slash(venue.ana, "history")
    assert "The channel" in history.response.attachments[0].description
    # Everyone in the channel can look back at the game.
    review = (await venue.mod.click(board, label="Review")).response
    assert review.attachments
    assert (await venue.mod.click(review, label="Replay")).response.attachments


@needs("privacy")
async def test_votes_are_shown_exported_and_deleted(stage: Stage) -> None:
    """Votes are listed, exported and deleted; deleted ones do not count on the board either."""
    venue = stage.venue
    await begin(stage)
    await stage.press(venue.bea, "3")
    await stage.press(venue.mod, "4")
    shown = await venue.bea.slash(venue.channel, "privacy", action="show")
    page = await venue.bea.click(shown.response.message, label="Details")
    assert "and guesses: 1" in page.response.content
    files = (await venue.bea.slash(venue.channel, "privacy", action="export")).response.attachments
    (file,) = [file for file in files if file.filename == "cuatro-votes.csv"]
    text = (await file.read()).decode()
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["game"], row["number"], row["choice"]) == ("1", "1", "3")
    asked = await venue.bea.slash(venue.channel, "privacy", action="delete")
    await venue.bea.click(asked.response.message, label="Yes, delete")
    assert await Votes(venue.services.store.database).of(venue.bea.id) == []
    await shows(stage, "Column 4: 1 vote.")
    await decide(stage)
    assert (await made(stage))[0] == (THE_CHANNEL, "4")


async def test_a_time_that_no_vote_may_take_is_refused(stage: Stage) -> None:
    """A time that Discord does not offer is refused when forged, and no game begins."""
    venue = stage.venue
    for seconds in (29, 86_401):
        forged = [{"type": 4, "name": "seconds", "value": seconds}]
        for language in LANGUAGES:
            venue.speak(language, options=forged)
            refused = await stage.slash(venue.ana, "together")
            said = say_in(language)("refusal.vote_seconds", least=30, most=86_400)
            assert refused.response.content == said
    assert await stage.game() is None
