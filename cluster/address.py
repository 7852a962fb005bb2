"""Where a cluster is, and how a client shows itself there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from distributed import Security


@dataclass(frozen=True, slots=True)
class Address:
    """A scheduler's address, with files for TLS where it asks for them."""

    url: str
    """Such as `tcp://host:8786` or `tls://host:8786`."""
    authority: Path | None = None
    """The certificates that are trusted."""
    certificate: Path | None = None
    """What this process shows."""
    key: Path | None = None

    def security(self) -> Security | None:
        """What Dask is to encrypt with; None without TLS."""
        if not self.url.startswith("tls:"):
            return None
        return Security(
            require_encryption=True,
            tls_ca_file=str(self.authority),
            tls_client_cert=str(self.certificate),
            tls_client_key=str(self.key),
        )
