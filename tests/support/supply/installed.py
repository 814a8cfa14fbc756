"""Installs a wheel as strangers would, in each way there is: `python -m support.supply.installed WHEEL`.

With pip on each supported Python that this machine has, with pipx, with `uv tool install` and with `uvx`; in a folder
with spaces, and, once the wheels are downloaded, without network. If it is root that asks, all of it runs as a user who
owns nothing else.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from support.supply.stranger import Stranger, pythons, size

STEPS = {
    "version": (("--version",), "certo "),
    "doctor": (("doctor", "--self-test"), "Every attempt of a hostile candidate was refused"),
    "demo": (("demo",), "VERIFIED"),
    "privacy": (("privacy",), "journals"),
    "delete": (("privacy", "--delete-all", "--yes"), "certo keeps nothing here"),
}
"""What is run of the installed command, and what it has to say. The demo leaves nothing that could be deleted."""

MOST_MEGABYTES = 60
"""How large an installation may be with all that it needs."""


@dataclass(frozen=True)
class Way:
    """A way in which certo was installed: the words that start it, and the folder that has all of it."""

    name: str
    command: tuple[str | Path, ...]
    folder: Path | None


def ways(stranger: Stranger, found: Mapping[str, Path]) -> Iterator[Way]:
    """Install certo in one way after the other; each is tried before the next is installed."""
    for version, python in found.items():
        programs = stranger.environment(python, f"pip on {version}", "certo")
        yield Way(f"pip on {version}", (programs / "certo",), programs.parent)
    python, links = next(iter(found.values())), stranger.home / ".local" / "bin"
    tools = {name: stranger.environment(python, name, name) / name for name in ("pipx", "uv")}
    stranger.run("pipx install", [tools["pipx"], "install", "--python", python, "certo"], "installed package certo")
    yield Way("pipx", (links / "certo",), stranger.home / ".local/share/pipx/venvs/certo")
    stranger.run("pipx uninstall", [tools["pipx"], "uninstall", "certo"])
    stranger.run("uv tool install", [tools["uv"], "tool", "install", "--python", python, "certo"])
    yield Way("uv tool", (links / "certo",), stranger.home / ".local/share/uv/tools/certo")
    stranger.run("uv tool uninstall", [tools["uv"], "tool", "uninstall", "certo"])
    if left := list(links.glob("*certo*")):
        raise SystemExit(f"uninstalling left {', '.join(map(str, left))}")
    yield Way("uvx", (tools["uv"].with_name("uvx"), "--python", python, "certo"), None)


def main(wheel: Path) -> None:
    """Install and try the wheel in a folder of its own, which is removed."""
    here = pythons()
    found = {version: python for version, python in here.items() if python is not None}
    for version in here.keys() - found.keys():
        sys.stdout.write(f"Python {version} is NOT tried: this machine has none that every user may start\n")
    if not found:
        raise SystemExit("no Python 3.11 or newer that every user may start; install one outside of root's home")
    with tempfile.TemporaryDirectory(prefix="certo packages ") as folder:
        stranger = Stranger(Path(folder))
        stranger.arrive(wheel, found)
        for way in ways(stranger, found):
            try_out(stranger, way)
    for package in sorted(wheel.parent.glob("certo*")):
        sys.stdout.write(f"{package.name}: {size(package):.2f} MB\n")


def try_out(stranger: Stranger, way: Way) -> None:
    """Run the steps with what was installed."""
    if way.folder is not None:
        megabytes = size(way.folder)
        sys.stdout.write(f"{f'{way.name}: installed':<34}{megabytes:7.1f} MB\n")
        if megabytes > MOST_MEGABYTES:
            raise SystemExit(f"an installation may have {MOST_MEGABYTES} MB; see what certo needs that is so large")
    for name, (words, says) in STEPS.items():
        stranger.run(f"{way.name}: {name}", [*way.command, *words], says)
    if left := stranger.left():
        raise SystemExit(f"certo privacy --delete-all left {', '.join(left)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
