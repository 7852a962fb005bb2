"""Try the Dockerfile without a container engine, by running its instructions on this machine.

Every stage is an overlay over the root directory, in memory and in a mount namespace of its own, so
that nothing outside is changed. The image then runs as an engine would run it: read-only except for
its volumes, as its own user, against the tests' stand-in for Discord. Its health check has to
succeed, and its stop signal has to end it with status 0.

Only the base image is missing: this machine and its Python replace it. The size that the image adds
to it must stay within a budget; the layers and their largest parts are listed.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from dockerfile_parse import DockerfileParser

PROJECT = Path(__file__).parents[1]
INSIDE = "inside"
WRITABLE = ("/data", "/opt/kernels")
"""Volumes of the read-only image, besides /tmp."""
READY_WITHIN = 300.0
"""Seconds in which the bot has to become healthy: generous, since speed is not tested here."""
BUDGET = 410
"""Megabytes that the image may add to its base with the drivers of every database and of a cluster,
which take about 25 of them. The margin allows for differences between Python versions."""
RARELY_USED = (
    "alembic.command", "bot.local.local", "bot.run.maintenance", "engine.cli.books",
)  # fmt: skip
"""Modules that starts seldom need, and the ones that import most of the trimmed packages."""
LARGEST = 10
"""How many of the largest parts are listed."""
MEGABYTE = 1_000_000
PASSED_ON = ("PIP_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_")
"""Prefixes of environment variables that a build inherits, for network access."""


def run(*command: str | Path) -> None:
    """Run a command; raises CalledProcessError."""
    subprocess.run([*map(str, command)], check=True)


@dataclass(slots=True)
class Stage:
    """One stage of a build: a root directory, and the settings for the lines that follow."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)
    user: str = "0:0"
    folder: str = "/"
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    stop_signal: str = "SIGTERM"
    added: Path = Path()
    """The folder of this machine with the files that the stage has added or changed."""
    layers: list[tuple[str, int]] = field(default_factory=list)
    """The lines that have added files, each with its bytes."""

    def note_layer(self, line: str) -> None:
        """Record the size that a line has added."""
        more = size_of(self.added) - sum(size for _, size in self.layers)
        self.layers.append((line, more))

    def inside(self, path: str) -> Path:
        """The path on this machine of a path in the image."""
        return self.root / os.path.join(self.folder, path).lstrip("/")

    def start(self, command: list[str], more: dict[str, str]) -> subprocess.Popen[str]:
        """Start a command in the image."""
        begin = ["chroot", f"--userspec={self.user}", str(self.root)]
        there = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', self.folder]
        env = {"HOME": "/tmp", **self.env, **more}  # noqa: S108
        return subprocess.Popen([*begin, *there, *command], env=env, text=True)

    def run(self, command: list[str], more: dict[str, str]) -> int:
        """Run a command in the image and return its status."""
        return self.start(command, more).wait()


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder."""
    found = (Path(where, name).lstat() for where, _, names in os.walk(folder) for name in names)
    return sum({(one.st_dev, one.st_ino): one.st_size for one in found}.values())


def new_stage(scratch: Path, number: int) -> Stage:
    """A new stage with this machine's files, and its Python readable by every user."""
    upper, work, root = (scratch / str(number) / name for name in ("upper", "work", "root"))
    for path in (upper, work, root):
        path.mkdir(parents=True)
    layers = f"lowerdir=/,upperdir={upper},workdir={work}"
    run("mount", "-t", "overlay", "overlay", "-o", layers, root)
    run("mount", "-t", "tmpfs", "-o", "mode=1777", "tmpfs", root / "tmp")
    for name in ("proc", "dev"):
        run("mount", "--rbind", f"/{name}", root / name)
    for name in ("resolv.conf", "hosts"):
        shutil.copyfile(f"/etc/{name}", root / "etc" / name)
    python = Path(sys.executable).resolve()
    for parent in python.parents:
        there = root / parent.relative_to("/")
        there.chmod(there.stat().st_mode | 0o011)
    link = root / python.with_name("python").relative_to("/")
    if not link.exists():
        link.symlink_to(python.name)
    path = f"{python.parent}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    stage = Stage(root, {"PATH": path}, added=upper)
    stage.note_layer("the base")
    return stage


