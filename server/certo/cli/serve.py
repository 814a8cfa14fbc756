"""`certo serve`: speak LSP on standard input and output, or with several clients on local sockets."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from types import FrameType, ModuleType

from certo.cli.runs.garbage import without_collector
from certo.daemon.handshake import claim_streams, greet
from certo.vocabulary.errors import BadRequest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `certo serve`."""
    add = parser.add_argument
    add("--stdio", action="store_true", help="use standard input and output (default)")
    add("--tcp", metavar="[HOST:]PORT", help="serve several clients on a loopback address; port 0 picks a free one")
    add("--ws", metavar="[HOST:]PORT", help="the same over WebSocket; can be combined with --tcp")
    add("--origin", metavar="ORIGIN", action="append", default=[], help="accept web pages of this origin")
    add("--idle", metavar="SECONDS", type=float, help="stop after this time without client and search (default: never)")


def main(arguments: argparse.Namespace) -> int:
    """Serve one client until it leaves: 0 if it sent `shutdown`, else 1. On sockets, serve until a signal: 0."""
    addresses = {name: address for name in ("tcp", "ws") if (address := getattr(arguments, name)) is not None}
    if addresses:
        return _serve_several(addresses, arguments)
    if arguments.origin or arguments.idle is not None:
        raise BadRequest("--origin and --idle are for a daemon that clients connect to; say --tcp or --ws as well")
    greeting = greet(*claim_streams())
    if greeting is None:
        return 1
    with without_collector():
        # Imported by name, because that takes far longer than the client should wait for the announcement just printed.
        _imported("first_answers").FirstAnswers(greeting).import_server()
        lifecycle, assembly = _imported("lifecycle"), _imported("assembly")
    return int(lifecycle.serve(greeting, assembly.assemble_alone))


def _imported(name: str) -> ModuleType:
    """Return a module of the daemon."""
    return importlib.import_module(f"certo.daemon.{name}")


def _serve_several(addresses: dict[str, str], arguments: argparse.Namespace) -> int:
    """Listen, print the address, and only then import the server: clients can already connect."""
    if arguments.stdio:
        raise BadRequest("--stdio goes with neither --tcp nor --ws; start another certo for it")
    if arguments.idle is not None and not arguments.idle > 0:
        raise BadRequest(f"--idle takes a number of seconds above 0, and {arguments.idle:g} is none")
    signal.signal(signal.SIGTERM, _end)  # so that the token's file is gone, however early this comes
    listener = _imported("listener")
    with listener.a_token() as (word, file):
        entrances = [listener.open_entrance(name, address) for name, address in addresses.items()]
        source, sink = claim_streams()
        os.write(sink, b"".join(one.announcement(file) for one in entrances))
        os.close(source)
        os.close(sink)
        with without_collector():
            multi_client, authentication = _imported("multi_client"), _imported("authentication")
        authenticator = authentication.Authenticator(word, arguments.origin)
        return int(multi_client.serve(entrances, authenticator, arguments.idle))


def _end(_number: int, _frame: FrameType | None) -> None:
    """End the process silently: it has no children yet."""
    sys.exit(0)
