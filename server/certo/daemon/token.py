"""The token that clients on sockets have to know: the user's own, or one made now and left in a private file."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from certo.vocabulary.errors import BadRequest

VARIABLE = "CERTO_TOKEN"
"""The environment variable by which a user gives the token."""

SHORTEST = 16
"""Characters of a token below which it could be guessed."""


@contextmanager
def a_token() -> Iterator[tuple[str, str | None]]:
    """The token, and the file it stands in; None when it came from the environment, where nobody below us finds it.

    The file is gone when the context ends.

    Raises:
        BadRequest: the user's own is too short.
    """
    given = os.environ.pop(VARIABLE, None)
    if given is not None:
        if len(given) < SHORTEST:
            raise BadRequest(f"{VARIABLE} has {len(given)} characters, and less than {SHORTEST} can be guessed")
        yield given, None
        return
    token = secrets.token_urlsafe()
    # Nobody else may enter this directory, or read the file.
    home = tempfile.mkdtemp(prefix="certo-serve-")
    try:
        path = os.path.join(home, "token")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(token)
        yield token, path
    finally:
        shutil.rmtree(home, ignore_errors=True)
