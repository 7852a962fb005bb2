"""The arithmetic behind the benchmark of the adaptive opponent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from benchmarks.adaptive.calibration import calibrate
from benchmarks.adaptive.careers import Career, Game, climbers, draw_careers
from benchmarks.adaptive.characters import CHARACTERS, EXPERT
from benchmarks.adaptive.games import (
    Outcome,
    Strength,
    contest,
    missed_a_win,
    strength,
    strengths,
)
from benchmarks.adaptive.measures import (
    SETTLED,
    TARGETS,
    figures,
    games_until_perfect,
    largest_change,
    longest_loss,
    mean_score,
    without_noise,
)
from benchmarks.adaptive.people import STYLES, kinds_of, steady_kinds
from benchmarks.adaptive.real import live_career
from benchmarks.adaptive.report import by_board
from engine.core.game import Player
from engine.core.registry import game_called
from engine.strength.elo import expected
from engine.strength.ladder import Ladder, estimate, ladder_of
from tests.bot.databases import address_of

CLASSIC = game_called("6x7")
LADDER = ladder_of(CLASSIC)
STYLE = next(iter(STYLES))


def outcome(rung: int, score: float, *, first: bool = True, value: float | None = None) -> Outcome:
    """A game of the first style."""
    return Outcome("connect4:6x7", STYLE, rung, int(not first), score, 20, value, "")


def career(scores: list[float], rung: int = 5) -> Career:
    """A career with these scores."""
    seats = (Player.FIRST, Player.SECOND)
    met = LADDER.rungs[rung]
    return tuple(Game(STYLE, met, seats[n % 2], s, False, 0.0) for n, s in enumerate(scores))


def test_a_strength_explains_the_scores() -> None:
    """A player who scores a half around a rung is as strong as it; seats are rated separately."""
    rungs = LADDER.rungs[3:6]
    even = [outcome(r.number, s, first=f) for r in rungs for s in (0.0, 1.0) for f in (True, False)]
    found = strength(even, LADDER)
    assert found.elo == pytest.approx(rungs[1].elo, abs=60)
    assert found.head_start == pytest.approx(0, abs=1)
    better = [*even, *(outcome(rungs[1].number, 1.0) for _ in range(4))]
    assert strength(better, LADDER).head_start > 50
    assert strength(better, LADDER).elo > found.elo


def test_figures_of_careers() -> None:
    """Means over kinds, shares of careers, and streaks have their documented values."""
    wins, losses = career([1.0, 0.0] * 15), career([0.0] * 5 + [1.0, 0.0] * 12 + [1.0])
    assert longest_loss(wins) == 1
    assert longest_loss(losses) == 5
    assert mean_score([wins, losses], SETTLED) == 0.5
    kind = next(kind for kind in steady_kinds() if kind.name == STYLE)
    even = [outcome(r.number, 0.5, first=f) for r in LADDER.rungs for f in (True, False)]
    known = strengths(even, LADDER)
    found = figures({STYLE: [wins, losses]}, [kind], known)
    assert (found["three"], found["five"], found["five_early"]) == (0.5, 0.5, 0.5)
    assert (found["settled"], found["within"], found["unsure"]) == (0.0, 1.0, 0.0)
    assert found["first"] == pytest.approx(abs((5 + 3) / 20 - 0.5))
    text = by_board({"6x7": found})
    assert "| three losses to begin with | ≤ 8 % | **50 %** |" in text
    assert text.count("\n") == len(TARGETS) + 1


def test_a_game_counts_as_a_gift_if_the_opponent_had_missed_a_win() -> None:
    """Who could complete a line and moved elsewhere had missed a win; shares are of games won."""
    open_three = [CLASSIC.parse(column) for column in "121212"]
    missed = [*open_three, CLASSIC.parse("5")]
    assert missed_a_win(CLASSIC, missed, Player.FIRST)
    assert not missed_a_win(CLASSIC, [*open_three, CLASSIC.parse("1")], Player.FIRST)
    assert not missed_a_win(CLASSIC, missed, Player.SECOND)
    assert missed_a_win(CLASSIC, [*missed, CLASSIC.parse("5")], Player.SECOND)
    gift, earned = (replace(career([1.0])[0], missed_win=missed) for missed in (True, False))
    kind = next(kind for kind in steady_kinds() if kind.name == STYLE)
    even = [outcome(r.number, 0.5, first=f) for r in LADDER.rungs for f in (True, False)]
    games = (gift, earned, earned, earned, *career([0.0] * 26))
    found = figures({STYLE: [games]}, [kind], strengths(even, LADDER))
    assert found["gifts"] == 0.25


def test_a_calibration_finds_the_bias() -> None:
    """Estimates with a known bias give this bias."""
    rng, outcomes = Random(1), list[Outcome]()
    for rung in LADDER.rungs[3:9]:
        for number in range(40):
            score = float(rng.random() < float(expected(850 - rung.elo)))
            outcomes.append(outcome(rung.number, score, first=number % 2 == 0, value=0.08))
    elo = strengths(outcomes, LADDER)[STYLE].elo
    raw, _ = estimate(LADDER, 0.08, trimmed=True)
    found = calibrate(outcomes, LADDER)
    assert found.corrected(raw, 0.5, 20) == pytest.approx(elo, abs=1)
    assert found.won == pytest.approx(0, abs=1)


def test_a_game_between_rungs_is_drawn_from_theirs() -> None:
    """A game against an opponent between two rungs is one against either, the nearer more often."""
    table = {
        (STYLE, rung.number, first): [outcome(rung.number, float(rung is LADDER.rungs[4]))]
        for rung in LADDER.rungs
        for first in (True, False)
    }
    kinds = kinds_of([STYLE])
    careers = draw_careers(kinds, CLASSIC, table, 3, 1)[STYLE]
    assert any(game.rung.is_between for career in careers for game in career)
    assert {game.score for career in careers for game in career} <= {0.0, 1.0}
    assert max(map(largest_change, careers)) <= 150


def test_players_climb_by_twenty_points_a_game() -> None:
    """A climber plays in the styles of its present strength."""
    known = {name: Strength(400.0 + 150 * n, 0.0) for n, name in enumerate("abcdef")}
    first = climbers(known)[0]
    styles = {n: {first.style_of(n, Random(seed)) for seed in range(20)} for n in (1, 5, 30)}
    assert styles[1] == {"a"}
    assert styles[5] == {"a", "b"}
    assert styles[30] == {"d", "e"}
    assert {one.name for one in climbers(known)} == {"a climbs", "b climbs", "c climbs"}


def test_the_best_player_meets_the_last_rung() -> None:
    """A player as strong as the last rung meets it within thirty games."""
    kind = replace(kinds_of([EXPERT])[0], is_human=False)
    careers = draw_careers([kind], CLASSIC, {}, 20, 1)[EXPERT]
    met = [games_until_perfect(career) for career in careers]
    assert all(2 <= number <= 30 for number in met)


def test_noise_is_taken_away() -> None:
    """A mean score that is as far from one half as chance explains counts as even."""
    even = [career([1.0, 0.0] * 15) for _ in range(4)]
    assert without_noise(even, SETTLED) == 0
    assert without_noise([career([1.0] * 20 + [0.0, 1.0, 1.0] * 4)] * 5, SETTLED) > 0.2


@pytest.mark.parametrize("board", ["5x4", "boom", "gato"])
@pytest.mark.parametrize("styles", [list(STYLES)[:6], list(CHARACTERS)[:4]])
def test_styles_play_every_game(board: str, styles: list[str]) -> None:
    """Every style plays by the rules, and its games differ."""
    game = game_called(board)
    ladder: Ladder = ladder_of(game)
    for style in styles:
        games = [
            contest(game, style, ladder.rungs[0].agent, Player.FIRST, Random(n))[1]
            for n in range(4)
        ]
        assert len({tuple(moves) for moves in games}) > 1


async def test_a_career_is_played_in_the_bots_store(tmp_path: Path) -> None:
    """Real games against `auto` are stored and rated, and seats alternate."""
    url = address_of(tmp_path / "careers.db")
    kind = next(kind for kind in steady_kinds() if kind.name == STYLE)
    found = await live_career(game_called("gato"), kind, url, Random(3), games=3)
    assert len(found) == 3
    assert [game.seat for game in found[:2]] in ([Player.FIRST, Player.SECOND], [2, 1])
    assert len({game.rating for game in found}) > 1
