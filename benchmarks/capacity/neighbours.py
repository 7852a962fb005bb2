"""What else the machine does while something is measured.

Linux shares the cores evenly between sessions (its autogroups), and in each between threads; both
have a niceness, each step of which is worth a quarter.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from pathlib import Path

TICKS_A_SECOND = 100
"""In /proc/stat."""
STEP = 1.25
"""What a step of niceness is worth."""


def machine_seconds() -> tuple[float, float]:
    """The seconds for which all cores together have been busy and idle."""
    line = Path("/proc/stat").read_text("ascii").splitlines()[0]
    user, nice, system, idle, waiting, *more = (int(n) / TICKS_A_SECOND for n in line.split()[1:])
    return user + nice + system + sum(more[:3]), idle + waiting


def weight_beside(own: set[int]) -> float:
    """How much other programs that compute or wait for a core weigh, in threads of these processes."""
    groups: dict[str, float] = defaultdict(float)
    mine, my_nice = _group(os.getpid())
    nices = {mine: my_nice}
    for process in Path("/proc").iterdir():
        if not process.name.isdecimal() or int(process.name) in own:
            continue
        try:
            weight = _runnable(process)
            if weight:
                group, nices_of = _group(int(process.name))
                groups[group] += weight
                nices[group] = nices_of
        except OSError:
            continue  # it has ended
    beside = groups.pop(mine, 0.0)
    return beside + sum(
        STEP ** (my_nice - nices[group]) * (1.0 if group else weight)
        for group, weight in groups.items()
    )


def _group(process: int) -> tuple[str, int]:
    """A process's session as Linux shares cores between sessions, and its niceness; '' for none."""
    try:
        text = Path(f"/proc/{process}/autogroup").read_text("ascii")
    except FileNotFoundError:
        return "", 0
    found = re.fullmatch(r"/(\S+) nice (-?\d+)\s*", text)
    return (found[1], int(found[2])) if found else ("", 0)


def _runnable(process: Path) -> float:
    """A process's threads that compute or wait for a core, weighed by niceness."""
    total = 0.0
    for thread in (process / "task").iterdir():
        fields = (thread / "stat").read_text("utf-8").rpartition(")")[2].split()
        if fields[0] == "R":
            total += STEP ** -int(fields[16])
    return total
