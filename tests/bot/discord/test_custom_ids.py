"""Any custom id, also a forged one, gets a private answer and breaks nothing."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.discord.routes import NOTHING, row_id
from tests.bot.discord.forging import forge

HUGE = "9" * 30
TESTED_ELSEWHERE = 123


INVALID = (
    f"cuatro:move:{HUGE}:1:3",
    f"cuatro:move:1:{HUGE}:3",
    "cuatro:move:1:1:" + "3" * 80,
    f"cuatro:hint:{HUGE}",
    f"cuatro:accept:{HUGE}",
    f"cuatro:step:first:{HUGE}:0",
    f"cuatro:page:history:connect4:{HUGE}:1",
    f"cuatro:page:history:connect4:0:{'9' * 20}",
    "cuatro:page:history:chess:0:1",
    "cuatro:begin:chess:easy",
    "cuatro:help:chess",
    "cuatro:open:chess",
    f"cuatro:guess:{HUGE}:1",
    "cuatro:guess:1:3",
    "cuatro:nonsense",
    "cuatro:",
    "cuatro:hint:٣",
    "cuatro:retry:",
    "cuatro:retry:press:nonsense",
    "cuatro:retry:press:retry:press:resign:1",
    "cuatro:retry:choose:x:nonsense",
    "cuatro:retry:run:",
    "cuatro:retry:run:connect4",
    "cuatro:retry:run:connect4 fly?level=easy",
    "cuatro:retry:run:connect4 start?flight=easy",
    "cuatro:retry:run:connect4 start?level=wizard",
    "cuatro:retry:run:connect4 start?rated=perhaps",
    "cuatro:retry:run:connect4 start?opponent=Bea",
    f"cuatro:retry:run:connect4 start?opponent={'9' * 19}",
    "cuatro:retry:run:connect4 drop",
    "cuatro:retry:run:connect4 drop?column=two",
    "cuatro:direct:chess:easy:6x7",
)


async def test_an_invalid_id_is_answered(venue: Any) -> None:
    """An id with a huge number, a missing game or an unknown name is answered privately."""
    helped = await venue.ana.slash(venue.channel, "help")
    for custom_id in INVALID:
        forge(venue, custom_id=custom_id)
        answer = await venue.ana.click(helped.response, label="Play")
        assert answer.ephemeral, custom_id
        assert "This button is from an older version" in answer.response.content, custom_id
        assert await venue.services.store.games.running() == []


LARGEST = {
    "cuatro:move:999999999999999:1:3": None,
    "cuatro:hint:999999999999999": "no longer",
    "cuatro:accept:999999999999999": "challenge",
    "cuatro:undo:accept:999999999999999": "no longer",
    "cuatro:step:first:999999999999999:9999": "replay",
    "cuatro:why:999999999999999": "no longer",
    "cuatro:guess:999999999999999:1": "no longer",
    "cuatro:begin:connect4:nobody": "nobody",
}


async def test_the_largest_valid_ids_are_answered(venue: Any) -> None:
    """The largest valid ids reach the database and are answered as unknown."""
    for custom_id, said in LARGEST.items():
        # Some answers replace the message.
        helped = await venue.ana.slash(venue.channel, "help")
        forge(venue, custom_id=custom_id)
        answer = await venue.ana.click(helped.response, label="Play")
        assert answer.acknowledged, custom_id
        assert said is None or answer.ephemeral, custom_id
        assert await venue.services.store.games.running() == []


async def test_an_id_that_its_message_does_not_have_is_answered(venue: Any) -> None:
    """A press with an id that its message lacks is answered, although discord.py ignores it."""
    helped = await venue.ana.slash(venue.channel, "help")
    forge(venue, custom_id="cuatro:hint:1", shown=False)
    answer = await venue.ana.click(helped.response, label="Play")
    assert "This button is from an older version" in answer.response.content


@given(st.text(max_size=40))
@settings(max_examples=50)
def test_a_menus_value_is_a_row_or_nothing(text: str) -> None:
    """A menu's value names a row only if it is plain digits within the database's range."""
    found = row_id(text)
    assert found == NOTHING or found == int(text) < 10**15
