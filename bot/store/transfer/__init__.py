"""Copying everything from one database to another, of any two engines; knows no terminal."""

from bot.store.transfer.copying import transfer
from bot.store.transfer.steps import (
    CHECKING,
    COPYING,
    DatabaseDamaged,
    Outcome,
    Step,
    TableSum,
    TransferFailed,
)

__all__ = [
    "CHECKING",
    "COPYING",
    "DatabaseDamaged",
    "Outcome",
    "Step",
    "TableSum",
    "TransferFailed",
    "transfer",
]
