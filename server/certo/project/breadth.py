"""How wide a directory may be before showing it to untrusted code shows all the user has."""

from __future__ import annotations

import os
from pathlib import Path


def is_too_wide(directory: Path) -> bool:
    """Whether a directory is the user's home, or holds it, as `/` always does; spelled or resolved."""
    if directory == Path(directory.anchor):
        return True
    # Not Path.home(), which fails for a user without a home, as containers have them.
    home = Path(os.path.expanduser("~"))
    return home.is_absolute() and (home.is_relative_to(directory) or home.resolve().is_relative_to(directory))
