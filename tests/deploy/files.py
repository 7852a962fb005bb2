"""The parsed files of deploy/ and beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.builders import ROOT

KUBERNETES = ROOT / "deploy" / "kubernetes"
Json = dict[str, Any]


@cache
def documents(path: Path) -> list[Json]:
    """All documents of a YAML file."""
    return list(yaml.safe_load_all(path.read_text("utf-8")))


def compose() -> Json:
    """The compose file."""
    return documents(ROOT / "compose.yaml")[0]


def manifests() -> list[Json]:
    """All Kubernetes manifests."""
    return [one for file in applied(KUBERNETES) for one in documents(file)]


def applied(folder: Path) -> list[Path]:
    """The files that a kustomization names, with those of folders that it names."""
    names = documents(folder / "kustomization.yaml")[0]["resources"]
    found = [(folder / name).resolve() for name in names]
    return [file for one in found for file in (applied(one) if one.is_dir() else [one])]


def of_kind(kind: str) -> dict[str, Json]:
    """The manifests of a kind, by name."""
    return {one["metadata"]["name"]: one for one in manifests() if one["kind"] == kind}


def pods() -> dict[str, Json]:
    """The pod templates, by component."""
    templates = (
        one["spec"]["template"] for one in manifests() if "template" in one.get("spec", {})
    )
    return {one["metadata"]["labels"]["app.kubernetes.io/component"]: one for one in templates}


def containers() -> Iterator[tuple[Json, Json]]:
    """Every pod's specification with each of its containers."""
    for pod in pods().values():
        for container in pod["spec"].get("initContainers", []) + pod["spec"]["containers"]:
            yield pod["spec"], container


def dashboard() -> Json:
    """The dashboard."""
    found: Json = json.loads((ROOT / "deploy" / "grafana" / "cuatro.json").read_text("utf-8"))
    return found
