"""`certo worker`: lend this machine to others; as a dask preload, turn a dask worker into one of certo's."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path
from typing import Any

from certo.project.interpreter import find_interpreter
from certo.sandbox.options import ExecutorOptions
from certo.sandbox.placement import require_dask
from certo.sandbox.process.slots import processors
from certo.settings.loader import load_settings
from certo.settings.schema import Settings
from certo.vocabulary.errors import BadRequest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("scheduler", metavar="ADDRESS", help="dask scheduler to serve, as tcp://host:8786")
    parser.add_argument(
        "--slots", type=int, help="runs at the same time (default: sandbox.slots, or the number of processors)"
    )
    parser.add_argument(
        "--interpreter",
        metavar="PATH",
        help="the Python, or its environment's directory, that runs the code of every project here "
        "(default: the one at the same path as where the work comes from)",
    )
    parser.add_argument("--tls-ca", metavar="FILE", help="certificates to trust (default: executor.tls_ca)")
    parser.add_argument("--tls-cert", metavar="FILE", help="own certificate (default: executor.tls_cert)")
    parser.add_argument("--tls-key", metavar="FILE", help="key of that certificate (default: executor.tls_key)")


def main(arguments: argparse.Namespace) -> int:
    """Replace this process by a dask worker that serves until a signal or its scheduler ends it.

    Raises:
        SandboxUnavailable: Dask is not installed.
        BadRequest: The address, or another argument, is invalid.
    """
    require_dask("certo.sandbox.cluster.worker_plugin")
    settings = _settings()
    where = _where(arguments, settings.executor)
    slots = (settings.sandbox.slots or processors()) if arguments.slots is None else arguments.slots
    if slots < 1:
        raise BadRequest(f"--slots must be at least 1, not {slots}")
    chosen = {"CERTO_INTERPRETER": arguments.interpreter} if arguments.interpreter else {}
    command = [sys.executable, "-m", "distributed.cli.dask_worker", str(where.cluster)]
    # More than one worker process would each believe that the machine is its own.
    command += ["--nworkers", "1", "--nthreads", str(slots), "--no-dashboard", "--preload", __name__]
    command += _tls(where)
    os.execve(sys.executable, command, {**os.environ, **chosen, "CERTO_SANDBOX__SLOTS": str(slots)})


def _where(arguments: argparse.Namespace, settings: ExecutorOptions) -> ExecutorOptions:
    try:
        return ExecutorOptions(
            cluster=arguments.scheduler,
            tls_ca=arguments.tls_ca or settings.tls_ca,
            tls_cert=arguments.tls_cert or settings.tls_cert,
            tls_key=arguments.tls_key or settings.tls_key,
        )
    except ValueError as error:
        raise BadRequest(str(error)) from error


def _tls(where: ExecutorOptions) -> list[str]:
    files = {"--tls-ca-file": where.tls_ca, "--tls-cert": where.tls_cert, "--tls-key": where.tls_key}
    return [word for option, file in files.items() if file is not None for word in (option, file)]


async def dask_setup(worker: Any) -> None:
    """Load the sandbox plug-in into a dask worker; called by dask for `dask worker --preload certo.cli.worker`.

    Its settings come from the environment (CERTO_SANDBOX__…, CERTO_INTERPRETER) and from a certo.toml in the current
    directory.
    """
    settings = _settings()
    interpreter = None
    if settings.interpreter is not None:
        interpreter = await find_interpreter(Path.cwd(), chosen=settings.interpreter, environ=os.environ)
    worker_plugin = importlib.import_module("certo.sandbox.cluster.worker_plugin")
    await worker.plugin_add(worker_plugin.SandboxPlugin(settings.sandbox, interpreter), name=worker_plugin.NAME)


def _settings() -> Settings:
    return load_settings(Path.cwd(), client=None, environ=os.environ, flags=None)
