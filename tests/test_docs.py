"""The documentation says what the product does: rule pages, links, every noun of the story."""

import re
import subprocess
import sys

import advisor


def test_the_rule_pages_are_what_the_rules_say(checkout):
    command = [sys.executable, "scripts/build_rule_pages.py", "--check"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_relative_link_leads_somewhere(checkout):
    dead = []
    for page in [*checkout.glob("*.md"), *checkout.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                dead.append(f"{page.relative_to(checkout)}: {target}")
    assert dead == []


def test_the_concepts_use_every_noun_of_the_story(checkout):
    nouns = re.findall(r"\*\*(\w[\w ]*)\*\*", advisor.__doc__ or "")
    text = (checkout / "docs/concepts.md").read_text(encoding="utf-8").lower()
    assert len(nouns) > 10
    assert [noun for noun in nouns if noun.rstrip("s").lower() not in text] == []
