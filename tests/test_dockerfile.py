"""What the Dockerfile must keep to. `.ci/image.py` tries its lines; here they are read."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from dockerfile_parse import DockerfileParser

ROOT = Path(__file__).parents[1]
IGNORED = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
FOR_IMAGES = sorted(
    {file.name for file in ROOT.glob("requirements*.txt")} - {"requirements-test.txt"}
)


def lines() -> list[tuple[str, str]]:
    """The instructions with what they say."""
    with (ROOT / "Dockerfile").open("rb") as file:
        structure = DockerfileParser(fileobj=file).structure
    found = [(line["instruction"], " ".join(line["value"].split())) for line in structure]
    return [(what, value) for what, value in found if what != "COMMENT"]


def all_of(what: str) -> list[str]:
    """What all instructions of a kind say."""
    return [value for found, value in lines() if found == what]


def test_base_images_have_a_version() -> None:
    """One and the same for all stages: the environment moves from one to the other."""
    names = {value.split()[0] for value in all_of("FROM")}
    assert len(names) == 1
    assert re.fullmatch(r"python:3\.\d+-slim", names.pop())


def test_the_bot_is_not_root() -> None:
    """The user is a number, which Kubernetes can judge, and what follows runs as that user."""
    said = lines()
    (user,) = all_of("USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    at = said.index(("USER", user))
    assert [what for what, _ in said[at + 1 :]] == [
        "RUN",
        "VOLUME",
        "HEALTHCHECK",
        "STOPSIGNAL",
        "CMD",
    ]


def test_no_shell_stands_between() -> None:
    """The bot gets its stop signal itself, and the bot understands that one."""
    assert json.loads(all_of("CMD")[0]) == ["cuatro"]
    assert json.loads(all_of("HEALTHCHECK")[0].split(" CMD ")[1]) == ["cuatro", "health"]
    assert all_of("STOPSIGNAL") == ["SIGTERM"]


def test_packages_are_the_pinned_ones() -> None:
    """Each is checked by its hash, or is the bot's own; nothing else is fetched."""
    commands = [part for run in all_of("RUN") for part in run.split(" && ")]
    installs = [part for part in commands if "/pip install " in part or "/pip wheel " in part]
    assert len(installs) == 4
    for command in installs:
        assert "--no-cache-dir" in command
        assert "--require-hashes" in command or "--no-deps" in command
    text = " ".join(all_of("RUN"))
    assert not re.search(r"\b(curl|wget|git)\b", text)
    # The system's own packages give `strip` alone, to a stage that is thrown away.
    assert set(re.findall(r"apt-get install (.*?);", text)) <= {
        "--yes --no-install-recommends binutils"
    }
    assert not all_of("ADD")


def test_no_secret_is_built_in() -> None:
    """Neither as a variable nor as a file: only what is named comes into the image."""
    for value in all_of("ARG") + all_of("ENV"):
        assert not re.search(r"TOKEN|PASSWORD|SECRET|KEY", value)
    assert IGNORED[0] == "*"
    assert all(line.startswith("!") or line == "**/__pycache__" for line in IGNORED[1:])
    assert not any(line.startswith("!.") for line in IGNORED)


def test_all_that_is_packed_comes_into_the_image() -> None:
    """Every package of pyproject.toml, and the requirements of every extra but the tests'."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packed = project["tool"]["setuptools"]["packages"]["find"]["include"]
    wanted = {name.removesuffix("*") for name in packed} | set(FOR_IMAGES)
    assert {f"!{name}" for name in wanted} <= set(IGNORED)


@pytest.mark.parametrize("file", FOR_IMAGES)
def test_requirements_go_together(file: str) -> None:
    """Several files can be installed at once: a package has one version and one set of hashes."""
    first = pins(
        "requirements-test.txt" if file == "requirements-build.txt" else "requirements.txt"
    )
    for name, pin in pins(file).items():
        assert first.get(name, pin) == pin, name


def pins(file: str) -> dict[str, tuple[str, frozenset[str]]]:
    """The packages of a file, with version and hashes."""
    text = (ROOT / file).read_text("utf-8")
    blocks = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]
    found = (re.match(r"([a-z0-9-]+)==(\S+)", block) for block in blocks)
    hashes = (frozenset(re.findall(r"--hash=(\S+)", block)) for block in blocks)
    return {one[1]: (one[2], some) for one, some in zip(found, hashes, strict=True) if one}
