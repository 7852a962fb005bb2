"""What games against each level took, in a report's details and its table."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from bot.features.statistics.effort_store import Efforts, LevelEffort
from bot.features.statistics.efforts import FIELDS, MAX_LETTERS, effort_lines, efforts_as_csv
from bot.i18n import say_in
from bot.store.records import (
    THE_CHANNEL,
    Ending,
    EndRecord,
    GameSetup,
    MoveRecord,
    SeatRecord,
    agent,
    person,
)
from bot.store.results import Scope
from bot.store.store import Store
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of
from engine.strength.roster import agents_for
from tests.bot.builders import ANA, BEA

ENGLISH = say_in("en")


def effort(name: str, variant: str = "6x7", *, auto: bool = False, games: int = 4) -> LevelEffort:
    """Four games by default, of which people won one and the agent two, with round means."""
    return LevelEffort(
        name, auto, variant, games, 1, games - 3, 10 * games, 12, 16, 60.0 * games, 20, 5, 20,
        8000, 5.0
    )  # fmt: skip


async def finished(
    store: Store, first: SeatRecord, second: SeatRecord, winner: int | None, moves: int
) -> None:
    """A game on 5x4 in which each agent's move took 100 nodes and a quarter of a second."""
    setup = GameSetup("connect4", "5x4", 1, 9, "en", first, second)
    game_id = await store.games.add(setup, 100.0)
    for number in range(1, moves + 1):
        seat = setup.seats[(number + 1) % 2]
        is_agents = seat.agent is not None
        move = MoveRecord(
            2 - number % 2, seat.user_id, "1", not is_agents and number <= 2, 100.0 + number,
            0.25 if is_agents else 3.0, nodes=100 if is_agents else None,
        )  # fmt: skip
        await store.games.append(game_id, number, move, look_at=None)
    ending = Ending.DRAW if winner is None else Ending.LINE
    await store.games.finish(game_id, EndRecord(ending, winner, 100.0 + 10 * moves))


@pytest.mark.databases
async def test_games_are_summed_by_agent(store: Store) -> None:
    """Moves, nodes and times are summed by agent, the moves of won games for each side."""
    await finished(store, person(ANA), agent("easy"), 1, 7)
    await finished(store, agent("easy"), person(BEA), 1, 9)
    await finished(store, person(ANA), agent("easy"), None, 8)
    await finished(store, person(ANA), person(BEA), 1, 8)
    await finished(store, agent("easy"), agent("hard"), 1, 8)
    await finished(store, SeatRecord(THE_CHANNEL, None), agent("easy"), 1, 8)
    (found,) = await Efforts(store.database).of(Scope("connect4", guild_id=9))
    assert (found.agent, found.auto, found.variant) == ("easy", False, "5x4")
    assert (found.games, found.won, found.drawn, found.lost) == (3, 1, 1, 1)
    assert (found.moves, found.won_moves, found.lost_moves) == (24, 7, 9)
    assert found.seconds == 240.0
    assert (found.engine_moves, found.engine_nodes) == (12, 1200)
    assert found.engine_seconds == pytest.approx(3.0)
    assert (found.person_moves, found.hinted) == (12, 3)
    (mine,) = await Efforts(store.database).of(Scope("connect4", ANA))
    assert mine.games == 2


def test_the_table_has_a_line_for_each_agent_and_board() -> None:
    """The table has means by game and by move; where there is nothing to divide by, nothing."""
    none = LevelEffort("hard", False, "5x4", 1, 0, 1, 9, 0, 0, 30.0, 5, 0, 0, 0, 0.0)
    rows = list(csv.DictReader(io.StringIO(efforts_as_csv("connect4", [none, effort("easy")]))))
    assert tuple(rows[0]) == FIELDS
    assert [(row["variant"], row["level"]) for row in rows] == [("6x7", "easy"), ("5x4", "hard")]
    expected = {
        "games": "4", "won": "1", "drawn": "1", "lost": "2", "moves_per_game": "10",
        "moves_when_people_won": "12", "moves_when_agent_won": "8", "seconds_per_game": "60",
        "nodes_per_game": "2000", "nodes_per_move": "400", "engine_seconds_per_move": "0.25",
        "hints_per_move": "0.25",
    }  # fmt: skip
    assert {name: rows[0][name] for name in expected} == expected
    assert rows[1]["moves_when_people_won"] == rows[1]["engine_seconds_per_move"] == ""


def test_details_tell_what_each_level_took() -> None:
    """A line has the moves of games that each side won, nodes a game, seconds a move and hints."""
    first, _ = effort_lines("connect4", [effort("easy")], ENGLISH).splitlines()
    assert first == (
        "**easy (classic)** · 4 games of 10.0 moves (won by people 12.0, by me 8.0) · "
        "2,000 nodes a game, 0.25 s a move of mine · hints 25%"
    )


def test_details_keep_ladders_apart() -> None:
    """`auto` has a line with its strength for each ladder, over which no mean is taken."""
    classic, small = (ladder_of(game_of("connect4", name)).rungs[3] for name in ("6x7", "5x4"))
    met = [effort(classic.name, auto=True), effort(small.name, "5x4", auto=True)]
    lines = effort_lines("connect4", met, ENGLISH).splitlines()[:-1]
    assert sorted(line.split(" · ")[0] for line in lines) == sorted(
        f"**auto (~{round(rung.elo / 10) * 10}) ({size})**"
        for rung, size in ((classic, "classic"), (small, "small"))
    )


@pytest.mark.parametrize("language", ["en", "es"])
def test_details_of_many_levels_fit(language: str) -> None:
    """With many levels the last lines are left out of the message; the table has all."""
    met = [effort(name, size) for name in agents_for("connect4") for size in ("6x7", "5x4")]
    assert len(effort_lines("connect4", met, say_in(language))) <= MAX_LETTERS + 10
    assert efforts_as_csv("connect4", met).count("\n") == len(met) + 1


async def test_a_report_gives_its_figures(venue: Any) -> None:
    """Details of a report are private: lines by level, and the same as a table in a file."""
    store, guild = venue.services.store, venue.env.guild.id
    setup = GameSetup(
        "connect4", "5x4", 77, guild, "en", person(venue.ana.id), agent("easy"), venue.ana.id
    )
    game_id = await store.games.add(setup, 1.0)
    for number, move in enumerate("1212121", 1):
        made = MoveRecord(2 - number % 2, venue.ana.id if number % 2 else None, move, False, 2.0, 1)
        await store.games.append(game_id, number, made, look_at=None)
    await store.games.finish(game_id, EndRecord(Ending.LINE, 1, 9.0))
    own = await venue.ana.slash(venue.channel, "lab report", game="connect4")
    shown = await venue.ana.click(own.response.message, label="Details")
    assert shown.ephemeral
    assert shown.response.content.startswith("**easy (small)** · 1 game of 7.0 moves")
    assert [file.filename for file in shown.response.attachments] == ["cuatro-connect4-report.csv"]
    posted = await venue.bea.slash(
        venue.channel, "lab report", game="connect4", whose="server", size="small"
    )
    shown = await venue.bea.click(posted.response, label="Details")
    assert shown.ephemeral
    assert "1 game of 7.0 moves" in shown.response.content
