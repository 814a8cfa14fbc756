"""HTTP transport: posts a request and hands on the streamed response piece by piece."""

from __future__ import annotations

import codecs
import ssl
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing
from enum import Enum
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit
from urllib.request import getproxies

import anyio
import anyio.to_thread
import httpx2

from certo import __version__
from certo.llm.http.endpoint import Endpoint
from certo.llm.http.failures import refusal, short, unreachable, way
from certo.sandbox.process.resource_tracker import entered
from certo.vocabulary.errors import ModelFailed
from certo.vocabulary.records import dataclass

CONNECT_SECONDS = 5.0
"""Maximum time to connect to a provider."""

LIMITS = httpx2.Limits(max_connections=128, max_keepalive_connections=16, keepalive_expiry=4)
"""Connection limits. llama.cpp's server closes idle connections after 5 s without notice; ours expire earlier."""

MAX_BYTES = 64 << 20
"""Maximum size of one response: some hundred bytes per token of the longest answer."""

MAX_EVENT_BYTES = 16 << 20
"""Maximum size of one event or line; large, since some proxies forward a whole answer as one."""

MAX_ERROR_BYTES = 64 << 10
"""Maximum size of an error page that is read."""

DRAIN_SECONDS = 0.1
"""Maximum wait for the end of a stream after the last piece, in order to reuse the connection."""


class BodyFraming(Enum):
    """Framing of a response body; the values are the accepted content types."""

    EVENTS = ("text/event-stream",)
    LINES = ("application/x-ndjson", "application/json", "application/jsonl")
    WHOLE = ("application/json",)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpCall:
    """One request: body, path below the endpoint's address, and framing of the response.

    `model` is the user's name for the model, for messages.
    """

    model: str
    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    framing: BodyFraming


class Transport:
    """HTTP connections of one session; an async context manager that closes them.

    HTTP/1.1 only, because cancelling an HTTP/2 stream tells the server nothing. This machine's own addresses are never
    asked through a proxy.
    """

    def __init__(self) -> None:
        self._open = AsyncExitStack()
        self._clients: dict[tuple[bool, bool], httpx2.AsyncClient] = {}
        self._trust: ssl.SSLContext | None = None
        self._building = anyio.Lock()

    async def __aenter__(self) -> Self:
        await self._open.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._clients.clear()
        await self._open.__aexit__(kind, error, traceback)

    async def post(self, endpoint: Endpoint, call: HttpCall, take: Callable[[str], bool]) -> None:
        """Send a call and pass each piece of the response to `take` until the end or until it returns True.

        Raises:
            ModelFailed: There is no response, or it broke off; the caller fills in `received`.
        """
        try:
            with anyio.fail_after(endpoint.seconds), entered(f"a call of {endpoint.provider}:{call.model}"):
                await self._post(endpoint, call, take)
        except TimeoutError:
            raise endpoint.failed(
                f"{endpoint.where} had not finished its answer after {endpoint.seconds:g} s ({endpoint.group}.seconds)",
                transient=True,
            ) from None
        except UnicodeDecodeError as error:
            raise endpoint.failed(f"{endpoint.where} sent what is not UTF-8 text: {error.reason}") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise _broken(endpoint, error) from None

    async def _post(self, endpoint: Endpoint, call: HttpCall, take: Callable[[str], bool]) -> None:
        client = await self._client(endpoint)
        request = client.build_request(
            "POST",
            _address(endpoint.base_url, call.path),
            json=call.body,
            headers={
                "accept": call.framing.value[0],
                "user-agent": f"certo/{__version__}",  # some providers turn away those who do not say who they are
                "accept-encoding": "identity",  # a server that compresses a stream holds it back to do so
                **call.headers,
                **{name.lower(): value for name, value in endpoint.headers.items()},
            },
            timeout=httpx2.Timeout(
                connect=CONNECT_SECONDS, read=endpoint.stall_seconds, write=endpoint.stall_seconds, pool=None
            ),
        )
        response = await client.send(request, stream=True)
        try:
            await _expect_stream(endpoint, call, response)
            pieces = _READ[call.framing](response)
            async with aclosing(pieces):
                await _hear(pieces, take)
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()

    async def _client(self, endpoint: Endpoint) -> httpx2.AsyncClient:
        """Return the client for an address: direct for this machine, otherwise one that honours the proxy settings.

        Plain HTTP needs no certificates, so a local server does not wait for them to load.
        """
        async with self._building:
            plain = endpoint.near and urlsplit(endpoint.base_url).scheme == "http"
            if (endpoint.near, plain) not in self._clients:
                trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else await self._certificates()
                client = _make_client(endpoint, trust)
                self._clients[endpoint.near, plain] = await self._open.enter_async_context(client)
            return self._clients[endpoint.near, plain]

    async def _certificates(self) -> ssl.SSLContext:
        """Return the system's trusted certificates, loaded once and in a thread because it takes 0.1 s."""
        if self._trust is None:
            self._trust = await anyio.to_thread.run_sync(httpx2.create_ssl_context, abandon_on_cancel=True)
        return self._trust


def _address(base: str, path: str) -> str:
    """Return the URL for a path; a prefix of the path, such as /v1, may already end the base address."""
    first = path.partition("/")[2].partition("/")[0]
    return base.rstrip("/").removesuffix(f"/{first}") + path


def _make_client(endpoint: Endpoint, trust: ssl.SSLContext) -> httpx2.AsyncClient:
    try:
        return httpx2.AsyncClient(
            verify=trust, trust_env=not endpoint.near, limits=LIMITS, http2=False, follow_redirects=False
        )
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        kinds = ", ".join(sorted({urlsplit(proxy).scheme or proxy for proxy in getproxies().values()}))
        raise endpoint.failed(f"{endpoint.where} cannot be reached{way(endpoint)}, of {kinds}: {error}") from None


