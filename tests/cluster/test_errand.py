"""Bots and workers of the last version exchange jobs with those of this one."""

from __future__ import annotations

import pickle
import pickletools
from typing import Any

import pytest

from cluster import batch, link
from cluster.outcome import AnotherEngine, Done, JobFailed, TooLate
from engine.core.jobs import Job, engine_digest
from engine.strength.roster import ChooseMove

JOB = Job("connect4", "5x4", ("1", "2"), ChooseMove("easy"), 5)

KNOWN = {
    *("cluster.errand do", "cluster.errand do_piece"),
    *("cluster.errand AnotherEngine", "cluster.errand TooLate"),
    *("cluster.outcome Done", "cluster.outcome JobFailed"),
}
"""The names that the last version's `cluster` package can unpickle."""


def unpickled(module: str, name: str) -> Any:
    """The function or class that a pickle names."""
    return pickle.loads(f"c{module}\n{name}\n.".encode())  # noqa: S301


@pytest.mark.parametrize(
    "value",
    [
        *(link.do, batch.do_piece, Done("4", 0.1)),
        *(JobFailed("KeyError"), AnotherEngine("another"), TooLate("key")),
    ],
)
def test_sent_names_exist_in_the_last_version(value: object) -> None:
    """Calls by this version's bots and answers of its workers use names of the last version."""
    operations = pickletools.genops(pickle.dumps(value, 2))
    names = {str(name) for operation, name, _ in operations if operation.name == "GLOBAL"}
    sent = {name for name in names if name.startswith("cluster.")}
    assert sent
    assert sent <= KNOWN


def test_a_job_of_the_last_versions_bot_is_done() -> None:
    """A job that was pickled under the last version's names is done."""
    do = unpickled("cluster.errand", "do")
    assert do(JOB, engine_digest(), 60.0, "key").found.move == JOB.run().move
    with pytest.raises(AnotherEngine):
        do(JOB, "another", 60.0, "key")


def test_a_piece_of_the_last_versions_commands_is_refused_by_another_engine() -> None:
    """A piece of work for another engine is refused with the last version's exception."""
    do_piece = unpickled("cluster.errand", "do_piece")
    with pytest.raises(AnotherEngine):
        do_piece(len, [], "another")


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_every_name_of_the_last_version_can_be_unpickled(name: str) -> None:
    """Every name that the last version sends can be unpickled."""
    module, _, attribute = name.partition(" ")
    assert unpickled(module, attribute).__name__ == attribute
