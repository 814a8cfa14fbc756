"""A dask preload whose workshop describes itself properly and answers every order with nonsense."""

from __future__ import annotations

from distributed import Worker

from certo.sandbox.cluster.worker_plugin import NAME, SandboxPlugin
from certo.sandbox.options import SandboxOptions


class Liar(SandboxPlugin):
    """Reports success, but not in the form of an answer."""

    async def perform(self, text: str, project: bytes, program: bytes) -> str:
        return '{"worker": "mine", "isolation": {}, "finished": {"complete": true}, "messages": []}'


async def dask_setup(worker: Worker) -> None:
    """Install the liar in a worker."""
    await worker.plugin_add(Liar(SandboxOptions(isolation="process"), None), name=NAME)
