"""The command `python -m tests.structure`, which measures the layout of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.structure import FeatureFigures, main, measure

OLD = {
    "bot/__init__.py": "",
    "bot/store/__init__.py": "from bot.store.hints import HintRecord\n",
    "bot/store/hints.py": "class HintRecord:\n    pass\n",
    "bot/play/__init__.py": "",
    "bot/play/hints.py": "from bot.store import (\n    HintRecord,\n)\n\n\nLAST = HintRecord()\n",
    "bot/play/sessions.py": "from engine import hints\n\nimport bot.play.hints\n\nFOUND = hints\n",
    "bot/client.py": "from bot.play import sessions\n\n\ndef ask(hintLevel=sessions):\n    pass\n",
    "bot/store/migrations/versions/0001_hints.py": "hints = 1\n",
    "cluster/__init__.py": "",
}
"""A feature in files by kind, and one file that uses it in name alone."""
NEW = {
    "bot/__init__.py": "",
    "bot/features/__init__.py": "",
    "bot/features/hints/__init__.py": "from .rules import LAST\n",
    "bot/features/hints/rules.py": "LAST = 1\n",
    "bot/client.py": "import pkgutil\n",
    "cluster/__init__.py": "",
}
"""The same feature in a folder that no other file uses."""


def written(folder: Path, files: dict[str, str]) -> Path:
    """Write a checkout; returns its folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_files_lines_and_imports_are_counted(tmp_path: Path) -> None:
    """Released migrations are left out, and an import of several lines counts with all of them."""
    found = measure(written(tmp_path, OLD))
    assert found.files == {"bot": 7, "cluster": 1}
    assert found.lines == {"bot": 19, "cluster": 0}
    assert (found.middle, found.ninetieth) == (1.5, 5)
    assert found.largest == (6, "bot/play/hints.py")
    assert found.flattest == (3, "bot/play")
    assert found.import_share == pytest.approx(7 / 19)


def test_modules_with_one_importer_are_counted(tmp_path: Path) -> None:
    """An imported submodule counts, and not the package that it is in."""
    assert measure(written(tmp_path, OLD)).single_importers == 4


def test_a_feature_is_found_in_either_layout(tmp_path: Path) -> None:
    """A feature's files, those that import it and all that name it are found in either layout."""
    before = measure(written(tmp_path / "old", OLD)).features["hints"]
    after = measure(written(tmp_path / "new", NEW)).features["hints"]
    assert before == FeatureFigures(own=2, importing=2, naming=5)
    assert after == FeatureFigures(own=2, importing=0, naming=2)


def test_checkouts_are_printed_side_by_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table has a column for each checkout."""
    places = [str(written(tmp_path / name, files)) for name, files in (("a", OLD), ("b", NEW))]
    main(places)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == places
    assert "files in bot/ 7 5" in {" ".join(line.split()) for line in lines}
