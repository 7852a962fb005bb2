"""The games that count for ratings, and their weight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.game.session import Session
from bot.ratings.glicko import (
    LOSS,
    WEEK,
    WIN,
    Evidence,
    Opposition,
    after_absence,
    after_game,
    expected,
    limits_of,
    newcomer,
)
from bot.ratings.rated import aided_plies, rated_end, unrated_because
from bot.store.records import (
    Ending,
    EndRecord,
    GameRecord,
    GameSetup,
    HintRecord,
    MoveRecord,
    Rating,
    RatingRecord,
    SeatRecord,
)
from engine.core.game import Player
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of

ANA, BEA, END = 1, 2, 1_000.0
LADDER = "connect4-small"
LIMITS = limits_of(ladder_of(game_of("connect4", "5x4")))
NEW = newcomer(ladder_of(game_of("connect4", "5x4")))
KNOWN = Rating(1300.0, 60.0, 0.06, 30)


def seat(who: int | str) -> SeatRecord:
    """A person's or an agent's seat."""
    return SeatRecord(who, None) if isinstance(who, int) else SeatRecord(None, who)


def ended(
    first: int | str,
    second: int | str,
    ending: str,
    winner: int | None,
    *,
    moves: str = "1234",
    hinted: int = 0,
    undos: int = 0,
) -> Session:
    """A 5x4 game that has ended."""
    opening = GameSetup("connect4", "5x4", 7, None, "en", seat(first), seat(second))
    made = tuple(MoveRecord(1 + n % 2, 1, move, False, 1.0, 1.0) for n, move in enumerate(moves))
    hints = tuple(HintRecord(number, ANA, "1", 1.0) for number in range(1, hinted + 1))
    return Session.from_record(
        GameRecord(
            1, opening, 0.0, None, made, hints, EndRecord(Ending(ending), winner, END), undos=undos
        )
    )


@pytest.mark.parametrize(
    ("session", "reason"),
    [
        (ended(ANA, "easy", "line", 1), None),
        (ended(ANA, "easy", "draw", None), None),
        (ended(ANA, BEA, "stuck", 2), None),
        (ended(ANA, "easy", "resigned", 2), None),
        (ended(ANA, "easy", "time", 2), None),
        (ended(ANA, "easy", "resigned", 2, moves="123"), "early"),
        (ended(ANA, BEA, "time", 2, moves=""), "early"),
        (ended(ANA, "easy", "line", 1, hinted=1), "hint"),
        (ended(ANA, BEA, "line", 1, hinted=1), "hint"),
        (ended(ANA, "easy", "line", 1, undos=1), "undo"),
        (ended(ANA, "easy", "draw", None, undos=1), "undo"),
        (ended(ANA, "easy", "line", 2, hinted=1), None),
        (ended(ANA, "easy", "resigned", 2, undos=1), None),
        (ended("easy", ANA, "line", 1, hinted=1, undos=1), None),
        (ended(ANA, BEA, "time", 2, undos=2), "undo"),
        (ended(ANA, BEA, "agreed", None), None),
        (ended(ANA, BEA, "aborted", None, moves="12"), "early"),
        (ended(ANA, "easy", "stopped", None), "stopped"),
        (ended("easy", "medium", "line", 1), "agents"),
        (ended(ANA, ANA, "line", 1), "alone"),
        (ended(ANA, "rung-99", "line", 1), "opponent"),
    ],
)
def test_games_count_from_their_fourth_move(session: Session, reason: str | None) -> None:
    """Games count from their fourth move on, unless a player who had help did not lose."""
    assert unrated_because(session) == reason
    rated = rated_end(session, {})
    public = [change for change in rated.rate({}) if change.is_public] if rated else []
    assert bool(public) == (reason is None)


@pytest.mark.parametrize("help_", [{"hinted": 1}, {"undos": 1}])
def test_with_help_a_loss_counts_and_a_win_does_not(help_: dict[str, int]) -> None:
    """Against an agent, a game with a hint or an undo can lower a number but not raise it."""
    own = {ANA: RatingRecord(ANA, LADDER, replace(KNOWN, shown=1300.0), END)}
    for winner, public in ((1, []), (None, []), (2, [True])):
        ending = "draw" if winner is None else "line"
        session = ended(ANA, "easy", ending, winner, **help_)
        rated = rated_end(session, {Player.FIRST: Evidence(1900.0, 100.0)})
        assert rated is not None
        (change,) = rated.rate(own)
        assert [True for one in (change,) if one.is_public] == public
        if not public:
            assert change.after.shown == 1300.0
            assert change.after.games == change.before.games
            assert (change.after.value > change.before.value) == (winner == 1)
    assert change.after.shown is not None
    assert change.after.shown < 1300.0
    assert unrated_because(session) is None


def test_in_placement_a_game_with_help_counts_only_if_lost() -> None:
    """A lost game with help is a placement game; any other one is not counted."""
    for winner, games in ((1, 0), (2, 1)):
        rated = rated_end(ended(ANA, "easy", "line", winner, hinted=1), {})
        assert rated is not None
        assert rated.rate({})[0].after.games == games


def test_a_game_with_help_that_is_not_lost_raises_no_new_player() -> None:
    """Before there is a number, a win or a draw with help and good moves in it do not count."""
    evidence = {Player.FIRST: Evidence(1900.0, 100.0)}
    for help_ in ({"hinted": 1}, {"undos": 1}):
        for ending, winner in (("line", 1), ("draw", None)):
            rated = rated_end(ended(ANA, "easy", ending, winner, **help_), evidence)
            assert rated is not None
            (change,) = rated.rate({})
            assert change.after == change.before
            assert not change.is_public


def test_weak_moves_found_alone_lower_the_estimate_of_a_new_player() -> None:
    """After a win with help, weak moves found alone lower the estimate, so `auto` gets easier."""
    rated = rated_end(
        ended(ANA, "easy", "line", 1, hinted=1), {Player.FIRST: Evidence(400.0, 200.0)}
    )
    assert rated is not None
    (change,) = rated.rate({})
    assert change.after.value < change.before.value
    assert (change.after.games, change.after.shown, change.is_public) == (0, None, False)


def test_moves_after_an_undo_or_with_a_hint_are_aided() -> None:
    """An undo shows the replies, so only moves before the first one are known to be unaided."""
    made = tuple(
        MoveRecord(1 + ply % 2, ANA, move, ply == 1, float(ply), 1.0)
        for ply, move in enumerate("123412")
    )
    session = replace(ended(ANA, "easy", "line", 1), moves=made)
    assert aided_plies(session) == {1}
    assert aided_plies(replace(session, undos=1, undone_at=3.5)) == {1, 4, 5}
    assert aided_plies(replace(session, undos=2, undone_at=3.5)) == {*range(6)}


def met(elo: float, *, moving_first: bool) -> float:
    """The rating that an opponent has from their seat."""
    return ladder_of(game_of("connect4", "5x4")).adjusted_for_seat(elo, is_first=moving_first)


@pytest.mark.parametrize("rule", ["pie", "balanced"])
def test_after_a_fair_opening_no_seat_is_the_better_one(rule: str) -> None:
    """With the pie rule or a balanced opening equals gain as much from either seat.

    Otherwise the second seat gains more.
    """

    def gained(*, is_fair: bool) -> list[float]:
        values = []
        for winner in (1, 2):
            session = ended(ANA, BEA, "line", winner)
            session = replace(session, setup=replace(session.setup, **{rule: is_fair}))
            rated = rated_end(session, {})
            assert rated is not None
            changes = rated.rate({})
            values.append(max(change.after.value for change in changes))
        return values

    first, second = gained(is_fair=True)
    assert first == second
    first, second = gained(is_fair=False)
    assert first < second


def test_discs_of_an_opening_are_nobodys_moves() -> None:
    """A game that is left after a balanced opening counts from its own fourth move."""
    session = ended(ANA, BEA, "resigned", 2, moves="1234321")
    assert unrated_because(session) is None
    opened = replace(session, setup=replace(session.setup, opening=4, balanced=True))
    assert unrated_because(opened) == "early"


def test_an_agent_has_the_rating_of_its_rung() -> None:
    """A person is rated against the agent's place on the ladder of that game and size.

    Moving first is an advantage, so the agent's rating is lower against a first player and higher
    against a second one.
    """
    elo = ladder_of(game_of("connect4", "5x4")).elo_of("medium")
    assert elo is not None
    for first, second, winner in ((ANA, "medium", 1), ("medium", ANA, 2)):
        rated = rated_end(ended(first, second, "line", winner), {})
        assert rated is not None
        assert (rated.ladder, rated.people) == (LADDER, (ANA,))
        (change,) = rated.rate({})
        assert (change.user_id, change.before, change.opponent) == (ANA, NEW, elo)
        opponent = Opposition(met(elo, moving_first=first != ANA), 30.0)
        assert change.after == after_game(NEW, opponent, WIN, None, LIMITS)


def test_two_people_are_rated_by_their_ratings_before_the_game() -> None:
    """Each person is rated against the other's rating from before the game."""
    rated = rated_end(ended(ANA, BEA, "resigned", 2), {})
    assert rated is not None
    ana, bea = rated.rate({ANA: RatingRecord(ANA, LADDER, KNOWN, END)})
    start = NEW.value
    for_ana = Opposition(met(start, moving_first=False), NEW.deviation)
    for_bea = Opposition(met(1300.0, moving_first=True), 60.0)
    assert replace(ana.after, shown=None) == after_game(KNOWN, for_ana, LOSS, None, LIMITS)
    assert bea.after == after_game(NEW, for_bea, WIN, None, LIMITS)
    assert (ana.opponent, bea.opponent) == (start, 1300.0)


