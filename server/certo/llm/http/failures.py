"""Translation of provider errors: a sentence for the user, and whether a retry may help."""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from certo.llm.http.endpoint import Endpoint
from certo.vocabulary.errors import ModelFailed

SHOWN_CHARACTERS = 300
"""Maximum number of characters shown of a provider's own message."""

_PASSING = {408, 409, 425, 429}
"""Statuses below 500 after which a retry may succeed."""

_SPENT = ("quota", "billing", "credit")
"""Fragments of an error kind that mean the account has run out of credit."""

_LASTING = (*_SPENT, "invalid", "authentication", "permission", "not_found", "too_large")
"""Fragments of an error kind that a retry cannot fix, for errors that come without a status."""

_UNWANTED = re.compile(
    "unsupported|not support|deprecated|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|not take"
    "|not accept|extra inputs|extra fields|cannot both|only the default",
    re.IGNORECASE,
)
"""Phrases in which providers reject a parameter altogether."""


def refusal(endpoint: Endpoint, model: str, status: int, headers: Mapping[str, str], body: str) -> ModelFailed:
    """Return the failure for a response whose HTTP status is not 200."""
    words, kind = _said(body)
    spent = status == 429 and any(part in kind for part in _SPENT)
    return endpoint.failed(
        _sentence(endpoint, model, status, words, spent=spent)
        + (f": {short(endpoint.without_key(words))}" if words else "")
        + f" (HTTP status {status})",
        status=status,
        transient=(status in _PASSING or status >= 500) and not spent,
        retry_after=retry_after(headers),
    )


def _sentence(endpoint: Endpoint, model: str, status: int, words: str, *, spent: bool) -> str:
    """Return the sentence that names the problem and the setting to look at, without the provider's own words."""
    group, key = endpoint.group, endpoint.key_source
    if status == 401 or (status == 403 and not endpoint.key):
        if not endpoint.key:
            return f"{endpoint.where} wants a key and has been given none; set one in {key or f'{group}.key_variable'}"
        return f"{endpoint.where} does not accept the key from {key or f'{group}.key_variable'}"
    if status == 404 and not words:
        return f"{endpoint.where} knows no such path; look at {group}.base_url, which often has to end in /v1"
    if status == 404:
        return f"{endpoint.where} has no model {model!r}, or {group}.base_url is wrong"
    if spent:
        return f"{endpoint.where} has no credit left for the key from {key or f'{group}.key_variable'}"
    if status == 429:
        return f"{endpoint.where} takes no more calls for now"
    if status >= 500:
        return f"{endpoint.where} could not answer"
    if 300 <= status < 400:
        return f"{endpoint.where} sends elsewhere, and a key is not sent after it; set {group}.base_url to that address"
    return f"{endpoint.where} refused what was asked of model {model!r}"


def told_failure(endpoint: Endpoint, error: object) -> ModelFailed:
    """Return the failure for an error in the middle of a stream, after status 200 was sent."""
    words, kind = _told({"error": error})
    code = error.get("code") if isinstance(error, Mapping) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else None
    lasting = any(part in kind for part in _LASTING)
    if status is not None:
        lasting = lasting or (status < 500 and status not in _PASSING)
    return endpoint.failed(
        f"{endpoint.where} broke off its answer: {short(endpoint.without_key(words or kind)) or 'it did not say why'}",
        status=status,
        transient=not lasting,
    )


def _said(body: str) -> tuple[str, str]:
    """Return the message of a provider's error and its kind, both empty if it has none.

    OpenAI-compatible servers, Anthropic and Ollama use `error`, an object or a text; others use `message` or `detail`.
    """
    try:
        return _told(json.loads(body))
    except (ValueError, RecursionError):
        return ("", "") if "<html" in body.lower() or "<!doctype" in body.lower() else (body.strip(), "")


def _told(told: object) -> tuple[str, str]:
    """Return the message and kind of an error given as JSON."""
    error = told[0] if isinstance(told, list) and told else told
    if isinstance(error, Mapping):
        error = error.get("error", error)
    if not isinstance(error, Mapping):
        return (error if isinstance(error, str) else ""), ""
    words = next((error[name] for name in ("message", "detail") if isinstance(error.get(name), str)), "")
    kind = " ".join(str(error[name]) for name in ("type", "code") if isinstance(error.get(name), str))
    return words, kind.lower()


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait that the response asks for; None if it asks for none."""
    said = headers.get("retry-after", "").strip()
    milliseconds = headers.get("retry-after-ms", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", milliseconds):
        return float(milliseconds) / 1000
    if re.fullmatch(r"\d+(\.\d+)?", said):
        return float(said)
    try:
        until = parsedate_to_datetime(said)
    except (ValueError, OverflowError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def short(words: str) -> str:
    """Return a provider's message on one line, without control characters and cut to a maximum length."""
    line = " ".join("".join(character if character.isprintable() else " " for character in words).split())
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[:SHOWN_CHARACTERS]}…"


def unwanted(failure: ModelFailed, sent: frozenset[str]) -> str | None:
    """Return the sent parameter that the provider rejects altogether, or None.

    Only the server knows which of its models take a temperature or a seed. A value out of range does not count: the
    user has to correct that.
    """
    words = str(failure)
    if failure.status not in {400, 422} or not _UNWANTED.search(words):
        return None
    named = [name for name in sent if re.search(rf"(?<![a-z_-]){name}(?![a-z_-])", words)]
    return min(named, key=words.index, default=None)


def unreachable(endpoint: Endpoint, error: BaseException) -> ModelFailed | None:
    """Return the failure for the innermost network cause of an error; None if the network is not the cause."""
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
    """Return words for the proxy used to reach a provider; empty for a direct connection."""
    host = urlsplit(endpoint.base_url).hostname or ""
    if endpoint.near or proxy_bypass(host) or not {"http", "https", "all"} & getproxies().keys():
        return ""
    return " through the proxy of the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY)"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and all its causes."""
    if error is None:
        return
    yield error
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _causes(one)
    yield from _causes(error.__cause__ or error.__context__)
