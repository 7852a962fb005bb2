"""Measures how the code of `bot/` and `cluster/` is laid out, before and after a change.

`python -m tests.structure [CHECKOUT OR REVISION]...` prints a column for each checkout, or for each
revision of this repository; for this checkout if none is named. Sources are read and never run, and
released migrations (`migrations/versions`) are left out.

What the figures of a feature mean:

* its *own* files lie in `bot/features/NAME`, or before there were such folders are those of
  `OWN_MODULES`;
* files that *import* it are all others that import one of its modules, also by way of a package
  that hands on a name of theirs;
* *all* files that name it are these and those with one of its `WORDS` in an identifier: a name, an
  attribute, a parameter or a module. Names imported from outside `bot` and `cluster` do not count.
  The words are the same for every layout, but some are ambiguous, so only the difference between
  two columns says much.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

PACKAGES = ("bot", "cluster")
LEFT_OUT = "migrations/versions"
OLD_FOLDERS = ("discord", "play", "rating", "show", "store", "table")
"""The folders of `bot/` in which OWN_MODULES are searched."""
OWN_MODULES: Mapping[str, str] = {
    "hints": "hints hint_controls hint_handler hint_marks hint_pictures",
    "reviews": "reviews review_handler learning",
    "replays": "replays replay_controls replay_handler",
    "why": "why_handler explanations",
    "analysis": "analyses analysis_commands analysis_controls analysis_handler trail",
    "lessons": "lessons lesson_controls lesson_games lesson_handler lesson_messages lesson_models"
    " lesson_places lesson_turn course",
    "puzzles": "puzzles puzzle_choice puzzle_commands puzzle_drills puzzle_handler puzzle_models"
    " puzzle_ratings puzzle_records puzzle_rows puzzling",
    "daily": "daily daily_messages daily_poster daily_posts subscriptions",
    "league": "league league_handler league_models league_queue league_records league_rows"
    " league_table",
    "proposals": "draw_handler draw_offers draws pie swap_handler swaps undo_handler undo_requests"
    " undos",
    "voting": "guess_controls guess_handler vote_handler votes voting",
    "statistics": "cards crowns history history_queries history_records list_controls list_handler"
    " lists pages progress reports standing statistics statistics_commands statistics_handler",
    "privacy": "departure_handler departures erasure exports privacy_commands privacy_controls"
    " privacy_handler",
    "settings": "settings_handler",
}
"""Each feature, and its modules before it had a folder."""
WORDS: Mapping[str, str] = {
    "hints": "hints?",
    "reviews": "review(s|ed)?",
    "replays": "replays?",
    "why": "why|explanations?",
    "analysis": "analys(is|es|e|ed)",
    "lessons": "lessons?",
    "puzzles": "puzzl(e|es|ing)",
    "daily": "daily",
    "league": "leagues?",
    "proposals": "proposals?|undos?|swaps?|draws|draw_(offer|record|row|handler)s?",
    "voting": "vot(e|es|ers?|ing)|ballots?|guess(es)?",
    "statistics": "statistics|stats|leaderboards?|histor(y|ies)|reports?|crowns?",
    "privacy": "privacy|erasure|departures?|forget|personal_data",
    "settings": "preferences?|settings_handler|pings",
}
"""Patterns of words in identifiers, which are compared in lower case with `_` between words."""


@dataclass(slots=True)
class Module:
    """One source file."""

    name: str
    path: Path
    """The path from the root of the checkout."""
    lines: int
    import_lines: int
    imports: list[tuple[str, str]] = field(default_factory=list)
    """Imports: a module, and a name in it or nothing."""
    names: set[str] = field(default_factory=set)
    """Identifiers, in lower case with `_` around and between words."""


@dataclass(frozen=True, slots=True)
class FeatureFigures:
    """The number of files of a feature, and of others that depend on it."""

    own: int
    importing: int
    naming: int
    """All files that name the feature, including its own and the importing ones."""


@dataclass(frozen=True, slots=True)
class Structure:
    """The figures of one checkout."""

    files: Mapping[str, int]
    """The number of files, by package."""
    lines: Mapping[str, int]
    middle: float
    ninetieth: int
    largest: tuple[int, str]
    flattest: tuple[int, str]
    single_importers: int
    import_share: float
    features: Mapping[str, FeatureFigures]


def measure(root: Path) -> Structure:
    """Return the figures of a checkout."""
    modules = {module.name: module for module in _modules(root)}
    sizes = sorted(module.lines for module in modules.values())
    folders = Counter(module.path.parent.as_posix() for module in modules.values())
    folder, most = max(folders.items(), key=lambda item: item[1])
    biggest = max(modules.values(), key=lambda module: module.lines)
    importers = Counter(
        target for module in modules.values() for target in _imported(module, modules)
    )
    by_package = {
        package: [m.lines for m in modules.values() if m.path.parts[0] == package]
        for package in PACKAGES
    }
    return Structure(
        files={package: len(found) for package, found in by_package.items()},
        lines={package: sum(found) for package, found in by_package.items()},
        middle=median(sizes),
        ninetieth=sizes[int(0.9 * (len(sizes) - 1))],
        largest=(biggest.lines, biggest.path.as_posix()),
        flattest=(most, folder),
        single_importers=sum(count == 1 for count in importers.values()),
        import_share=sum(m.import_lines for m in modules.values()) / sum(sizes),
        features={feature: _feature(feature, modules) for feature in WORDS},
    )


def _feature(feature: str, modules: Mapping[str, Module]) -> FeatureFigures:
    own = {name for name in modules if _is_own(name, feature)}
    pattern = re.compile(f"_({WORDS[feature]})_")
    named = {m.name for m in modules.values() if any(map(pattern.search, m.names))}
    importing = {m.name for m in modules.values() if own & _defining(m, modules)} - own
    return FeatureFigures(len(own), len(importing), len(own | importing | named))


def _is_own(name: str, feature: str) -> bool:
    if f"{name}.".startswith(f"bot.features.{feature}."):
        return True
    parts = name.split(".")
    is_old = len(parts) == 3 and parts[0] == "bot" and parts[1] in OLD_FOLDERS
    return is_old and parts[2] in OWN_MODULES[feature].split()


def _modules(root: Path) -> Iterator[Module]:
    paths = (path for package in PACKAGES for path in sorted((root / package).rglob("*.py")))
    for path in paths:
        place = path.relative_to(root)
        if LEFT_OUT not in place.as_posix():
            yield _read(place, path.read_text("utf-8"))


def _read(place: Path, text: str) -> Module:
    parts = place.with_suffix("").parts
    is_package = parts[-1] == "__init__"
    name = ".".join(parts[:-1] if is_package else parts)
    module = Module(name, place, len(text.splitlines()), 0)
    package = name if is_package else name.rpartition(".")[0]
    foreign, identifiers = set[str](), set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module.import_lines += (node.end_lineno or node.lineno) - node.lineno + 1
            for source, imported, bound in _of_import(node, package):
                module.imports.append((source, imported))
                if source.split(".")[0] in PACKAGES:
                    identifiers.update((*source.split("."), imported))
                else:
                    foreign.add(bound)
        else:
            identifiers.update(_identifiers(node))
    module.names = {_in_words(one) for one in identifiers - foreign}
    return module


def _of_import(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[tuple[str, str, str]]:
    """The modules of an import, with the name taken from each and its name here."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name, "", alias.asname or alias.name.split(".")[0]
        return
    source = node.module or ""
    if node.level:
        above = package.split(".")[: len(package.split(".")) - node.level + 1]
        source = ".".join([*above, *([source] if source else [])])
    for alias in node.names:
        yield source, alias.name, alias.asname or alias.name


