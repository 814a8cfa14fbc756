"""Say which system packages a target of the Makefile misses, and how to get them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence

PACKAGES: Mapping[str, Mapping[str, str]] = {
    "test-all": {
        "bwrap": "bubblewrap",
        "nvim": "neovim",
        "emacs": "emacs-nox",
        "vim": "vim",
        "git": "git",
        "node": "nodejs",
        "npm": "npm",
        "chromium": "chromium",
    },
    "client-ui": {"bwrap": "bubblewrap", "chromium": "chromium", "node": "nodejs", "npm": "npm"},
    "models": {"cmake": "cmake", "make": "make", "c++": "g++"},
}
"""The programs that a target runs, and the Debian packages that bring them; Node.js has to be 20.19 or newer."""

ASKED: Mapping[str, Mapping[str, Sequence[str]]] = {
    "test-all": {
        "elpa-eglot": ["emacs", "--batch", "--eval", '(kill-emacs (if (locate-library "eglot") 0 1))'],
        "vim-ale": [
            *("vim", "-N", "-u", "NONE", "-es"),
            *("-c", "silent! packadd ale", "-c", "exe exists(':ALEInfo') ? 'qall!' : 'cquit!'"),
        ],
    },
}
"""What is no program but a part of one, by its Debian package, and the command that succeeds where it is there."""


def main(target: str = "test-all") -> int:
    """Name the missing packages in one sentence and return 1, or return 0 if there are none."""
    missing = [package for program, package in PACKAGES[target].items() if shutil.which(program) is None]
    missing += [package for package, command in ASKED.get(target, {}).items() if not _succeeds(command)]
    if missing:
        sys.stderr.write(
            f"make {target} needs {', '.join(missing)}, which this machine lacks; on Debian or Ubuntu: "
            f"sudo apt-get install {' '.join(missing)} (or run `make test`, which needs none of them)\n"
        )
    return 1 if missing else 0


def _succeeds(command: Sequence[str]) -> bool:
    return (
        shutil.which(command[0]) is not None
        and subprocess.run(command, check=False, capture_output=True).returncode == 0
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
