"""An environment with pytest in it and nothing else, as a user has; ours is full of plugins that take time."""

from __future__ import annotations

import importlib.metadata
import shutil
from pathlib import Path

from support.environments import make_environment

_PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


def bare_environment(place: Path) -> Path:
    """Make an environment at `place` with a copy of our own pytest and of what it needs; its python."""
    python = make_environment(place)
    [packages] = place.glob("lib/python*/site-packages")
    for name in _PYTEST:
        distribution = importlib.metadata.distribution(name)
        for file in distribution.files or ():
            if ".." not in file.parts:
                (packages / file).parent.mkdir(parents=True, exist_ok=True)
                # The times are copied as well, so that the bytecode beside the sources still counts.
                shutil.copy2(distribution.locate_file(file), packages / file)
    return python
