"""`certo serve`: speak LSP on standard input and output."""

from __future__ import annotations

import argparse
import importlib

from certo.daemon.handshake import claim_streams, greet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `certo serve`."""
    parser.add_argument(
        "--stdio", action="store_true", help="use standard input and output, which is what happens anyway"
    )


def main(_arguments: argparse.Namespace) -> int:
    """Serve one client until it leaves; 0 when it asked for the end, else 1."""
    greeting = greet(*claim_streams())
    if greeting is None:
        return 1
    # By name, because importing it takes far longer than the client should wait for the answer it has just got.
    lifecycle = importlib.import_module("certo.daemon.lifecycle")
    return int(lifecycle.serve(greeting))
