"""Where unpacked parcels stand, each once, by its digest; the ones that nobody used for longest are thrown away."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from certo.sandbox.parcel import Parcel, unpack


class Shelf:
    """Holds up to `most` unpacked parcels below the directory `place`, and more only while more are in use."""

    def __init__(self, place: Path, most: int) -> None:
        self._place = place
        self._most = most
        self._users: Counter[Path] = Counter()

    @contextmanager
    def holding(self, parcel: Parcel, name: str) -> Iterator[Path]:
        """The directory called `name` that the parcel was packed from; it stays while the context lasts.

        Raises:
            SandboxUnavailable: the parcel is not what its digest says.
        """
        path = self._place / parcel.digest / name
        if not path.exists():
            unpack(parcel, path)
        # The last one in the table is the one that was used last.
        self._users[path] = self._users.pop(path, 0) + 1
        try:
            yield path
        finally:
            self._users[path] -= 1
            self._throw_away()

    def _throw_away(self) -> None:
        idle = [path for path, users in self._users.items() if not users]
        for path in idle[: max(0, len(self._users) - self._most)]:
            del self._users[path]
            shutil.rmtree(path, ignore_errors=True)