def test_numbers_are_rated_by_each_other() -> None:
    """Displayed numbers are rated by displayed numbers, and estimates by estimates."""
    ratings = {ANA: replace(KNOWN, shown=1100.0), BEA: replace(KNOWN, shown=1400.0)}
    rated = rated_end(ended(ANA, BEA, "line", 1), {})
    assert rated is not None
    ana, bea = rated.rate({u: RatingRecord(u, LADDER, r, END) for u, r in ratings.items()})
    assert (ana.opponent, bea.opponent) == (1400.0, 1100.0)
    assert ana.after.value > 1300.0 > bea.after.value
    for_ana = expected(1100.0, met(1400.0, moving_first=False))
    for_bea = expected(1400.0, met(1100.0, moving_first=True))
    assert ana.after.shown == pytest.approx(1100.0 + 24 * (1 - for_ana))
    assert bea.after.shown == pytest.approx(1400.0 - 24 * for_bea)


@pytest.mark.parametrize(("elo", "ending"), [(5000.0, "win"), (-5000.0, "loss")])
def test_ratings_end_where_the_ladder_does(elo: float, ending: str) -> None:
    """A rating is never more than fifty points above the strongest rung or below the weakest."""
    rungs = ladder_of(game_of("connect4", "5x4")).rungs
    beyond = replace(KNOWN, value=elo, shown=elo)
    winner = 1 if ending == "win" else 2
    rated = rated_end(ended(ANA, "medium", "line", winner), {})
    assert rated is not None
    (change,) = rated.rate({ANA: RatingRecord(ANA, LADDER, beyond, END)})
    end = rungs[-1].elo + 50 if winner == 1 else rungs[0].elo - 50
    assert (change.after.value, change.after.shown) == (end, end)


def test_an_absence_is_counted_before_the_game() -> None:
    """The deviation is widened for an absence before the game is counted."""
    rated = rated_end(ended(ANA, "easy", "draw", None), {})
    assert rated is not None
    (change,) = rated.rate({ANA: RatingRecord(ANA, LADDER, KNOWN, END - 9.5 * WEEK)})
    assert change.before == after_absence(KNOWN, 9 * WEEK)


def test_evidence_counts_for_its_side() -> None:
    """Evidence from one side's moves changes that player's rating and not the other's."""
    session = ended(ANA, BEA, "line", 2)
    plain, seen = (
        rated_end(session, evidence) for evidence in ({}, {Player.FIRST: Evidence(1900.0, 100.0)})
    )
    assert plain is not None
    assert seen is not None
    ana, bea = seen.rate({})
    assert ana.after.value > plain.rate({})[0].after.value
    assert bea == plain.rate({})[1]


def test_a_game_cannot_be_rated_before_its_end() -> None:
    """Asking why a running game is unrated raises an error."""
    running = replace(ended(ANA, "easy", "line", 1), end=None)
    with pytest.raises(AssertionError):
        unrated_because(running)
