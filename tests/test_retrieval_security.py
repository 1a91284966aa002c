"""What security of a release means: what later ones fixed that it has, else what it fixed itself."""

from collections.abc import Iterator

import pytest
from ui_small_index import ingest

from corpus.embedding import Embedder
from corpus.model import Act, Item, Span
from retrieval.assistant import Assistant
from retrieval.quoting.statements import secures

DUNLIN = """\
# Dunlin news

## 3.4.1 (2024-09-01)
### Fixed
- Fixed a hang of `dunlin pull` behind a slow proxy.

## 3.4.0 (2024-08-01)
### Fixed
- The token is now hashed. Fixes GHSA-aaaa-2222-bbbb, a stored XSS.
- No security fix was needed for the parser.
- Fixed an arithmetic overflow of the progress bar.

## 3.3.0 (2024-07-01)
### Added
- `dunlin pull` can resume.
### Fixed
- Fixed CVE-2024-33333 of `dunlin pull`. Windows users are not affected.

## 3.2.0 (2024-06-01)
### Security
- Fixed a path traversal of `dunlin unpack` (CVE-2024-11111).

## 3.1.0 (2024-05-01)
### Security
- Reverted the fix of CVE-2023-22222, which is vulnerable again.
"""


@pytest.fixture(scope="module")
def dunlin(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("dunlin")
    (folder / "documents" / "dunlin").mkdir(parents=True)
    (folder / "documents" / "dunlin" / "NEWS.md").write_text(DUNLIN, encoding="utf-8")
    assert not ingest(folder / "documents", index=folder / "index", embedder=default_embedder).failed
    with Assistant.open(folder / "index", embedder=default_embedder) as assistant:
        yield assistant


@pytest.mark.parametrize(
    ("question", "said", "versions"),
    [
        ("any security issues in Dunlin 3.3.0?", "dunlin 3.3.0 lacks 1 security fix of later", ["3.4.0"]),
        ("Is Dunlin 3.1.0 vulnerable?", "lacks 3 security fixes", ["3.2.0", "3.3.0", "3.4.0"]),
        ("any vulnerabilities in Dunlin 3.2.0?", "lacks 2 security fixes", ["3.3.0", "3.4.0"]),
        ("Which vulnerabilities did Dunlin 3.2.0 fix?", "name 1 recorded vulnerability", ["3.2.0"]),
        ("any security issues in Dunlin 3.4.0?", "GHSA-aaaa-2222-bbbb", ["3.4.0"]),
        ("any security issues in Dunlin 3.4.1?", "name no vulnerability", []),
    ],
    ids=["later", "the nearest first", "its own apart", "its own asked for", "none later", "none"],
)
def test_security_of_a_release_is_what_later_ones_fixed(
    dunlin: Assistant, question: str, said: str, versions: list[str]
) -> None:
    answer = dunlin.ask(question)
    assert said in answer.answer
    assert [one.version for one in answer.citations] == versions


@pytest.mark.parametrize(
    ("words", "act", "certainty", "is_below", "told"),
    [
        pytest.param(
            "A crafted file could overwrite any other (CVE-2025-11111).", "other", 0.9, False, True, id="record"
        ),
        pytest.param("No longer vulnerable to attacks with links (CVE-2025-2).", "secured", 1, True, True, id="ended"),
        pytest.param("Fixed a crash with damaged files.", "fixed", 0.9, True, True, id="below security"),
        pytest.param("The hasher iterates 9,000 times by default.", "secured", 0.94, True, False, id="safer default"),
        pytest.param("A long-term release: security fixes for 3 years.", "secured", 0.68, False, False, id="promise"),
        pytest.param("Reverted the fix for CVE-2025-11111.", "secured", 1.0, True, False, id="taken back"),
    ],
)
def test_a_fix_of_a_hole_is_one_thing_and_a_hardened_default_another(
    words: str, act: str, certainty: float, is_below: bool, told: bool
) -> None:
    item = Item(Span(0, len(words)), act=Act(act), certainty=certainty)
    assert secures(item, words, is_below=is_below) is told
