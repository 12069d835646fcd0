"""Where does something stand, for a reader who has the report and not the folders of whoever made it?"""

from __future__ import annotations

import os


def inside(text: str, path: str) -> str:
    """A text in which files of the folder that was read are named from there on."""
    return text.replace(os.path.join(path, ""), "") if path else text