def _identifiers(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            yield name
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.keyword(arg=str(name)):
            yield name


def _in_words(identifier: str) -> str:
    """`DrawOffers` and `draw_offers` as `_draw_offers_`."""
    return f"_{re.sub('(?<=[a-z0-9])(?=[A-Z])', '_', identifier).lower().strip('_')}_"


def _imported(module: Module, modules: Mapping[str, Module]) -> set[str]:
    """The modules that a module imports."""
    found = set[str]()
    for source, name in module.imports:
        target = f"{source}.{name}"
        found.add(target if target in modules else source)
    return (found & modules.keys()) - {module.name}


def _defining(module: Module, modules: Mapping[str, Module]) -> set[str]:
    """The modules that a module imports, or whose names it has from a package."""
    found = set[str]()
    for source, name in module.imports:
        seen = set[str]()
        while source not in seen:
            seen.add(source)
            target = f"{source}.{name}"
            if target in modules:
                source = target
                break
            handed = modules[source].imports if source in modules else []
            source = next((origin for origin, one in handed if one == name and name), source)
        found.add(source)
    return found - {module.name}


def rows(structure: Structure) -> Iterator[tuple[str, str]]:
    """Yield the printed figures: label and number."""
    for package in PACKAGES:
        yield f"files in {package}/", str(structure.files[package])
    for package in PACKAGES:
        yield f"lines in {package}/", str(structure.lines[package])
    yield "lines together", str(sum(structure.lines.values()))
    yield "median lines of a file", f"{structure.middle:g}"
    yield "90 % of files have at most", str(structure.ninetieth)
    yield "largest file", "{} {}".format(*structure.largest)
    yield "largest flat folder", "{} {}".format(*structure.flattest)
    yield "modules with one importer", str(structure.single_importers)
    yield "share of import lines", f"{structure.import_share:.1%}"
    yield "files that name a feature: own + importing, all", ""
    for feature, figures in structure.features.items():
        counted = f"{figures.own} + {figures.importing}, {figures.naming}"
        yield f"  {feature}", counted


def table(columns: Sequence[tuple[str, Iterable[tuple[str, str]]]]) -> Iterator[str]:
    """Yield the lines of a table: a row for each figure, and a column for each checkout."""
    lists = [list(found) for _, found in columns]
    lines = [["", *(title for title, _ in columns)]]
    lines += [
        [row[0][0], *(value for _, value in row)] for row in zip_longest(*lists, fillvalue=("", ""))
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _checked_out(place: str, stack: ExitStack) -> Path:
    """A folder with the sources of a checkout, or of a revision of this repository."""
    if Path(place).is_dir():
        return Path(place)
    command = ["git", "archive", "--format=tar", place, *PACKAGES]
    packed = subprocess.run(command, check=True, capture_output=True).stdout
    folder = Path(stack.enter_context(TemporaryDirectory()))
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def main(arguments: Sequence[str]) -> None:
    """Print the figures of checkouts and revisions side by side."""
    parser = argparse.ArgumentParser("python -m tests.structure", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("places", nargs="*", default=["."], help="a folder or a git revision")
    places = parser.parse_args(arguments).places
    with ExitStack() as stack:
        columns = [(place, rows(measure(_checked_out(place, stack)))) for place in places]
        for line in table(columns):
            sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
