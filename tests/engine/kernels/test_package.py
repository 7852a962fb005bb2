"""Where compiled code is kept, and how it gets there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numba
import pytest

from engine.core import compiled as kernels


@pytest.fixture
def load_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], ModuleType]:
    """Load the package from a copy of its sources in `tmp_path / "kernels"`."""
    # Loading names the cache folder to Numba: put the name in force back afterwards.
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)
    folder = tmp_path / "kernels"
    shutil.copytree(Path(kernels.__file__).parent, folder)

    def load() -> ModuleType:
        spec = spec_from_file_location("copied_kernels", folder / "__init__.py")
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def test_the_digest_is_the_same_for_the_same_sources(load_copy: Callable[[], ModuleType]) -> None:
    """The digest depends on the sources alone, not on where they stand."""
    assert kernels.sources_digest() == kernels.sources_digest() == load_copy().sources_digest()
    assert len(kernels.sources_digest()) == 12


@pytest.mark.parametrize("change", ["edit", "add", "rename", "remove"])
def test_the_digest_changes_with_any_source(
    change: str, load_copy: Callable[[], ModuleType], tmp_path: Path
) -> None:
    """Editing, adding, renaming or removing one source gives another digest and cache folder."""
    source = tmp_path / "kernels" / "connect4" / "evaluation.py"
    if change == "edit":
        source.write_text(source.read_text("utf-8").replace("W_TWO, ", "W_TWO,  ", 1), "utf-8")
    elif change == "add":
        (source.parent / "more.py").touch()
    elif change == "rename":
        source.rename(source.with_name("judgement.py"))
    else:
        source.unlink()
    copied = load_copy()
    assert copied.sources_digest() != kernels.sources_digest()
    assert copied.CACHE_FOLDER.name == f"kernels-{copied.sources_digest()}"


def test_the_cache_folder_is_named_by_the_digest() -> None:
    """Compiled code of these sources has a folder of its own, which is Numba's cache folder."""
    kernels.compile_module("bits")
    assert kernels.CACHE_FOLDER.name == f"kernels-{kernels.sources_digest()}"
    assert str(kernels.CACHE_FOLDER) == numba.config.CACHE_DIR


def test_the_cache_stands_where_numba_is_told(
    load_copy: Callable[[], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where NUMBA_CACHE_DIR is set, the cache stands below it."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "here"))
    copied = load_copy()
    assert copied.CACHE_FOLDER.parent == tmp_path / "here"


@pytest.mark.parametrize(
    ("platform", "variable", "below"),
    [
        ("linux", "XDG_CACHE_HOME", "cuatro"),
        ("win32", "LOCALAPPDATA", "cuatro"),
        ("darwin", "HOME", "Library/Caches/cuatro"),
    ],
)
def test_the_cache_stands_in_the_users_folder(
    platform: str,
    variable: str,
    below: str,
    load_copy: Callable[[], ModuleType],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without NUMBA_CACHE_DIR, the cache stands where the system keeps a user's caches."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(sys, "platform", platform)
    assert load_copy().CACHE_FOLDER.parent == tmp_path / below


def test_compiling_reports_each_module_and_the_end() -> None:
    """Each compiled module is announced in order before it is loaded, and the end once."""
    heard: list[tuple[str, int, int]] = []
    kernels.compile_all(lambda name, done, of: heard.append((name, done, of)))
    total = len(kernels.COMPILED)
    assert heard == [
        *((name, done, total) for done, name in enumerate(kernels.COMPILED)),
        ("", total, total),
    ]
    assert all(f"engine.kernels.{name}" in sys.modules for name in kernels.COMPILED)


def test_a_compile_that_was_broken_off_leaves_no_warm_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache is warm when the last module has been compiled; the next call resumes there.

    A cache that holds some compiled code is not warm: the rest would be compiled in silence.
    """
    monkeypatch.setattr(kernels, "CACHE_FOLDER", tmp_path / "cache")

    def break_off(name: str, done: int, of: int) -> None:
        assert not kernels.is_warm()
        if done == of - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kernels.compile_all(break_off)
    assert not kernels.is_warm()
    assert len(list((tmp_path / "cache").iterdir())) == len(kernels.COMPILED) - 1
    kernels.compile_module(kernels.COMPILED[-1])
    assert kernels.is_warm()


def test_a_module_that_cannot_be_compiled_is_not_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark of a module is set after it has been compiled, not before."""
    monkeypatch.setattr(kernels, "CACHE_FOLDER", tmp_path / "cache")
    with pytest.raises(ModuleNotFoundError):
        kernels.compile_module("connect4.nothing")
    assert not (tmp_path / "cache").exists()


def test_a_copy_of_the_sources_is_compiled_anew(
    load_copy: Callable[[], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba takes no code that was compiled from a file elsewhere, so that cache is not warm."""
    kernels.compile_all()
    assert kernels.is_warm()
    copied = load_copy()
    assert copied.CACHE_FOLDER == kernels.CACHE_FOLDER
    assert not copied.is_warm()


def test_parts_share_bits_alone() -> None:
    """What one part needs is compiled with it: processes that take one each do nothing twice."""
    of = {name: part for part, names in kernels.PARTS.items() for name in names}
    folder = Path(kernels.__file__).parent
    for name, part in of.items():
        text = folder.joinpath(*name.split(".")).with_suffix(".py").read_text("utf-8")
        needed = set(re.findall(r"from engine\.kernels\.([a-z0-9.]+) import", text)) & of.keys()
        assert {of[other] for other in needed - {"bits"}} <= {part}, name
        earlier = kernels.COMPILED[: kernels.COMPILED.index(name)]
        assert needed <= set(earlier), name


def test_the_rules_and_the_bot_come_without_the_compiler(tmp_path: Path) -> None:
    """Nothing that a start imports loads Numba or a kernel: the page's address need not wait."""
    script = (
        "import sys, engine.games, engine.jobs, engine.roster, bot.run.local, bot.run.online\n"
        "assert not {'numba', 'llvmlite', 'matplotlib'} & sys.modules.keys()\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run(
        [sys.executable, "-c", script], cwd=Path(__file__).parents[3], env=environment, check=True
    )
    assert not list(tmp_path.iterdir())


def test_parts_are_compiled_in_a_process_of_their_own(tmp_path: Path) -> None:
    """A process that is given a part compiles it, says each module, and leaves it warm."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    told = [
        subprocess.run(
            [sys.executable, *arguments],
            cwd=Path(__file__).parents[3],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for arguments in (
            ("-m", "engine.core.compiled", "gato"),
            ("-c", "from engine.kernels import *; print(is_warm('gato'), is_warm())"),
        )
    ]
    assert told == [list(kernels.PARTS["gato"]), ["True", "False"]]


def test_every_compiled_module_is_listed() -> None:
    """The list of compiled modules names exactly those with a compiled function."""
    folder = Path(kernels.__file__).parent
    compiled = {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in folder.rglob("*.py")
        if "\n@njit" in path.read_text("utf-8")
    }
    assert set(kernels.COMPILED) == compiled
    assert len(kernels.COMPILED) == len(compiled)
