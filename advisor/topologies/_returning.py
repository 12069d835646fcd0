"""What does a topology need to know of members that were all down? A way to ask a server how far its data is."""

from __future__ import annotations

from collections.abc import Callable

# Takes a member's name, starts its server only to recover, and gives what the server says.
Recover = Callable[[str], str]
