"""The league of the services that a test runs."""

from __future__ import annotations

import pytest

from bot.feature import Services
from tests.bot.features.league.judging import Judging, judging


@pytest.fixture
def judged(services: Services) -> Judging:
    """What judges the games of these services."""
    return judging(services)
