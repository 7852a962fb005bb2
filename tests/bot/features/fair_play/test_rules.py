"""Who gets no help while two people play a rated game, and which games wait for it."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

import pytest

from bot.feature import Services
from bot.features.fair_play.rules import FairPlay
from bot.features.fair_play.store import FairPlayStore
from bot.game.session import Session
from bot.settings import Settings
from bot.store.records import GameSetup, SeatRecord, TimeControl, agent, person
from engine.core.game import Position
from engine.core.registry import game_of
from tests.bot.builders import refusal_of
from tests.bot.clock import StepClock
from tests.bot.running import run_services
from tests.builders import after

ANA, BEA, CAL = 1, 2, 3
CONTEST, THERE = 100, 200
"""The channels of the rated game and of a game against Cuatro."""

PLACES = ((9, ANA), (10, BEA), (None, ANA), (9, CAL))
"""Players on the server of the rated game, on another one and in direct messages; a stranger."""

LONG = "44444433333352222225"
"""Twenty moves of 6x7 without a four."""

RELATED = {
    # The moves of the rated game: those to related and to unrelated positions.
    # Without a disc none is: all games begin with the empty board.
    "": ([], ["", "4", "12"]),
    "445": (["445", "443"], ["", "44", "4453", "112"]),
    LONG[:6]: ([LONG[:6], LONG[:7]], [LONG[:5], "112233"]),
    LONG: ([LONG, LONG[:8], LONG + "1", LONG.translate(str.maketrans("1234567", "7654321"))],
           [LONG[:5], "1122336"]),
}  # fmt: skip
"""Games of 0, 3, 6 and 20 discs; the same, earlier, later and mirrored positions, and others."""

HOUR = 3600.0


@pytest.fixture
def clock() -> StepClock:
    """A clock that moves only when the test moves it."""
    return StepClock(1_000_000.0)


def fair_play(services: Services) -> FairPlay:
    """The rules of fair play for one process, which lets games wait by them."""
    rules = FairPlay(FairPlayStore(services.store.database), services.sessions.games)
    services.sessions.holding.contribute((rules.hold,))
    services.timer.contribute((services.sessions.holding.settle,))
    return rules


async def begun(
    services: Services,
    channel: int,
    moves: str,
    *seats: SeatRecord,
    guild: int | None = 9,
    friendly: bool = False,
    hours: float = 1.0,
) -> Session:
    """A game of 6x7 that goes on after these moves, which no player made."""
    game, clock = game_of("connect4", "6x7"), TimeControl(hours * HOUR)
    setup = GameSetup(game.key, game.variant, channel, guild, "en", *seats, ANA, clock=clock)
    setup = replace(setup, friendly=friendly)
    return await services.sessions.start(setup, opening=game.moves(moves))


def positions(moves: str) -> list[Position]:
    """What a review of these moves tells about: all positions but the empty board."""
    return [after("6x7", moves[:made]) for made in range(1, len(moves) + 1)]


@pytest.mark.parametrize("running", RELATED)
async def test_players_get_no_help_with_related_positions(services: Services, running: str) -> None:
    """Neither player gets help or plays on against Cuatro there, on no server; strangers do."""
    rules, channels = fair_play(services), count(THERE)
    await begun(services, CONTEST, running, person(ANA), person(BEA))
    close, far = RELATED[running]
    for moves in (*close, *far):
        is_related = moves in close
        # Analyses, hints and Why? tell about one position.
        for user in (ANA, BEA, CAL):
            found = await rules.bar(user, (after("6x7", moves),))
            assert (found is not None) is (is_related and user != CAL), (moves, user)
        for place, user in PLACES:
            channel, seats = next(channels), [person(user), agent("easy")]
            seats = seats[:: 1 if len(moves) % 2 == 0 else -1]
            waits = is_related and user != CAL
            game = await begun(services, channel, moves, *seats, guild=place)
            assert game.is_held is waits, (moves, user, place)
            if waits:
                played = services.sessions.play(channel, user, "1")
                assert await refusal_of(played) == "refusal.fair_play_waits"
            else:
                assert len((await services.sessions.play(channel, user, "1")).moves) > len(moves)
            await services.sessions.resign(channel, user)
    await services.sessions.resign(CONTEST, ANA)
    assert await rules.bar(ANA, (after("6x7", running),)) is None


REVIEWED = {
    # The moves of the rated game: those of reviewed games, and whether its players have to wait.
    "": {LONG: False},
    "445": {"4453": True, "4435": True, "4415": False},
    LONG[:6]: {LONG: True, f"{LONG[:5]}123": False},
    LONG: {f"{LONG[:7]}1": True, f"{LONG[:5]}123": False},
}


async def test_a_review_tells_about_all_positions_of_a_game(services: Services) -> None:
    """A review is refused if any position of the game is related to the rated one."""
    rules = fair_play(services)
    for running, games in REVIEWED.items():
        await begun(services, CONTEST, running, person(ANA), person(BEA))
        for reviewed, is_barred in games.items():
            for user in (ANA, BEA, CAL):
                found = await rules.bar(user, positions(reviewed))
                assert (found is not None) is (is_barred and user != CAL), (running, reviewed, user)
        await services.sessions.resign(CONTEST, ANA)


async def test_only_rated_games_between_people_bar_help(services: Services) -> None:
    """Friendly games, games against Cuatro and games that an undo has made unrated bar nothing."""
    rules, asked = fair_play(services), (after("6x7", "445"),)
    await begun(services, THERE, "445", person(ANA), person(BEA), friendly=True)
    await begun(services, THERE + 1, "445", agent("easy"), person(ANA))
    assert await rules.bar(ANA, asked) is None
    await begun(services, CONTEST, "44", person(ANA), person(BEA))
    await services.sessions.play(CONTEST, ANA, "5")
    assert await rules.bar(ANA, asked)
    await services.sessions.play(CONTEST, BEA, "1")
    await services.sessions.take_back(CONTEST, lambda _: 3)
    assert await rules.bar(ANA, asked) is None


SIX = LONG[:6]


async def related_by_two_moves(services: Services) -> None:
    """Play the moves after which a rated game is related to one that began with `SIX` and 2."""
    await services.sessions.play(CONTEST, BEA, "1")
    await services.sessions.play(CONTEST, ANA, "2")


async def test_a_game_that_becomes_related_waits_with_its_clock(
    services: Services, clock: StepClock
) -> None:
    """It waits from the move on that made it related, and goes on with the time it had."""
    rules = fair_play(services)
    stored, me = FairPlayStore(services.store.database), services.ownership.owner
    await begun(services, CONTEST, f"{SIX}3", person(ANA), person(BEA), hours=99.0)
    game = await begun(services, THERE, f"{SIX}2", agent("easy"), person(BEA))
    (before,) = await stored.candidates(me)
    assert not game.is_held
    clock.forward(0.5 * HOUR)
    await related_by_two_moves(services)
    (beside,) = await stored.candidates(me)
    assert (beside.id, beside.is_held) == (game.id, False)
    assert beside.states != before.states
    # It goes unnoticed until the time would have been up.
    clock.forward(0.75 * HOUR)
    checked = await services.timer.check_due()
    (held,) = checked.decided
    assert (held.id, held.is_held, checked.ended) == (game.id, True, [])
    clock.forward(2 * HOUR)
    assert not (await services.timer.check_due()).ended
    assert not await services.sessions.holding.check(THERE, game.id)
    await services.sessions.resign(CONTEST, ANA)
    assert [one.is_held for one in await stored.candidates(me)] == [True]
    released = await services.sessions.holding.check(THERE, game.id)
    assert released is not None
    assert released.countdown is not None
    assert released.countdown.deadline - clock() == pytest.approx(0.5 * HOUR)
    assert await stored.candidates(me) == []
    played = await services.sessions.play(THERE, BEA, "5")
    assert played.moves[-1].seconds == pytest.approx(0.5 * HOUR)
    assert await rules.bar(BEA, (game.position,)) is None


async def test_cuatro_does_not_answer_in_a_game_that_has_become_related(
    services: Services,
) -> None:
    """An answer found before is not played; Cuatro moves once the rated game is over."""
    fair_play(services)
    await begun(services, CONTEST, f"{SIX}3", person(ANA), person(BEA))
    await begun(services, THERE, f"{SIX}2", person(ANA), agent("easy"))
    await related_by_two_moves(services)
    assert await services.sessions.reply(THERE) is None
    present = await services.sessions.games.current(THERE)
    assert present is not None
    assert (present.is_held, len(present.moves)) == (True, 7)
    await services.sessions.resign(CONTEST, ANA)
    assert await services.sessions.holding.check(THERE, present.id)
    answered = await services.sessions.reply(THERE)
    assert answered is not None
    assert len(answered.moves) == 8


@pytest.mark.databases
async def test_a_game_waits_for_one_in_another_process(
    settings: Settings, services: Services, clock: StepClock
) -> None:
    """A game waits and goes on by the moves that another process stores."""
    fair_play(services)
    game = await begun(services, THERE, f"{SIX}2", agent("easy"), person(BEA))
    async with run_services(settings, Random(1), clock) as other:
        fair_play(other)
        await begun(other, CONTEST, f"{SIX}3", person(ANA), person(BEA))
        assert await services.sessions.holding.check(THERE, game.id) is None
        await related_by_two_moves(other)
        refused = services.sessions.play(THERE, BEA, "5")
        assert await refusal_of(refused) == "refusal.fair_play_waits"
        await other.sessions.resign(CONTEST, ANA)
        assert await services.sessions.holding.check(THERE, game.id)
