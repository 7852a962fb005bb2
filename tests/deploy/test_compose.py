"""The file compose.yaml, which runs everything on one machine."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from shutil import copyfile, copytree

import jsonschema
import pytest
from sqlalchemy import make_url

from bot.settings import Settings
from tests.deploy.files import ROOT, Json, compose, documents

SERVICES: dict[str, Json] = compose()["services"]
OURS = ("bot", "scheduler", "worker")


def test_it_is_a_compose_file() -> None:
    """The file is valid by the schema of the Compose specification."""
    schema = files("check_jsonschema.builtin_schemas.vendor").joinpath("compose-spec.json")
    jsonschema.validate(compose(), json.loads(schema.read_text("utf-8")))


@pytest.mark.skipif(shutil.which("docker") is None, reason="there is no Docker here")
def test_docker_compose_reads_it(tmp_path: Path) -> None:
    """If Docker is installed, `docker compose config` accepts the file."""
    copyfile(ROOT / "compose.yaml", tmp_path / "compose.yaml")
    copytree(ROOT / "deploy", tmp_path / "deploy")
    asked = {"capture_output": True, "text": True, "check": False, "cwd": tmp_path}
    if subprocess.run(["docker", "compose", "version"], **asked).returncode:  # noqa: S607
        pytest.skip("this Docker has no compose")
    done = subprocess.run(["docker", "compose", "config", "--quiet"], **asked)  # noqa: S607
    assert done.returncode == 0, done.stderr


def test_the_bot_reads_its_settings(tmp_path: Path) -> None:
    """The bot's environment consists of known settings with valid values."""
    environment = dict(SERVICES["bot"]["environment"])
    for name, secret in (("DISCORD_TOKEN", "a.b.c"), ("DATABASE_PASSWORD", "p@ss/w:rd")):
        file = tmp_path / Path(environment[f"{name}_FILE"]).name
        file.write_text(f"{secret}\n", encoding="utf-8")
        environment[f"{name}_FILE"] = str(file)
    settings = Settings.read(environment)
    assert settings.token == "a.b.c"  # noqa: S105
    url = make_url(settings.database_url)
    assert (url.host, url.database, url.password) == ("database", "cuatro", "p@ss/w:rd")
    assert settings.metrics_port


@pytest.mark.parametrize("name", OURS)
def test_our_services_have_few_privileges(name: str) -> None:
    """Our services write to volumes alone, and have no capabilities or new privileges."""
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["tmpfs"] == ["/tmp"]  # noqa: S108
    assert service["volumes"] == ["/opt/kernels"]


@pytest.mark.parametrize("name", SERVICES)
def test_every_image_has_a_version(name: str) -> None:
    """Every image has a version, except our own, which is built from this tree."""
    image = SERVICES[name]["image"]
    assert (image == "cuatro") == ("build" in SERVICES[name])
    assert image == "cuatro" or re.search(r":v?\d+", image)


def test_only_this_machine_reaches_the_pages() -> None:
    """All published ports are bound to the loopback address."""
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_the_database_and_the_cluster_are_inside() -> None:
    """Only the bot has access to the outside, and only the bot reaches the database."""
    inside = {name for name, one in compose()["networks"].items() if (one or {}).get("internal")}
    assert inside == {"database", "engine"}
    members = {network: set() for network in compose()["networks"]}
    for name, service in SERVICES.items():
        for network in service["networks"]:
            members[network].add(name)
    assert members["outside"] == {"bot"}
    assert members["database"] == {"bot", "database"}
    assert members["engine"] == set(OURS)


def test_no_secret_is_in_the_file() -> None:
    """Secrets are in files of a folder that is neither in the repository nor in the image."""
    used = set()
    for service in SERVICES.values():
        given = service.get("secrets", [])
        used |= set(given)
        files = {f"/run/secrets/{name}" for name in given}
        named = {
            name: value
            for name, value in service.get("environment", {}).items()
            if "PASSWORD" in name or "TOKEN" in name
        }
        assert set(named.values()) == files
        assert all(name.endswith("_FILE") for name in named)
    secrets = compose()["secrets"]
    assert used == secrets.keys()
    assert all(one == {"file": f"./secrets/{name}"} for name, one in secrets.items())
    assert "/secrets/" in (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert "!secrets" not in (ROOT / ".dockerignore").read_text("utf-8")
    assert ".env" in (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert "!.env" not in (ROOT / ".dockerignore").read_text("utf-8")


def test_mounted_files_exist() -> None:
    """Every file that a service mounts is in this repository."""
    mounted = [
        volume.split(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", [])
        if volume.startswith("./")
    ]
    assert len(mounted) == 4
    assert all((ROOT / path).exists() for path in mounted)


def test_prometheus_scrapes_existing_services() -> None:
    """Prometheus scrapes existing services on their ports, and loads the alerts."""
    (config,) = documents(ROOT / "deploy" / "prometheus" / "prometheus.yml")
    (bot,), (cluster,) = (one["dns_sd_configs"] for one in config["scrape_configs"])
    assert bot["names"] == ["bot"]
    assert str(bot["port"]) == SERVICES["bot"]["environment"]["CUATRO_METRICS_PORT"]
    assert set(cluster["names"]) == {"scheduler", "worker"}
    for name in cluster["names"]:
        assert f":{cluster['port']}" in " ".join(SERVICES[name]["command"])
        assert "watching" in SERVICES[name]["networks"]
    assert config["rule_files"] == ["alerts.yml"]
    mounted = SERVICES["prometheus"]["volumes"]
    assert "./docs/alerts.yml:/etc/prometheus/alerts.yml:ro" in mounted


def test_bot_and_database_share_one_password_file() -> None:
    """The bot and the database read the same password file."""
    given = SERVICES["bot"]["environment"]["DATABASE_PASSWORD_FILE"]
    assert given == SERVICES["database"]["environment"]["POSTGRES_PASSWORD_FILE"]
