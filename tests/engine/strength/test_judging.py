"""The quality of the moves of a finished game, and the rating that corresponds to it."""

from __future__ import annotations

from random import Random

import pytest

from engine.core.agent import Agent
from engine.core.analysis import Analysis
from engine.core.game import Game, IllegalMove, Move, Player, replay
from engine.core.registry import game_called, package_of
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver.exact import Connect4Solver
from engine.strength.agent import Strength
from engine.strength.judging import (
    MAX_LOSS,
    TRUTH,
    Error,
    JudgedMove,
    Judgement,
    judge,
    losses_of,
    quality,
    summed,
)
from engine.strength.ladder import Ladder, Rung, Spread, estimate, ladder_of, non_increasing
from engine.strength.perfect import Perfect


def game_between(game: Game, first: Agent, second: Agent, seed: int) -> list[Move]:
    """The moves of a game."""
    position, rng, made = game.start(), Random(seed), []
    while position.outcome is None:
        agent = first if position.to_move is Player.FIRST else second
        made.append(agent.choose(position, rng=rng).move)
        position = position.play(made[-1])
    return made


def losing(ply: int, player: Player, loss: float) -> JudgedMove:
    """A move with this loss, beside one without a loss."""
    scores = {Move(0): 0, Move(1): 0}
    seen = Analysis(scores, {move: (move,) for move in scores}, 1, 1, 0.0)
    expected = {Move(0): 1 - loss, Move(1): 1.0}
    return JudgedMove(ply, player, Move(0), seen, expected, {Move(0): loss, Move(1): 0.0}, None)


def losses_in(columns: str) -> tuple[float | None, ...]:
    """The loss of every move of a game on the classic board."""
    game = Connect4()
    return judge(game, game.moves(columns)).losses


@pytest.mark.parametrize("text", ["6x7", "5x4", "8x8", "gato", "boom"])
def test_losses_are_shares_of_a_point(text: str) -> None:
    """A game has a loss for each move, from 0 to 1, or None; the first plies are not judged."""
    game = game_called(text)
    easy = ladder_of(game).named("easy").agent
    moves = game_between(game, easy, easy, 3)
    losses = judge(game, moves).losses
    assert len(losses) == len(moves)
    first = package_of(game).judging.unjudged
    assert losses[:first] == (None,) * first
    known = [loss for loss in losses if loss is not None]
    assert known
    assert all(0 <= loss <= 1 for loss in known)


def test_a_missed_win_loses_a_point_or_much_of_one() -> None:
    """Missing a win loses expected score, taking it does not; earlier moves are unaffected."""
    game = Connect4()
    taken, missed = (
        judge(game, game.moves("1212121")).losses,
        judge(game, game.moves("1212127")).losses,
    )
    assert taken[6] == 0
    assert missed[6] is not None
    assert missed[6] > 0.2
    assert missed[:6] == taken[:6]


def test_a_threat_left_open_loses() -> None:
    """Not parrying three in line loses clearly more expected score than parrying it."""
    game = Connect4()
    parried, left = (
        judge(game, game.moves("121211")).losses,
        judge(game, game.moves("121213")).losses,
    )
    assert parried[5] is not None
    assert left[5] is not None
    assert left[5] > parried[5] + 0.1


def test_a_position_without_a_choice_is_not_judged() -> None:
    """If all moves are equally good, none of them is judged."""
    game = Connect4(4, 4)
    # A full board: there is nothing to choose at the end.
    moves = next(
        moves
        for seed in range(100)
        if len(moves := game_between(game, Strength("any", 1), Strength("any", 1), seed)) == 16
    )
    losses = judge(game, moves).losses
    position, forced = game.start(), 0
    for move, loss in zip(moves, losses, strict=True):
        if len(position.legal_moves()) == 1:
            forced += 1
            assert loss is None
        position = position.play(move)
    assert forced


