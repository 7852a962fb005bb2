"""The shape of the code base: the directions of imports, what they load, and requirements."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

from tests.builders import ROOT

REQUIREMENTS = {
    "requirements.txt": None,
    "requirements-postgres.txt": "postgres",
    "requirements-cluster.txt": "cluster",
    "requirements-test.txt": "test",
}
"""The pinned packages, with the extra of pyproject.toml that each needs."""


def test_imports_run_one_way() -> None:
    """Every import contract of pyproject.toml is kept."""
    # In a process of its own: import-linter disables the loggers of its caller.
    code = "import sys, importlinter.cli; sys.exit(importlinter.cli.lint_imports(no_cache=True))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_start_loads_neither_a_compiler_nor_dask() -> None:
    """All that help, health checks and a start import loads neither Numba nor a kernel nor Dask.

    Dask is loaded if a cluster is set.
    """
    code = """
import sys, bot.__main__, bot.local.local, bot.run.online, engine.__main__, engine.cli.main
import engine.core.jobs, engine.core.registry, engine.strength.roster, renderers
from bot.app import _cluster
from bot.settings import Settings
from bot.telemetry import SILENT
assert _cluster(Settings(), SILENT) == (None, None)
engine.core.registry.games()
unwanted = {"numba", "llvmlite", "cluster.link", "dask", "distributed"}
sys.exit(bool(unwanted & sys.modules.keys()))
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_no_committed_file_names_a_download_address() -> None:
    """Requirements name packages and hashes, and no committed file names a registry's host."""
    for name in (*REQUIREMENTS, "requirements-build.txt", "pyproject.toml", "Dockerfile"):
        text = (ROOT / name).read_text("utf-8")
        assert "://" not in text.replace("sqlite+aiosqlite://", ""), name
        assert "index-url" not in text, name


def test_the_requirements_cover_the_project() -> None:
    """Every dependency that pyproject.toml names is pinned and hashed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for file, extra in REQUIREMENTS.items():
        more = project["optional-dependencies"][extra] if extra else []
        wanted = project["dependencies"] + more
        text = (ROOT / file).read_text("utf-8")
        pinned = set(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))
        names = {re.split(r"[^A-Za-z0-9._-]", name)[0].lower().replace(".", "-") for name in wanted}
        assert names <= pinned, names - pinned
        assert text.count("--hash=sha256:") >= len(pinned)
