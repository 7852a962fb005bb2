"""The button "Why?" under the boards of finished and watched games."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.why import Explanations
from bot.i18n import say_in
from engine.core.jobs import Job
from engine.core.registry import game_of, games
from engine.study.explaining import Explain
from tests.bot.discord.forging import refused_stranger
from tests.bot.discord.words_of import words_of
from tests.bot.drills.drilling import Driller
from tests.bot.engine_jobs import doing
from tests.bot.present import needs


def buttons(message: Any) -> list[str]:
    """The custom ids of a message's buttons."""
    rows = [row.to_dict() for row in message.components]
    return [button["custom_id"] for row in rows for button in row["components"]]


async def watch(venue: Any, command: str, moves: int, **agents: str) -> None:
    """Watch a game for a number of moves."""
    await venue.ana.slash(venue.channel, command, **agents)
    for _ in range(moves):
        await venue.env.advance_time(venue.services.settings.watch_pace)


def explanations(venue: Any) -> Explanations:
    """The explanation service of a venue."""
    return Explanations(venue.services.sessions.games, venue.services.workers)


@pytest.mark.parametrize("family", games())
async def test_a_watched_game_is_explained_while_it_runs(venue: Any, family: str) -> None:
    """Everyone can see privately what the last agent to move evaluated and what it chose."""
    await watch(venue, "lab watch", 3, game=family, first="hard", second="medium")
    answer = await venue.bea.click(venue.board(), label="Why?")
    assert answer.ephemeral
    text = answer.response.content
    session = await venue.services.sessions.games.current(venue.channel.id)
    last = session.moves[-1]
    who = {1: "hard", 2: "medium"}[last.player]
    assert text.startswith(f"**{who}**, move {len(session.moves)}: it chose")
    chosen = [line for line in text.splitlines() if line.startswith(">")]
    label = say_in("en").move(family, last.move)
    assert [line.split()[1] for line in chosen] == [label.split()[0]]
    assert len(text) < 2000


async def test_before_the_first_move_there_is_nothing_to_explain(venue: Any) -> None:
    """The "Why?" button appears with the first move of an agent."""
    await venue.ana.slash(venue.channel, "lab watch", game="gato", first="medium", second="hard")
    assert buttons(venue.board()) == ["cuatro:stop:1"]
    with pytest.raises(Exception, match="why_no_agent"):
        await explanations(venue).last_choice(1)
    await venue.env.advance_time(venue.services.settings.watch_pace)
    assert buttons(venue.board()) == ["cuatro:stop:1", "cuatro:why:1"]


async def test_the_table_has_the_agents_and_the_exact_values(venue: Any) -> None:
    """The table has the agent's own values and the exact ones, in both languages."""
    await watch(venue, "lab watch", 8, game="connect4", first="greedy", second="greedy", size="5x4")
    session = await venue.services.sessions.games.current(venue.channel.id)
    moves = tuple(made.move for made in session.moves[:-1])
    found = Job("connect4", "5x4", moves, Explain("greedy")).run()
    assert found.exact is not None
    text = (await venue.ana.click(venue.board(), label="Why?")).response.content
    lines = text.split("```")[1].strip("\n").splitlines()
    assert lines[0].split("  ")[-1] == "exact"
    assert len(lines) == 1 + len(found.explanation.values)
    game = game_of("connect4", "5x4")
    for line, (move, value) in zip(lines[1:], found.explanation.values.items(), strict=True):
        answer = line.removeprefix(">").split()
        assert answer[0] == game.label(move)
        assert float(answer[1].replace(",", "")) == float(value)
        score = found.exact.scores[move]
        assert answer[2] == ("draw" if score == 0 else "wins" if score > 0 else "loses")
    venue.speak("es-ES")
    spanish = (await venue.ana.click(venue.board(), label="Why?")).response.content
    assert "exacto" in spanish
    assert "eligió" in spanish


@needs("reviews")
async def test_a_finished_game_is_explained_and_a_running_one_is_not(venue: Any) -> None:
    """A person's game against an agent is explained once it is over, and not while it runs."""
    await venue.ana.slash(venue.channel, "connect4 start", level="easy", first="bot")
    for _ in range(2):
        session = await venue.services.sessions.games.current(venue.channel.id)
        move = int(session.game.label(session.position.legal_moves()[0]))
        await venue.ana.slash(venue.channel, "connect4 drop", column=move)
    assert "cuatro:why:1" not in buttons(venue.board())
    with pytest.raises(Exception, match="why_running"):
        await explanations(venue).last_choice(1)
    await venue.resign(venue.ana)
    assert "cuatro:why:1" not in buttons(venue.board())
    review = await venue.ana.click(venue.board(), label="Review")
    await venue.ana.click(review.response, label="Details")
    details = Driller(venue, venue.ana).message
    answer = await venue.ana.click(details, label="The bot's view")
    assert answer.ephemeral
    assert "**Cuatro (easy)**, move 5: it chose" in answer.response.content


async def test_a_game_between_people_has_no_agent_to_explain(venue: Any) -> None:
    """A game between people has no "Why?" button."""
    await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.bea)
    await venue.bea.click([m for m in venue.channel.history() if m.components][-1], label="Accept")
    for actor, column in ((venue.ana, 1), (venue.bea, 2)) * 2:
        await actor.slash(venue.channel, "connect4 drop", column=column)
    await venue.resign(venue.ana)
    assert "cuatro:rematch:1" in buttons(venue.board())
    assert "cuatro:why:1" not in buttons(venue.board())


async def test_a_move_that_cannot_be_explained_is_said_to_be(
    venue: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the engine fails, the answer says that the move cannot be explained."""

    def fail(job: Any, stop: Any) -> None:
        raise RuntimeError("no explanation")

    await watch(venue, "lab watch", 1, game="gato", first="medium", second="hard")
    monkeypatch.setattr(Job, "run", doing(fail))
    answer = await venue.ana.click(venue.board(), label="Why?")
    assert "explain" in answer.response.content


async def test_two_seats_of_one_agent_are_distinguished(venue: Any) -> None:
    """Two seats of one agent are numbered in the text, the status and the alternative text."""
    await watch(venue, "lab watch", 2, game="connect4", first="medium", second="medium", size="5x4")
    words = words_of(venue.board())
    assert "**medium** (1) vs **medium** (2)" in venue.board().content
    assert "medium 1 is 1, medium 2 is 2" in words
    assert "Last move by medium 2" in words
    assert "medium 1 is thinking" in words


async def test_a_game_of_others_is_not_explained(venue: Any) -> None:
    """A game of another channel can be explained only to its players."""
    await refused_stranger(venue, "why")
