"""A dask preload whose workshop describes itself well and answers every order with something else."""

from __future__ import annotations

from distributed import Worker

from certo.sandbox.cluster.worker_plugin import NAME, SandboxPlugin
from certo.sandbox.options import SandboxOptions


class Liar(SandboxPlugin):
    """Says that all went well, but not as an answer has to say it."""

    async def perform(self, text: str, project: bytes, program: bytes) -> str:
        return '{"worker": "mine", "isolation": {}, "finished": {"complete": true}, "messages": []}'


async def dask_setup(worker: Worker) -> None:
    """Move in."""
    await worker.plugin_add(Liar(SandboxOptions(isolation="process"), None), name=NAME)
