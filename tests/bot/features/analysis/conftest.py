"""Analyses that are brief."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.features.analysis import rules
from engine.core.jobs import Job
from engine.study.analysis import AnalysePosition
from tests.bot.engine_jobs import RUN, doing

SECONDS = 0.05
"""What an analysis takes, counted in nodes: it goes deeper each time when asked again."""


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> list[Job[Any]]:
    """Make analyses brief; returns the list of those that are asked for."""
    done = list[Job[Any]]()

    def run(job: Job[Any], stop: Any) -> Any:
        done.append(job)
        return RUN(replace(job, task=replace(job.task, seconds=SECONDS)), stop)

    monkeypatch.setattr(rules, "FURTHER", SECONDS)
    monkeypatch.setattr(Job, "run", doing(run, AnalysePosition))
    return done
