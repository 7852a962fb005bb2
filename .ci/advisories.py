"""Check the pinned packages for known vulnerabilities, if pip-audit is available.

Installs pip-audit in an environment of its own. Exits with 1 only if a vulnerability is known; a
line reports packages that could not be checked, for example without a connection.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

AUDIT = "pip-audit==2.10.1"
TIMEOUT = 300
"""Time limit in seconds for installing pip-audit, and for each query."""


def look_up(requirements: Path, folder: Path) -> list[dict[str, Any]]:
    """The advisories for each requirement; raises OSError or SubprocessError on failure."""
    environment, found = folder / "audit", folder / "audit.json"
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    for command in (
        [sys.executable, "-m", "venv", str(environment)],
        [str(python), "-m", "pip", "install", "-q", AUDIT],
    ):
        subprocess.run(command, check=True, timeout=TIMEOUT, capture_output=True)
    options = ["--require-hashes", "--disable-pip", "--progress-spinner", "off", "--timeout", "15"]
    asked = [str(python), "-m", "pip_audit", "-r", str(requirements), *options]
    asked += ["--format", "json", "--output", str(found)]
    # The exit status is 1 for a vulnerability and for a failure; only the first writes a file.
    subprocess.run(asked, check=False, timeout=TIMEOUT, capture_output=True)
    packages: list[dict[str, Any]] = json.loads(found.read_text("utf-8"))["dependencies"]
    return packages


def verdict(known: list[dict[str, Any]]) -> tuple[list[str], int]:
    """Return the lines to print about the advisories, and the exit status."""
    wrong = [
        f"{one['name']} {one['version']}: {fault['id']}, fixed in "
        f"{', '.join(fault.get('fix_versions', [])) or 'no version yet'}"
        for one in known
        for fault in one.get("vulns", [])
    ]
    skipped = sum("skip_reason" in one for one in known)
    lines = [*wrong, f"{len(known) - skipped} packages checked, {len(wrong)} vulnerabilities"]
    if skipped:
        lines.append(f"no advisories available for {skipped} of {len(known)} packages")
    return lines, 1 if wrong else 0


def main() -> int:
    """Check the requirements and print the result."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            known = look_up(Path("requirements.txt"), Path(folder))
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            print(f"no advisories available: {type(error).__name__}")
            return 0
    lines, status = verdict(known)
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
