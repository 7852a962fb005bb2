"""The league of a test's services."""

from __future__ import annotations

import pytest

from bot.feature import Services
from tests.bot.features.league.judging import Judging, judging


@pytest.fixture
def judged(services: Services) -> Judging:
    """The service that judges the games of these services."""
    return judging(services)
