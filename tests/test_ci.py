"""The checks that CI makes of the packages that the program needs."""

from __future__ import annotations

import importlib.util
from importlib.metadata import PathDistribution
from pathlib import Path
from types import ModuleType

import pytest

CI = Path(__file__).parents[1] / ".ci"


def script(name: str) -> ModuleType:
    """One of CI's scripts."""
    spec = importlib.util.spec_from_file_location(f"ci_{name}", CI / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("lines", "allowed"),
    [
        (["License-Expression: MIT"], True),
        (["License-Expression: BSD-3-Clause AND (MIT OR Apache-2.0)"], True),
        (["Classifier: License :: OSI Approved :: BSD License"], True),
        (["License: ISC"], True),
        (["License-Expression: AGPL-3.0-only"], False),
        (["License-Expression: MIT AND GPL-3.0-or-later"], False),
        (["Classifier: License :: OSI Approved :: GNU General Public License v3 (GPLv3)"], False),
        (["License: Proprietary"], False),
        ([], False),
    ],
)
def test_only_permissive_licences_pass(tmp_path: Path, lines: list[str], allowed: bool) -> None:
    """Only permissive licences pass, in any form; a package without a licence does not."""
    folder = tmp_path / "some-1.0.dist-info"
    folder.mkdir()
    head = ["Metadata-Version: 2.4", "Name: some", "Version: 1.0"]
    (folder / "METADATA").write_text("\n".join([*head, *lines]) + "\n")
    assert script("licences").is_allowed(PathDistribution(folder)) is allowed


def test_the_programs_own_packages_pass(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All packages that the program needs at run time pass, with their dependencies."""
    monkeypatch.chdir(CI.parent)
    licences = script("licences")
    assert licences.main() == 0, capsys.readouterr().out
    found = licences.installed(["sqlalchemy[asyncio]"])
    assert {"sqlalchemy", "greenlet"} <= found.keys()


def test_only_a_known_vulnerability_fails() -> None:
    """A known vulnerability fails; packages that could not be checked are reported."""
    verdict = script("advisories").verdict
    fine = {"name": "a", "version": "1", "vulns": []}
    bad = {"name": "b", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"]}]}
    unknown = {"name": "c", "skip_reason": "not found"}
    assert verdict([fine]) == (["1 packages checked, 0 vulnerabilities"], 0)
    lines, status = verdict([fine, bad, unknown])
    assert lines == [
        "b 2: PYSEC-1, fixed in 3",
        "2 packages checked, 1 vulnerabilities",
        "no advisories available for 1 of 3 packages",
    ]
    assert status == 1
    assert verdict([unknown])[1] == 0
