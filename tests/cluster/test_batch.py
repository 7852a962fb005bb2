"""The engine's batch work on a cluster over TLS."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster import batch
from cluster.batch import cluster_map
from engine.__main__ import _cluster
from engine.cli.main import main
from engine.core.registry import game_called
from engine.strength.tournament import pairings, play, play_all
from tests.cluster.local_cluster import LocalCluster, certificates, running, until, wait_for

Files = tuple[Path, Path, Path]


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The certificates of both sides."""
    return certificates(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory, tls: Files) -> Iterator[LocalCluster]:
    """A cluster of one worker, for all tests of this file."""
    with running(tmp_path_factory.mktemp("cluster"), 1, tls) as started:
        yield started


def options(local: LocalCluster, tls: Files) -> list[str]:
    """The options that a command needs."""
    return ["--cluster", local.url, "--tls", *map(str, tls)]


def test_games_are_played_on_the_cluster_as_here(local: LocalCluster, tls: Files) -> None:
    """Games played on the cluster have the same winners and lengths as here."""
    wanted = pairings(game_called("5x4"), ["easy", "medium"], 6, 1)
    with cluster_map(local.url, tls) as parallel:
        played = {one.pairing: one for one in play_all(wanted, parallel)}
    assert len(played) == len(wanted)
    for pairing in wanted:
        here = play(pairing)
        assert (played[pairing].winner, played[pairing].moves) == (here.winner, here.moves)


def test_the_commands_work_on_a_cluster(
    local: LocalCluster, tls: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a cluster, a tournament prints its table, and a book is the same as one built here."""
    asked = ["tournament", "easy,medium", "--game", "5x4", "--games", "4", "--csv"]
    assert main([*asked, *options(local, tls)], _cluster) == 0
    assert "| medium |" in capsys.readouterr().out
    there, here = tmp_path / "there.book", tmp_path / "here.book"
    assert main(["book", "build", "5x4", "5", "--out", str(here)], _cluster) == 0
    build = ["book", "build", "5x4", "5", "--out", str(there), *options(local, tls)]
    assert main(build, _cluster) == 0
    assert there.read_bytes() == here.read_bytes()


def test_failing_work_raises_its_error(local: LocalCluster, tls: Files) -> None:
    """An error in the work is raised here as it was there."""
    with cluster_map(local.url, tls) as parallel, pytest.raises(TypeError, match="bad operand"):
        list(parallel(operator.neg, ["no number"]))


def test_a_certificate_is_required(
    local: LocalCluster, tls: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client without a certificate, or with an untrusted one, is refused."""
    monkeypatch.setattr(batch, "TIMEOUT", 1.0)
    others = certificates(tmp_path)
    with pytest.raises(OSError, match="cannot be reached"), cluster_map(local.url, others):
        pass


def test_an_unreachable_cluster_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A cluster that cannot be reached is refused with its address."""
    monkeypatch.setattr(batch, "TIMEOUT", 0.5)
    asked = ["tournament", "easy,medium", "--games", "2", "--cluster", "tcp://127.0.0.1:9"]
    assert main(asked, _cluster) == 2
    assert "tcp://127.0.0.1:9 cannot be reached" in capsys.readouterr().err


def test_remaining_work_is_done_here_if_the_cluster_dies(
    local: LocalCluster, tls: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the cluster dies, all remaining work is done here, nothing twice and nothing left out."""
    monkeypatch.setattr(batch, "TIMEOUT", 2.0)
    files = [tmp_path / "first", tmp_path / "second"]
    files[0].touch()
    with cluster_map(local.url, tls) as parallel:
        results = parallel(wait_for, files)
        assert next(results) is None
        local.kill_scheduler()
        files[1].touch()
        assert list(results) == [None]
    until(files[1].exists)
