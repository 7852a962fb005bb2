"""Whole careers with real games, through the bot's own sessions and store."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random

from benchmarks.adaptive.careers import GAMES, Career, Game
from benchmarks.adaptive.characters import CHARACTERS, PLAYERS
from benchmarks.adaptive.games import missed_a_win
from benchmarks.adaptive.people import Kind, improving, kinds_of, steady_kinds
from bot.app import open_services
from bot.feature import Services
from bot.game.session import Session
from bot.ratings.glicko import is_provisional, newcomer, rating_at
from bot.settings import Settings
from bot.store.records import AUTO, GameSetup, Rating, agent, person
from engine.core.game import Game as Rules
from engine.core.game import Player
from engine.core.registry import game_called
from engine.strength.ladder import ladder_of, size_class

USER, CHANNEL, GUILD, LOCALE = 7, 70, 1, "en"
DAY = 86_400.0
GAMES_A_DAY = 5
"""Games per day, so that ratings are not affected by inactivity."""
PATIENCE = 600.0
"""Seconds within which a game must be rated."""


def real_careers(
    board: str, names: Sequence[str], seed: int, processes: int
) -> dict[str, list[Career]]:
    """A career for each named kind; names may repeat."""
    live = partial(_career, board, seed)
    wanted = list(zip(names, count(), strict=False))
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        found: dict[str, list[Career]] = {}
        for name, career in zip(names, pool.map(live, wanted), strict=True):
            found.setdefault(name, []).append(career)
    return found


def kind_called(name: str) -> Kind:
    """The kind of this name; raises StopIteration for an unknown one."""
    weak, _, strong = name.partition(" becomes ")
    if strong:
        return improving(weak, strong)
    return next(kind for kind in (*steady_kinds(), *kinds_of(CHARACTERS)) if kind.name == name)


def _career(board: str, seed: int, wanted: tuple[str, int]) -> Career:
    name, number = wanted
    rng = Random(f"{seed} {board} {name} {number}")
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder, 'careers.db').as_posix()}"
        return asyncio.run(live_career(game_called(board), kind_called(name), url, rng))


async def live_career(
    rules: Rules, kind: Kind, url: str, rng: Random, games: int = GAMES
) -> Career:
    """A career of a kind, in a database of its own."""
    found, now = list[Game](), 1e9
    seat = rng.choice(tuple(Player))
    settings = Settings(database_url=url, workers=1)
    async with open_services(settings, Random(rng.random()), lambda: now) as services:
        services.ratings.start()
        for number in range(1, games + 1):
            style = kind.style_of(number, rng)
            rating = await _rating(services, rules, now)
            session = await _play(services, rules, style, seat, rng)
            name = session.seat(seat.other).agent
            assert name is not None
            winner = session.winner
            score = 0.5 if winner is None else float(winner is seat)
            rung = ladder_of(rules).named(name)
            unsure = is_provisional(rating)
            moves = [rules.parse(made.move) for made in session.moves]
            missed = missed_a_win(rules, moves, seat.other)
            found.append(Game(style, rung, seat, score, unsure, rating.value, missed))
            seat = seat.other
            now += DAY / GAMES_A_DAY
    return tuple(found)


async def _rating(services: Services, rules: Rules, now: float) -> Rating:
    known = await services.store.ratings.of(USER, size_class(rules))
    return newcomer(ladder_of(rules)) if known is None else rating_at(known, now)


async def _play(services: Services, rules: Rules, style: str, seat: Player, rng: Random) -> Session:
    """One game against `auto`, from its start to its rating."""
    own, auto = person(USER), agent(AUTO)
    seats = (own, auto) if seat is Player.FIRST else (auto, own)
    session = await services.sessions.start(
        GameSetup(rules.key, rules.variant, CHANNEL, GUILD, LOCALE, *seats, USER)
    )
    while not session.is_over:
        if session.awaits_agent:
            answered = await services.sessions.reply(CHANNEL)
            assert answered is not None, "there is an agent to move"
            session = answered
        else:
            move = PLAYERS[style].choose(session.position, rng)
            session = await services.sessions.play(CHANNEL, USER, rules.label(move))
    assert await services.ratings.settled(USER, PATIENCE), "a game was not rated in time"
    return session