@pytest.mark.parametrize("text", ["5x4", "gato", "boom"])
def test_a_judged_move_has_all_expected_scores_and_losses(text: str) -> None:
    """A judged move has the expected score and the loss of every legal move."""
    game = game_called(text)
    easy = ladder_of(game).named("easy").agent
    moves = game_between(game, easy, easy, 4)
    position = game.start()
    first = package_of(game).judging.unjudged
    for ply, (one, move) in enumerate(zip(judge(game, moves).moves, moves, strict=True)):
        assert (one is None) == (ply < first)
        if one is not None:
            assert (one.ply, one.player, one.move) == (ply, position.to_move, move)
            legal = set(position.legal_moves())
            assert set(one.expected) == set(one.losses) == set(one.analysis.scores) == legal
            assert one.loss == (one.before - one.after if one.is_informative else 0)
            assert one.after <= one.before
        position = position.play(move)


def test_one_sides_moves_are_judged_as_if_both_were() -> None:
    """Judging one side alone gives that side the same losses."""
    game = game_called("5x4")
    easy = ladder_of(game).named("easy").agent
    moves = game_between(game, easy, easy, 5)
    both = judge(game, moves)
    for side in Player:
        one = judge(game, moves, (side,))
        assert losses_of(one, side) == losses_of(both, side) != ()
        assert losses_of(one, side.other) == ()
        assert all(move is None or move.player is side for move in one.moves)


def test_losses_belong_to_the_player_who_moved() -> None:
    """Each player gets the losses of their own moves, also where a turn has two."""
    one, two = Player.FIRST, Player.SECOND
    found = zip((one, two, two, one, one), (0.1, 0.2, None, 0.4, 0.5), strict=True)
    judgement = Judgement(
        tuple(
            None if loss is None else losing(i, side, loss) for i, (side, loss) in enumerate(found)
        )
    )
    assert losses_of(judgement, one) == (0.1, 0.4, 0.5)
    assert losses_of(judgement, two) == (0.2,)
    assert losses_of(judgement, one, since=1) == (0.4, 0.5)


def test_an_illegal_game_is_refused() -> None:
    """Moves against the rules raise IllegalMove."""
    game = Connect4()
    with pytest.raises(IllegalMove):
        judge(game, [Move(0)] * 7)


def test_distant_losses_count() -> None:
    """Leaving the only winning move of the opening loses, although no short search sees it."""
    game = Connect4()
    for column in "123567":
        kept, lost = (
            judge(game, game.moves("444")).losses,
            judge(game, game.moves(f"44{column}")).losses,
        )
        assert kept[2] == 0
        assert lost[2] is not None
        assert lost[2] > TRUTH / 2


def test_a_lost_game_can_still_be_played_well() -> None:
    """If every move loses under perfect play, those that make it easy still have a loss."""
    game = Connect4()
    verdict = Connect4Solver(game).winners(replay(game, game.moves("4435")))
    assert verdict is not None
    assert set(verdict.values()) == {0}
    hard, easy = losses_in("44354"), losses_in("44356")
    assert hard[4] == 0
    assert easy[4] is not None
    assert easy[4] > 0.1


def test_an_error_is_exact_where_the_position_is_proven() -> None:
    """On a solved board errors are whole and half points: what the exact solver says, unmixed."""
    game = game_called("5x4")
    easy = ladder_of(game).named("easy").agent
    moves = game_between(game, easy, easy, 3)
    solver, position = Connect4Solver(game), game.start()
    judged = judge(game, moves).errors
    for error, move in zip(judged, moves, strict=True):
        if error is not None:
            verdict = solver.winners(position)
            assert verdict is not None
            assert error == Error(max(verdict.values()) - verdict[move], is_proven=True)
        position = position.play(move)
    found = [error for error in judged if error is not None]
    assert {error.loss for error in found} == {0.0, 0.5}
    count, loss, proven, proven_loss = summed(found)
    assert (count, loss) == (proven, proven_loss) == (len(found), sum(e.loss for e in found))


def test_perfect_play_has_no_error() -> None:
    """Between perfect agents no move of Gato has an error, though the mixture has losses."""
    game = game_called("gato")
    ladder = ladder_of(game)
    for seed in range(3):
        moves = game_between(game, Perfect(seconds=0.5), ladder.named("hard").agent, seed)
        judgement = judge(game, moves)
        first = package_of(game).judging.unjudged
        assert all(error == Error(0.0, is_proven=True) for error in judgement.errors[first:])
        assert any(loss for loss in judgement.losses if loss is not None)


