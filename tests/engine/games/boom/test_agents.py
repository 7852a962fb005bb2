"""The agent `tokens`."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from engine.core.compiled.scores import WON_BOUND
from engine.core.game import replay
from engine.games.boom.agents import Tokens
from engine.games.boom.rules import BOOM, Boom, BoomPosition


def at(moves: str) -> BoomPosition:
    """The position after a game string."""
    game = Boom()
    return replay(game, game.moves(moves))  # type: ignore[return-value]


def test_the_values_are_those_of_the_original(
    student_tables: Mapping[str, list[dict[str, str]]],
) -> None:
    """On every row of the table both players' values agree, also in finished games."""
    assert len(student_tables["tokens"]) == 120
    for row in student_tables["tokens"]:
        position = at(row["moves"])
        ended = position.outcome
        winner = 0 if ended is None or ended.winner is None else int(ended.winner)
        assert winner == int(row["winner"])
        leaf = Tokens(1).explain(position).leaf
        assert leaf == (int(row["first"]), int(row["second"]))


def test_it_chooses_by_the_explained_values() -> None:
    """Every move has its exact value, the bomb's included, and the first of the best is made."""
    position = at("355552174526")
    seen = Tokens().explain(position)
    assert tuple(seen.values) == position.legal_moves()
    result = Tokens().choose(position, rng=Random(1))
    assert seen.choices == (result.move,)
    assert seen.chances == {result.move: 1.0}
    assert seen.values[result.move] == max(seen.values.values())
    # Only the bomb parries the threat on the right.
    assert result.move == BOOM


def test_a_drawn_game_has_the_value_of_its_stones() -> None:
    """In the variant with draws, a full board has the value of its stones."""
    full = "754452671541B4733B3317242623143B35227414134277B571216655666"
    draw, lost = (
        Tokens().explain(replay(game, game.moves(full))).leaf
        for game in (Boom(stuck_is_draw=True), Boom())
    )
    assert isinstance(draw, tuple)
    assert isinstance(lost, tuple)
    assert draw[0] == -draw[1]
    # The first player cannot move, and has lost unless that is a draw.
    assert lost[0] == draw[0] - 9999
    assert -1000 < draw[0] < 1000


def test_it_searches_eight_movements() -> None:
    """The agent is called `tokens` and searches eight movements, as the course allowed."""
    result = Tokens().choose(at("44"), rng=Random(1))
    assert (Tokens().name, result.depth) == ("tokens", 8)
    assert result.line == (result.move,)
    assert result.nodes > 100


def test_a_win_is_not_marked_as_proven() -> None:
    """A win scores within an evaluation's bounds, as the agent does not know how far the end is."""
    position = at("3734222")
    result = Tokens().choose(position, rng=Random(1))
    assert result.score.points == WON_BOUND
    assert not result.is_win
