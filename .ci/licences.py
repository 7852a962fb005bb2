"""Check that the licences of everything that the program needs at run time permit distribution.

Walks from the dependencies in pyproject.toml through the installed packages' own metadata. Exits
with 1 and names the packages whose licence is not on the list, or prints nothing.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ALLOWED = (
    "0BSD", "Apache-2.0", "Apache License", "Apache Software License", "BSD", "CC0-1.0",
    "CNRI-Python", "HPND", "Historical Permission Notice", "ISC", "LLVM-exception", "MIT",
    "MPL-2.0", "Mozilla Public License 2.0", "PSF", "Python Software Foundation", "Python-2.0",
    "Unlicense", "The Unlicense", "Zlib",
)  # fmt: skip
"""Permissive licences, and the MPL, which applies only to changes of its own files."""
FORBIDDEN = re.compile(r"\b(A|L)?GPL|GNU|SSPL|Commons Clause", re.IGNORECASE)


def installed(names: list[str]) -> dict[str, Distribution]:
    """These packages and their dependencies, as far as they are installed here."""
    found: dict[str, Distribution] = {}
    waiting = [Requirement(name) for name in names]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        wanted = waiting.pop()
        name = re.sub(r"[-_.]+", "-", wanted.name).lower()
        if (name, frozenset(wanted.extras)) in seen:
            continue
        seen.add((name, frozenset(wanted.extras)))
        try:
            found[name] = distribution(wanted.name)
        except PackageNotFoundError:
            continue  # for another system
        for text in found[name].requires or []:
            more = Requirement(text)
            extras = ({"extra": extra} for extra in (*wanted.extras, ""))
            if more.marker is None or any(more.marker.evaluate(extra) for extra in extras):
                waiting.append(more)
    return found


def licences_of(package: Distribution) -> list[str]:
    """The licence of a package: an expression, else classifiers, else a line of text."""
    metadata = package.metadata
    if expression := metadata.get("License-Expression"):
        return [part for part in re.split(r"\s+(?:AND|OR|WITH)\s+|[()]", expression) if part]
    classifiers = metadata.get_all("Classifier") or []
    named = [c.split(" :: ")[-1] for c in classifiers if c.startswith("License :: ")]
    named = [name for name in named if name != "OSI Approved"]
    return named or (metadata.get("License") or "").strip().splitlines()[:1]


def is_allowed(package: Distribution) -> bool:
    """Whether every licence of a package is on the list."""
    licences = licences_of(package)
    return bool(licences) and all(
        not FORBIDDEN.search(one) and any(one.startswith(name) for name in ALLOWED)
        for one in licences
    )


def main() -> int:
    """Check the installed packages."""
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    # Packages for PostgreSQL or a cluster are distributed with it as well.
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["postgres"], *extras["cluster"]]
    packages = installed(wanted)
    wrong = {name: licences_of(p) for name, p in packages.items() if not is_allowed(p)}
    for name, licences in sorted(wrong.items()):
        print(f"{name}: {', '.join(licences) or 'no licence named'}")
    print(f"{len(packages)} packages at run time, {len(wrong)} under a licence not on the list")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
