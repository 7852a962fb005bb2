"""The compiled search of Conecta-4 BOOM near explosions, full boards and the last movement."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from engine.core.game import replay
from engine.games.boom.rules import Boom, BoomPosition
from tests.engine.games.boom.reference import settled
from tests.engine.games.conformance.plain import check_scores

LATE = {
    "own explosion wins": "553366746541B",
    "own explosion loses": "562712234552325B",
    "explosion gives both a line": "332124134246B",
    "full board, bomb": "63215421747257B4314515364374B622144166637277B7154336526275B",
    "full board at a turn": "754452671541B4733B3317242623143B35227414134277B571216655666",
    "full board in a turn": "13734417626676713B6B613134664361B25522632753B23524651B42371455B43527",
}


@pytest.mark.parametrize("variant", Boom.VARIANTS)
@pytest.mark.parametrize("name", LATE)
def test_a_search_is_exact_near_the_end(name: str, variant: str) -> None:
    """Scores are exact around explosions that give lines, and on boards that fill up."""
    game, rng = Boom.from_variant(variant), Random(name)
    for back in (1, 2, 3, 4, 6):
        position = replay(game, game.moves(LATE[name][:-back]))
        check_scores(position, 2 if "explosion" in name else 4, settled, rng)


@pytest.mark.parametrize("ply", [195, 196, 197, 198, 199])
def test_a_search_ends_with_the_last_movement(ply: int, boom_positions: list[BoomPosition]) -> None:
    """Near movement 200 scores are exact: movements after it do not count."""
    rng = Random(ply)
    alike = [p for p in boom_positions if p.ply % 16 == ply % 16]
    crowded = [p for p in alike if len(p.legal_moves()) <= 5]
    for position in crowded[:6]:
        check_scores(dataclasses.replace(position, ply=ply), min(200 - ply, 4), settled, rng)


def test_scores_of_recorded_positions_are_exact(boom_positions: list[BoomPosition]) -> None:
    """In positions of recorded games, which have many bombs, scores are exact."""
    rng = Random(0)
    for position in rng.sample(boom_positions, 12):
        check_scores(position, rng.randint(1, 2), settled, rng)
