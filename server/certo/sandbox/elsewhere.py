"""Where untrusted code is run: on this machine, or on those of a cluster."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import cast

from anyio.lowlevel import RunVar

from certo.plugins import Registry
from certo.sandbox.choosing import choose_executor
from certo.sandbox.executor import Executor
from certo.sandbox.options import ExecutorOptions, SandboxOptions
from certo.vocabulary.errors import SandboxUnavailable

EXECUTORS: Registry[Callable[[SandboxOptions], Executor]] = Registry(kind="executor", builtin={})
"""How executors are made that others bring."""

_joined: RunVar[dict[tuple[SandboxOptions, ExecutorOptions], Executor]] = RunVar("certo.sandbox.joined")
"""The clusters this event loop works with: their turns are shared by all searches."""


async def place_executor(options: SandboxOptions, where: ExecutorOptions, *, editor: bool = False) -> Executor:
    """The executor for `options` on this machine, or the plug-in or the cluster that `where` names.

    Of this machine an attached `editor` is left a processor; see `choose_executor`.

    Raises:
        BadSetting: there is no such plug-in, or it cannot be loaded.
        SandboxUnavailable: this machine or that cluster cannot run anything that way; the message says what to do.
    """
    if where.plugin:
        return EXECUTORS.load(where.plugin)(options)
    if where.cluster is None:
        return await choose_executor(options, editor=editor)
    try:
        joined = _joined.get()
    except LookupError:
        joined = {}
        _joined.set(joined)
    key = (options, where)
    if key not in joined:
        # By name, because only this setting needs dask, which takes half a second to import and may not be installed.
        module = importlib.import_module(require_dask("certo.sandbox.distributed"))
        local = partial(choose_executor, options, editor=editor)
        joined.setdefault(key, cast("Executor", await module.join_cluster(options, where, local)))
    return joined[key]


def require_dask(module: str) -> str:
    """The name of a `module` of ours that needs dask, after a look whether it is installed.

    Raises:
        SandboxUnavailable: it is not.
    """
    try:
        importlib.import_module("distributed")
    except ImportError as error:
        raise SandboxUnavailable(
            f'more machines need dask.distributed, which cannot be imported ({error}): pip install "certo[cluster]"'
        ) from error
    return module
