"""Why a provider cannot be reached: what the network and TLS have against it, in words, with the setting to look at."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from certo.llm.endpoint import Endpoint
from certo.vocabulary.errors import ModelFailed


def unreachable(endpoint: Endpoint, error: BaseException) -> ModelFailed | None:
    """The failure that the innermost cause of a broken connection is; None where the network had no part in it."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return endpoint.failed(
                f"{endpoint.where} cannot be trusted: {cause.verify_message}; behind a proxy that reads along, add its "
                "certificate to the system's, or name a file with it in SSL_CERT_FILE"
            )
        if isinstance(cause, ssl.SSLError):
            what = cause.reason or cause
            return endpoint.failed(f"{endpoint.where} does not speak TLS as it should: {what}", transient=True)
        if isinstance(cause, socket.gaierror):
            return endpoint.failed(
                f"{endpoint.where} cannot be found{way(endpoint)}: {cause.strerror}; look at {endpoint.group}.base_url "
                "and at the network",
                transient=cause.errno == socket.EAI_AGAIN,
            )
        if isinstance(cause, ConnectionRefusedError):
            return endpoint.failed(
                f"{endpoint.where} cannot be reached{way(endpoint)}: nothing listens there; start it, or look at "
                f"{endpoint.group}.base_url",
                transient=not endpoint.near,
            )
    return None


def way(endpoint: Endpoint) -> str:
    """How a provider is reached, where that is not directly, for the middle of a sentence."""
    host = urlsplit(endpoint.base_url).hostname or ""
    if endpoint.near or proxy_bypass(host) or not {"http", "https", "all"} & getproxies().keys():
        return ""
    return " through the proxy of the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY)"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and all that led to it."""
    if error is None:
        return
    yield error
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _causes(one)
    yield from _causes(error.__cause__ or error.__context__)
