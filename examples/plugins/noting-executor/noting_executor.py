"""An executor: it runs programs as certo's own does, and notes how each run ended."""

import logging

from certo.executors import LocalExecutor

log = logging.getLogger(__name__)


class Noting(LocalExecutor):
    """Confines runs with Landlock and seccomp, as its base class does, and notes each run in a process of its own.

    Warm runs, which start as a copy of a process that has the tests loaded, are made by `warmed` of the base class and
    are not noted.
    """

    def __init__(self, options):
        super().__init__(options)
        self.noted = []

    async def run(self, work, tell):
        """Run one program to its end. `tell` gets each message of the program when it arrives."""
        finished = await super().run(work, tell)
        self.noted.append((work.program.module, finished.ending.value, finished.seconds))
        log.info("%s: %s after %.2f s", *self.noted[-1])
        return finished


def build(options):
    """Return an executor for the settings of the group `sandbox`. The entry point names this function."""
    return Noting(options)
