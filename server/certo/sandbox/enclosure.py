"""What holds a run together where there are no process groups: all its processes are in it, and die with it."""

from __future__ import annotations

from typing import Protocol


class Enclosure(Protocol):
    """Holds the processes of one run, within its limits; without it they could not be found again."""

    def take(self, pid: int, /) -> None:
        """Take in the first process of the run, which waits for that, and let it go on.

        Raises:
            OSError: it cannot be held, and must not run.
        """
        ...

    def kill(self) -> None:
        """Kill all that is in it."""
        ...

    def cpu_seconds(self) -> float:
        """The CPU seconds that all that is or was in it has used."""
        ...

    def close(self) -> None:
        """Kill all that is in it and give it up."""
        ...
