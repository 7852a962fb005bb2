"""The manifests of deploy/kubernetes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

import kubernetes_validate
import pytest
import yaml

from bot.settings import Settings
from tests.bot.ops.stage import free_port
from tests.children import Child
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
needs_shell = pytest.mark.skipif(os.name == "nt", reason="there is no /bin/sh")
COMPONENT = "app.kubernetes.io/component"
NAMES = [f"{one['kind']}/{one['metadata']['name']}" for one in manifests()]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
VERSIONS = ("1.32", kubernetes_validate.latest_version())
"""The oldest version that these manifests support, and the newest known one."""


def settings() -> dict[str, str]:
    """The settings that the pods of the bot share."""
    found: dict[str, str] = of_kind("ConfigMap")["cuatro"]["data"]
    return found


def ports(component: str) -> dict[str, int]:
    """The named ports of a component's pods."""
    (container,) = pods()[component]["spec"]["containers"]
    return {port["name"]: port["containerPort"] for port in container["ports"]}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("manifest", manifests(), ids=NAMES)
def test_manifests_are_valid(manifest: Json, version: str) -> None:
    """Each manifest is valid by Kubernetes' own schemas, without unknown fields."""
    kubernetes_validate.validate(manifest, version, strict=True)


def test_every_file_is_applied() -> None:
    """The kustomizations name all files."""
    files = {file for file in KUBERNETES.rglob("*.yaml") if file.name != "kustomization.yaml"}
    assert set(applied(KUBERNETES)) == files


