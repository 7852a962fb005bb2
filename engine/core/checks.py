"""Start-up checks that a game's package is complete; each missing part gives one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path

from engine.core.game import Game, UnknownVariant
from engine.core.package import GamePackage, MoveCommand, Ref

KEY = re.compile(r"[a-z][a-z0-9]{1,15}")
MAX_BUTTONS, MAX_ROWS = 20, 4
"""Discord shows five rows of five buttons under a message; one row is reserved."""
LEVELS = ("easy", "medium", "hard", "expert", "perfect")
"""The levels that every measured ladder has."""
SHIPPED_CODES = range(16)
"""The code numbers reserved for games that ship with the engine."""
EXTERNAL_CODES = range(16, 32)
"""The code numbers reserved for games from other distributions."""


class IncompleteGame(Exception):
    """A game's package is incomplete; the text names the game and the missing part."""

    def __init__(self, game: str, part: str, missing: str) -> None:
        super().__init__(f"{game}: {part}: {missing}")
        self.game = game


def check_all(packages: Sequence[GamePackage], *, shipped: int) -> None:
    """Raise IncompleteGame for the first package that is incomplete or clashes with another.

    The first `shipped` packages are those of this distribution.
    """
    seen: dict[str, set[object]] = {"key": set(), "code": set(), "parts": set()}
    for at, package in enumerate(packages):
        unique: dict[str, list[object]] = {
            "key": [package.key],
            "code": [] if package.code is None else [package.code],
            "parts": list(package.part_names()),
        }
        for what, names in unique.items():
            for name in names:
                if name in seen[what]:
                    raise IncompleteGame(package.key, what, f"{name} is taken by another game")
                seen[what].add(name)
        if package.code is not None and package.code not in (
            SHIPPED_CODES if at < shipped else EXTERNAL_CODES
        ):
            wanted = "0 to 15" if at < shipped else "16 to 31"
            raise IncompleteGame(package.key, "code", f"{package.code} is not in {wanted}")
        check(package)


def check(package: GamePackage) -> None:
    """Raise IncompleteGame for the first missing part of a package."""
    for part, missing in _missing(package):
        raise IncompleteGame(package.key, part, missing)


def _missing(package: GamePackage) -> Iterator[tuple[str, str]]:
    """Each incomplete part, with a description of what is missing."""
    if not KEY.fullmatch(package.key):
        yield "key", "two to sixteen small letters and digits, a letter first"
    if package.usual not in package.variants:
        yield "usual", f"{package.usual} is none of the variants"
        return
    variants: dict[str, Game] = {}
    for text in package.variants:
        try:
            variants[text] = package.from_variant(text)
        except UnknownVariant as error:
            yield "variants", f"{text} cannot be read: {error}"
            return
        if variants[text].variant != text:
            yield "variants", f"{text} is read as {variants[text].variant}"
    yield from _missing_strength(package, variants)
    yield from _missing_code(package)
    yield from _missing_controls(package, variants[package.usual])
    if (package.code is None) is not (package.place is None):
        yield "code", "a code number and `place` go together"
    for board in package.puzzles.boards if package.puzzles else ():
        if board not in variants:
            yield "puzzles", f"{board} is none of the variants"
        elif not _has_file(package, "puzzles", f"{package.key}-{board}.csv"):
            yield "puzzles", f"puzzles/{package.key}-{board}.csv does not exist"
    classes = {package.class_of(game) for game in variants.values()}
    for name in package.calibrations:
        if name not in classes:
            yield "calibrations", f"no variant is of the size class {name}"
    for lesson in package.lessons:
        for problem in lesson.problems:
            if problem.game.variant not in variants:
                yield "lessons", f"{lesson.key} has {problem.game.variant}, which is no variant"


def _missing_strength(package: GamePackage, variants: dict[str, Game]) -> Iterator[tuple[str, str]]:
    """Each ladder file that is missing or lacks a level."""
    if package.ladder == "guessed":
        return
    for name in sorted({package.class_of(game) for game in variants.values()}):
        if not _has_file(package, "ladders", f"{name}.csv"):
            yield "ladder", f"ladders/{name}.csv does not exist"
            continue
        text = (package.folder("ladders") / f"{name}.csv").read_text("utf-8")
        rows = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
        at = rows[0].index("level") if "level" in rows[0] else None
        present = set() if at is None else {row[at] for row in rows[1:] if len(row) > at}
        lacking = [level for level in LEVELS if level not in present]
        if lacking:
            yield "ladder", f"ladders/{name}.csv has no {', '.join(lacking)}"


def _missing_code(package: GamePackage) -> Iterator[tuple[str, str]]:
    """References to modules or names that do not exist."""
    for field in fields(package):
        value = getattr(package, field.name)
        if isinstance(value, Ref) and not _exists(value.module):
            yield field.name, f"there is no module {value.module}"
    for part in package.parts:
        for module in part.modules:
            if not _exists(module):
                yield "parts", f"there is no module {module}"
            elif "compiled" not in module.split("."):
                yield "parts", f"{module} is in no folder `compiled`, which the cache goes by"


def _missing_controls(package: GamePackage, game: Game) -> Iterator[tuple[str, str]]:
    """Each violated rule about buttons and commands."""
    rows = game.buttons()
    if len(rows) > MAX_ROWS or sum(map(len, rows)) > MAX_BUTTONS:
        yield "buttons", f"at most {MAX_BUTTONS} in {MAX_ROWS} rows"
    for label in (game.label(move) for row in rows for move in row):
        if not any(_can_write(command, label) for command in package.commands):
            yield "commands", f"none of them writes the move {label}"


def _can_write(command: MoveCommand, label: str) -> bool:
    """Whether a command can express a move with some value of its option."""
    if command.option is None:
        return command.text == label
    before, _, after = command.text.partition("{}")
    inner = label.removeprefix(before).removesuffix(after)
    is_whole = label.startswith(before) and label.endswith(after) and bool(inner)
    return is_whole and (inner.isdecimal() or not command.is_number)


def _has_file(package: GamePackage, *path: str) -> bool:
    return package.folder(path[0]).joinpath(*path[1:]).is_file()


def _exists(module: str) -> bool:
    """Whether a module exists; only its outermost package is imported."""
    outermost, *inner = module.split(".")
    spec = find_spec(outermost)
    if spec is None or not inner:
        return spec is not None
    places = (Path(folder, *inner) for folder in spec.submodule_search_locations or ())
    return any(
        place.with_suffix(".py").is_file() or (place / "__init__.py").is_file() for place in places
    )
