"""The command that fits the model of perfect play's opponents to the people of a database.

It reads finished games and the ratings of their players. What it writes are a few weights for each
ladder and the number of moves behind them: no names, numbers of people, games or moves.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random

from rich.console import Console

from bot.database.errors import Unavailable
from bot.game.reading import UnreadableGame, read_game
from bot.game.session import Session
from bot.settings import Settings
from bot.store.store import Store
from engine.core.game import Player
from engine.core.package import GamePackage
from engine.core.registry import games
from engine.strength.habit_fit import PlayedMove, Sample, fit, samples_of, surprise
from engine.strength.habits import FEATURES, Habits, written

OK, FAILED = 0, 1

GAMES = 5_000
"""The most games of each ladder that are read, the latest ones."""

PER_PERSON = 200
"""The most moves of one person, so that no person's habits dominate."""

LEAST = 100
"""The fewest moves of a ladder; with fewer, its model stays that of the rungs."""

CHECKED = 5
"""Every fifth move is left out of a fit, to check the weights that the others give."""


def fit_opponents(settings: Settings, target: Path, moves: int, console: Console) -> int:
    """Fit the habits of people, and write them to a file; returns the exit status.

    At most `moves` of each ladder are used. Equal games give an equal file.
    """
    try:
        found = asyncio.run(_collected(settings, moves))
    except Unavailable as error:
        print(f"cuatro: {error}", file=sys.stderr)
        return FAILED
    fitted = dict[str, tuple[Habits, int]]()
    for ladder, played in found.items():
        samples = samples_of(played)
        count = f"{ladder}: {len(samples)} moves"
        if len(samples) < LEAST:
            _print(console, f"{count}, fewer than {LEAST}: its model stays that of the rungs.")
            continue
        habits = fit(samples)
        fitted[ladder] = habits, len(samples)
        before, after = _checked(samples)
        _print(console, f"{count}, surprise of others {before} by the rungs, {after} as fitted.")
    if not fitted:
        print("cuatro: There are too few moves of people to fit anything.", file=sys.stderr)
        return FAILED
    try:
        target.write_text(written(fitted), "utf-8")
    except OSError as error:
        print(f"cuatro: {target} cannot be written: {error.strerror}.", file=sys.stderr)
        return FAILED
    text = f"Written to {target}. Set CUATRO_OPPONENT_MODEL to that file, and start the bot again."
    _print(console, text)
    return OK


def _print(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _checked(samples: list[Sample]) -> tuple[str, str]:
    """How surprising moves are that were left out of a fit, by the rungs and by the fit.

    The surprise is the mean negative logarithm of their probabilities.
    """
    kept = [one for number, one in enumerate(samples) if number % CHECKED]
    rest = samples[::CHECKED]
    models = Habits((0.0,) * len(FEATURES)), fit(kept)
    before, after = (f"{surprise(rest, model):.3f}" for model in models)
    return before, after


async def _collected(settings: Settings, moves: int) -> dict[str, list[PlayedMove]]:
    """Some moves of people by ladder, where perfect play uses a model of its opponent."""
    store, found = Store(settings.database_url), dict[str, list[PlayedMove]]()
    await store.open()
    try:
        for package in games().values():
            if package.exact is None:
                continue
            for ladder, variants in _ladders(package).items():
                every = await _moves_on(store, package.key, ladder, variants)
                Random(ladder).shuffle(every)
                found[ladder] = every[:moves]
    finally:
        await store.close()
    return found


def _ladders(package: GamePackage) -> dict[str, list[str]]:
    """The variants of each ladder of a game."""
    found = defaultdict[str, list[str]](list)
    for variant in package.variants:
        found[package.class_of(package.from_variant(variant))].append(variant)
    return found


async def _moves_on(
    store: Store, family: str, ladder: str, variants: list[str]
) -> list[PlayedMove]:
    """The moves of people in the latest games of a ladder."""
    records = await store.results.latest_finished(family, variants, GAMES)
    found, counts = list[PlayedMove](), Counter[int]()
    ratings = dict[int, float | None]()
    for record in records:
        try:
            session = read_game(record)
        except UnreadableGame:
            continue
        for user_id in (seat.user_id for seat in session.seats):
            if user_id is not None and user_id > 0 and user_id not in ratings:
                known = await store.ratings.of(user_id, ladder)
                ratings[user_id] = None if known is None else known.rating.value
        for user_id, move in _own_moves(session, ratings):
            counts[user_id] += 1
            if counts[user_id] <= PER_PERSON:
                found.append(move)
    return found


def _own_moves(
    session: Session, ratings: dict[int, float | None]
) -> Iterator[tuple[int, PlayedMove]]:
    """The moves that people chose alone: without hints, and not as an opening."""
    position = session.game.start()
    for number, made in enumerate(session.moves):
        move = session.game.parse(made.move)
        seat = session.seat(Player(made.player)).user_id
        is_own = number >= session.setup.opening and not made.hinted
        if is_own and made.user_id is not None and made.user_id == seat and seat in ratings:
            yield seat, PlayedMove(position, move, ratings[seat])
        position = position.play(move)
