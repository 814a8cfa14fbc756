"""The place of a run: dask is asked for only by the setting that needs it, and by name when it is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import ExecutorOptions, SandboxOptions
from certo.sandbox.placement import place_executor
from certo.vocabulary.errors import BadSetting, SandboxUnavailable


async def test_without_a_cluster_it_is_this_machine() -> None:
    executor = await place_executor(SandboxOptions(isolation="process"), ExecutorOptions())
    assert isinstance(executor, LocalExecutor)


async def test_a_plugin_replaces_this_machine() -> None:
    executor = await place_executor(SandboxOptions(), ExecutorOptions(plugin="certo.sandbox.local:LocalExecutor"))
    assert isinstance(executor, LocalExecutor)
    with pytest.raises(BadSetting, match="there is no executor 'moon'"):
        await place_executor(SandboxOptions(), ExecutorOptions(plugin="moon"))
    with pytest.raises(ValueError, match="two places to run code at"):
        ExecutorOptions(plugin="moon", cluster="tcp://127.0.0.1:9")


async def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SandboxUnavailable, match=r'pip install "certo\[cluster\]"'):
        await place_executor(SandboxOptions(), ExecutorOptions(cluster="tcp://127.0.0.1:9"))


@pytest.mark.parametrize(
    "module", ["certo.sessions.assembly.problem_statement", "certo.cli.generate", "certo.cli.worker"]
)
def test_nothing_of_dask_is_loaded_before(module: str) -> None:
    program = f"import {module}, sys; print([name for name in sys.modules if name.startswith(('dask', 'distributed'))])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "[]\n"