def context(scratch: Path) -> Path:
    """The files that .dockerignore does not exclude."""
    folder = scratch / "context"
    folder.mkdir()
    for line in (PROJECT / ".dockerignore").read_text("utf-8").splitlines():
        source = PROJECT / line.removeprefix("!")
        if line.startswith("!") and source.is_dir():
            without = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, folder / source.name, ignore=without)
        elif line.startswith("!") and source.exists():
            shutil.copyfile(source, folder / source.name)
    return folder


def copy(stage: Stage, value: str, files: Path, stages: dict[str, Stage]) -> None:
    """Carry out a COPY instruction."""
    *sources, target = value.split()
    if sources[0].startswith("--from="):
        files = stages[sources.pop(0).removeprefix("--from=")].root
    to = stage.inside(target)
    for source in sources:
        found = [files] if source == "." else sorted(files.glob(source.lstrip("/")))
        if not found:
            raise FileNotFoundError(
                f"COPY {value}: {source} is not there, or .dockerignore hides it"
            )
        for one in found:
            if one.is_dir() or target.endswith("/"):
                to.mkdir(parents=True, exist_ok=True)
            run("cp", "-a", f"{one}/." if one.is_dir() else one, to)


def build(files: Path, scratch: Path, given: dict[str, str]) -> Stage:
    """Carry out the Dockerfile line by line; returns its last stage."""
    with (PROJECT / "Dockerfile").open("rb") as file:
        lines = DockerfileParser(fileobj=file).structure
    stages: dict[str, Stage] = {}
    arguments: dict[str, str] = {}
    stage: Stage | None = None
    network = {
        name: text for name, text in os.environ.items() if name.upper().startswith(PASSED_ON)
    }
    network["PIP_QUIET"] = "1"
    for line in lines:
        what, value = line["instruction"], line["value"]
        if what == "FROM":
            arguments = {}
            stage = stages[value.split()[-1]] = new_stage(scratch, len(stages))
            continue
        if what == "COMMENT":
            continue
        assert stage is not None, f"{what} before FROM"
        if what == "ARG":
            name, _, usual = value.partition("=")
            arguments[name] = given.get(name, usual)
        elif what == "COPY":
            copy(stage, value, files, stages)
            stage.note_layer(f"COPY {value}")
        elif what == "RUN":
            began = time.monotonic()
            if stage.run(["/bin/sh", "-c", value], {**network, **arguments}):
                raise RuntimeError(f"RUN {value} has failed")
            stage.note_layer(f"RUN {value}")
            print(
                f"{time.monotonic() - began:6.1f} s  RUN {' '.join(value.split())[:72]}", flush=True
            )
        else:
            apply_setting(stage, what, value)
    assert stage is not None, "no FROM"
    return stage


def apply_setting(stage: Stage, what: str, value: str) -> None:
    """Apply an instruction that sets the user, folder, environment or metadata."""
    if what == "ENV":
        for pair in shlex.split(value):
            name, _, text = pair.partition("=")
            stage.env[name] = Template(text).substitute(stage.env)
    elif what == "WORKDIR":
        stage.folder = value
        stage.inside(value).mkdir(parents=True, exist_ok=True)
    elif what == "USER":
        stage.user = value
    elif what == "CMD":
        stage.command = json.loads(value)
    elif what == "HEALTHCHECK":
        stage.health = json.loads(re.sub(r"^.*CMD ", "", value))
    elif what == "STOPSIGNAL":
        stage.stop_signal = value
    elif what != "VOLUME":
        raise ValueError(f"{what} is not known here")


def report_size(stage: Stage) -> None:
    """List the size that the image adds to its base; raises RuntimeError if that is too much."""
    print("  MB  layers")
    for line, size in stage.layers[1:]:
        print(f"{size / MEGABYTE:4.0f}  {' '.join(line.split())[:72]}")
    total = sum(size for _, size in stage.layers[1:])
    print(f"{total / MEGABYTE:4.0f}  in all; at most {BUDGET}")
    packages = next(stage.inside("/opt/venv").glob("lib/python3*/site-packages"))
    parts = {path.name: size_of(path) for path in packages.iterdir() if path.is_dir()}
    parts["compiled kernels"] = size_of(stage.inside("/opt/kernels"))
    print("  MB  the largest parts")
    for name, size in sorted(parts.items(), key=lambda part: -part[1])[:LARGEST]:
        print(f"{size / MEGABYTE:4.0f}  {name}")
    if total > BUDGET * MEGABYTE:
        raise RuntimeError(f"the image adds more than {BUDGET} MB to its base")


