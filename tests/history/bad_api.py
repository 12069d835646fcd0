"""An HTTP server on this machine that answers as broken or forbidding monitoring does; gone with the context."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WHOLE = b'{"status":"success","data":[]}'


class _Answers(BaseHTTPRequestHandler):
    """The first part of the path says how to answer."""

    def do_POST(self) -> None:
        """Answer in the way that was asked for."""
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        way = self.path.split("/")[1]
        if way == "forbidden":
            self._send(401, b"who are you?")
        elif way == "half":
            self._send(200, WHOLE[:12], length=len(WHOLE))
        elif way == "cut":
            self._send(200, WHOLE[:12])
        elif way == "page":
            self._send(200, b"<html>login</html>")
        elif way == "refuses":
            self._send(422, b'{"status":"error","error":"query\\u001b[31m processing would load too many samples"}')
        elif way == "slow":
            self._send(200, b"", length=len(WHOLE))
            for byte in WHOLE:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(0.1)
        elif way == "token":
            known = self.headers.get("Authorization") == "Bearer sesame"
            self._send(200 if known else 401, WHOLE)
        else:
            self._send(200, WHOLE)

    def _send(self, code: int, body: bytes, length: int | None = None) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a test's output is its verdict."""


class _Server(ThreadingHTTPServer):
    """Whoever hangs up on a slow answer is no error of the server's."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing."""


@contextmanager
def answering() -> Iterator[str]:
    """The address of the server."""
    server = _Server(("127.0.0.1", 0), _Answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
