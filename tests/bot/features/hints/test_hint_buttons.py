"""Hints that reveal more with each press: a region, a threat, the move."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.hints import rules
from bot.i18n import say_in
from tests.bot.discord.stage import Stage
from tests.bot.discord.words_of import words_of

MOST_LINES = "No other square has as many lines that you can still complete."


def private(stage: Stage, actor: Any) -> Any:
    """The last private message."""
    history = stage.channel.history(viewer=actor)
    return [m for m in history if m.flags.ephemeral][-1]


def lines(message: Any) -> list[str]:
    """The lines of a hint's text."""
    return list(message.content.split("\n"))


async def test_each_press_reveals_more(venue: Any) -> None:
    """The button under the hint, the board's and the command each reveal more, privately.

    The picture marks the move at last.
    """
    stage, say, bea = Stage(venue, "connect4", venue.channel), say_in("es-419"), venue.bea
    await stage.befriend()
    await stage.make("433225")
    await stage.play(await stage.mover(), "4")
    venue.speak("es-419")
    await stage.press(bea, "Hint")
    area = private(stage, bea)
    where = say("hint.area.middle")
    assert lines(area) == [say("hint.clue.lost", area=where)]
    await bea.click(area, label=say("button.more"))
    threat = private(stage, bea)
    assert threat.id == area.id
    name, column = "**Ana**", say("place.columns.one", columns="5")
    assert lines(threat) == [f"{name} tiene tres en la fila 2: columnas 2, 3 y 4."]
    discs = [say("alt.square", column=one, row=2) for one in (2, 3, 4)]
    assert say("alt.marked", squares=", ".join(discs)) in words_of(threat)
    place = say("alt.square", column=5, row=2)
    move = (await stage.press(bea, "Hint")).response
    label = say("place.label", move="5")
    assert lines(move) == [say("hint.block", move=label, name=name)]
    assert say("alt.hint", square=place) in words_of(move)
    plain = await stage.board().attachments[0].read()
    assert await move.attachments[0].read() != plain
    again = (await stage.slash(bea, "hint")).response
    assert again.content == move.content
    (hint,) = (await venue.services.store.games.find(1)).hints
    assert (hint.level, hint.given) == (3, 3)
    await bea.click(again.message, label=say("button.details"))
    details = private(stage, bea)
    assert lines(details)[0] == lines(move)[0]
    assert lines(details)[1].startswith(column.capitalize())
    played = say("button.hint_play", move=say("place.column", column="5"))
    await bea.click(details, label=played)
    session = await venue.services.store.games.find(1)
    assert [made.move for made in session.moves] == list("43322545")
    assert not private(stage, bea).components


async def test_a_level_is_reported_at_once_and_after_a_restart(venue: Any) -> None:
    """A hint's text is rebuilt from its stored level, so that a restart does not change it."""
    stage, ana = Stage(venue, "connect4", venue.channel), venue.ana
    await stage.begins(ana)
    asked = await stage.slash(ana, "hint", level="threat")
    await ana.click(asked.response.message, label="Show the hint")
    threat = private(stage, ana)
    assert lines(threat) == ["Nobody has a threat yet.", say_in("en")("hint.plan.most_lines.clue")]
    await venue.restart()
    again = (await stage.slash(ana, "hint", level="threat")).response
    assert again.content == threat.content
    area = (await stage.slash(ana, "hint", level="area")).response
    assert lines(area) == ["Nobody can win on the spot. Look at the middle."]
    move = (await stage.slash(ana, "hint")).response
    assert lines(move) == ["Play column 4. You win from here.", MOST_LINES]
    assert (await stage.slash(ana, "hint", level="move")).response.content == move.content
    await stage.resign(ana)
    (hint,) = (await venue.services.store.games.find(1)).hints
    assert hint.given == 2


async def test_a_hint_in_boom_gives_its_depth(venue: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In BOOM the details of an unproven hint give its search depth."""
    monkeypatch.setattr(rules, "HINT_SECONDS", 0.1)
    stage, ana = Stage(venue, "boom", venue.channel), venue.ana
    await stage.begins(ana)
    asked = await stage.slash(ana, "hint", level="move")
    await ana.click(asked.response.message, label="Show the hint")
    assert lines(private(stage, ana))[0].endswith("It looks best to me.")
    await ana.click(private(stage, ana), label="Details")
    assert "Best I found, looking " in private(stage, ana).content
