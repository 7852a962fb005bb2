"""Search: exact values, limits, stopping, and the choice among moves."""

from __future__ import annotations

from collections import Counter
from random import Random
from threading import Timer

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.core.analysis import Analysis
from engine.core.compiled.scores import WIN, WON_BOUND
from engine.core.game import Move, replay
from engine.core.limits import Limit, Stop
from engine.core.search import analyse, search
from engine.games.connect4.rules import Connect4, Connect4Position
from tests.builders import SIZES, NearlyFull, PlayPerfectly, RandomPosition
from tests.engine.stopping import stopped


def test_known_positions_have_their_known_scores(
    exact_scores: list[tuple[Connect4Position, int]],
) -> None:
    """Searched without limits, middle and end game positions get their published exact scores."""
    assert len(exact_scores) > 90
    for position, score in exact_scores[::2]:
        assert max(analyse(position, Limit()).scores.values()) == score, position


@pytest.mark.parametrize(
    ("size", "value"),
    [("4x4", 0), ("5x4", 0), ("4x5", 0), ("4x6", 24 - WIN)],
)
def test_small_boards_have_their_known_value(size: str, value: int) -> None:
    """With perfect play the first player draws on these boards and loses on 4x6."""
    position = Connect4.from_variant(size).start()
    found = analyse(position, Limit())
    assert max(found.scores.values()) == value
    squares = position.game.rows * position.game.columns
    assert value or found.depth == squares


@settings(max_examples=60)
@given(game=st.sampled_from(SIZES), seed=st.integers(0, 2**32), empty=st.integers(1, 8))
def test_the_end_of_a_game_is_played_perfectly(
    nearly_full: NearlyFull, play_perfectly: PlayPerfectly, game: Connect4, seed: int, empty: int
) -> None:
    """Near the end, the best moves and their score are exactly those of perfect play."""
    position = nearly_full(game, Random(seed), empty)
    perfect = play_perfectly(position)
    best = max(perfect.values())
    found = analyse(position, Limit())
    assert max(found.scores.values()) == best
    assert set(found.best()) == {move for move, score in perfect.items() if score == best}


def test_wins_are_near_and_losses_late(
    nearly_full: NearlyFull, play_perfectly: PlayPerfectly
) -> None:
    """The nearest of several wins is taken, and in a lost position the latest loss."""
    seen: Counter[str] = Counter()
    for seed in range(400):
        rng = Random(seed)
        position = nearly_full(Connect4.from_variant(rng.choice(Connect4.SIZES)), rng, 8)
        perfect = play_perfectly(position)
        best = max(perfect.values())
        kind = "won" if best > 0 else "lost" if best < 0 else "drawn"
        if kind != "drawn" and len({score for score in perfect.values() if score * best > 0}) > 1:
            seen[kind] += 1
            result = search(position, Limit(), rng=rng)
            assert perfect[result.move] == result.score.points == best
            assert (result.is_win, result.is_loss) == (kind == "won", kind == "lost")
        if min(seen["won"], seen["lost"]) == 5:
            break
    assert min(seen["won"], seen["lost"]) == 5


@settings(max_examples=40)
@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(0, 30), st.integers(1, 8))
def test_a_search_reaches_its_depth(
    random_position: RandomPosition, game: Connect4, seed: int, moves: int, depth: int
) -> None:
    """The depth searched is the limit, unless the game ends or is decided before."""
    position = random_position(game, Random(seed), moves)
    assume(position.outcome is None)
    found = analyse(position, Limit(depth=depth))
    decided = abs(max(found.scores.values())) > WON_BOUND
    empty = game.rows * game.columns - position.ply
    assert found.depth == min(depth, empty) or (decided and found.depth < depth)


@settings(max_examples=30)
@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(0, 20), st.integers(1, 9))
def test_lines_can_be_played(
    random_position: RandomPosition, game: Connect4, seed: int, moves: int, depth: int
) -> None:
    """Each scored move has a playable line that begins with it and is no longer than the depth."""
    position = random_position(game, Random(seed), moves)
    assume(position.outcome is None)
    found = analyse(position, Limit(depth=depth), margin=20)
    assert found.lines.keys() == found.scores.keys()
    for move, line in found.lines.items():
        assert line[0] == move
        assert 1 <= len(line) <= found.depth
        after = position
        for each in line:
            after = after.play(each)


def test_a_forced_win_is_shown_to_its_end() -> None:
    """The line of a win in three ends with the move that its score names."""
    game = Connect4()
    position = replay(game, game.moves("4455"))
    result = search(position, Limit(depth=6), rng=Random(1))
    assert result.move in {game.parse("3"), game.parse("6")}
    assert result.score.points == WIN - 7
    assert result.depth < 6


