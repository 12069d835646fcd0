"""What are precision and recall of `check` on the unseen files, by lot, side and look? Where do the files come from?

    python -m benchmarks.unseen_files                     # the figures, from the kept tables
    python -m benchmarks.unseen_files FOLDER              # fetches the files from GitHub, each into FOLDER/KEY/

Precision is right / (right + wrong); debatable findings count as neither. Recall is told / (told + missed), over notes
with severity must or should that are in scope; a withdrawn note was itself a mistake, and counts as neither.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOTS = {"first": HERE, "second": HERE / "second-lot"}
SIDES, LOOKS = ("open", "locked"), ("first", "last")
COUNTED = ("must", "should")


def rows(name: str, lot: str = "first") -> list[dict[str, str]]:
    """The rows of a kept table of a lot."""
    with (LOTS[lot] / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def figures() -> Iterator[str]:
    """One line for each lot, side and look that was judged: both figures with their denominators."""
    for lot in LOTS:
        sides = {row["key"]: row["side"] for row in rows("files.tsv", lot)}
        findings, notes = rows("findings.tsv", lot), rows("notes.tsv", lot)
        for side in SIDES:
            for look in LOOKS:
                judged = Counter(row["verdict"] for row in findings if (sides[row["key"]], row["look"]) == (side, look))
                counted = [row for row in notes if sides[row["key"]] == side and row["scope"] == "in"]
                told = Counter(row[look] for row in counted if row["severity"] in COUNTED)
                if judged or told["told"] or told["missed"]:
                    yield (
                        f"{lot:6} {side:6} {look:5} {sum(s == side for s in sides.values())} files  "
                        f"precision {share(judged['right'], judged['wrong'])}, {judged['debatable']} debatable  "
                        f"recall {share(told['told'], told['missed'])}"
                    )
    yield opened()


def opened() -> str:
    """The line of the first lot after its locked half was opened: the last look with what changed since, both halves.

    Of open material: never to be counted as unseen.
    """
    judged = Counter(row["verdict"] for row in rows("findings.tsv") if row["look"] == "last")
    counted = [row for row in rows("notes.tsv") if row["scope"] == "in" and row["severity"] in COUNTED]
    told = Counter(row["last"] for row in counted)
    for row in rows("opened.tsv"):
        figure = judged if row["kind"] == "finding" else told
        figure[row["last"]] -= 1
        figure[row["opened"]] += 1
    return (
        f"first  both   opened {len(rows('files.tsv'))} files  "
        f"precision {share(judged['right'], judged['wrong'])}, {judged['debatable']} debatable  "
        f"recall {share(told['told'], told['missed'])}  (open material)"
    )


def share(held: int, failed: int) -> str:
    """Held out of both, as a count and a percentage."""
    return f"{held}/{held + failed} = {held / (held + failed):.1%}" if held + failed else "no data"


def fetch(folder: Path) -> int:
    """Write every file as it was at its commit; the number of those that are gone."""
    gone = 0
    for row in (row for lot in LOTS for row in rows("files.tsv", lot)):
        target = folder / row["key"] / Path(row["path"]).name
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as clone:
            git = ("git", "-C", clone)
            subprocess.run([*git, "init", "--quiet"], check=True)
            url = f"https://github.com/{row['repository']}"
            subprocess.run([*git, "fetch", "--quiet", "--depth=1", url, row["commit"]], check=False)
            shown = subprocess.run([*git, "show", f"{row['commit']}:{row['path']}"], capture_output=True, check=False)
        if shown.returncode:
            gone += 1
            print(f"{row['key']}: {row['repository']} no longer has {row['path']} at {row['commit']}", file=sys.stderr)
        else:
            target.write_bytes(shown.stdout)
    return gone


def main() -> int:
    """Print the figures, or fetch the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="fetch the files into this folder")
    folder = parser.parse_args().folder
    if folder is not None:
        return 1 if fetch(folder) else 0
    print("\n".join(figures()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
