"""Address, key and limits of a provider, and the names of the settings that hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from ipaddress import ip_address
from urllib.parse import urlsplit

from certo.vocabulary.errors import BadSetting, ModelFailed
from certo.vocabulary.records import dataclass

MIN_SECRET = 8
"""Minimum length of a secret that is removed from texts; anything shorter could be an ordinary word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A provider's address with the key and headers sent on every call, which are never shown.

    `provider` is its name for the user, `group` the settings that describe it, `key_source` the place the key came
    from. One call may take `seconds` in all; a pause in the stream, the wait for the first token included, may take
    `stall_seconds`.

    Raises:
        BadSetting: The address is no HTTP address, or the key or a header has invalid characters.
    """

    provider: str
    base_url: str
    key: str = field(default="", repr=False)
    key_source: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    group: str = "model"
    seconds: float = 300.0
    stall_seconds: float = 60.0

    def __post_init__(self) -> None:
        try:
            address = urlsplit(self.base_url)
            host, _ = address.hostname, address.port
        except ValueError as error:
            raise BadSetting(f"{self.group}.base_url is {self.base_url!r}, which is no address: {error}") from None
        if address.username or address.password:
            raise BadSetting(f"{self.group}.base_url has a password in it; leave it out, and give it as the key")
        if address.scheme not in {"http", "https"} or not host:
            raise BadSetting(
                f"{self.group}.base_url is {self.base_url!r}; it must be an address like https://api.openai.com/v1"
            )
        for name, value in self.headers.items():
            if not (f"{name}{value}".isascii() and f"{name}{value}".isprintable()):
                raise BadSetting(f"the header {name!r} of {self.provider} has characters that no header may have")
        if not (self.key.isascii() and self.key.isprintable()) or " " in self.key:
            raise BadSetting(
                f"the key of {self.provider} from {self.key_source or 'its settings'} has characters that no key has, "
                "such as a space or a line break"
            )

    @property
    def near(self) -> bool:
        """True if the server runs on this machine."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    @property
    def where(self) -> str:
        """The provider and its address, to begin a sentence with."""
        return f"{self.provider} at {self.base_url}"

    def failed(
        self,
        sentence: str,
        *,
        transient: bool = False,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> ModelFailed:
        """Return a failure of this provider with the key removed, because some servers repeat it."""
        return ModelFailed(self.without_key(sentence), transient=transient, status=status, retry_after=retry_after)

    def without_key(self, text: str) -> str:
        """Return `text` with the key and secret headers removed, so that it may be shown."""
        for secret in (self.key, *(word for value in self.headers.values() for word in value.split())):
            if len(secret) >= MIN_SECRET:
                text = text.replace(secret, "…")
        return text
