"""What is counted while the bot runs, for whoever watches it from outside.

The rooms that play and store know this class alone; what becomes of the figures is decided where
the bot is put together (`bot.monitoring.metrics`).
"""

from __future__ import annotations


class Meter:
    """Is told what happens; this one forgets it. Methods may be called from any thread."""

    def started(self, family: str) -> None:
        """A game of this family has begun."""

    def moved(self, family: str, by: str) -> None:
        """A move has been stored; `by` is `person` or `agent`."""

    def ended(self, family: str, reason: str) -> None:
        """The end of a game has been stored; `reason` is the ending of its `EndRecord`."""

    def discontinued(self) -> None:
        """A running game could not be read and was ended."""

    def search_queued(self) -> None:
        """A search waits for a thread."""

    def search_unqueued(self) -> None:
        """A search waits no longer: it has begun, or has been dropped."""

    def searched(
        self, level: str, outcome: str, *, waited: float, seconds: float, nodes: int
    ) -> None:
        """A search is over.

        Args:
            level: The agent's name, or `hint`.
            outcome: `found`, `failed`, or `stopped` where nobody wants the answer any more.
            waited: Seconds until it got a thread.
            seconds: How long it ran.
            nodes: How many positions it visited.
        """

    def worked(self, where: str) -> None:
        """A job of the engine: `cluster` has done it, `lost` it, or `local` threads do it."""

    def cluster_places(self, places: int) -> None:
        """The cluster does so many jobs at a time from now on."""

    def could_not_settle(self, queue: str) -> None:
        """An attempt to settle a finished game has failed; `queue` is `ratings` or `judgements`."""

    def cluster_places_wanted(self, places: int) -> None:
        """The settings want the cluster to do at least so many jobs at a time."""

    def cluster_circuit(self, state: str) -> None:
        """The circuit breaker of the cluster is `closed`, `open` or `half_open` from now on."""

    def wrote(self, seconds: float) -> None:
        """A change is on disk; the seconds begin when it was wanted, its turn included.

        Changes that are stored together in one transaction count one by one.
        """

    def refused(self, key: str) -> None:
        """Somebody was refused something, for the reason with this key."""

    def failed(self) -> None:
        """Somebody was told that something unexpected has gone wrong."""

    def edited(self, route: str, result: str) -> None:
        """Discord has answered the edit of a message, or not.

        Args:
            route: `channel`, or `token` for one through an interaction.
            result: The status, or `unreachable`.
        """

    def posted(self, route: str, result: str) -> None:
        """Discord has answered a new message, or not; see `edited`."""

    def lagged(self, seconds: float) -> None:
        """The event loop came to something this much late."""


SILENT = Meter()
"""For all that nobody watches."""
