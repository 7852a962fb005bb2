"""The cache of compiled code: its folder, its digest, and when it is complete."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numba
import pytest

from engine.core import compiled
from engine.core.registry import compiled_modules, parts
from tests.builders import ROOT

MODULES = compiled_modules()


def source_of(module: str) -> Path:
    """The file of a module."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the engine's sources."""
    folder = tmp_path / "engine"
    ignored = shutil.ignore_patterns("__pycache__", "*.csv", "*.book")
    shutil.copytree(compiled.ENGINE, folder, ignore=ignored)
    return folder


@pytest.fixture
def load_copy(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], ModuleType]:
    """Load the package of compiled code from the copy."""
    # Loading sets Numba's cache folder: restore the current one afterwards.
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)

    def load() -> ModuleType:
        file = copy / "core" / "compiled" / "__init__.py"
        spec = spec_from_file_location("copied_kernels", file)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def test_the_digest_is_the_same_for_the_same_sources(copy: Path) -> None:
    """The digest depends only on the sources, not on their folder."""
    assert compiled.sources_digest() == compiled.sources_digest() == compiled.sources_digest(copy)
    assert len(compiled.sources_digest()) == 12


@pytest.mark.parametrize("change", ["edit", "add", "rename", "remove"])
@pytest.mark.parametrize(
    "folder", ["core", "games/connect4", "games/connect4/solver", "games/gato"]
)
def test_the_digest_changes_with_any_source(change: str, folder: str, copy: Path) -> None:
    """Editing, adding, renaming or removing a file of any compiled folder changes the digest."""
    source = copy / folder / "compiled" / "memory.py"
    if change == "edit":
        source.write_text(source.read_text("utf-8") + "\n", "utf-8")
    elif change == "add":
        (source.parent / "more.py").touch()
    elif change == "rename":
        source.rename(source.with_name("storage.py"))
    else:
        source.unlink()
    assert compiled.sources_digest(copy) != compiled.sources_digest()


def test_the_digest_ignores_plain_python(copy: Path) -> None:
    """Changing the rules in Python leaves the digest, and so the cache, unchanged."""
    rules = copy / "games" / "gato" / "rules.py"
    rules.write_text(rules.read_text("utf-8") + "\n", "utf-8")
    assert compiled.sources_digest(copy) == compiled.sources_digest()


def test_compiled_code_depends_on_compiled_folders_alone() -> None:
    """Compiled modules import nothing outside compiled folders, whose constants would go stale."""
    for module in MODULES:
        text = source_of(module).read_text("utf-8")
        for imported in re.findall(r"(?m)^\s*from (engine[\w.]*) import", text):
            assert "compiled" in imported.split("."), f"{module} imports {imported}"


def test_the_cache_folder_is_named_by_the_digest() -> None:
    """Compiled code is kept in a folder named after the digest, which Numba uses."""
    compiled.compile_module("engine.core.compiled.bits")
    assert compiled.CACHE_FOLDER.name == f"kernels-{compiled.sources_digest()}"
    assert str(compiled.CACHE_FOLDER) == numba.config.CACHE_DIR


