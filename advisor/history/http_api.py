"""What does this HTTP API answer? JSON within limits of time and size; every failure is one line without secrets.

Only http and https; a name and password may stand in the address. Nothing is asked twice: what Prometheus refuses once,
it refuses again.
"""

from __future__ import annotations

import base64
import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any, Final

from advisor.errors import InputError, ServerError, UsageError
from advisor.model.record import record

_MOST_BYTES: Final = 512 << 20
_PIECE_BYTES: Final = 1 << 18
_MOST_CHARACTERS_OF_A_REASON: Final = 200


@record
class HttpApi:
    """An address without secrets, the header that proves who asks ("" for none), and the time each request may take."""

    url: str
    authorization: str = ""
    seconds: float = 60.0


def open_api(url: str, secret: str = "", seconds: float = 60.0) -> HttpApi:
    """The API at an address.

    `secret` is the password of the user in the address, or a token where it names none. UsageError when the address
    is none.
    """
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except ValueError:
        raise UsageError("the address of the monitoring is not a URL", hint="http://prometheus:9090") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("the address of the monitoring is not a URL", hint="http://prometheus:9090")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    plain = f"{parts.scheme}://{host}{f':{port}' if port else ''}{parts.path.rstrip('/')}"
    user, password = urllib.parse.unquote(parts.username or ""), urllib.parse.unquote(parts.password or "")
    if user:
        both = f"{user}:{password or secret}".encode()
        return HttpApi(plain, f"Basic {base64.b64encode(both).decode()}", seconds)
    return HttpApi(plain, f"Bearer {secret}" if secret else "", seconds)


def ask(api: HttpApi, path: str, parameters: Mapping[str, str]) -> Any:
    """`data` of the answer. ServerError when there is none in time, InputError when it is not Prometheus' JSON."""
    body = _body(api, path, parameters)
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        cut = body.lstrip()[:1] == b"{"
        raise InputError(
            "the reply is cut off" if cut else "the reply is not JSON",
            file=api.url,
            hint="ask for a shorter period with --for or --last" if cut else "is it the address of Prometheus itself?",
        ) from None
    if not isinstance(answer, dict) or answer.get("status") != "success":
        raise _refusal(api, body)
    return answer.get("data")


def _body(api: HttpApi, path: str, parameters: Mapping[str, str]) -> bytes:
    request = urllib.request.Request(api.url + path, data=urllib.parse.urlencode(parameters).encode())
    if api.authorization:
        request.add_unredirected_header("Authorization", api.authorization)
    until = time.monotonic() + api.seconds
    pieces: list[bytes] = []
    size = 0
    try:
        with urllib.request.urlopen(request, timeout=api.seconds) as reply:
            while piece := reply.read1(_PIECE_BYTES):
                pieces.append(piece)
                size += len(piece)
                if time.monotonic() > until:
                    raise TimeoutError
                if size > _MOST_BYTES:
                    hint = "ask for a shorter period, or name members with --select"
                    raise InputError(f"the reply is larger than {_MOST_BYTES >> 20} MB", file=api.url, hint=hint)
            if reply.length:  # said how long it would be, and closed before
                raise http.client.IncompleteRead(b"")
    except urllib.error.HTTPError as error:
        with error:
            raise _http_error(api, error) from None
    except TimeoutError:
        raise _too_slow(api) from None
    except http.client.HTTPException:
        raise InputError(
            "the reply is cut off", file=api.url, hint="ask for a shorter period with --for or --last"
        ) from None
    except OSError as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            raise _too_slow(api) from None
        text = getattr(reason, "strerror", None) or str(reason)
        raise ServerError(f"{api.url} cannot be reached: {text}") from None
    return b"".join(pieces)


def _too_slow(api: HttpApi) -> ServerError:
    return ServerError(
        f"{api.url} did not answer within {api.seconds:g} s", hint="ask for a shorter period with --for or --last"
    )


def _http_error(api: HttpApi, error: urllib.error.HTTPError) -> ServerError | InputError:
    if error.code in (401, 403):
        hint = "http://USER@HOST with --password-file, or a token in that file"
        return ServerError(f"{api.url} refuses access (HTTP {error.code})", hint=hint)
    if error.code == 404:
        return InputError("no Prometheus API here (HTTP 404)", file=api.url, hint="PMM: https://HOST/prometheus")
    try:
        return _refusal(api, error.read(_PIECE_BYTES), error.code)
    except (OSError, http.client.HTTPException):
        return ServerError(f"{api.url} answers with HTTP {error.code}")


def _refusal(api: HttpApi, body: bytes, code: int = 0) -> ServerError:
    """What it says itself, if that is its JSON; else only the code."""
    try:
        reason = str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError, RecursionError):
        reason = f"HTTP {code}" if code else "no result"
    line = " ".join("".join(each if each.isprintable() else " " for each in reason).split())
    return ServerError(f"{api.url} refuses the query: {line[:_MOST_CHARACTERS_OF_A_REASON]}")
