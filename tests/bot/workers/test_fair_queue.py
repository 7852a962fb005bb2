"""The order of work when there is more than the threads can do at once."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bot.workers.pool import NO_ACCOUNT, Claim, FairQueue, Kind
from tests.bot.builders import HERE, THERE

ANA, BEA, CLEO = 1, 2, 3
HINT_SECONDS = 2.0


def move(user_id: int, guild_id: int | None = HERE) -> Claim:
    """A move on a person's account."""
    return Claim(Kind.MOVE, user_id, guild_id)


def hint(user_id: int, guild_id: int | None = HERE) -> Claim:
    """A hint for a person."""
    return Claim(Kind.HINT, user_id, guild_id)


def why(user_id: int, guild_id: int | None = HERE) -> Claim:
    """An explanation for a person."""
    return Claim(Kind.EXPLANATION, user_id, guild_id)


def queue_of(*claims: Claim) -> FairQueue[int]:
    """A queue with this work in it, numbered."""
    queue = FairQueue[int]()
    for number, claim in enumerate(claims):
        queue.put(claim, number)
    return queue


def do_next(queue: FairQueue[int], seconds: float = HINT_SECONDS) -> Claim:
    """Do the next work, in one thread."""
    item = queue.take()
    assert item is not None
    queue.done(item[0], seconds)
    return item[0]


def test_one_persons_work_is_done_in_order() -> None:
    """The work of one account is done in the order in which it came, also without a person."""
    for claim in (move(ANA), NO_ACCOUNT):
        queue = queue_of(*[claim] * 5)
        assert [(queue.take() or (None, None))[1] for _ in range(5)] == [0, 1, 2, 3, 4]
        assert queue.take() is None


def test_a_move_comes_before_hints() -> None:
    """One person's move comes before all waiting hints of another, at every move."""
    queue = queue_of(*[hint(BEA)] * 30)
    for _ in range(10):
        assert do_next(queue) == hint(BEA)
        queue.put(move(ANA), 0)
        assert do_next(queue, 0.1) == move(ANA)


def test_a_first_hint_comes_before_a_second_one() -> None:
    """One person's hint comes before the second hint of another, even if that is older."""
    queue = queue_of(*[hint(BEA)] * 30, hint(ANA))
    claims = [item[0] for item in (queue.take(), queue.take()) if item is not None]
    assert claims == [hint(BEA), hint(ANA)]


def test_moves_come_before_hints_and_hints_before_explanations() -> None:
    """Moves come before hints and hints before explanations, of equal accounts and of one."""
    for others in ((ANA, BEA, CLEO), (ANA, ANA, ANA)):
        queue = queue_of(why(others[0]), hint(others[1]), move(others[2]))
        assert [do_next(queue, 0.1).kind for _ in range(3)] == [
            Kind.MOVE,
            Kind.HINT,
            Kind.EXPLANATION,
        ]


def test_a_hint_is_not_put_off_for_ever() -> None:
    """A waiting hint is done in the end, even if another person keeps a thread busy with moves."""
    queue = queue_of(move(BEA), hint(ANA))
    done = []
    while hint(ANA) not in done:
        done.append(do_next(queue))
        queue.put(move(BEA), 0)
        assert len(done) < 20
    assert len(done) > 2


def test_a_server_with_many_players_leaves_others_their_share() -> None:
    """One person on a server gets as many searches as fifty people on another one."""
    crowd = [move(user, HERE) for user in range(50)]
    queue = queue_of(*crowd, *[move(99, THERE)] * 5)
    shares = Counter(do_next(queue).guild_id for _ in range(10))
    assert shares == {HERE: 5, THERE: 5}


def test_direct_messages_are_a_server_for_each_person() -> None:
    """Each person in direct messages counts as a server and gets a share of their own."""
    queue = queue_of(*[move(ANA, None)] * 4, *[move(BEA, None)] * 4, *[move(CLEO, HERE)] * 4)
    assert Counter(do_next(queue).user_id for _ in range(6)) == {ANA: 2, BEA: 2, CLEO: 2}


def test_having_asked_for_nothing_gives_no_credit() -> None:
    """A person who has asked for nothing starts level with the others, without credit."""
    queue = queue_of(*[hint(BEA)] * 60)
    for _ in range(30):
        do_next(queue)
    for _ in range(10):
        queue.put(hint(ANA), 0)
    assert Counter(do_next(queue).user_id for _ in range(10)) == {ANA: 5, BEA: 5}


CLAIMS = st.builds(
    Claim, st.sampled_from(Kind), st.sampled_from((ANA, BEA, CLEO)), st.sampled_from((HERE, None))
)


@given(st.lists(st.one_of(CLAIMS, st.floats(0.0, 30.0)), max_size=60), st.integers(1, 4))
def test_nothing_is_lost_and_nothing_is_kept(steps: list[Claim | float], threads: int) -> None:
    """All work is given out once, and afterwards the queue keeps no accounts."""
    queue, running, given_out = FairQueue[int](), list[Claim](), list[int]()

    def begin() -> None:
        while len(running) < threads and (item := queue.take()) is not None:
            running.append(item[0])
            given_out.append(item[1])

    count = 0
    for step in steps:
        if isinstance(step, Claim):
            queue.put(step, count)
            count += 1
        elif running:
            queue.done(running.pop(0), step)
        begin()
    while running:
        queue.done(running.pop(0), 1.0)
        begin()
    assert sorted(given_out) == list(range(count))
    assert len(queue) == 0
    fresh = FairQueue[int]()
    assert (queue._people, queue._servers.used, queue._servers._wanted) == (
        fresh._people, fresh._servers.used, fresh._servers._wanted,
    )  # fmt: skip