def test_the_cache_is_below_numba_cache_dir(
    load_copy: Callable[[], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If NUMBA_CACHE_DIR is set, the cache is below it."""
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
def test_the_cache_is_in_the_users_folder_by_default(
    platform: str,
    variable: str,
    below: str,
    load_copy: Callable[[], ModuleType],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without NUMBA_CACHE_DIR, the cache is in the system's folder for a user's caches."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(sys, "platform", platform)
    assert load_copy().CACHE_FOLDER.parent == tmp_path / below


def test_compiling_reports_each_module_and_the_end() -> None:
    """Each compiled module is reported in order before it is loaded, and the end once."""
    heard: list[tuple[str, int, int]] = []
    compiled.compile_all(MODULES, lambda name, done, of: heard.append((name, done, of)))
    total = len(MODULES)
    assert heard == [
        *((name, done, total) for done, name in enumerate(MODULES)),
        ("", total, total),
    ]
    assert all(name in sys.modules for name in MODULES)


def test_an_interrupted_compilation_leaves_no_warm_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupted compilation does not leave a warm cache; the next call continues it.

    A cache that holds only some compiled code is not warm: the rest would be compiled later,
    without a report.
    """
    monkeypatch.setattr(compiled, "CACHE_FOLDER", tmp_path / "cache")

    def break_off(name: str, done: int, of: int) -> None:
        assert not compiled.is_warm(MODULES)
        assert not compiled.looks_warm(MODULES)
        if done == of - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compiled.compile_all(MODULES, break_off)
    assert not compiled.is_warm(MODULES)
    assert len(list((tmp_path / "cache").iterdir())) == len(MODULES) - 1
    compiled.compile_module(MODULES[-1])
    assert compiled.is_warm(MODULES)
    assert compiled.looks_warm(MODULES)


def test_a_module_that_cannot_be_compiled_is_not_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The marker of a module is written after it has been compiled, not before."""
    monkeypatch.setattr(compiled, "CACHE_FOLDER", tmp_path / "cache")
    with pytest.raises(ModuleNotFoundError):
        compiled.compile_module("engine.games.nothing")
    assert not (tmp_path / "cache").exists()


def test_a_moved_cache_is_not_warm(copy: Path, tmp_path: Path) -> None:
    """A cache whose sources are in another folder is not warm, since Numba would not use it."""
    compiled.compile_all(MODULES)
    assert compiled.is_warm(MODULES)
    script = (
        "from engine.core.compiled import CACHE_FOLDER, is_warm\n"
        "print(CACHE_FOLDER.name, is_warm(['engine.core.compiled.bits']))\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", script], cwd=copy.parent, capture_output=True, text=True, check=True
    ).stdout.split()
    assert output == [compiled.CACHE_FOLDER.name, "False"]


def test_asking_whether_the_cache_is_warm_compiles_nothing(tmp_path: Path) -> None:
    """To find out that a cache is cold no compiled module is imported, as that would compile it."""
    asked = (
        "import sys; from engine.core.compiled import is_warm; "
        "from engine.core.registry import parts; "
        "assert not any(is_warm((name,)) for part in parts().values() for name in part.modules); "
        "sys.exit('numba' in sys.modules)"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", asked], cwd=ROOT, env=environment, check=True)


def test_parts_share_bits_alone() -> None:
    """Parts share only `bits`, so processes that compile one part each do no work twice."""
    of = {module: part.name for part in parts().values() for module in part.modules}
    shared = "engine.core.compiled.bits"
    for name, part in of.items():
        text = source_of(name).read_text("utf-8")
        needed = set(re.findall(r"from (engine[\w.]+) import", text)) & of.keys()
        assert {of[other] for other in needed - {shared}} <= {part}, name
        assert needed <= set(MODULES[: MODULES.index(name)]), name


def test_parts_are_compiled_in_a_process_of_their_own(tmp_path: Path) -> None:
    """A process that is given a part compiles what is missing of it, and leaves it warm."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    copied = tmp_path / compiled.CACHE_FOLDER.name
    shutil.copytree(compiled.CACHE_FOLDER, copied, ignore=shutil.ignore_patterns("*.tmp.*"))
    missing = "engine.games.gato.compiled.perft"
    for file in (*copied.rglob("perft.*"), *copied.glob(f"{missing}-*"), *copied.glob("*.boom.*")):
        file.unlink()
    check = (
        "from engine.core.compiled import is_warm\n"
        "from engine.core.registry import compiled_modules, parts\n"
        "print(is_warm(parts()['gato'].modules), is_warm(compiled_modules()))\n"
    )
    output = [
        subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for arguments in (("-c", check), ("-m", "engine.cli.compiling", "gato"), ("-c", check))
    ]
    assert output == [["False", "False"], list(parts()["gato"].modules), ["True", "False"]]
    assert list(copied.rglob("perft.*.nbc"))


def test_every_compiled_module_is_listed() -> None:
    """The packages list every module with a compiled function exactly once."""
    found = {
        ".".join(("engine", *path.relative_to(compiled.ENGINE).with_suffix("").parts))
        for path in compiled.ENGINE.rglob("*.py")
        if "\n@njit" in path.read_text("utf-8")
    }
    assert set(MODULES) == found
    assert len(MODULES) == len(found)
