"""The manifests of deploy/kubernetes."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from bot.settings import Settings
from tests.deploy.files import (
    KUBERNETES,
    ROOT,
    Json,
    applied,
    containers,
    documents,
    manifests,
    of_kind,
    pods,
)

needs_kubectl = pytest.mark.skipif(shutil.which("kubectl") is None, reason="no kubectl here")
COMPONENT = "app.kubernetes.io/component"
NAMES = [f"{one['kind']}/{one['metadata']['name']}" for one in manifests()]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
VERSIONS = ("1.32", kubernetes_validate.latest_version())
"""The oldest one that these manifests are for, and the newest that is known here."""


def settings() -> dict[str, str]:
    """What the pods of the bot have in common."""
    found: dict[str, str] = of_kind("ConfigMap")["cuatro"]["data"]
    return found


def ports(component: str) -> dict[str, int]:
    """The named ports of a component's pods."""
    (container,) = pods()[component]["spec"]["containers"]
    return {port["name"]: port["containerPort"] for port in container["ports"]}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("manifest", manifests(), ids=NAMES)
def test_each_is_what_kubernetes_takes(manifest: Json, version: str) -> None:
    """By Kubernetes' own schemas, which are strict: no field that is not known."""
    kubernetes_validate.validate(manifest, version, strict=True)


def test_every_file_is_applied() -> None:
    """The kustomizations name all of them."""
    files = {file for file in KUBERNETES.rglob("*.yaml") if file.name != "kustomization.yaml"}
    assert set(applied(KUBERNETES)) == files