def put_together(folder: Path) -> dict[tuple[str, str], Json]:
    """The result of a kustomization, by kind and name."""
    command = ["kubectl", "kustomize", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = list(yaml.safe_load_all(done.stdout))
    return {(one["kind"], one["metadata"]["name"]): one for one in found}


@needs_kubectl
def test_kubectl_puts_them_together() -> None:
    """Everything is in one namespace, with a version of the image."""
    made = put_together(KUBERNETES)
    assert len(made) == len(manifests())
    for one in made.values():
        assert one["kind"] == "Namespace" or one["metadata"]["namespace"] == "cuatro"
        for container in (
            one.get("spec", {}).get("template", {}).get("spec", {}).get("containers", [])
        ):
            assert container["image"] == f"cuatro:{VERSION}"


@needs_kubectl
def test_the_second_bot_is_separate_from_the_first() -> None:
    """The second bot has names of its own, and its pods match no selector of the first."""
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
def test_pods_have_few_privileges(component: str) -> None:
    """Pods do not run as root, write to volumes alone and have no access to the Kubernetes API."""
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


def test_service_variables_are_switched_off() -> None:
    """Service variables of Kubernetes, such as CUATRO_PORT, are switched off."""
    assert all(pod["spec"]["enableServiceLinks"] is False for pod in pods().values())


def test_manifests_hold_no_secrets() -> None:
    """No secret is in the manifests or in the environment; the bot reads its two from files."""
    assert not of_kind("Secret")
    spec = pods()["bot"]["spec"]
    (bot,) = spec["containers"]
    (mount,) = (one for one in bot["volumeMounts"] if one["name"] == "secrets")
    (volume,) = (one["secret"] for one in spec["volumes"] if one["name"] == "secrets")
    assert volume["secretName"] == "cuatro"
    assert mount["readOnly"]
    given = {one["name"]: one.get("value") for one in bot["env"]}
    for name, key in (("DISCORD_TOKEN", "discord-token"), ("DATABASE_URL", "database-url")):
        assert given[f"{name}_FILE"] == f"{mount['mountPath']}/{key}"
        assert f"--from-file={key}" in (ROOT / "docs" / "scaling.md").read_text("utf-8")
        assert name not in given
        assert name not in settings()
    for _, container in containers():
        assert not any("valueFrom" in one and "secretKeyRef" in one["valueFrom"]
                       for one in container.get("env", []))  # fmt: skip


PER_SERVER, PER_PROCESS = 25 * 1024, 512 * 1024**2
"""Bytes per server and per process in docs/scaling.md."""
MAX_SERVERS = 2500
"""The most servers per shard on Discord."""


def test_the_bot_has_memory_for_its_servers() -> None:
    """The memory limit suffices for the most servers, by the formula of docs/scaling.md."""
    (bot,) = pods()["bot"]["spec"]["containers"]
    limit = bot["resources"]["limits"]["memory"]
    servers = MAX_SERVERS * int(settings()["SHARDS_PER_POD"])
    assert limit.endswith("Mi")
    assert int(limit.removesuffix("Mi")) * 1024**2 >= 1.25 * (PER_PROCESS + PER_SERVER * servers)
    assert MAX_SERVERS * int(settings()["SHARDS"]) == 50_000


def test_the_cluster_has_as_many_places_as_are_wanted() -> None:
    """The cluster has the configured places even at its smallest size, so that no alert fires."""
    scaler = of_kind("HorizontalPodAutoscaler")["worker"]["spec"]
    assert int(settings()["CUATRO_CLUSTER_PLACES"]) == scaler["minReplicas"]


@needs_kubectl
def test_an_image_can_be_pinned_by_its_digest(tmp_path: Path) -> None:
    """The comment in both kustomizations pins every container by a digest."""
    copied = copytree(KUBERNETES, tmp_path / "kubernetes")
    digest = f"sha256:{'5' * 64}"
    for folder in (copied, copied / "next"):
        file = folder / "kustomization.yaml"
        text = file.read_text("utf-8")
        assert "#   digest: sha256:..." in text
        file.write_text(text.replace(f"newTag: {VERSION}", f"digest: {digest}"), encoding="utf-8")
        made = put_together(folder).values()
        templates = [
            one["spec"]["template"]["spec"] for one in made if "template" in one.get("spec", {})
        ]
        images = [
            container["image"]
            for spec in templates
            for container in spec["containers"] + spec.get("initContainers", [])
        ]
        assert images
        assert set(images) == {f"cuatro@{digest}"}


def test_mounted_volumes_exist() -> None:
    """There is a volume for every folder that the image writes to."""
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
    """The environment consists of valid settings, with the ports that the pod names."""
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


def pod(folder: Path, program: str, ordinal: int = 0) -> Child:
    """The bot's container, with a shell script in place of the program `cuatro`."""
    cuatro = folder / "cuatro"
    cuatro.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
    cuatro.chmod(0o755)
    (bot,) = pods()["bot"]["spec"]["containers"]
    own = {"ORDINAL": str(ordinal), "TMPDIR": str(folder)}
    environment = {**settings(), **own, "PATH": f"{folder}:{os.environ['PATH']}"}
    command = [*bot["command"], *bot["args"]]
    return Child(*command, env=environment, stop=signal.SIGTERM)


def shards_of(ordinal: int, folder: Path) -> str:
    """The shards of the pod with this ordinal, by its own command."""
    with pod(folder, 'echo "$@"; exit 1', ordinal) as process:
        option, shards = process.wait().out.split()
    assert option == "--shards"
    return shards


@needs_shell
def test_every_shard_is_served_once(tmp_path: Path) -> None:
    """The shards follow from a pod's ordinal, and all pods together have each shard once."""
    replicas = of_kind("StatefulSet")["bot"]["spec"]["replicas"]
    assert shards_of(0, tmp_path) == "0-3/20"
    served: list[int] = []
    for ordinal in range(replicas):
        named, count = shards_of(ordinal, tmp_path).split("/")
        first, last = named.split("-")
        served.extend(range(int(first), int(last) + 1))
        assert count == settings()["SHARDS"]
    assert served == list(range(int(settings()["SHARDS"])))


SERVES = """
trap 'echo "stopped $1"; kill -KILL $!; exit {status}' TERM
sleep 60 > /dev/null &
echo "$1"
wait
"""
"""A program that runs until it is stopped, and then ends at once.

SIGTERM could be lost by a shell that has been forked and has not yet become `sleep`.
"""


@needs_shell
@pytest.mark.parametrize("status", [0, 3])
def test_a_bot_that_is_stopped_ends_the_container(tmp_path: Path, status: int) -> None:
    """SIGTERM reaches the bot at once, and the container ends with its status."""
    with pod(tmp_path, SERVES.format(status=status)) as process:
        assert process.line().string == "--shards\n"
        process.signal(signal.SIGTERM)
        ended = process.wait()
    assert (ended.out, ended.status) == ("--shards\nstopped --shards\n", status)
    assert not (tmp_path / "handed-over").exists()


@needs_shell
def test_a_replaced_bot_stays_idle_and_ends_on_sigterm(tmp_path: Path) -> None:
    """A replaced bot does not take its shards back, even if restarted; SIGTERM ends it."""
    hands_over = f'[ "$1" = --shards ] && echo over && exit 0\n{SERVES.format(status=0)}'
    for expected in (["over\n", "idle\n"], ["idle\n"]):
        with pod(tmp_path, hands_over) as process:
            assert [process.line().string for _ in expected] == expected
            process.signal(signal.SIGTERM)
            ended = process.wait()
        assert (ended.out, ended.status) == ("".join([*expected, "stopped idle\n"]), 0)


@needs_shell
def test_a_bot_that_is_killed_is_started_again(tmp_path: Path) -> None:
    """A bot that the kernel killed for lack of memory is restarted."""
    with pod(tmp_path, "kill -KILL $$") as process:
        assert process.wait().status == 137
    assert not (tmp_path / "handed-over").exists()


@needs_shell
def test_a_bot_that_fails_is_started_again(tmp_path: Path) -> None:
    """A container ends with the status of a failed bot, so that Kubernetes restarts it."""
    for _ in range(2):
        with pod(tmp_path, 'echo "$1"; exit 1') as process:
            ended = process.wait()
        assert (ended.out, ended.status) == ("--shards\n", 1)


def test_a_replaced_process_answers_its_probes(tmp_path: Path) -> None:
    """`cuatro idle` is alive and ready, is scraped, and ends with 0 when it is stopped."""
    ports = {name: free_port() for name in ("CUATRO_HEALTH_PORT", "CUATRO_METRICS_PORT")}
    environment = {
        **os.environ,
        **{name: str(port) for name, port in ports.items()},
        "PYTHONPATH": str(ROOT),
    }
    command = (sys.executable, "-m", "bot", "idle")
    with Child(*command, env=environment, cwd=tmp_path, stop=signal.SIGTERM) as process:
        ready = answer(ports["CUATRO_HEALTH_PORT"], "/readyz")
        alive = answer(ports["CUATRO_HEALTH_PORT"], "/healthz")
        scraped = answer(ports["CUATRO_METRICS_PORT"], "/metrics")
        process.signal(signal.SIGTERM)
        assert process.wait().status == 0
    assert ready.startswith("ok    shards: handed over")
    assert alive == "alive\n"
    assert "cuatro_handed_over 1.0" in scraped
    assert not list(tmp_path.iterdir())


def answer(port: int, path: str) -> str:
    """The answer of a port of this machine, as soon as it is open."""
    end = monotonic() + 30
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as response:
                return str(response.read().decode())
        except URLError:
            assert monotonic() < end
            sleep(0.05)


def test_the_ordinal_is_the_pods_own() -> None:
    """The ordinal comes from the label that Kubernetes sets on each pod of a stateful set."""
    (bot,) = pods()["bot"]["spec"]["containers"]
    (ordinal,) = (one for one in bot["env"] if one["name"] == "ORDINAL")
    path = ordinal["valueFrom"]["fieldRef"]["fieldPath"]
    assert path == "metadata.labels['apps.kubernetes.io/pod-index']"


def test_probes_use_existing_paths() -> None:
    """A stuck bot is restarted; one that is not ready does not count in an update."""
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
    """The selectors of services, budgets, sets and policies match pods, and the ports exist."""
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
    """Only the autoscaler sets the number of workers, by their requested processor time."""
    scaler = of_kind("HorizontalPodAutoscaler")["worker"]["spec"]
    workers = of_kind("Deployment")["worker"]
    target = scaler["scaleTargetRef"]
    assert (target["kind"], target["name"]) == (workers["kind"], workers["metadata"]["name"])
    assert "replicas" not in workers["spec"]
    assert 1 < scaler["minReplicas"] < scaler["maxReplicas"]
    assert scaler["metrics"][0]["resource"]["name"] == "cpu"


def test_disruptions_are_bounded() -> None:
    """Draining a node never evicts all pods of a kind at once."""
    budgets = {
        name: one["spec"]["maxUnavailable"] for name, one in of_kind("PodDisruptionBudget").items()
    }
    assert budgets == {"bot": 1, "worker": "50%"}


def allowed(policy: str, way: str) -> set[tuple[str, object]]:
    """The peers and ports that a policy allows."""
    found: set[tuple[str, object]] = set()
    for rule in of_kind("NetworkPolicy")[policy]["spec"][way]:
        for peer in rule.get("from", rule.get("to", [{}])):
            name = peer.get("podSelector", {}).get("matchLabels", {}).get(COMPONENT, "others")
            found |= {(name, port["port"]) for port in rule["ports"]}
    return found


def test_only_the_bot_reaches_the_cluster() -> None:
    """Traffic is denied unless a policy allows it, and others reach only the ports for metrics."""
    nobody = of_kind("NetworkPolicy")["nobody"]["spec"]
    assert nobody == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert allowed("scheduler", "ingress") == {("bot", "work"), ("worker", "work")}
    assert allowed("worker", "ingress") == {("scheduler", "work"), ("worker", "work")}
    assert allowed("bot", "egress") == {("others", 443), ("others", 5432), ("scheduler", "work")}
    assert allowed("metrics", "ingress") == {("others", "metrics")}


def test_the_cluster_shows_certificates() -> None:
    """Scheduler, workers and bot trust each other by the files of one secret."""
    assert settings()["CUATRO_CLUSTER"].startswith("tls://scheduler:")
    for component in ("scheduler", "worker"):
        (container,) = pods()[component]["spec"]["containers"]
        given = dict(word.split("=", 1) for word in container["command"] if "=" in word)
        files = [given[f"--tls-{name}"] for name in ("ca-file", "cert", "key")]
        assert files == [settings()[f"CUATRO_CLUSTER_{name}"] for name in ("CA", "CERT", "KEY")]


def test_prometheus_finds_the_pods() -> None:
    """Prometheus finds the pods by their port names; jobs are named as in alerts and dashboard."""
    (config,) = documents(ROOT / "deploy" / "prometheus" / "kubernetes.yml")
    jobs = {one["job_name"]: one["relabel_configs"][0]["regex"] for one in config["scrape_configs"]}
    assert jobs == {"cuatro": "bot;metrics", "dask": "(scheduler|worker);metrics"}
    assert all("metrics" in ports(component) for component in pods())
