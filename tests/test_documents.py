"""Links in documents lead to files and headings that exist, and documents stay short."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import ROOT

DOCUMENTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
WORDS: dict[str, int] = tomllib.loads((ROOT / "tests" / "budgets.toml").read_text("utf-8"))["words"]
GENERATED = ROOT / "docs" / "ladders"
PLACE = re.compile(
    r"`((?:benchmarks|bot|cluster|deploy|docs|engine|examples|renderers|tests|\.ci)/[\w./-]+)`"
)
"""A file or folder of the project in a sentence."""
EXAMPLES = {
    "tests/test_fives.py",
    "bot/features/bookmarks/__init__.py",
    "tests/bot/features/bookmarks/test_bookmarks.py",
    "bot/bot.yaml",
}
"""Files of examples, which are not in the project."""
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")


def links(document: Path) -> Iterator[tuple[Path, str | None]]:
    """The files and headings that a document links to, outside of its blocks of code."""
    text = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    for found in LINK.finditer(text):
        yield (document.parent / found[1] if found[1] else document), found[2]


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub forms them."""
    heads = re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    """Links to documents, pictures and data files lead to existing files and headings."""
    for document in DOCUMENTS:
        for target, anchor in links(document):
            assert target.exists(), (document.name, target.name)
            assert anchor is None or anchor in anchors(target), (document.name, target.name, anchor)


def test_files_that_documents_name_exist() -> None:
    """A file or folder that a sentence names exists, unless it belongs to an example."""
    for document in DOCUMENTS:
        named = set(PLACE.findall(document.read_text("utf-8"))) - EXAMPLES
        absent = {name for name in named if not (ROOT / name).exists()}
        assert not absent, document.name


@pytest.mark.parametrize("pages", WORDS)
def test_documents_keep_to_their_budgets(pages: str) -> None:
    """All files of a pattern together, except generated ones, have at most its number of words."""
    found = [page for page in ROOT.glob(pages) if GENERATED not in page.parents]
    assert found
    assert sum(len(page.read_text("utf-8").split()) for page in found) <= WORDS[pages]


def test_every_page_has_a_budget() -> None:
    """A new page names its number of words in `budgets.toml`."""
    written = {page for page in DOCUMENTS if GENERATED not in page.parents}
    pages = {page for pattern in WORDS if "**" not in pattern for page in ROOT.glob(pattern)}
    assert written == pages