def make_read_only(stage: Stage, scratch: Path) -> None:
    """Make the image read-only except for its volumes, and round its file times to seconds."""
    for folder, _, names in os.walk(stage.root / "opt/venv"):
        for path in (Path(folder, name) for name in names):
            seconds = int(path.lstat().st_mtime)
            os.utime(path, (seconds, seconds), follow_symlinks=False)
    for name in WRITABLE:
        volume = scratch / "volumes" / name.lstrip("/")
        shutil.copytree(stage.root / name.lstrip("/"), volume)
        run("chown", "-R", stage.user, volume)
    run("mount", "-o", "remount,ro", stage.root)
    for name in WRITABLE:
        run(
            "mount", "--bind", scratch / "volumes" / name.lstrip("/"), stage.root / name.lstrip("/")
        )


async def check_health(stage: Stage) -> None:
    """Start the image, wait until its health check succeeds, and stop it."""
    from tests.bot.discord_server import TOKEN, DiscordServer
    from tests.bot.ops.stage import free_port

    async with DiscordServer() as server:
        more = {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": server.api_url,
            "DISCORD_GATEWAY_URL": server.gateway_url,
            "CUATRO_HEALTH_PORT": str(free_port()),
        }
        began = time.monotonic()
        bot = stage.start(stage.command, more)
        try:
            while await asyncio.to_thread(stage.run, stage.health, more):
                if bot.poll() is not None or time.monotonic() - began > READY_WITHIN:
                    raise RuntimeError("the bot has not become healthy")
                await asyncio.sleep(0.5)
            print(
                f"{time.monotonic() - began:6.1f} s  until the health check succeeded", flush=True
            )
            bot.send_signal(getattr(signal, stage.stop_signal))
            status = await asyncio.to_thread(bot.wait, 60)
            if status:
                raise RuntimeError(f"{stage.stop_signal} ended the bot with status {status}")
        finally:
            bot.kill()
            bot.wait()


def check(stage: Stage) -> None:
    """Check user, permissions and kernels, and that the image can play, draw and import everything.

    Raises RuntimeError for the first check that fails.
    """
    code = (
        "import os, sys; from engine.core.compiled import is_warm; "
        "from engine.core.registry import compiled_modules; "
        "sys.exit(os.getuid() == 0 or os.access(sys.prefix, os.W_OK) "
        "or not is_warm(compiled_modules()))"
    )
    if stage.run(["python", "-c", code], {}):
        raise RuntimeError("the image is not what it should be: user, permissions or kernels")
    if stage.run(["/bin/sh", "-c", "! touch /app/file 2>/dev/null && touch /data/file"], {}):
        raise RuntimeError("the image can be written to, or its volume cannot")
    # A whole game with its pictures, to check that nothing is missing.
    if stage.run(["cuatro", "demo", "--out", "/data/demo"], {}):
        raise RuntimeError("the image cannot play and draw")
    if stage.run(["python", "-c", f"import {', '.join(RARELY_USED)}"], {}):
        raise RuntimeError("the image lacks a package that is used now and then")


def try_image() -> int:
    """Build, check and run the image, in a namespace in which file systems can be mounted."""
    sys.path.insert(0, str(PROJECT))
    scratch = Path(tempfile.mkdtemp())
    run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", scratch)
    extras = [PROJECT / f"requirements-{name}.txt" for name in ("postgres", "cluster")]
    names = " ".join(file.name for file in extras if file.exists())
    stage = build(context(scratch), scratch, {"REQUIREMENTS": names})
    report_size(stage)
    make_read_only(stage, scratch)
    check(stage)
    asyncio.run(check_health(stage))
    print(
        f"the image with {names} is built, becomes healthy while read-only, and exits with status 0"
    )
    return 0


def can_mount() -> bool:
    """Whether an overlay over the root directory can be mounted in a namespace of its own."""
    layers = "mount -t tmpfs t /tmp && mkdir /tmp/u /tmp/w /tmp/r && mount -t overlay o /tmp/r -o"
    command = f"{layers} lowerdir=/,upperdir=/tmp/u,workdir=/tmp/w"
    tried = ["unshare", "--mount", "/bin/sh", "-c", command]
    return not subprocess.run(tried, check=False, capture_output=True).returncode


def main() -> int:
    """Try the Dockerfile if this machine allows it."""
    if sys.argv[1:] == [INSIDE]:
        return try_image()
    if shutil.which("unshare") is None or not can_mount():
        print("not tried: that takes Linux, root, mount namespaces and overlays")
        return 0
    command = ["unshare", "--mount", sys.executable, __file__, INSIDE]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
