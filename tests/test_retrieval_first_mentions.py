"""Since when, in long notes that speak often of a thing: the first entry that tells it, not a later one."""

from collections.abc import Iterator

import pytest
from ui_small_index import open_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant

_LATER = (
    "The timer daemon now sets PrivateSeat=yes.",
    "PrivateSeat= is dropped from the timer daemon, which hung with it.",
    "The new NoShell= option is now implied if PrivateSeat= is turned on for a service.",
    "Added a `seat-ls --all` switch that lists what PrivateSeat= hides.",
    "Added support for q96 numbers to the exporter.",
    "Fixed a crash when PrivateSeat= and NoShell= are used together with seat-repart.",
    "seat-repart drop-ins now support a Label= setting, and PrivateSeat= may be a list.",
    "`q96::from_bytes` can be used in constants.",
    "A new UUID= setting for seat-repart drop-ins controls what is assigned to a partition.",
)


@pytest.fixture(scope="module")
def helm(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """Answers about a product whose later releases speak of what its first ones brought."""
    first = (
        "- Support for seats of their own for services has been added. If PrivateSeat=yes is set, a service sees no "
        "other seat.\n- Numbers of 96 bits in the form of `q96` are now stable."
    )
    releases = [f"## {number}.0\n\n- {entry}\n" for number, entry in enumerate(_LATER, start=4)][::-1]
    parts = (
        "# Seatd changelog\n",
        *releases,
        "## 3.0\n\n- A new tool seat-repart partitions seats.\n",
        f"## 2.0\n\n{first}\n",
        "## 1.0\n\n- Seats are kept over a restart.\n",
    )
    with open_notes(tmp_path_factory.mktemp("long"), default_embedder, seatd="\n".join(parts)) as assistant:
        yield assistant


@pytest.mark.parametrize(
    ("question", "release"),
    [
        ("Since when does seatd have PrivateSeat=?", "2.0"),
        ("Which seatd release added seat-repart?", "3.0"),
        ("Since when does seatd have NoShell=?", "6.0"),
    ],
)
def test_since_when_is_told_by_the_first_entry_that_tells_it(helm: Assistant, question: str, release: str) -> None:
    answer = helm.ask(question)
    assert [citation.version for citation in answer.citations] == [release], answer.answer
