"""Rules for the Dockerfile. `.ci/image.py` runs its lines; here they are read."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
from dockerfile_parse import DockerfileParser

from tests.builders import ROOT

IGNORED = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
FOR_IMAGES = sorted(
    {file.name for file in ROOT.glob("requirements*.txt")} - {"requirements-test.txt"}
)


def lines() -> list[tuple[str, str]]:
    """The instructions with their arguments."""
    with (ROOT / "Dockerfile").open("rb") as file:
        structure = DockerfileParser(fileobj=file).structure
    found = [(line["instruction"], " ".join(line["value"].split())) for line in structure]
    return [(what, value) for what, value in found if what != "COMMENT"]


def all_of(what: str) -> list[str]:
    """The arguments of all instructions of a kind."""
    return [value for found, value in lines() if found == what]


def test_base_images_have_a_version() -> None:
    """All stages have the same versioned base, since the environment is copied between them."""
    names = {value.split()[0] for value in all_of("FROM")}
    assert len(names) == 1
    assert re.fullmatch(r"python:3\.\d+-slim", names.pop())


def test_the_bot_is_not_root() -> None:
    """The user is numeric, so that Kubernetes can check it, and later lines run as that user."""
    instructions = lines()
    (user,) = all_of("USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    at = instructions.index(("USER", user))
    assert [what for what, _ in instructions[at + 1 :]] == [
        "RUN",
        "VOLUME",
        "HEALTHCHECK",
        "STOPSIGNAL",
        "CMD",
    ]


def test_the_bot_runs_without_a_shell() -> None:
    """The bot is started without a shell, and with a stop signal that it handles."""
    assert json.loads(all_of("CMD")[0]) == ["cuatro"]
    assert json.loads(all_of("HEALTHCHECK")[0].split(" CMD ")[1]) == ["cuatro", "health"]
    assert all_of("STOPSIGNAL") == ["SIGTERM"]


def test_packages_are_the_pinned_ones() -> None:
    """Every package is checked by its hash, or is the bot itself; nothing else is downloaded."""
    commands = [part for run in all_of("RUN") for part in run.split(" && ")]
    installs = [part for part in commands if "/pip install " in part or "/pip wheel " in part]
    assert len(installs) == 4
    for command in installs:
        assert "--no-cache-dir" in command
        assert "--require-hashes" in command or "--no-deps" in command
    text = " ".join(all_of("RUN"))
    assert not re.search(r"\b(curl|wget|git)\b", text)
    # System packages only provide `strip`, in a stage that is discarded.
    assert set(re.findall(r"apt-get install (.*?);", text)) <= {
        "--yes --no-install-recommends binutils"
    }
    assert not all_of("ADD")


def test_no_secret_is_built_in() -> None:
    """Only named files come into the image, and no variable holds a secret."""
    for value in all_of("ARG") + all_of("ENV"):
        assert not re.search(r"TOKEN|PASSWORD|SECRET|KEY", value)
    assert IGNORED[0] == "*"
    assert all(line.startswith("!") or line == "**/__pycache__" for line in IGNORED[1:])
    assert not any(line.startswith("!.") for line in IGNORED)


def test_a_copy_of_the_example_file_keeps_the_settings_of_the_image() -> None:
    """With `--env-file`, a copy of `.env.example` sets nothing that the image sets itself."""
    example = (ROOT / ".env.example").read_text("utf-8")
    given = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    assert "DISCORD_TOKEN" in given
    assert not given & {name for value in all_of("ENV") for name in re.findall(r"(\w+)=", value)}


def test_the_image_has_every_package() -> None:
    """The image has every package of pyproject.toml, and all requirements but the tests'."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packed = project["tool"]["setuptools"]["packages"]["find"]["include"]
    wanted = {name.removesuffix("*") for name in packed} | set(FOR_IMAGES)
    assert {f"!{name}" for name in wanted} <= set(IGNORED)


@pytest.mark.parametrize("file", FOR_IMAGES)
def test_requirement_files_are_compatible(file: str) -> None:
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
