"""Puzzles by command on the offline Discord."""

from __future__ import annotations

from typing import Any

import pytest
from discord import ButtonStyle

from bot.features.puzzles.choice import classes_with_puzzles
from bot.features.puzzles.rules import prompt_words, puzzle_figures
from bot.features.puzzles.store import Puzzles
from bot.i18n import say_in
from bot.ratings.levels import class_of
from bot.show.texts import size_title
from engine.core.registry import games as all_games
from engine.study.puzzles import Puzzle, puzzle
from engine.study.themes import Theme
from tests.bot.drills.drilling import Driller
from tests.bot.features.puzzles.solving import solve, wrong

LADDER = "connect4-classic"


async def test_a_puzzle_is_solved_and_the_next_one_follows(venue: Any) -> None:
    """Only the solver sees the puzzle; the change of rating is shown, also on their card."""
    say, ana = say_in("es"), Driller(venue, venue.ana)
    venue.speak("es")
    asked = await venue.ana.slash(venue.channel, "puzzle", game="connect4")
    assert asked.ephemeral
    first = await begun_puzzle(venue)
    asked = say("puzzle.ask", ask=prompt_words(first, say))
    assert ana.content == f"{asked} {say('puzzle.first_try')}"
    await solve(ana, first)
    record = await puzzles_of(venue).rating(venue.ana.id, LADDER)
    assert (record.rating.games, record.solved) == (1, 1)
    own = say("puzzle.provisional", rating=say.rating(record.rating.value))
    tried = await puzzles_of(venue).attempt(venue.ana.id, first.id)
    change = f"{round(tried.value_after) - round(tried.value_before):+d}".replace("-", "\u2212")
    changed = say("puzzle.changed", rating=own, change=change)
    assert ana.content == f"{say('puzzle.first')}\n{changed}"
    await ana.press(say("button.next_puzzle"))
    second = await begun_puzzle(venue)
    assert second.id != first.id
    assert prompt_words(second, say) in ana.content
    (figure,), (line,) = await on_card(venue, say)
    size = size_title(class_of("connect4", "6x7"), say)
    assert (figure.label, figure.value) == (say("stats.puzzles_in", size=size), own)
    assert say("stats.puzzles_of", solved=1, tried=1) in line


async def test_only_the_first_try_is_rated(venue: Any) -> None:
    """Only the first try is rated; later tries and a restart change no rating."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    await venue.ana.slash(venue.channel, "puzzle", game="connect4")
    first = await begun_puzzle(venue)
    await ana.press(wrong(first))
    assert ana.content.startswith(say("drill.wrong", why=""))
    before = await puzzles_of(venue).rating(venue.ana.id, LADDER)
    assert (before.rating.games, before.solved) == (1, 0)
    await venue.restart()
    await ana.press(say("button.try_again"))
    await solve(ana, first)
    assert say("puzzle.solved") in ana.content
    assert "Only the first try counts" in ana.content
    assert await puzzles_of(venue).rating(venue.ana.id, LADDER) == before


async def test_each_size_has_puzzles_of_its_own(venue: Any) -> None:
    """Each size has its own puzzles; sizes with puzzles are suggested."""
    for typed in ("small", "clásico", "5x4"):
        await venue.ana.slash(venue.channel, "puzzle", game="connect4", size=typed)
    offered = await venue.ana.autocomplete(venue.channel, "puzzle", "size", "")
    assert [choice["value"] for choice in offered][:2] == ["small", "classic"]
    tries = await puzzles_of(venue).all_of(venue.ana.id)
    assert [one.ladder for one in tries] == ["connect4-small", LADDER]
    variants = [puzzle(one.puzzle).game.variant for one in tries]
    assert variants == ["5x4", "6x7"]


@pytest.mark.parametrize(
    "family", [family for family in all_games() if classes_with_puzzles(family)]
)
async def test_every_game_with_puzzles_has_the_command(venue: Any, family: str) -> None:
    """Every game with puzzles has the command, and a solved puzzle leads to another."""
    ana = Driller(venue, venue.ana)
    await venue.ana.slash(venue.channel, "puzzle", game=family)
    for count in (1, 2):
        tries = await puzzles_of(venue).all_of(venue.ana.id)
        await solve(ana, puzzle(tries[-1].puzzle))
        assert say_in("en")("puzzle.first") in ana.content
        tries = await puzzles_of(venue).all_of(venue.ana.id)
        assert [one.solved for one in tries] == [True] * count
        await ana.press(say_in("en")("button.next_puzzle"))


async def test_a_theme_stays_chosen(venue: Any) -> None:
    """Puzzles of a theme follow each other; a theme that a board lacks is refused."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    await venue.ana.slash(venue.channel, "puzzle", game="connect4", theme="zugzwang")
    for _ in range(2):
        found = await begun_puzzle(venue)
        assert Theme.ZUGZWANG in found.themes
        await solve(ana, found)
        await ana.press(say("button.next_puzzle"))
    refused = await venue.ana.slash(venue.channel, "puzzle", game="gato", theme="zugzwang")
    assert say("refusal.no_theme") in str(refused.response.content)


async def test_a_puzzle_left_open_is_asked_again(venue: Any) -> None:
    """An open puzzle is asked again instead of an easier one; showing its solution fails it."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    await venue.ana.slash(venue.channel, "puzzle", game="connect4")
    first = await begun_puzzle(venue)
    await venue.ana.slash(venue.channel, "puzzle", game="connect4")
    assert await begun_puzzle(venue) == first
    await ana.press(say("button.solve"))
    assert ana.labels()[0] == say("button.next_puzzle")
    tried = await puzzles_of(venue).attempt(venue.ana.id, first.id)
    assert tried.solved is False
    await venue.ana.slash(venue.channel, "puzzle", game="connect4")
    assert await begun_puzzle(venue) != first


def puzzles_of(venue: Any) -> Puzzles:
    """The puzzle repository of a venue."""
    return Puzzles(venue.services.store.database)


async def on_card(venue: Any, say: Any) -> Any:
    """The lines about puzzles on Ana's card."""
    return await puzzle_figures(puzzles_of(venue), venue.ana.id, class_of("connect4", "6x7"), say)


async def begun_puzzle(venue: Any) -> Puzzle:
    """The puzzle that Ana began last."""
    tries = await puzzles_of(venue).tries(venue.ana.id, LADDER)
    found = puzzle(tries[-1].puzzle)
    assert found is not None
    return found


async def test_a_puzzle_is_the_main_button_about_training(venue: Any) -> None:
    """Under help about training, Puzzle is the one highlighted button."""
    helped = await venue.ana.slash(venue.channel, "help")
    await venue.ana.select(helped.response, ["training"], custom_id="cuatro:help:topic")
    (row, _menu) = helped.response.components
    primary = ButtonStyle.primary.value
    shown = [item["label"] for item in row["components"] if item["style"] == primary]
    assert shown == [say_in("en")("button.puzzle")]
