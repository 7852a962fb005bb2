"""Learning from a review: players find better moves for their worst ones."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

from PIL import Image

from bot.i18n import say_in
from bot.settings import Rate
from bot.show.moves import sentence
from tests.bot.discord.forging import forge
from tests.bot.discord.stage import Stage
from tests.bot.drills.drilling import Driller
from tests.bot.present import needs

MISSED = {
    "gato": "a1 b2 a2 b3 a3 b1 c2 a4",
    "boom": "2 5 5 2 3 5 4 6 5 1",
}
"""Games in which Bea errs: at Gato she lets Ana win, and then misses her own win; at BOOM she gives
the game away with the second move of a turn."""


async def test_a_better_move_is_found(venue: Any) -> None:
    """A wrong try is refuted, and the right one solves the position and leads to the next."""
    say, bea = say_in("es"), await learning(venue, "gato", "es")
    played = say("learn.prompt", number=3, places=say("place.squares.one", squares="b1"))
    question = f"{say('learn.title', number=1, of=2)} {played}"
    assert bea.content == question
    assert bea.alt_text.startswith(f"{say('drill.rival')}: X; {say('drill.you')}: O.")
    assert bea.labels(disabled=True) == ["a1", "a2", "b2", "a3", "b3"]
    await bea.press("b4")
    four = say("drill.why.four", places=say("place.squares.one", squares="a4"))
    assert bea.content == say("drill.wrong", why=four)
    assert say("drill.won.rival") in bea.alt_text
    assert await frames(bea) > 3
    await bea.press(say("button.try_again"))
    assert bea.content == question
    await bea.press("a4")
    place = sentence(say("place.squares.one", squares="a4"))
    assert bea.content == say("drill.right", result=sentence(say("reason.blocked")))
    assert bea.labels()[:2] == [say("button.next"), say("button.line")]
    await bea.press(say("button.line"))
    assert bea.content.splitlines()[0] == say("drill.more.draws", places=place)
    assert bea.labels() == []
    bea = Driller(venue, venue.bea, back=1)
    await bea.press(say("button.next"))
    assert bea.content.startswith(say("learn.title", number=2, of=2))
    await bea.press("b4")
    assert say("drill.won.you") in bea.alt_text
    assert bea.content == f"{say('drill.four')}\n{say('learn.last')}"
    assert bea.labels()[0] == say("button.done")
    await bea.press(say("button.done"))
    assert bea.labels() == []


async def test_the_solution_can_be_shown(venue: Any) -> None:
    """The solution can be shown at once or after a wrong try, and then one can begin again."""
    say, bea = say_in("es"), await learning(venue, "boom", "es")
    question = bea.content
    await bea.press("4")
    assert bea.content.startswith(say("drill.wrong", why=""))
    await bea.press(say("button.solve"))
    assert say("button.solve") not in bea.labels()
    assert await frames(bea) > 3
    await bea.press(say("button.try_again"))
    assert bea.content == question
    await bea.press(say("button.solve"))
    assert say("button.try_again") in bea.labels()


async def test_every_press_counts_as_a_picture(venue: Any) -> None:
    """Presses count towards the limit of pictures; a refused one leaves the message unchanged."""
    bea = await learning(venue, "gato", "en")
    limiter, before = venue.services.limiter, bea.content
    limiter.limits = replace(limiter.limits, pictures=Rate(1, 60.0))
    await bea.press("b4")
    answered = bea.content
    assert answered != before
    for label in ("Try again", "Show me"):
        refused = await bea.press(label)
        assert "Slow down a little" in refused.response.content
    venue.services.clock.forward(61.0)
    await bea.press("Try again")
    assert bea.content == before


async def test_learning_continues_after_a_restart(venue: Any) -> None:
    """The buttons of a review and of learning work after a restart."""
    await reviewed(venue, "gato")
    bea = Driller(venue, venue.bea)
    review = bea.message
    await venue.restart()
    await bea.press("Learn from my mistakes")
    question = bea.content
    await venue.restart()
    await bea.press("b4")
    await bea.press("Try again")
    assert bea.content == question
    assert review.id != bea.message.id


async def test_only_players_get_exercises(venue: Any) -> None:
    """Others have no button for learning from a game, and their forged presses are refused."""
    stage = await reviewed(venue, "gato")
    mod, bea = Driller(venue, venue.mod), Driller(venue, venue.bea)
    await stage.press(venue.mod, "Review")
    assert "Learn from my mistakes" not in mod.labels()
    forge(venue, by=venue.mod)
    refused = await bea.press("Learn from my mistakes")
    assert "Only the people who played that game" in refused.response.content


FORGED = {
    "no move": "cuatro:try:learn:1.5:0:z9",
    "a square that is taken": "cuatro:try:learn:1.5:0:a1",
    "a step that there is not": "cuatro:try:learn:1.5:1:a4",
    "a move that was good": "cuatro:try:learn:1.3:0:a4",
    "a move of somebody else": "cuatro:drill:solve:learn:1.6:0",
    "no drill": "cuatro:drill:ask:learn:1:0",
    "no source": "cuatro:drill:ask:nothing:1.5:0",
    "no action": "cuatro:drill:begin:learn:1.5:0",
    "out of bounds": "cuatro:drill:ask:learn:1.5:100",
}
"""Ids that no button has."""


async def test_an_id_that_names_nothing_is_answered(venue: Any) -> None:
    """A press with an id that names nothing is answered, and the message stays unchanged."""
    bea = await learning(venue, "gato", "en")
    before = bea.content
    for what, custom_id in FORGED.items():
        forge(venue, custom_id=custom_id)
        refused = await bea.press("a4")
        answers = [one for one in (refused.response, *refused.followups) if one is not None]
        assert "This button is from an older version" in answers[-1].content, what
        assert bea.content == before, what
    forge(venue)
    await bea.press("a4")
    assert bea.content != before


async def reviewed(venue: Any, family: str, language: str = "en") -> Stage:
    """A review for Bea of a game that she lost to Ana."""
    stage = Stage(venue, family, venue.channel)
    await stage.pair()
    await stage.make(MISSED[family].split())
    await stage.resign(venue.bea)
    venue.speak(language)
    await stage.press(venue.bea, "Review")
    return stage


async def learning(venue: Any, family: str, language: str) -> Driller:
    """Bea's private message after she chose to learn from a lost game."""
    await reviewed(venue, family, language)
    bea = Driller(venue, venue.bea)
    await bea.press(say_in(language)("button.learn"))
    return bea


async def frames(driller: Driller) -> int:
    """The number of frames of the GIF that a person sees."""
    blob = await driller.message.attachments[0].read()
    with Image.open(BytesIO(blob), formats=["GIF"]) as image:
        return int(getattr(image, "n_frames", 1))


@needs("puzzles")
async def test_a_review_leads_to_puzzles(venue: Any) -> None:
    """After the last exercise of a review, a button gives a puzzle of its game, if it has any."""
    say, bea = say_in("es"), await learning(venue, "gato", "es")
    await bea.press("a4")
    await bea.press(say("button.next"))
    await bea.press(say("button.solve"))
    labels = bea.labels()
    assert labels[:2] == [say("button.try_again"), say("button.puzzle")]
    await bea.press(say("button.try_again"))
    await bea.press("b4")
    assert bea.labels()[:2] == [say("button.done"), say("button.puzzle")]
    await bea.press(say("button.puzzle"))
    assert bea.content.endswith(say("puzzle.first_try"))
