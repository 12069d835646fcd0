"""How is a browser driven without a library? By its debugging pipe: JSON messages that end with a zero byte."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

# Docker has no sandbox for it and little shared memory; the rest keeps it from talking to anybody.
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run --hide-scrollbars"
    " --disable-background-networking --disable-component-update --disable-sync --remote-debugging-pipe"
).split()
PATIENCE_SECONDS = 30.0


class Page:
    """A tab that shows one file. `said` holds what it complained of: console errors, exceptions, refused loads."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session
        self.said: list[str] = []
        self.requests: list[str] = []

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the DevTools protocol and its result."""
        return self._browser.send(method, self._session, **parameters)

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression; an AssertionError when it throws."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def shape(self, width: int, height: int = 900, *, phone: bool = False, dark: bool = False) -> None:
        """Another window; a media query for colours where `dark`."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone
        )  # fmt: skip
        self.settle()

    def settle(self) -> None:
        """Wait until what was asked for is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def picture(self, path: Path) -> None:
        """The whole page as PNG."""
        found = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(found["data"]))

    def pdf(self) -> bytes:
        """The page as it prints on A4."""
        found = self.send("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)
        return base64.b64decode(found["data"])

    def hear(self, method: str, told: dict[str, Any]) -> None:
        """An event of this tab."""
        if method == "Runtime.exceptionThrown":
            self.said.append(str(told["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.said.append(str(told["args"]))
        elif method == "Log.entryAdded":
            self.said.append(f"{told['entry']['level']}: {told['entry']['text']}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])


class Browser:
    """A headless browser; a context manager."""

    def __init__(self, program: Path, profile: Path) -> None:
        self._program, self._profile = program, profile
        self._number, self._rest = 0, b""
        self._answers: dict[int, dict[str, Any]] = {}
        self._pages: dict[str, Page] = {}

    def __enter__(self) -> Browser:
        theirs, self._to = os.pipe()
        self._from, back = os.pipe()
        # The browser reads from 3 and writes to 4: first out of the way, in case one of ours has such a number.
        high = [fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, 20) for one in (theirs, back)]
        log = os.open(self._profile / "browser.log", os.O_CREAT | os.O_WRONLY, 0o600)
        ends = ((log, 1), (log, 2), (high[0], 3), (high[1], 4))
        actions = [(os.POSIX_SPAWN_DUP2, one, number) for one, number in ends]
        arguments = [str(self._program), *FLAGS, f"--user-data-dir={self._profile}"]
        self._pid = os.posix_spawn(self._program, arguments, os.environ, file_actions=actions, setpgroup=0)
        for one in (theirs, back, log, *high):
            os.close(one)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with suppress(OSError, EOFError, AssertionError):  # it may have ended by itself, or hang
            self.send("Browser.close")
        deadline = time.monotonic() + 5
        while os.waitpid(self._pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.killpg(self._pid, signal.SIGKILL)
            time.sleep(0.05)
        os.close(self._to)
        os.close(self._from)

    @contextmanager
    def opened(self, path: Path) -> Iterator[Page]:
        """A new tab with a file in it, loaded."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        page.send("Page.navigate", url=path.as_uri())
        deadline = time.monotonic() + PATIENCE_SECONDS
        while page.run("location.href + document.readyState") != f"{path.as_uri()}complete":
            assert time.monotonic() < deadline, "the page was not loaded in time"
            time.sleep(0.02)
        page.settle()
        try:
            yield page
        finally:
            self.send("Target.closeTarget", targetId=target)

    def send(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """One command and its result; an AssertionError when it is refused."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        os.write(self._to, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._number not in self._answers:
            self._read(deadline)
        answer = self._answers.pop(self._number)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def _read(self, deadline: float) -> None:
        ready, _, _ = select.select([self._from], [], [], max(deadline - time.monotonic(), 0))
        assert ready, "the browser does not answer"
        got = os.read(self._from, 1 << 20)
        if not got:
            raise EOFError("the browser ended")
        *whole, self._rest = (self._rest + got).split(b"\0")
        for text in whole:
            message = json.loads(text)
            if "id" in message:
                self._answers[message["id"]] = message
            elif (page := self._pages.get(message.get("sessionId", ""))) is not None:
                page.hear(message["method"], message["params"])
