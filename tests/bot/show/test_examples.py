"""The pictures of rules, and the picture of the greeting."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.i18n import LANGUAGES, say_in
from bot.show.examples import games_scene, rules_scene
from engine.core.registry import games as all_games
from renderers import SmallBoard, card_alt_text

SAY = say_in("en")
STRAIGHT = {(0, 1), (1, 0), (1, 1), (1, -1)}


def direction(board: SmallBoard) -> tuple[int, int]:
    """The direction of a board's winning line."""
    first, *others = sorted(board.line)
    steps = {
        ((one.row - first.row) // n, (one.column - first.column) // n)
        for n, one in enumerate(others, 1)
    }
    (step,) = steps
    return step


@pytest.mark.parametrize("family", ["connect4", "gato"])
def test_rules_show_a_line_of_each_kind(family: str) -> None:
    """Three finished boards have a line of four each: across, upright and diagonal."""
    scene = rules_scene(all_games()[family], SAY)
    assert scene is not None
    assert not scene.numbered
    assert all(len(board.line) == 4 for board in scene.boards)
    found = [direction(board) for board in scene.boards]
    assert len({(down != 0, right != 0) for down, right in found}) == 3
    assert set(found) <= STRAIGHT


def test_rules_show_an_explosion_in_three_steps() -> None:
    """A bomb clears what the opponent has in its row, and the discs above fall."""
    scene = rules_scene(all_games()["boom"], SAY)
    assert scene is not None
    assert scene.numbered
    before, blast, after = scene.boards
    assert before.at_risk == blast.removed
    assert before.cells == blast.cells
    gone = {before.cells[row][column] for row, column in blast.removed}
    assert sum(cell.is_bomb for cell in gone) == 1
    (row,) = {square.row for square in blast.removed}
    stays = [cell for cell in before.cells[row] if cell.owner and cell not in gone]
    assert stays
    stones, left = (
        sum(cell.owner is not None for line in board.cells for cell in line)
        for board in (before, after)
    )
    assert stones - left == len(blast.removed)
    assert {len(board.cells) for board in scene.boards} == {len(before.cells)}
    assert len(before.cells) < 7


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_of_games_have_alternative_texts(language: str) -> None:
    """Each picture says what it shows, and the greeting's names the games."""
    say = say_in(language)
    for package in all_games().values():
        scene = rules_scene(package, say)
        assert scene is None or card_alt_text(scene)
    games = games_scene(say)
    assert games is not None
    text = card_alt_text(games)
    assert all(say(f"game.{key}") in text for key in all_games())


async def test_the_greeting_and_the_rules_have_pictures(venue: Any) -> None:
    """A new server sees a board of each game; rules come with their picture, privately."""
    bot = venue.env.bot
    guild = bot.get_guild(venue.env.guild.id)
    place = venue.other_channel
    await guild.get_channel(venue.channel.id).set_permissions(guild.me, send_messages=False)
    bot.dispatch("guild_join", guild)
    async with asyncio.timeout(30):
        while not place.history():
            await venue.env.advance_time(1)
    (greeting,) = place.history()
    assert greeting.attachments[0].filename == "games.png"
    asked = await venue.ana.click(greeting, label="BOOM")
    await venue.ana.click(asked.response, label="Just play")
    board = next(m for m in reversed(place.history()) if "BOOM" in m.content)
    rules = await venue.ana.click(board, label="Rules")
    assert rules.ephemeral
    assert rules.response.attachments[0].filename == "boom-rules.png"
    assert "three steps" in rules.response.attachments[0].description
