"""Copying everything from one database to another, of any two engines; knows no terminal."""

from bot.store.transfer.copying import transfer
from bot.store.transfer.steps import CHECKING, COPYING, Outcome, Step, TableSum, TransferFailed

__all__ = [
    "CHECKING",
    "COPYING",
    "Outcome",
    "Step",
    "TableSum",
    "TransferFailed",
    "transfer",
]
