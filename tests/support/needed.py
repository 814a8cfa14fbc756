"""Say which system packages a target of the Makefile misses, and how to get them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping

PACKAGES: Mapping[str, Mapping[str, str]] = {
    "test-all": {"bwrap": "bubblewrap", "nvim": "neovim", "git": "git", "node": "nodejs", "npm": "npm"},
    "models": {"cmake": "cmake", "make": "make", "c++": "g++"},
}
"""The programs that a target runs, and the Debian packages that bring them; Node.js has to be 20.15 or newer."""


def main(target: str = "test-all") -> int:
    """Name what is missing in one sentence; 0 when nothing is."""
    missing = [package for program, package in PACKAGES[target].items() if shutil.which(program) is None]
    if missing:
        sys.stderr.write(
            f"make {target} needs {', '.join(missing)}, which this machine lacks; on Debian or Ubuntu: "
            f"sudo apt-get install {' '.join(missing)} (or run `make test`, which needs none of them)\n"
        )
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