@pytest.mark.parametrize("nodes", [1, 7, 8, 500, 20_000, 300_000])
def test_a_node_limit_discards_the_interrupted_iteration(nodes: int) -> None:
    """A limit of nodes ends the search, and the result is that of the last complete iteration."""
    position = Connect4().start()
    first = analyse(position, Limit(depth=1)).nodes
    found = analyse(position, Limit(depth=16, nodes=nodes))
    whole = analyse(position, Limit(depth=found.depth))
    assert found.nodes <= max(nodes, first) + 2 + found.depth
    assert found.scores == whole.scores
    assert whole.nodes <= max(nodes, first)
    assert analyse(position, Limit(depth=found.depth + 1)).nodes > nodes


def test_more_nodes_search_deeper() -> None:
    """A search that may visit more nodes completes more plies."""
    depths = [analyse(Connect4().start(), Limit(depth=16, nodes=10**n)).depth for n in range(1, 6)]
    assert depths == sorted(depths)
    assert depths[0] == 1 < depths[-1]


@pytest.mark.parametrize(
    "limit", [Limit(depth=5), Limit(depth=12), Limit(depth=16, nodes=50_000)], ids=str
)
def test_the_same_search_visits_the_same_nodes(limit: Limit) -> None:
    """Without a time limit, scores, lines and node counts are the same every time."""
    game = Connect4(7, 7)
    position = replay(game, game.moves("4453"))
    one, two = analyse(position, limit), analyse(position, limit)
    assert (one.nodes, one.depth, one.scores, one.lines) == (
        two.nodes,
        two.depth,
        two.scores,
        two.lines,
    )


def test_a_time_limit_ends_a_search() -> None:
    """A time limit ends the search of a large board after a complete iteration."""
    safety = Stop()
    watchdog = Timer(30, safety.set)
    watchdog.start()
    try:
        found = analyse(Connect4(8, 8).start(), Limit(seconds=0.1), safety)
    finally:
        watchdog.cancel()
    assert not safety.is_set
    assert 1 < found.depth < 63
    assert found.scores == analyse(Connect4(8, 8).start(), Limit(depth=found.depth)).scores


def test_a_stop_ends_a_running_search() -> None:
    """A stop set from another thread ends a search with its last complete iteration."""
    position = Connect4(8, 8).start()

    def search(stop: Stop) -> Analysis:
        return analyse(position, Limit(), stop)

    found = stopped(search, has_begun=lambda found: found.depth > 1)
    assert found.scores == analyse(position, Limit(depth=found.depth)).scores


def test_a_search_stopped_beforehand_still_moves() -> None:
    """A search whose flag is set beforehand returns the legal move that one ply shows."""
    stop = Stop()
    stop.set()
    for game in SIZES:
        result = search(game.start(), Limit(), rng=Random(2), stop=stop)
        assert result.depth == 1
        assert result.move in game.start().legal_moves()


def test_a_stop_ends_only_its_own_searches() -> None:
    """A stop flag ends only the searches that were given it."""
    stop = Stop()
    stop.set()
    position = Connect4().start()
    assert analyse(position, Limit(depth=8), stop).depth == 1
    assert analyse(position, Limit(depth=8), Stop()).depth == 8
    assert analyse(position, Limit(depth=8)).depth == 8


@pytest.mark.parametrize("moves", ["1212121", "1113233214423442"], ids=["won", "drawn"])
def test_a_finished_game_is_not_searched(moves: str) -> None:
    """Searching a finished game raises ValueError."""
    game = Connect4(4, 4)
    with pytest.raises(ValueError, match="over"):
        analyse(replay(game, game.moves(moves)), Limit(depth=1))


def test_equal_moves_of_a_search_are_chosen_evenly() -> None:
    """On an empty board with two middle columns, each is chosen about half of the time."""
    position, rng = Connect4(8, 8).start(), Random(11)
    counts = Counter(search(position, Limit(depth=1), rng=rng).move for _ in range(2000))
    assert counts.keys() == {3, 4}
    # Four standard deviations of a fair coin thrown 2000 times.
    assert abs(counts[Move(3)] - 1000) < 90


def test_mirror_images_have_mirrored_scores() -> None:
    """Mirroring a position mirrors its scores."""
    game = Connect4(6, 6)
    for seed in range(20):
        rng = Random(seed)
        position = game.start()
        mirrored = game.start()
        for _ in range(rng.randrange(14)):
            move = rng.choice(position.legal_moves())
            if position.play(move).outcome is None:
                position = position.play(move)
                mirrored = mirrored.play(Move(5 - move))
        scores = analyse(position, Limit(depth=6), margin=2 * WIN).scores
        turned = analyse(mirrored, Limit(depth=6), margin=2 * WIN).scores
        assert turned == {Move(5 - move): score for move, score in scores.items()}
