"""Check that a feature can be removed: delete its folders from a copy, then run everything else.

    python .ci/remove_feature.py            one feature, by turns from commit to commit
    python .ci/remove_feature.py NAME...    these
    python .ci/remove_feature.py --all      each of them

Deleted are `bot/features/NAME` and `tests/bot/features/NAME`, and those of features that
require it. The types, the import contracts and the tests of what remains must pass, and the bot
must start.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FEATURES = Path("bot/features")

TESTS = ("tests/bot", "tests/test_shape.py", "-m", "not postgres")
"""What is run of the tests: the rest knows nothing of features."""

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
    given = parser.parse_args()
    features = sorted(path.parent.name for path in (ROOT / FEATURES).glob("*/__init__.py"))
    unknown = set(given.names) - set(features)
    if unknown:
        parser.error(f"no feature is called {', '.join(sorted(unknown))}")
    names = features if given.all else given.names or [features[_turn() % len(features)]]
    failed = [name for name in names if not holds_without(name)]
    print("fails without:", ", ".join(failed)) if failed else print("holds without:", *names)
    return bool(failed)


def _turn() -> int:
    """A number that grows with each commit; 0 outside a repository."""
    counted = _run(["git", "rev-list", "--count", "HEAD"], ROOT, quiet=True)
    return int(counted.stdout) if counted.returncode == 0 else 0


def holds_without(name: str) -> bool:
    """Whether everything passes in a copy of the project without a feature."""
    with tempfile.TemporaryDirectory(prefix="cuatro-without-") as scratch:
        copy = Path(scratch) / "project"
        listed = _run(["git", "ls-files", "-z"], ROOT, quiet=True).stdout.split("\0")
        for file in filter(None, listed):
            if (ROOT / file).is_file():
                (copy / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / file, copy / file)
        removed = removed_with(name, copy)
        print(f"== without {', '.join(removed)}", flush=True)
        for one in removed:
            shutil.rmtree(copy / FEATURES / one)
            shutil.rmtree(copy / "tests" / FEATURES / one, ignore_errors=True)
        address = f"sqlite+aiosqlite:///{(Path(scratch) / 'empty.db').as_posix()}"
        python = sys.executable
        return all(
            _run(command, copy).returncode == 0
            for command in (
                [python, "-m", "mypy"],
                [
                    python,
                    "-c",
                    "import sys, importlinter.cli; sys.exit(importlinter.cli.lint_imports())",
                ],
                [python, "-c", STARTS, address],
                [python, "-m", "pytest", "-q", *TESTS],
            )
        )


def removed_with(name: str, copy: Path) -> list[str]:
    """The feature and those that require it, directly or not."""
    code = """from bot.app import find_features
for one in find_features():
    print(one.name, *one.requires)
"""
    told = _run([sys.executable, "-c", code], copy, quiet=True).stdout.splitlines()
    requires = {line.split()[0]: set(line.split()[1:]) for line in told}
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
