"""The cost of the first answer."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {"anyio", "asyncio", "attrs", "cattrs", "dataclasses", "inspect", "lsprotocol", "pathlib", "pygls", "typing"}
FOR_COLOURS = {"dataclasses", "inspect"} if sys.version_info >= (3, 14) else set()
"""What argparse imports to colour help, whether it prints any or not."""


def test_nothing_heavy_is_imported_before_the_answer() -> None:
    """The editor waits for all of it: each of these alone would cost a good part of what a bare Python takes."""
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from certo.cli.main import main\n"
        "main(['serve'])\n"  # its input ends at once, so it gets no further than the handshake
        "sys.stderr.write(' '.join(set(sys.modules) - before))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    imported = set(ran.stderr.decode().split())
    assert "certo.daemon.handshake" in imported
    assert not imported & HEAVY - FOR_COLOURS
