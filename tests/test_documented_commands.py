"""Every documented command is run or, if it takes hours, parsed by its program.

Commands are in fenced blocks and between backticks. Words in capitals are placeholders, and are
replaced; slow commands get less work.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pytest

import bot.__main__
import engine.cli.main
from tests.builders import ROOT

pytestmark = pytest.mark.long

DOCUMENTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
PROGRAM = re.compile(r"(?:python -m (?:engine|bot|benchmarks)\b|cuatro\b)[^#`]*")
STAND_INS = {"DIR": "dir", "FOLDER": "folder", "FILE": "some.book", "AGENT": "easy", "SIZE": "5x4",
             "PLIES": "4", "<game>": "6x7"}  # fmt: skip
UNFINISHED = {"python -m engine", "python -m engine book build", "python -m benchmarks.NAME",
              "python -m engine tournament ladder --losses", "cuatro backup",
              "cuatro restore", "cuatro migrate-data", "cuatro fit-opponents"}  # fmt: skip
"""Commands that are mentioned without their arguments."""
OTHERS = (
    "python -m pip", "python -m venv", "python -m pytest", "docker ", "kubectl ", "lint-imports"
)  # fmt: skip
"""Commands of other programs."""


def commands() -> Iterator[tuple[str, str]]:
    """All commands of this project, with the documents that name them."""
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        pieces = re.findall(r"```\w*\n(.*?)```|`([^`\n]+(?:\n[^`\n]+)?)`", text, re.DOTALL)
        for block, inline in pieces:
            for line in block.splitlines() or [" ".join(inline.split())]:
                for part in re.split(r"\s(?:&&|\|)\s", line.strip()):
                    if part.startswith(OTHERS):
                        continue
                    found = PROGRAM.search(part) if block else PROGRAM.match(part)
                    if found and (block or " " in part or part == "cuatro"):
                        yield document.name, found[0].strip()


FOUND = sorted(set(commands()))
ENGINE = sorted({c for _, c in FOUND if c.startswith("python -m engine")} - UNFINISHED)
README_ENGINE = [c for name, c in FOUND if name == "README.md" and c in ENGINE]


def arguments(command: str) -> list[str]:
    """The words after the program's name, with values for placeholders."""
    words = shlex.split(command.split(" < ")[0])
    words = words[1:] if words[0] == "cuatro" else words[3:]
    return [STAND_INS.get(w, ",".join(STAND_INS.get(p, p) for p in w.split(","))) for w in words]


def small(words: list[str]) -> list[str]:
    """The same command with less work."""
    if words[0] == "tournament":
        agents = words[1].split(",")
        words = [words[0], ",".join(agents[:2]) if len(agents) > 1 else words[1], *words[2:]]
        words += [] if "--processes" in words else ["--processes", "1"]
    if "--games" in words:
        words[words.index("--games") + 1] = "2"
    return words


def test_the_documents_name_commands() -> None:
    """Each line of a program in a fenced block is a command of ours or of a known program."""
    assert len(ENGINE) > 20
    assert len(README_ENGINE) >= 10
    for document in DOCUMENTS:
        for block in re.findall(r"```\n(.*?)```", document.read_text("utf-8"), re.DOTALL):
            for line in block.splitlines():
                if "python -m " in line or line.startswith("cuatro"):
                    parts = re.split(r"\s(?:&&|\|)\s", line.strip())
                    known = [PROGRAM.search(p) or p.startswith((*OTHERS, "echo")) for p in parts]
                    assert all(known), line


@pytest.mark.parametrize("command", ENGINE)
def test_the_engine_reads_every_command(command: str) -> None:
    """The engine accepts each command as documented, with all its options."""
    options = engine.cli.main._parser().parse_args(arguments(command))
    assert callable(options.run)


def test_every_engine_command_of_the_readme_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The engine commands of the README work one after the other in one folder.

    They run in this process; tests/engine/cli starts the program itself.
    """
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text("utf-8")
    order = sorted(README_ENGINE, key=text.index)
    lines = dict(re.findall(r"echo (\S+) \| (python -m engine[^#\n]*?)\s*(?:#.*)?$", text, re.M))
    given = {command: moves for moves, command in lines.items()}
    for command in order:
        moves = given.get(command, "")
        monkeypatch.setattr(sys, "stdin", StringIO(f"{moves}\n" if moves else ""))
        status = engine.cli.main.main(small(arguments(command)))
        printed = capsys.readouterr()
        assert status == 0, (command, printed.err)
        assert printed.out.strip(), command


def test_commands_in_comments_work(capsys: pytest.CaptureFixture[str]) -> None:
    """Variants of commands in the README's comments, such as other counts, work."""
    comments = re.findall(r"also (perft [^,\n]+), (perft [^\n]+)", (ROOT / "README.md").read_text())
    assert comments
    for words in comments[0]:
        assert engine.cli.main.main(words.split()) == 0
        assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("command", sorted({c for _, c in FOUND if "benchmarks" in c} - UNFINISHED))
def test_every_benchmark_is_there(command: str) -> None:
    """Benchmarks take minutes to hours, so only their modules and options are checked."""
    module = command.split()[2]
    spec = find_spec(module)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = find_spec(f"{module}.__main__")
    assert spec is not None
    assert spec.origin is not None
    code = Path(spec.origin).read_text("utf-8")
    for option in re.findall(r"--[a-z-]+", command):
        assert f'"{option}"' in code, option


@pytest.mark.parametrize(
    "command",
    sorted({c for _, c in FOUND if c.startswith(("cuatro", "python -m bot"))} - UNFINISHED),
)
def test_the_bot_reads_every_command(command: str) -> None:
    """The bot's program knows each command and its options; tests/bot runs them."""
    options = bot.__main__._parser().parse_args(arguments(command))
    assert callable(options.run)