async def _expect_stream(endpoint: Endpoint, call: HttpCall, response: httpx2.Response) -> None:
    """Check that a response has status 200 and the requested content type.

    Raises:
        ModelFailed: It has not; the message includes the provider's own words if there are any.
    """
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if response.status_code == 200 and kind in {*call.framing.value, ""}:
        return
    page = await _page(response)
    if response.status_code != 200:
        raise refusal(endpoint, call.model, response.status_code, response.headers, page)
    if kind == "application/json" and '"error"' in page:
        raise refusal(endpoint, call.model, 502, response.headers, page)
    wanted = "JSON" if call.framing is BodyFraming.WHOLE else "stream"
    raise endpoint.failed(
        f"{endpoint.where} sent {short(kind)} and not the {wanted} that was asked for; look at "
        f"{endpoint.group}.base_url, which often has to end in /v1"
    )


async def _page(response: httpx2.Response) -> str:
    """Return the beginning of an error page."""
    page = bytearray()
    async for chunk in response.aiter_bytes():
        page += chunk
        if len(page) > MAX_ERROR_BYTES:
            break
    return page[:MAX_ERROR_BYTES].decode("utf-8", "replace")


async def _hear(pieces: AsyncIterable[str], take: Callable[[str], bool]) -> None:
    """Pass pieces to `take`. After the last one, read on only to reuse the connection, if it ends at once."""
    over = False
    with anyio.CancelScope() as patience:
        async for piece in pieces:
            if not over and take(piece):
                over = True
                patience.deadline = anyio.current_time() + DRAIN_SECONDS


async def _events(response: httpx2.Response) -> AsyncGenerator[str]:
    """Yield the data of each server-sent event."""
    # The checked bytes go through the library's parser as the body of a response like the original one.
    checked = httpx2.Response(
        200, headers={"content-type": "text/event-stream"}, content=_checked(response), request=response.request
    )
    async for event in httpx2.EventSource(checked, max_event_size=MAX_EVENT_BYTES):
        yield event.data


async def _lines(response: httpx2.Response) -> AsyncGenerator[str]:
    """Yield the lines of a stream without empty ones; a last line without a line break counts."""
    rest = bytearray()
    async for chunk in _checked(response):
        end = chunk.rfind(b"\n") + 1
        rest += chunk[:end]
        for line in filter(bytes.strip, bytes(rest).split(b"\n") if end else ()):
            yield line.decode()
        if end:
            rest.clear()
        rest += chunk[end:]
        if len(rest) > MAX_EVENT_BYTES:
            raise httpx2.DecodingError(f"a line of more than {MAX_EVENT_BYTES} bytes")
    if rest.strip():
        yield rest.decode()


async def _whole(response: httpx2.Response) -> AsyncGenerator[str]:
    """Yield the whole body in one piece."""
    yield b"".join([chunk async for chunk in _checked(response)]).decode()


_READ: Mapping[BodyFraming, Callable[[httpx2.Response], AsyncGenerator[str]]] = {
    BodyFraming.EVENTS: _events,
    BodyFraming.LINES: _lines,
    BodyFraming.WHOLE: _whole,
}


async def _checked(response: httpx2.Response) -> AsyncGenerator[bytes]:
    """Yield the bytes of a response without a byte order mark, checking encoding and size.

    Raises:
        UnicodeDecodeError: The body is not UTF-8; the library would silently replace the bad bytes.
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    taken = 0
    async for chunk in response.aiter_bytes():
        taken += len(chunk)
        if taken > MAX_BYTES:
            raise httpx2.DecodingError(f"an answer of more than {MAX_BYTES} bytes")
        yield decoder.decode(chunk).encode()
    decoder.decode(b"", final=True)


def _broken(endpoint: Endpoint, error: Exception) -> ModelFailed:
    """Return the failure for a broken connection, with the setting to look at if there is one."""
    told = unreachable(endpoint, error)
    return told or endpoint.failed(f"{endpoint.where} {_what_happened(endpoint, error)}", transient=_may_pass(error))


def _what_happened(endpoint: Endpoint, error: Exception) -> str:
    """Return the end of the sentence about a failure that the network did not cause."""
    if isinstance(error, httpx2.ConnectTimeout):
        seconds = f"{CONNECT_SECONDS:g} s"
        return f"did not accept a connection{way(endpoint)} within {seconds}; look at {endpoint.group}.base_url"
    if isinstance(error, httpx2.TimeoutException):
        return f"sent nothing for {endpoint.stall_seconds:g} s ({endpoint.group}.stall_seconds)"
    if isinstance(error, httpx2.ProxyError):
        return f"cannot be reached{way(endpoint)}: {error}"
    if isinstance(error, httpx2.RemoteProtocolError | httpx2.ReadError | httpx2.WriteError):
        return "closed the connection before its answer was whole"
    if isinstance(error, httpx2.SSEError | httpx2.DecodingError):
        return f"sent what cannot be an answer: {error}"
    return f"cannot be reached: {error}; look at {endpoint.group}.base_url"


def _may_pass(error: Exception) -> bool:
    """True if a retry may help: after network errors, but not after a bad address or response."""
    return isinstance(error, httpx2.TransportError) and not isinstance(
        error, httpx2.SSEError | httpx2.UnsupportedProtocol | httpx2.LocalProtocolError | httpx2.ProxyError
    )
