"""A rematch with changed settings on the offline Discord."""

from __future__ import annotations

from typing import Any

import pytest

from bot.i18n import say_in
from bot.store.records import TimeControl
from tests.bot.present import FEATURES

MATCHES = {"match": "0"} if "matches" in FEATURES else {}
"""The value of the field about matches, where there are any."""


async def finished(venue: Any, **options: Any) -> Any:
    """Ana and Bea have finished a game, which Ana began; return the message with its board."""
    options = {"size": "5x4", **options}
    asked = await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.bea, **options)
    await venue.bea.click(asked.response, custom_id="cuatro:accept:1")
    for number, column in enumerate("1212"):
        await (venue.ana, venue.bea)[number % 2].click(venue.board(), label=column)
    await venue.resign(venue.ana)
    return venue.board()


def options_of(shown: Any) -> dict[str, list[str]]:
    """The values that each field of a form offers, the chosen one first."""
    found = {}
    for part in shown.modal["components"]:
        field = part["component"]
        values = sorted(field["options"], key=lambda one: not one.get("default"))
        found[field["custom_id"]] = [one["value"] for one in values]
    return found


@pytest.mark.databases
async def test_a_rematch_with_other_settings(venue: Any) -> None:
    """The form opens as the game was; what is changed is offered, with the seats exchanged."""
    venue.speak("es")
    say = say_in("es")
    board = await finished(venue)
    second_row = [one.label for one in board.components[1].children]
    assert second_row[0] == say("button.change_rematch")
    shown = await venue.bea.click(board, label=say("button.change_rematch"))
    assert shown.modal["title"] == say("rematch.title")
    offered = options_of(shown)
    assert list(offered) == ["size", "time", "opening", "counts", *MATCHES]
    assert {name: values[0] for name, values in offered.items()} == {
        "size": "5x4",
        "time": "same",
        "opening": "empty",
        "counts": "rated",
        **MATCHES,
    }
    await venue.restart()
    changed = {"size": ["6x7"], "time": ["5m"], "opening": "balanced", "counts": "friendly"}
    sent = await venue.bea.submit_modal(shown, changed | MATCHES)
    assert f"<@{venue.ana.id}>" in sent.response.content
    await venue.ana.click(sent.response, custom_id="cuatro:accept:2")
    session = await venue.services.sessions.games.current(venue.channel.id)
    setup = session.setup
    assert setup.people == (venue.bea.id, venue.ana.id)
    assert (setup.variant, setup.clock) == ("6x7", TimeControl(300.0))
    assert (setup.balanced, setup.friendly) == (True, True)


async def test_nothing_changed_is_the_same_game(venue: Any) -> None:
    """Submitted as it opens, the form offers the game with its own settings."""
    board = await finished(venue, clock="1h", rated=False, opening="swap")
    shown = await venue.ana.click(board, label="Change…")
    as_opened = {name: values[0] for name, values in options_of(shown).items()}
    as_opened |= {name: [as_opened[name]] for name in ("size", "time")}
    await venue.ana.submit_modal(shown, as_opened)
    challenge = await venue.services.store.challenges.find(2)
    setup = challenge.offer.setup
    assert (setup.variant, setup.clock, setup.pie) == ("5x4", TimeControl(3600.0), True)
    assert setup.friendly
    assert challenge.offer.rematch_of == 1


async def test_a_form_is_refused_like_a_rematch(venue: Any) -> None:
    """Strangers get no form, and a form is refused once a rematch of the game was declined."""
    board = await finished(venue)
    refused = await venue.mod.click(board, label="Change…")
    assert refused.response.content.startswith("A rematch is for the people who played.")
    shown = await venue.ana.click(board, label="Change…")
    again = await venue.bea.click(board, label="Rematch")
    await venue.ana.click(again.response, label="Decline")
    unchanged = {"size": ["5x4"], "time": ["same"], "opening": "empty", "counts": "rated"}
    refused = await venue.ana.submit_modal(shown, unchanged | MATCHES)
    assert refused.response.content == "This rematch was declined. Want a game with me?"
    assert "Change…" not in [one.label for row in venue.board().components for one in row.children]


async def test_an_impossible_choice_is_refused(venue: Any) -> None:
    """A balanced opening on a board without any is refused with the boards that have some."""
    board = await finished(venue, size="4x4")
    shown = await venue.ana.click(board, label="Change…")
    wrong = {"size": ["4x4"], "time": ["same"], "opening": "balanced", "counts": "rated"}
    refused = await venue.ana.submit_modal(shown, wrong | MATCHES)
    assert refused.ephemeral
    assert "opening:swap" in refused.response.content
