"""Assembly of a server: every feature there is, on the searches of its daemon."""

from __future__ import annotations

import os

from anyio.abc import TaskGroup

from certo.daemon.server import Server
from certo.features.editor.session import EditorSession
from certo.features.table import register
from certo.sessions.searches import Searches
from certo.storage.location import journal_folder
from certo.verification.dynamic.warm_pool import WarmProjects


def assemble(server: Server, group: TaskGroup, searches: Searches) -> None:
    """Register every feature with `server`; background work of its client runs in `group`."""
    desk = EditorSession(server, group, searches)
    desk.begin(server.protocol.opening)
    register(server, desk)


def assemble_alone(server: Server, group: TaskGroup) -> None:
    """Register every feature for a client that has the daemon to itself: searches end with it too."""
    projects = WarmProjects(group, prepares_next=True)
    assemble(server, group, Searches(group, journals=journal_folder(os.environ), projects=projects))
