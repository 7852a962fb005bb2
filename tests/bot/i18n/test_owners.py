"""The package that each text belongs to: a feature's catalogue is removed with its folder."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bot.app import find_features
from bot.i18n import LANGUAGES
from engine.core.registry import games
from tests.bot.i18n.test_i18n import ROOT, VOCABULARY, catalogue

CORE = "core"

SHARED = {
    r"button\.(back|forward|share|shared)": {"analysis", "replays"},
    r"(stats\.nothing|history\.open)": {"league", "statistics"},
    r"(option\.)?whose\..*": {"privacy", "statistics"},
}
"""Texts of the core that only features use, with those features."""

MADE = {
    r"count\.(seconds|minutes|hours|days)\..*": CORE,
    r"hint\.area\..*": "hints",
    r"(hint|threat)\..*\.(many|me|perfect)": "hints",
    r"button\.learn": "reviews",
    r"button\.takeback": "proposals",
    r"refusal\.often_(undos|draws)": "proposals",
    r"refusal\.often_series": "series",
    r"history\.(title|won|drawn|lost|stopped)": "statistics",
}
"""Texts with keys that are put together from more than one part."""

PARTS = "name|description|help"
FORMS = {
    "command": rf"command\.{{}}\.(?:{PARTS})",
    "option": rf"option\.{{}}\.(?:{PARTS})",
    "count": r"count\.{}\..+",
    "Refusal": r"refusal\.{}",
}
"""Functions that take a part of a key, and the keys that they make of it."""


@cache
def texts() -> dict[str, set[str]]:
    """The keys of the core's catalogue and of each feature's."""
    found = {CORE: set(catalogue(ROOT / "bot/i18n/en.po"))}
    for folder in (ROOT / "bot/features").glob("*/__init__.py"):
        path = folder.with_name("en.po")
        found[path.parent.name] = set(catalogue(path)) if path.is_file() else set()
    return found


def package_of(path: Path) -> str:
    """The feature that a file of the bot belongs to, or the core."""
    parts = path.relative_to(ROOT / "bot").parts
    return parts[1] if parts[0] == "features" and len(parts) > 2 else CORE


@cache
def uses() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """By key, the packages that name it and those with a pattern that matches it."""
    keys = set().union(*texts().values())
    strings, exact, wide = defaultdict(set), defaultdict(set), defaultdict(set)
    for path in (ROOT / "bot").rglob("*.py"):
        package = package_of(path)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                strings[package].add(node.value)
            elif isinstance(node, ast.JoinedStr):
                form = form_of(node)
                if re.match(r"[a-z_]+\\\.", form):
                    wide[package].add(form)
            elif isinstance(node, ast.Call):
                exact[package] |= set(forms_of(node))
    named, possible = defaultdict(set), defaultdict(set)
    for package in texts():
        forms = [re.compile(one) for one in exact[package] if "(.+)" not in one]
        wide[package] |= {one for one in exact[package] if "(.+)" in one}
        parts = strings[package] | VOCABULARY | games().keys()
        for key in keys:
            kind, _, rest = key.partition(".")
            is_refusal = kind == "refusal" and "_" in rest and rest in strings[package]
            if is_refusal or key in strings[package] or any(one.fullmatch(key) for one in forms):
                named[key].add(package)
            for form in wide[package]:
                match = re.fullmatch(form, key)
                if match is not None and parts.issuperset(match.groups()):
                    possible[key].add(package)
    return named, possible


def forms_of(call: ast.Call) -> Iterator[str]:
    """The patterns of the keys that a call makes of its arguments."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    parts = [form_of(one) for one in call.args if isinstance(one, (ast.Constant, ast.JoinedStr))]
    if name == "choices" and parts:
        yield rf"{parts[0]}\.[a-z0-9]+"
    elif name == "command" and parts:
        yield FORMS["command"].format(parts[0])
        yield from (FORMS["option"].format(part) for part in parts[1:])
    elif name == "option":
        yield from (FORMS["option"].format(part) for part in parts[1:])
    elif name in ("CustomId", "game_action") and isinstance(call.args[0], ast.Constant):
        yield rf"button\.{parts[0]}"
    elif name in FORMS and parts:
        yield FORMS[name].format(parts[0])


def form_of(node: ast.Constant | ast.JoinedStr) -> str:
    """A string as a pattern; inserted values match anything."""
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    return "".join(
        re.escape(str(one.value)) if isinstance(one, ast.Constant) else "(.+)"
        for one in node.values
    )


def users_of(key: str) -> set[str]:
    """The packages that use a text, without features that require another of them."""
    named, possible = uses()
    made = {owner for form, owner in MADE.items() if re.fullmatch(form, key)}
    users = made or named[key] or possible[key] or {CORE}
    requires = {one.name: set(one.requires) for one in find_features()}
    return {one for one in users if not requires.get(one, set()) & users}


def owner_of(key: str) -> str:
    """The package that a text belongs to: its only user, or else the core."""
    users = users_of(key)
    return next(iter(users)) if len(users) == 1 else CORE


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_package_has_the_same_texts_in_each_language(language: str) -> None:
    """Every package has the same keys in each language."""
    for package, keys in texts().items():
        folder = ROOT / "bot" / ("i18n" if package == CORE else f"features/{package}")
        assert keys == set(catalogue(folder / f"{language}.po") if keys else ())


def test_each_text_is_in_the_folder_that_uses_it() -> None:
    """A text that only one feature uses is in its folder; shared texts are in the core."""
    wrong = {}
    for package, keys in texts().items():
        for key in keys:
            shared = [users for form, users in SHARED.items() if re.fullmatch(form, key)]
            right = (
                package == CORE and users_of(key) == shared[0] & texts().keys()
                if shared
                else package == owner_of(key)
            )
            if not right:
                wrong[key] = f"in {package}, used by {sorted(users_of(key))}"
    assert wrong == {}


def test_each_exception_exists() -> None:
    """Each exception that is listed above still exists."""
    keys = set().union(*texts().values())
    for form, users in [*SHARED.items(), *((form, {one}) for form, one in MADE.items())]:
        assert not users & texts().keys() or any(re.fullmatch(form, key) for key in keys), form