def test_an_error_by_search_is_its_loss() -> None:
    """Where no value is proven, an error is the loss that the search finds."""
    game = game_called("boom")
    easy = ladder_of(game).named("easy").agent
    judgement = judge(game, game_between(game, easy, easy, 3))
    losses = [loss or 0.0 for loss in judgement.losses]
    assert [0.0 if error is None else error.loss for error in judgement.errors] == losses
    found = [error for error in judgement.errors if error is not None]
    assert found
    assert not any(error.is_proven for error in found)
    assert summed(found)[2:] == (0, 0)


def test_quality_is_the_mean_of_capped_losses() -> None:
    """No single move counts more than half a point."""
    assert quality([0.0, 0.1, 0.2, 1.0]) == pytest.approx((0.3 + MAX_LOSS) / 4)


def test_few_moves_have_no_quality() -> None:
    """Two judged moves are too few for a quality."""
    assert quality([0.1, 0.2]) is None
    assert quality([]) is None


def test_trimmed_quality_leaves_out_the_worst_tenth() -> None:
    """Trimmed quality ignores an absurd move among good ones, so a thrown game hides no skill."""
    deliberate = [0.0, 0.01, 0.9, 0.0, 0.02, 0.02, 0.01, 0.0, 0.0, 0.03]
    assert quality(deliberate, trimmed=True) == pytest.approx(0.09 / 9)
    assert quality(deliberate) == pytest.approx(0.059)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.3, 0.2, 0.1], [0.3, 0.2, 0.1]),
        ([0.3, 0.1, 0.2], [0.3, 0.15, 0.15]),
        ([0.1, 0.2, 0.3], [0.2, 0.2, 0.2]),
        ([], []),
    ],
)
def test_values_are_made_non_increasing(values: list[float], expected: list[float]) -> None:
    """Neighbours that rise share their mean, and the rest stays."""
    assert non_increasing(values) == pytest.approx(expected)


def ladder(means: list[float]) -> Ladder:
    """A ladder whose rungs have these losses; the trimmed ones are half of them."""
    rungs = (
        Rung(i, "", 900 + 100 * i, 20, Perfect(), Spread(mean, 0.02), Spread(mean / 2, 0.01))
        for i, mean in enumerate(means, start=1)
    )
    return Ladder(tuple(rungs), {})


def test_a_rungs_quality_gives_its_rating() -> None:
    """Between rungs the rating is interpolated; beyond the ends it is that of the end."""
    found = ladder([0.3, 0.2, 0.1])
    assert estimate(found, 0.2)[0] == pytest.approx(1100)
    assert estimate(found, 0.15)[0] == pytest.approx(1150)
    assert estimate(found, 0.9)[0] == 1000
    assert estimate(found, 0.0)[0] == 1200
    assert estimate(found, 0.1, trimmed=True)[0] == pytest.approx(1100)


def test_better_moves_never_lower_the_estimate() -> None:
    """Even if the rungs' losses do not fall steadily, better moves never lower the estimate."""
    found = ladder([0.30, 0.18, 0.20, 0.12, 0.13])
    estimates = [estimate(found, value / 100)[0] for value in range(35)]
    assert estimates == sorted(estimates, reverse=True)


def test_one_game_has_its_deviation() -> None:
    """The deviation is that of one game's quality, in rating points."""
    _, deviation = estimate(ladder([0.3, 0.2, 0.1]), 0.2)
    assert deviation == pytest.approx(0.02 * 200 / 0.2)


def test_an_uncalibrated_ladder_estimates_no_rating() -> None:
    """A ladder of uncalibrated rungs raises ValueError."""
    bare = Ladder(tuple(Rung(i, "", 100 * i, 20, Perfect()) for i in (1, 2)), {})
    with pytest.raises(ValueError, match="calibrated"):
        estimate(bare, 0.1)


@pytest.mark.parametrize("text", ["6x7", "8x8", "boom"])
def test_stronger_rungs_lose_less(text: str) -> None:
    """On the large boards the weakest rung is estimated clearly below medium, medium below hard."""
    found = ladder_of(game_called(text))
    losses = [found.named(name).loss for name in ("rung-1", "medium", "hard")]
    means = [loss.mean for loss in losses if loss is not None]
    estimates = [estimate(found, mean)[0] for mean in means]
    assert estimates == sorted(estimates)
    assert estimates[-1] - estimates[0] > 300
