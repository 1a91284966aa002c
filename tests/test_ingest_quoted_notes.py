"""Notes of another project that a document quotes: whose they are, and that they are no news of its own."""

from pathlib import Path

import pytest
from case_files import Case, read_cases, read_rows
from ingest_documents import ingest_text
from ui_small_index import open_notes

from corpus.embedding import Embedder
from retrieval.blocks import markdown_words
from retrieval.claims.model import Verdict
from ui.web.products import release_counts

DEPENDABOT = """\
Bumps [marl](https://example.org/acme/marl) from 3.0.0 to 3.1.0.
<details>
<summary>Release notes</summary>
<p><em>Sourced from <a href="https://example.org/acme/marl/releases">marl's releases</a>.</em></p>
<blockquote>
<h2>3.1.0</h2>
<ul>
<li>Removed the hinge</li>
</ul>
</blockquote>
</details>
<details>
<summary>Commits</summary>
<ul>
<li><code>f299b52</code> Remove the bolt</li>
</ul>
</details>
"""


def changelog(form: str, quoting: str) -> str:
    title, heading = {
        "md": ("# Gizmo changelog", "## {}"),
        "adoc": ("= Gizmo changelog", "== {}"),
        "html": ("<!DOCTYPE html><h1>Gizmo changelog</h1>", "<h2>{}</h2>"),
    }.get(form, ("Gizmo changelog\n===============", "{0}\n------"))
    above, below = heading.format("5.0.0"), heading.format("4.9.0")
    first = "<p>A lid.</p>" if form == "html" else "* A lid."
    return f"{title}\n\n{above}\n\n{first}\n\n{quoting}\n\n{below}\n\n{first}\n"


@pytest.mark.parametrize("case", read_cases("quoted-notes"), ids=lambda case: case.name)
def test_quoted_notes_open_no_release_and_are_marked(case: Case) -> None:
    """The subject is the form, what is given the project that is quoted."""
    found = ingest_text(changelog(case.subject, case.text), name=f"CHANGELOG.{case.subject}")
    assert found.versions == ["5.0.0", "4.9.0"]
    told = {passage.quoted for passage in found.passages if "hinge" in passage.span.slice(found.parsed.text)}
    assert told == set(case.gives)
    own = [passage.span.slice(found.parsed.text) for passage in found.passages if not passage.quoted]
    assert not any("hinge" in words or "bolt" in words for words in own)
    assert sum("lid" in words for words in own) == 2


@pytest.mark.parametrize(("text", "versions"), read_rows("ingest-what-is-folded-or-quoted-of-ones-own-stays-so", list))
def test_what_is_folded_or_quoted_of_ones_own_stays_so(text: str, versions: list[str]) -> None:
    found = ingest_text(f"# Gizmo changelog\n\n{text}", name="CHANGELOG.md")
    assert found.versions == versions
    assert {passage.quoted for passage in found.passages} == {""}


def test_what_is_folded_at_the_end_is_anothers_where_any_of_it_is_newer() -> None:
    notes = (
        "# Gizmo\n\n## 5.0.0\n\n- A lid.\n\n<details>\n\n## 6.1.0\n\n- A key.\n\n## 4.9.0\n\n- A door.\n\n</details>\n"
    )
    assert ingest_text(notes).versions == ["5.0.0"]


def test_what_is_quoted_is_told_as_such_and_listed_nowhere(tmp_path: Path, default_embedder: Embedder) -> None:
    quoting = DEPENDABOT.replace("Removed the hinge", "Fixed CVE-2021-77001 in the hinge").replace("the bolt", "bolts")
    text = changelog("md", f"- Removed the `lid` option.\n\n{quoting}")
    with open_notes(tmp_path, default_embedder, gizmo=text) as assistant:
        answer = assistant.ask("Which release fixed CVE-2021-77001?")
        assert answer.answer.startswith("**gizmo 5.0.0** (quoting marl): ")
        assert "hinge" not in assistant.ask("Which security fixes are in Gizmo 5.0.0?").answer
        assert not {"hinge", "bolts"} & set(assistant.ask("What is new in Gizmo 5.0.0?").answer.split())
        entries = [
            entry for release in assistant.upgrade("Gizmo", "4.9.0", "5.0.0").releases for entry in release.items
        ]
        assert [markdown_words(entry.summary) for entry in entries] == ["Removed the `lid` option."]
        (product,) = assistant.catalogue()
        assert {one.version.label: one.entries for one in release_counts(assistant.index, product)}["5.0.0"] == 2
        (claim,) = assistant.cite("Gizmo 5.0.0 fixed CVE-2021-77001.").claims
        assert claim.verdict is Verdict.NOT_FOUND
