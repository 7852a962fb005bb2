"""Refused requests: the answer is clear and private, and nothing changes."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from discord import ButtonStyle

from bot.game.refusal import Control, OutdatedControl
from bot.i18n import LANGUAGES, say_in
from tests.bot.discord.forging import forge


async def test_every_refusal_of_a_drop_has_its_own_text(venue: Any) -> None:
    """No game, not your game, out of range and full column each have a text of their own."""
    ana, bea, channel = venue.ana, venue.bea, venue.channel
    no_game = await ana.slash(channel, "connect4 drop", column=1)
    await ana.slash(channel, "connect4 start", size="4x4", level="easy")
    outside = await ana.slash(channel, "connect4 drop", column=5)
    not_yours = await bea.slash(channel, "connect4 drop", column=1)
    for _ in range(4):
        session = await venue.services.sessions.games.current(channel.id)
        full = next((m for m in range(4) if session.position.height(m) == 4), None)
        if full is not None:
            break
        await ana.slash(channel, "connect4 drop", column=1)
    assert full is not None
    full_column = await ana.slash(channel, "connect4 drop", column=full + 1)
    answers = [result.response.content for result in (no_game, outside, not_yours, full_column)]
    assert "no game in this channel yet" in answers[0]
    assert "from 1 to 4" in answers[1]
    assert "This game is between **Ana** and me" in answers[2]
    assert "is full" in answers[3]
    assert all(r.ephemeral for r in (no_game, outside, not_yours, full_column))


async def test_a_column_out_of_range_changes_nothing(venue: Any) -> None:
    """A column that does not exist is refused privately, and no move is stored."""
    await venue.ana.slash(venue.channel, "connect4 start")
    edits = len(venue.edits())
    for column in (0, 8, -1, 100):
        answer = await venue.ana.slash(venue.channel, "connect4 drop", column=column)
        assert answer.ephemeral
        assert answer.response.content == "Columns go from 1 to 7."
    assert (await venue.services.store.games.find(1)).moves == ()
    assert len(venue.edits()) == edits


async def test_a_move_while_the_bot_thinks_is_not_your_turn(venue: Any) -> None:
    """A second move before the bot's answer is refused."""
    await venue.ana.slash(venue.channel, "connect4 start", level="easy")
    sessions = venue.services.sessions
    await sessions.play(venue.channel.id, venue.ana.id, "4")
    answer = await venue.ana.slash(venue.channel, "connect4 drop", column=4)
    assert answer.ephemeral
    assert "It's my turn" in answer.response.content
    assert len((await venue.services.store.games.find(1)).moves) == 1


async def test_a_button_of_another_players_game_is_refused(venue: Any) -> None:
    """A bystander cannot use a game's buttons."""
    await venue.ana.slash(venue.channel, "connect4 start")
    for label in ("4", "Resign"):
        answer = await venue.bea.click(venue.board(), label=label)
        assert answer.ephemeral
        said = [answer.response, *answer.followups][0].content
        assert "This game is between **Ana** and me" in said
    assert (await venue.services.store.games.find(1)).moves == ()


async def test_a_double_click_plays_once(venue: Any) -> None:
    """A second click on the same button, before the picture has changed, plays nothing."""
    await venue.ana.slash(venue.channel, "connect4 start", level="easy")
    sessions, store = venue.services.sessions, venue.services.store
    control = Control(1, 1)
    await sessions.play(venue.channel.id, venue.ana.id, "4", control=control)
    with pytest.raises(OutdatedControl):
        await sessions.play(venue.channel.id, venue.ana.id, "4", control=control)
    await sessions.reply(venue.channel.id)
    with pytest.raises(OutdatedControl):
        await sessions.play(venue.channel.id, venue.ana.id, "4", control=control)
    assert len((await store.games.find(1)).moves) == 2


async def test_a_click_updates_an_outdated_picture(venue: Any) -> None:
    """A click on an outdated picture plays nothing and updates the picture."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    await venue.services.sessions.play(venue.channel.id, venue.ana.id, "1")
    await venue.services.sessions.reply(venue.channel.id)
    shown = venue.board().attachments[0].filename
    await venue.ana.click(venue.board(), label="2")
    assert len((await venue.services.store.games.find(1)).moves) == 2
    assert venue.board().attachments[0].filename != shown


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_replaced_boards_button_links_to_the_present_board(
    venue: Any, language: str
) -> None:
    """A move's button on a board that was posted again plays nothing and says where the new one is.

    The old board loses its buttons.
    """
    await venue.ana.slash(venue.channel, "connect4 start", level="easy")
    old = venue.board()
    stored = venue.env.backend.messages[venue.channel.id][old.id]
    buttons = deepcopy(stored.components)
    await venue.ana.slash(venue.channel, "connect4 board")
    await venue.ana.slash(venue.channel, "connect4 drop", column=4)
    # A client that has not yet received the edit still shows the buttons.
    stored.components = buttons
    venue.speak(language)
    pressed = await venue.ana.click(old, label="1")
    (told,) = [pressed.response, *pressed.followups][-1:]
    assert told.ephemeral
    said = say_in(language)("refusal.outdated", link=venue.board().jump_url)
    assert told.content == said
    assert not told.components
    assert not stored.components
    assert len((await venue.services.store.games.find(1)).moves) == 2


async def test_a_button_of_a_game_elsewhere_links_to_its_board(venue: Any) -> None:
    """A button of a game that runs in another channel does nothing and links to its board."""
    await venue.ana.slash(venue.other_channel, "connect4 start", level="easy")
    await venue.ana.slash(venue.channel, "connect4 start", level="easy")
    forge(venue, custom_id="cuatro:resign:1")
    refused = await venue.ana.click(venue.board(), label="Resign")
    assert refused.ephemeral
    link = venue.board(venue.other_channel).jump_url
    assert refused.response.content == say_in("en")("refusal.outdated", link=link)


async def test_a_channel_holds_one_game(venue: Any) -> None:
    """A second game in a channel is refused, also to the player of the first one."""
    await venue.ana.slash(venue.channel, "connect4 start")
    for member in (venue.ana, venue.bea):
        answer = await member.slash(venue.channel, "connect4 start")
        assert answer.ephemeral
        assert venue.board().jump_url in answer.response.content


async def test_an_unknown_size_is_refused(venue: Any) -> None:
    """Autocomplete does not restrict input, so sizes are checked; the answer gives the format."""
    for size in ("3x4", "9x9", "6", "big", "6x7x8", ""):
        answer = await venue.ana.slash(venue.channel, "connect4 start", size=size)
        assert answer.ephemeral, size
        assert "rows and columns" in answer.response.content, size
    assert await venue.services.store.games.running() == []


async def test_running_games_per_person_are_limited(venue: Any) -> None:
    """The number of a player's running games is limited."""
    for _ in range(venue.services.settings.games_per_player):
        channel = venue.env.guild.create_text_channel("another")
        assert not (await venue.ana.slash(channel, "connect4 start", level="easy")).ephemeral
    answer = await venue.ana.slash(venue.channel, "connect4 start")
    assert answer.ephemeral
    assert "You have 5 games going" in answer.response.content


