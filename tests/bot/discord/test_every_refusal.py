"""Every refusal is provoked in every game and language, and its advice works."""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import say_in
from engine.core.registry import games
from tests.bot.discord import (
    refusals_at_board,
    refusals_at_start,
    refusals_of_haste,
)
from tests.bot.discord.stage import SCENES, Stage

pytestmark = pytest.mark.long

assert refusals_at_board, "importing these fills SCENES"
assert refusals_at_start
assert refusals_of_haste

TESTED_ELSEWHERE = {
    "missing_permissions": "test_permissions.py",
    "moved_on": "another process, or an undo while a hint is searched for, has to come in between",
    "not_a_clock": "tests/bot/game/test_clocks.py: Discord lets nobody choose another",
    "outdated": "test_refusals.py: a board has to be replaced",
    "discontinued": "test_unreadable_games.py",
    "damaged_game": "test_unreadable_games.py",
    "game_is_gone": "no game is ever deleted",
    "unknown_size": "tests/bot/ratings/test_size_classes.py: Discord suggests the sizes there are",
    "illegal.outside": "no text that players write is read as such a move",
    "illegal.over": "a game that is over is refused as no game",
    "not_in_that_game": "features/{replays,reviews,why}/test_discord.py: a press has to be forged",
    "game_waits": "features/fair_play/refusals.py: only there games wait",
    "channel_plays": "features/voting/refusals.py: only there a channel plays",
    "vote_seconds": "features/voting/test_together.py: what Discord refuses has to be forged",
    "unexpected": "test_refusals.py: a failure, not a refusal",
    "unknown_button": "test_custom_ids.py: a press has to be forged",
    "store_busy": "test_store_faults.py",
    "store_full": "test_store_faults.py",
    "store_gone": "test_store_faults.py",
    "store_readonly": "tests/bot/database/test_faults.py: only root can make a file so",
    "store_broken": "test_store_faults.py",
    "store_unconfirmed": "test_store_faults.py",
}
"""Where the other refusals are tested, or why players never see them."""

FEATURES = Path(__file__).parents[1] / "features"

for found in sorted(FEATURES.glob("*/refusals.py")):
    # Each feature has its own scenes and explanations; importing them fills SCENES.
    module = import_module(f"tests.bot.features.{found.parent.name}.refusals")
    TESTED_ELSEWHERE |= getattr(module, "TESTED_ELSEWHERE", {})


GROUPS: dict[str, list[str]] = {}
"""The scenes of each server: those of a module, or a single one if the module has `APART`."""

for scene_name, (_, scene_played) in SCENES.items():
    home = scene_played.__module__
    subject = home.removeprefix("tests.bot.")
    is_apart = getattr(sys.modules[home], "APART", False)
    GROUPS.setdefault(f"{subject}.{scene_name}" if is_apart else subject, []).append(scene_name)


@pytest.mark.parametrize("group", GROUPS)
async def test_the_advice_of_refusals_works(venue: Any, group: str) -> None:
    """A refusal is private, has the right text in both languages, and its advice works.

    The scenes of a module follow each other on one server, since a start takes long.
    """
    for name, family in product(GROUPS[group], games()):
        stage = Stage(venue, family, venue.env.guild.create_text_channel(family))
        venue.speak("en-US")
        _, play = SCENES[name]
        try:
            await play(stage)
            await stage.clear()
        except BaseException as error:
            error.add_note(f"in the scene {name} of {family}")
            raise


def test_no_refusal_is_left_out() -> None:
    """Every refusal with a text is provoked in a scene or listed above as an exception."""
    keys = (key.split(".")[1:] for key in say_in("en").texts if "refusal." in key)
    texts = {".".join(part for part in key if part not in games()) for key in keys}
    provoked = {key for keys, _ in SCENES.values() for key in keys}
    assert provoked | TESTED_ELSEWHERE.keys() == texts
    assert not provoked & TESTED_ELSEWHERE.keys()
