"""Check that a feature can be removed: delete its folders from a copy, then check everything else.

    python .ci/remove_feature.py            one feature, by turns from commit to commit
    python .ci/remove_feature.py NAME...    these
    python .ci/remove_feature.py --all      each of them
    python .ci/remove_feature.py --full ... with all tests of the bot, not only the quick ones

Deleted are `bot/features/NAME` and `tests/bot/features/NAME`, and those of features that
require it. The types, the import contracts and tests of what remains must pass, and the bot
must start.

Left out is what names features: benchmarks measure single ones, and tests/golden has the commands,
buttons and ids of the whole bot. Tests of packages outside the bot know nothing of features.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
FEATURES = Path("bot/features")
TYPES = ".mypy_cache"
PACKAGES = ("engine", "cluster", "renderers", "bot")

EXCLUDED = ("stor*", "sequences", "plans", "wire", "queue", "consistency", "faults", "isolation")
QUICK = (
    *("tests/bot/i18n", "tests/bot/discord", "tests/bot/features", "tests/bot/local/test_lines.py"),
    *("tests/bot/board/test_games.py", "tests/bot/board/test_modes.py"),
    *("tests/bot/board/test_contributions.py", "tests/bot/board/test_newcomers.py"),
    *("-m", "not postgres"),
    *(f"--ignore-glob=*/features/*/test_{one}.py" for one in EXCLUDED),
)
"""The tests that a removed feature shows in: texts, commands, buttons, refusals, other features.

They take about three minutes of processor time. What features store is slow to test and needs no
other feature.
"""

FULL = ("tests/bot", "tests/test_shape.py", "tests/test_structure.py")
"""All tests of the bot."""

NEVER_COPIED = shutil.ignore_patterns(".*_cache", ".git", ".venv", "venv", "__pycache__", "*.db*")

STARTS = """
import asyncio, sys
from bot.app import open_services, make_client
from bot.settings import Settings

async def start():
    async with open_services(Settings(database_url=sys.argv[1], workers=1)) as services:
        async with make_client(services) as client:
            print("starts with", len(client.tree.get_commands()), "commands")

asyncio.run(start())
"""


def main() -> int:
    """Check the features that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--all", action="store_true", help="each feature, one after the other")
    parser.add_argument("--full", action="store_true", help="run all tests of the bot")
    given = parser.parse_args()
    features = sorted(path.parent.name for path in (ROOT / FEATURES).glob("*/__init__.py"))
    unknown = set(given.names) - set(features)
    if unknown:
        parser.error(f"no feature is called {', '.join(sorted(unknown))}")
    names = features if given.all else given.names or [features[_rotation() % len(features)]]
    tests = FULL if given.full else QUICK
    failed = [name for name in names if not passes_without(name, tests)]
    print("fails without:", ", ".join(failed)) if failed else print("passes without:", *names)
    return bool(failed)


def _rotation() -> int:
    """The number of commits; a number from the last commit or the date if history is missing."""
    shallow = _run(["git", "rev-parse", "--is-shallow-repository"], ROOT, quiet=True)
    if shallow.returncode:
        # No repository: another feature each day.
        return int(time.time() // 86_400)
    if shallow.stdout.strip() == "true":
        return int(_run(["git", "rev-parse", "HEAD"], ROOT, quiet=True).stdout, 16)
    return int(_run(["git", "rev-list", "--count", "HEAD"], ROOT, quiet=True).stdout)


def passes_without(name: str, tests: Sequence[str]) -> bool:
    """Whether everything passes in a copy of the project without a feature."""
    with tempfile.TemporaryDirectory(prefix="cuatro-without-") as scratch:
        copy = Path(scratch) / "project"
        _copy(copy)
        removed = removed_with(name, copy)
        began = time.monotonic()
        print(f"== without {', '.join(removed)}", flush=True)
        for one in removed:
            shutil.rmtree(copy / FEATURES / one)
            shutil.rmtree(copy / "tests" / FEATURES / one, ignore_errors=True)
        address = f"sqlite+aiosqlite:///{(Path(scratch) / 'empty.db').as_posix()}"
        contracts = "import sys, importlinter.cli; sys.exit(importlinter.cli.lint_imports())"
        python = sys.executable
        passes = all(
            _run(command, copy).returncode == 0
            for command in (
                [python, "-m", "mypy", *(f"--package={one}" for one in PACKAGES)],
                [python, "-c", contracts],
                [python, "-c", STARTS, address],
                [python, "-m", "pytest", "-q", *tests],
            )
        )
        took = f"{time.monotonic() - began:.0f} s"
        print(f"{'passes' if passes else 'FAILS'} without {name} ({took})", flush=True)
        return passes


def _copy(folder: Path) -> None:
    """Copy what belongs to the project, and what the type checker has found before."""
    listed = _run(["git", "ls-files", "-z"], ROOT, quiet=True)
    if listed.returncode:
        shutil.copytree(ROOT, folder, ignore=NEVER_COPIED)
        return
    for file in filter(None, listed.stdout.split("\0")):
        if (ROOT / file).is_file():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, folder / file)
    if (ROOT / TYPES).is_dir():
        shutil.copytree(ROOT / TYPES, folder / TYPES)


def removed_with(name: str, copy: Path) -> list[str]:
    """The feature and those that require it, directly or indirectly."""
    code = """from bot.app import find_features
for one in find_features():
    print(one.name, *one.requires)
"""
    listed = _run([sys.executable, "-c", code], copy, quiet=True).stdout.splitlines()
    requires = {line.split()[0]: set(line.split()[1:]) for line in listed}
    removed = [name]
    for one in removed:
        removed += [
            other for other, needed in requires.items() if one in needed and other not in removed
        ]
    return removed


def _run(
    command: list[str], folder: Path, *, quiet: bool = False
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, text=True, check=False, capture_output=quiet)


if __name__ == "__main__":
    sys.exit(main())
