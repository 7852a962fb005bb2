"""Views whose buttons are known by their ids alone."""

from __future__ import annotations

import discord


def lasting_view() -> discord.ui.View:
    """An empty view that discord.py need not keep, for buttons that work after a restart.

    Its buttons and menus are dynamic items: a click is told from its custom id. A view that is not
    stopped would be kept for that click, for a quarter of an hour and with a task of its own where
    one person alone sees it.
    """
    view = discord.ui.View(timeout=None)
    view.stop()
    return view
