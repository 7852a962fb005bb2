"""Where the refusals of settings are tested."""

from __future__ import annotations

TESTED_ELSEWHERE = {
    "not_a_manager": "test_forms.py: only managers are shown the form of their server",
}
