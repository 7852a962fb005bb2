"""The pages of ladders in the documents."""

from __future__ import annotations

from benchmarks.ladder_tables import FOLDER, SECTIONS, page_of
from engine.strength.ladder import ladder_files


def test_pages_of_ladders_have_the_figures_of_their_files() -> None:
    """Each ladder has a page, which says what its files say, and no page or file is left over."""
    ladders = [path.stem for path in ladder_files()]
    assert {path.stem for path in FOLDER.glob("*.md")} == set(ladders)
    sections = {f"{ladder}-{section}" for ladder in ladders for section in SECTIONS}
    assert {path.stem for path in FOLDER.glob("*.csv")} <= sections
    for ladder in ladders:
        page = (FOLDER / f"{ladder}.md").read_text(encoding="utf-8")
        assert page == page_of(ladder), "run python -m benchmarks.ladder_tables"
