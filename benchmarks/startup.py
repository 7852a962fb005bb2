"""How long `cuatro` takes until the page is served: `python -m benchmarks.startup`."""

from __future__ import annotations

import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
REPETITIONS = 5


def one_start(folder: str) -> float:
    """Seconds from the command to the printed address, on an existing database."""
    database = Path(folder, "startup.db").as_posix()
    environment = {
        **os.environ,
        "CUATRO_PORT": "0",
        "DATABASE_URL": f"sqlite+aiosqlite:///{database}",
        "PYTHONPATH": str(ROOT),
    }
    environment.pop("DISCORD_TOKEN", None)
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "bot"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as cuatro:
        assert cuatro.stdout is not None
        for line in cuatro.stdout:
            if re.search(r"http://127\.0\.0\.1", line):
                break
        taken = time.perf_counter() - began
        cuatro.send_signal(signal.SIGINT)
        cuatro.communicate(timeout=20)
    return taken


def main() -> None:
    """Print a Markdown table; the first start, which may compile, is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        first = one_start(folder)
        times = [one_start(folder) for _ in range(REPETITIONS)]
    print("| start-up to the printed address | seconds |")
    print("| --- | ---: |")
    print(f"| first start of this run | {first:.2f} |")
    print(f"| warm, median of {REPETITIONS} | {statistics.median(times):.2f} |")
    print(f"| warm, worst of {REPETITIONS} | {max(times):.2f} |")


if __name__ == "__main__":
    main()
