"""`advisor mcp` with a running cluster that the user named, and the SDK's own client."""

from __future__ import annotations

import sys
from pathlib import Path

from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters

from advisor.cluster_file import addresses
from advisor.model.server import Family
from tests.servers.conftest import Up


def test_the_named_cluster_is_read_and_its_password_stays_here(up: Up, tmp_path: Path) -> None:
    cluster = up("standalone", Family.MYSQL, 1)
    words = ["-m", "advisor", "mcp", "--cluster", str(cluster.path), "--for", "2s"]
    program = StdioServerParameters(command=sys.executable, args=words, cwd=tmp_path)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(program)) as client:
        checked = portal.call(client.call_tool, "check", {"running": True})
        asked = portal.call(client.call_tool, "why", {"running": True})
    assert not checked.is_error, checked.content
    (report,) = checked.structured_content["reports"]
    assert report["topology"] == "standalone"
    assert asked.structured_content["interval_seconds"] > 1
    password = addresses(cluster)["m1"].password
    assert password
    assert password not in str(checked) + str(asked)
