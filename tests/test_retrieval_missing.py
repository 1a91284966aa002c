"""What the notes don't say is said first; what the first passages hold nearly whole is told as probable."""

from collections.abc import Iterator

import pytest
from case_files import read_rows
from ui_small_index import open_notes

from corpus.embedding import Embedder
from retrieval.answers import draft_answer
from retrieval.assistant import Assistant
from retrieval.blocks import markdown_words
from retrieval.model import Status
from retrieval.quoting.findings import Findings

_NOTES = """# Gizmo

## 2.0.0 (2024-05-01)

- Clusters on Kubernetes (k8s) are found by their service names.
- `gizmo.merge` takes `key_order`, which keeps the columns of both tables apart.
- HTTP/2 is spoken by the downloader; three mirrors are asked at once.
- The free-threaded build is supported on Windows.
- Reading Parquet files takes half the memory.

## 1.9.0 (2024-01-15)

- Support for Intel Macs ends with the next release.
- Folding of columns got faster by far.
- A cross site request forgery in the form for columns is refused.
- The scheduler drops idle workers after a while, whatever queue they came from.
"""


@pytest.fixture(scope="module")
def gizmo(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    with open_notes(tmp_path_factory.mktemp("unsaid"), default_embedder, gizmo=_NOTES) as assistant:
        yield assistant


def findings(assistant: Assistant, question: str) -> Findings:
    return assistant.find(assistant.understand(question), limit=10)


@pytest.mark.parametrize(("question", "named"), read_rows("retrieval-a-name-that-stands-nowhere-is-said-first"))
def test_a_name_that_stands_nowhere_is_said_first(gizmo: Assistant, question: str, named: str) -> None:
    for confident in (True, False):
        draft = draft_answer(findings(gizmo, question), confident=confident, is_likely=True)
        assert (draft.status, draft.statements) == (Status.NOT_FOUND, ())
        lead = markdown_words(draft.lead)
        assert lead.startswith("Not found: ")
        assert named in lead


@pytest.mark.parametrize(("question", "said"), read_rows("retrieval-that-the-asked-value-is-not-given-is-said-first"))
def test_that_the_asked_value_is_not_given_is_said_first(gizmo: Assistant, question: str, said: str) -> None:
    draft = draft_answer(findings(gizmo, question), confident=True)
    assert (draft.status, draft.lead.text, len(draft.statements)) == (Status.PARTIAL, said, 1)


@pytest.mark.parametrize(("question", "told"), read_rows("retrieval-a-word-that-is-nowhere-ends-no-answer"))
def test_a_misspelt_or_a_plain_word_that_stands_nowhere_ends_no_answer(
    gizmo: Assistant, question: str, told: str
) -> None:
    assert told in gizmo.ask(question).answer