async def test_only_players_and_moderators_end_a_game(venue: Any) -> None:
    """A bystander cannot end a game; a moderator can stop it, and then it does not count."""
    await venue.ana.slash(venue.channel, "connect4 start", level="easy")
    refused = await venue.bea.slash(venue.channel, "connect4 resign")
    assert refused.ephemeral
    assert await venue.services.sessions.games.current(venue.channel.id) is not None
    for column in (1, 2):
        await venue.ana.slash(venue.channel, "connect4 drop", column=column)
    asked = await venue.mod.click(venue.board(), label="Resign")
    assert asked.ephemeral
    assert asked.response.content == "Stop the game of **Ana** and me? It won't count."
    assert await venue.services.sessions.games.current(venue.channel.id) is not None
    await venue.mod.click(asked.response.message, label="Stop it")
    assert "stopped by a moderator" in venue.board().content
    assert (await venue.services.store.games.find(1)).end.ending == "stopped"


async def test_a_moderators_stop_of_a_new_game_says_so(venue: Any) -> None:
    """A game that a moderator stops before its fourth move says who stopped it, and offers less."""
    await venue.ana.slash(venue.channel, "connect4 start", level="easy")
    asked = await venue.mod.click(venue.board(), label="Resign")
    stopped = await venue.mod.click(asked.response.message, label="Stop it")
    assert stopped.response.content == "Game stopped. It doesn't count."
    assert venue.board().content == "Game stopped by a moderator. It doesn't count."
    labels = [one.label for row in venue.board().components for one in row.children]
    assert labels == ["Rematch"]


async def test_requests_without_a_game_are_refused(venue: Any) -> None:
    """Without a game, `board` and `resign` offer one; only there that button is highlighted."""
    for command in ("board", "resign"):
        answer = await venue.ana.slash(venue.channel, f"connect4 {command}")
        assert answer.ephemeral
        assert "no game" in answer.response.content
        (play,) = answer.response.components[0]["components"]
        assert (play["label"], play["style"]) == ("Play", ButtonStyle.primary.value)
    await venue.ana.slash(venue.channel, "connect4 start")
    refused = await venue.bea.slash(venue.channel, "connect4 drop", column=1)
    (play,) = refused.response.components[0]["components"]
    assert (play["label"], play["style"]) == ("Play", ButtonStyle.secondary.value)


async def test_an_unexpected_failure_is_answered_and_logged(venue: Any) -> None:
    """An internal error is reported privately, reaches the log and leaves the game unchanged."""
    await venue.ana.slash(venue.channel, "connect4 start", level="easy")
    venue.env.inject_error("POST", "/interactions/*/callback", status=400, times=1)
    answer = await venue.ana.slash(venue.channel, "help")
    assert answer.ephemeral
    assert "Something went wrong on my end" in answer.response.content
    shown = await venue.ana.click(answer.response, label="Show the board")
    assert shown.response.attachments
    assert len(venue.env.errors) == 1
    venue.expected_errors = 1
    assert len(await venue.services.store.games.running()) == 1


async def test_typed_text_is_repeated_briefly_and_harmlessly(venue: Any) -> None:
    """Overlong input, mentions and direction marks are refused like any other wrong input."""
    await require_harmless(venue, "lab play", "agent")
    await require_harmless(venue, "connect4 start", "size")
    await require_harmless(venue, "lab watch", "first")
    await venue.ana.slash(venue.channel, "gato start")
    await require_harmless(venue, "gato place", "square")


async def require_harmless(venue: Any, command: str, option: str) -> None:
    """Require that this option value is refused, and repeated briefly and without effect."""
    for typed in ("x" * 6000, "<@1> @everyone \u202e`**a**`"):
        required = {"second": "hard"} if command == "lab watch" else {}
        answer = await venue.ana.slash(venue.channel, command, **(required | {option: typed}))
        said = answer.response.content
        assert answer.ephemeral
        assert len(said) < 400, said
        for harm in ("<@1>", "@everyone", "\u202e", " **a**"):
            assert harm not in said
