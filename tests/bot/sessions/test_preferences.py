"""People's own settings."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.databases

ANA, BEA = 1, 2


async def test_pings_are_wanted_until_switched_off(services: Any) -> None:
    """People are pinged until they opt out, and again once they opt in."""
    preferences = services.preferences
    assert await preferences.wants_pings(ANA)
    await preferences.switch_pings(ANA, False)
    assert not await preferences.wants_pings(ANA)
    assert await preferences.wants_pings(BEA)
    await preferences.switch_pings(ANA, True)
    assert await preferences.wants_pings(ANA)
