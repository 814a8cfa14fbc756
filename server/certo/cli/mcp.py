"""`certo mcp`: serve certo's tools to agents over the Model Context Protocol."""

from __future__ import annotations

import argparse
import importlib
import os
from pathlib import Path
from typing import Any

from certo.daemon.handshake import claim_streams
from certo.vocabulary.errors import BadRequest, BrokenWorld

_NOTES = """\
It speaks on standard input and output, as Claude Code, Cursor, Codex and Zed start it. With --http
it serves several clients on a loopback address. It prints the address and the file with the token,
which clients send as `Authorization: Bearer TOKEN`.

A client may name files in the folders given by --root only. No file changes unless a tool is asked
with apply. It needs the extra: pip install "certo[mcp]"

exit codes: 0 the client left, 2 bad usage, 3 the extra is missing, 128 + N ended by signal N
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("--root", metavar="DIR", action="append", default=[], help="folder of a project (default: the current one)")
    add("--http", metavar="[HOST:]PORT", help="serve streamable HTTP on a loopback address; port 0 picks a free one")
    add("--origin", metavar="ORIGIN", action="append", default=[], help="with --http: accept web pages of this origin")
    parser.epilog = _NOTES


def main(arguments: argparse.Namespace) -> int:
    """Serve until the client leaves or a signal comes; return the exit code.

    Raises:
        BadRequest: A root is no folder, or the address is not one of this machine.
        BrokenWorld: The extra is not installed.
    """
    roots = [_folder(root) for root in arguments.root or [os.curdir]]
    if arguments.origin and arguments.http is None:
        raise BadRequest("--origin is for --http; leave it out")
    if arguments.http is None:
        transports = _transports()
        source, sink = claim_streams()
        return int(transports.run_on_streams(source, sink, roots))
    listener = importlib.import_module("certo.daemon.listener")
    transports = _transports()
    with listener.a_token() as (token, file):
        entrance = listener.open_entrance("http", arguments.http)
        source, sink = claim_streams()
        os.write(sink, entrance.announcement(file))
        os.close(source)
        os.close(sink)
        return int(transports.run_on_socket(entrance, token, arguments.origin, roots))


def _folder(root: str) -> Path:
    folder = Path(root).expanduser().resolve()
    if not folder.is_dir():
        raise BadRequest(f"{root} is no folder; give the folder of a project to --root")
    return folder


def _transports() -> Any:
    """Return the module that needs the SDK; it is imported only now, because that takes half a second."""
    try:
        importlib.import_module("mcp.server")
    except ImportError as error:
        raise BrokenWorld(
            f'certo mcp needs an extra, which cannot be imported ({error}): pip install "certo[mcp]"'
        ) from error
    return importlib.import_module("certo.agents.transports")
