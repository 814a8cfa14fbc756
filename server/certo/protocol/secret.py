"""The editor's secret storage on the wire: which key certo asks for, and the editor's answer."""

from __future__ import annotations

from pydantic import Field

from certo.protocol.wire import Wire

SECRET = "certo/secret"
"""Our request: a `SecretQuestion`, answered by a `SecretAnswer`."""


class SecretQuestion(Wire):
    """The key of a provider, by the name that it would have as an environment variable."""

    provider: str
    name: str


class SecretAnswer(Wire):
    """The key, or null where the storage has none and the user gives none."""

    secret: str | None = Field(default=None, repr=False)
