"""Where compiled code is kept, and how it gets there."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numba
import pytest

from engine import kernels


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
    source = tmp_path / "kernels" / "connect4_evaluation.py"
    if change == "edit":
        source.write_text(source.read_text("utf-8").replace("W_TWO, ", "W_TWO,  ", 1), "utf-8")
    elif change == "add":
        (source.parent / "more.py").touch()
    elif change == "rename":
        source.rename(source.with_name("connect4_judgement.py"))
    else:
        source.unlink()
    copied = load_copy()
    assert copied.sources_digest() != kernels.sources_digest()
    assert copied.CACHE_FOLDER.name == f"kernels-{copied.sources_digest()}"


def test_the_cache_folder_is_named_by_the_digest() -> None:
    """Compiled code of these sources is kept in a folder of its own, which Numba is told."""
    assert kernels.CACHE_FOLDER.name == f"kernels-{kernels.sources_digest()}"
    assert str(kernels.CACHE_FOLDER) == numba.config.CACHE_DIR


def test_the_cache_stands_where_numba_is_told(
    load_copy: Callable[[], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where NUMBA_CACHE_DIR is set, the cache stands below it; it is warm once it holds code."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "here"))
    copied = load_copy()
    assert copied.CACHE_FOLDER.parent == tmp_path / "here"
    assert not copied.is_warm()
    (copied.CACHE_FOLDER / "deep").mkdir(parents=True)
    (copied.CACHE_FOLDER / "deep" / "kernel.nbi").touch()
    assert copied.is_warm()


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


def test_every_compiled_module_is_listed() -> None:
    """The list of compiled modules names exactly those with a compiled function."""
    folder = Path(kernels.__file__).parent
    compiled = {path.stem for path in folder.glob("*.py") if "\n@njit" in path.read_text("utf-8")}
    assert set(kernels.COMPILED) == compiled