def put_together(folder: Path) -> dict[tuple[str, str], Json]:
    """What kubectl makes of a kustomization, by kind and name."""
    command = ["kubectl", "kustomize", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = list(yaml.safe_load_all(done.stdout))
    return {(one["kind"], one["metadata"]["name"]): one for one in found}


@needs_kubectl
def test_kubectl_puts_them_together() -> None:
    """All in one namespace, with a version of the image."""
    made = put_together(KUBERNETES)
    assert len(made) == len(manifests())
    for one in made.values():
        assert one["kind"] == "Namespace" or one["metadata"]["namespace"] == "cuatro"
        for container in (
            one.get("spec", {}).get("template", {}).get("spec", {}).get("containers", [])
        ):
            assert container["image"] == f"cuatro:{VERSION}"


@needs_kubectl
def test_the_next_bot_stands_beside_the_first() -> None:
    """Under names of its own, with pods that nothing of the first one selects."""
    first, following = put_together(KUBERNETES), put_together(KUBERNETES / "next")
    assert not first.keys() & following.keys()
    (bot,) = (one for (kind, _), one in following.items() if kind == "StatefulSet")
    assert ("Service", bot["spec"]["serviceName"]) in following
    labels = bot["spec"]["template"]["metadata"]["labels"]
    for kind in ("StatefulSet", "PodDisruptionBudget"):
        of_first = first[kind, "bot"]["spec"]["selector"]["matchLabels"]
        of_next = following[kind, "bot-next"]["spec"]["selector"]["matchLabels"]
        assert not of_first.items() <= labels.items()
        assert of_next.items() <= labels.items()
    for kind, policy in ((key[0], one) for key, one in first.items()):
        if kind == "NetworkPolicy" and policy["metadata"]["name"] == "bot":
            assert policy["spec"]["podSelector"]["matchLabels"].items() <= labels.items()


@pytest.mark.parametrize("component", pods())
def test_pods_may_do_little(component: str) -> None:
    """Nobody is root, nothing but volumes is written to, and nobody talks to Kubernetes."""
    pod = pods()[component]["spec"]
    assert pod["automountServiceAccountToken"] is False
    user = pod["securityContext"]
    assert user["runAsNonRoot"]
    assert user["runAsUser"] == user["runAsGroup"] == 10001
    assert user["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in pod.get("initContainers", []) + pod["containers"]:
        bounds = container["securityContext"]
        assert bounds["readOnlyRootFilesystem"]
        assert bounds["allowPrivilegeEscalation"] is False
        assert bounds["capabilities"] == {"drop": ["ALL"]}
        assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
        assert "memory" in container["resources"]["limits"]


def test_nothing_of_kubernetes_is_taken_for_a_setting() -> None:
    """A service called `cuatro` would set CUATRO_PORT, which means something else."""
    assert all(pod["spec"]["enableServiceLinks"] is False for pod in pods().values())


def test_secrets_are_only_referred_to() -> None:
    """None is in a file; the bot's two come from one, and no setting holds another."""
    assert not of_kind("Secret")
    (bot,) = pods()["bot"]["spec"]["containers"]
    given = {one["name"]: one.get("valueFrom", {}) for one in bot["env"]}
    for name in ("DISCORD_TOKEN", "DATABASE_URL"):
        assert given[name]["secretKeyRef"]["name"] == "cuatro"
        assert name not in settings()


def test_what_a_pod_mounts_it_has() -> None:
    """Where the image writes there is a volume."""
    for pod, container in containers():
        volumes = {volume["name"] for volume in pod["volumes"]}
        mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
        assert set(mounts.values()) <= volumes
        if "ports" in container:
            assert "/tmp" in mounts  # noqa: S108
    for component in ("bot", "worker"):
        begin, run = (
            pods()[component]["spec"][kind][0] for kind in ("initContainers", "containers")
        )
        assert begin["command"][-1] == begin["volumeMounts"][0]["mountPath"]
        assert {"name": "kernels", "mountPath": "/opt/kernels"} in run["volumeMounts"]


def test_the_bot_reads_its_settings(tmp_path: Path) -> None:
    """They are settings, and mean the ports that the pod names."""
    here = {"DATABASE_URL": "postgresql+asyncpg://player@host/games"}
    for name, file in settings().items():
        # The certificates are where the pod mounts them.
        if name in ("CUATRO_CLUSTER_CA", "CUATRO_CLUSTER_CERT", "CUATRO_CLUSTER_KEY"):
            here[name] = str(tmp_path / Path(file).name)
            Path(here[name]).touch()
    read = Settings.read({**settings(), **here})
    assert ports("bot") == {"health": read.health_port, "metrics": read.metrics_port}
    assert read.health_address == read.metrics_address == "0.0.0.0"  # noqa: S104
    assert read.log_format == "json"


def shards_of(ordinal: int, folder: Path) -> str:
    """The shards that the pod with this ordinal serves, by its own command."""
    told = folder / "cuatro"
    told.write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
    told.chmod(0o755)
    (bot,) = pods()["bot"]["spec"]["containers"]
    own = {"ORDINAL": str(ordinal), "TMPDIR": str(folder)}
    environment = {**settings(), **own, "PATH": f"{folder}:{os.environ['PATH']}"}
    command = [*bot["command"], *bot["args"]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    # It has ended by itself, so the next container of this pod would wait.
    (folder / "handed-over").unlink()
    option, shards = done.stdout.split()
    assert option == "--shards"
    return shards


@pytest.mark.skipif(os.name == "nt", reason="there is no /bin/sh")
def test_every_shard_is_served_once(tmp_path: Path) -> None:
    """Each pod's ordinal chooses its shards, and all pods together have all of them."""
    replicas = of_kind("StatefulSet")["bot"]["spec"]["replicas"]
    assert shards_of(0, tmp_path) == "0-3/16"
    served: list[int] = []
    for ordinal in range(replicas):
        named, count = shards_of(ordinal, tmp_path).split("/")
        first, last = named.split("-")
        served.extend(range(int(first), int(last) + 1))
        assert count == settings()["SHARDS"]
    assert served == list(range(int(settings()["SHARDS"])))


def test_the_ordinal_is_the_pods_own() -> None:
    """Kubernetes writes it on each pod of a stateful set."""
    (bot,) = pods()["bot"]["spec"]["containers"]
    (ordinal,) = (one for one in bot["env"] if one["name"] == "ORDINAL")
    path = ordinal["valueFrom"]["fieldRef"]["fieldPath"]
    assert path == "metadata.labels['apps.kubernetes.io/pod-index']"


def test_probes_ask_what_answers() -> None:
    """A stuck bot is started again; one that is not well takes no part in an update."""
    (bot,) = pods()["bot"]["spec"]["containers"]
    paths = {name: bot[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "liveness")}
    assert paths == {"startup": "/healthz", "liveness": "/healthz"}
    assert bot["readinessProbe"]["httpGet"]["path"] == "/readyz"
    for component in pods():
        (container,) = pods()[component]["spec"]["containers"]
        for kind in ("startup", "liveness", "readiness"):
            probe = container[f"{kind}Probe"]
            asked = probe.get("httpGet") or probe["tcpSocket"]
            assert asked["port"] in ports(component)


def test_selectors_select() -> None:
    """Services, budgets, sets and policies mean pods that there are, and ports that they have."""
    labels = [pod["metadata"]["labels"] for pod in pods().values()]
    for one in manifests():
        spec = one.get("spec", {})
        if one["kind"] == "Service":
            wanted = spec["selector"]
            assert {port["targetPort"] for port in spec["ports"]} <= ports(wanted[COMPONENT]).keys()
        elif "selector" in spec:
            wanted = spec["selector"]["matchLabels"]
        elif "podSelector" in spec:
            wanted = spec["podSelector"].get("matchLabels", {})
        else:
            continue
        assert any(wanted.items() <= of_pod.items() for of_pod in labels), one["metadata"]["name"]


def test_workers_follow_their_load() -> None:
    """The autoscaler alone says how many there are, by the processor time that they ask for."""
    scaler = of_kind("HorizontalPodAutoscaler")["worker"]["spec"]
    workers = of_kind("Deployment")["worker"]
    target = scaler["scaleTargetRef"]
    assert (target["kind"], target["name"]) == (workers["kind"], workers["metadata"]["name"])
    assert "replicas" not in workers["spec"]
    assert 1 < scaler["minReplicas"] < scaler["maxReplicas"]
    assert scaler["metrics"][0]["resource"]["name"] == "cpu"


def test_disruptions_are_bounded() -> None:
    """A node that is emptied never takes all pods of a kind at once."""
    budgets = {
        name: one["spec"]["maxUnavailable"] for name, one in of_kind("PodDisruptionBudget").items()
    }
    assert budgets == {"bot": 1, "worker": "50%"}


def allowed(policy: str, way: str) -> set[tuple[str, object]]:
    """Who a policy lets in or out, and on which ports."""
    found: set[tuple[str, object]] = set()
    for rule in of_kind("NetworkPolicy")[policy]["spec"][way]:
        for peer in rule.get("from", rule.get("to", [{}])):
            name = peer.get("podSelector", {}).get("matchLabels", {}).get(COMPONENT, "others")
            found |= {(name, port["port"]) for port in rule["ports"]}
    return found


def test_only_the_bot_reaches_the_cluster() -> None:
    """Nobody talks to anybody unless a policy says so; others reach the ports for metrics alone."""
    nobody = of_kind("NetworkPolicy")["nobody"]["spec"]
    assert nobody == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert allowed("scheduler", "ingress") == {("bot", "work"), ("worker", "work")}
    assert allowed("worker", "ingress") == {("scheduler", "work"), ("worker", "work")}
    assert allowed("bot", "egress") == {("others", 443), ("others", 5432), ("scheduler", "work")}
    assert allowed("metrics", "ingress") == {("others", "metrics")}


def test_the_cluster_shows_certificates() -> None:
    """Scheduler, workers and bot trust each other by the files that one secret holds."""
    assert settings()["CUATRO_CLUSTER"].startswith("tls://scheduler:")
    for component in ("scheduler", "worker"):
        (container,) = pods()[component]["spec"]["containers"]
        given = dict(word.split("=", 1) for word in container["command"] if "=" in word)
        files = [given[f"--tls-{name}"] for name in ("ca-file", "cert", "key")]
        assert files == [settings()[f"CUATRO_CLUSTER_{name}"] for name in ("CA", "CERT", "KEY")]


def test_prometheus_finds_the_pods() -> None:
    """By the names of their ports; the jobs are called as the alerts and the dashboard expect."""
    (config,) = documents(ROOT / "deploy" / "prometheus" / "kubernetes.yml")
    jobs = {one["job_name"]: one["relabel_configs"][0]["regex"] for one in config["scrape_configs"]}
    assert jobs == {"cuatro": "bot;metrics", "dask": "(scheduler|worker);metrics"}
    assert all("metrics" in ports(component) for component in pods())
