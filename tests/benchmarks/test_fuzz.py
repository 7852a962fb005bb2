"""External input is accepted or refused as documented."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.fuzz import main
from tests.bot.support.fuzz_targets import TARGETS, Target, fuzz
from tests.bot.support.fuzz_texts import Texts


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_input_breaks_its_reader(seed: int) -> None:
    """Options, button ids, typed lines and settings raise no undocumented error."""
    tallies = fuzz(1200, seed)
    assert [tally.broken for tally in tallies.values()] == [[] for _ in TARGETS]
    for name, tally in tallies.items():
        assert tally.accepted, name
        assert tally.refused or name == "echoes"


def test_an_undocumented_error_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    """An undocumented error is counted with its traceback, apart from refusals."""

    def read(texts: Texts, rng: Random) -> object:
        if rng.random() < 0.5:
            raise KeyError
        return int(texts.anything())

    tally = fuzz(200, targets=[Target("broken", read, (KeyError,))])["broken"]
    assert tally.refused > 50
    assert any("ValueError" in text for text in tally.broken)
    assert main(["--count", "48"]) == 0
    assert "| custom ids | 4 |" in capsys.readouterr().out
