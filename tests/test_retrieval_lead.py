"""The first line answers: yes or no, what became of the thing, where and when; and whatever is made up is not said."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexes_by_hand import every_passage
from property_examples import examples
from ui_small_index import ingest

from corpus.embedding import Embedder
from corpus.lexicon import split_tokens
from corpus.plain_words import one_line
from retrieval.answers.lead import STATUS
from retrieval.assistant import Assistant
from retrieval.drafting import Draft, Opening, Statement, announced, compose_answer
from retrieval.model import Status
from retrieval.quoting.quotes import Quote

MERLIN = """\
# Merlin news

## 4.0 (unreleased)
- Removed `merlin.dive()` entirely.
- Added support for Avro files.

## 3.2 (2025-08-01)
- Removed support for launching merlin with Python 3.13. Code for Python 3.13 can still be read.

## 3.1.0rc1 (2025-07-01)
- Removed `merlin.bask()`.

## 3.0 (2025-06-02)
### Removed
- `merlin.perch()`, which nobody called.
- Support for INI files was removed: write TOML instead.
### Changed
- The minimum required Python version is now 3.11.
- Added a faster decoder to the support for Parquet files.
- Merlin no longer follows symbolic links.
- Reverted the parallel moulting of 2.1, which lost feathers.
- Support for NESTDIR has been removed. Use MERLIN_NESTDIR instead.
- Removed `merlin.bask()`, which did nothing.
- Removed the roost plan printer in favor of the native brood sheet.
- Removed support for hatching under Falcon 2.4; Falcon 2.6 is still supported.
- Removed the deprecated `--chilly` flag of the `thrush()` command.
- Remove flag `--max-plumes` in 3.2 rather than 3.0.

## 2.1 (2025-02-03)
- Added support for Parquet files.
- Added parallel moulting.
- All songs will be deprecated and moved into their own packages later.
- Deprecated `merlin.hover()`: use `merlin.kite()`.

## 2.0 (2024-10-01)
- `merlin.soar()` is now deprecated.
- Fixed a crash while reading INI files.
"""


@pytest.fixture(scope="module")
def merlin(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("merlin")
    (folder / "documents" / "merlin").mkdir(parents=True)
    (folder / "documents" / "merlin" / "NEWS.md").write_text(MERLIN, encoding="utf-8")
    assert not ingest(folder / "documents", index=folder / "index", embedder=default_embedder).failed
    with Assistant.open(folder / "index", embedder=default_embedder) as assistant:
        yield assistant


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("does merlin still read INI files?", "No: removed in **merlin 3.0** (2025-06-02): "),
        ("does merlin support Parquet files?", "Yes: **merlin 2.1** (2025-02-03): Added support for Parquet"),
        ("is merlin.hover() deprecated?", "Yes: deprecated in **merlin 2.1** (2025-02-03): "),
        ("does merlin 3.0 run on Python 3.9?", "No: **merlin 3.0** (2025-06-02): The minimum required Python"),
        ("does merlin 3.0 run on Python 3.12?", "Yes: **merlin 3.0** (2025-06-02): The minimum required Python"),
        (
            "does merlin still have merlin.bask()?",
            "No: removed in **merlin 3.0** (2025-06-02): Removed `merlin.bask()`",
        ),
        (
            "does merlin 3.2 run on Python 3.13?",
            "Removed in **merlin 3.2** (2025-08-01): Removed support for",
        ),
        ("does merlin follow symbolic links?", "No: **merlin 3.0** (2025-06-02): Merlin no longer follows"),
        ("does merlin do parallel moulting?", "No: reverted in **merlin 3.0** (2025-06-02): Reverted"),
        (
            "since when does merlin support Parquet files?",
            "Since **merlin 2.1** (2025-02-03): Added support for Parquet",
        ),
        ("when was merlin.dive() removed?", "To be removed in **merlin 4.0** (unreleased): Removed `merlin.dive()`"),
        ("since when does merlin support Avro files?", "Comes with **merlin 4.0** (unreleased): Added support"),
        ("what should I call instead of merlin.hover()?", "Deprecated in **merlin 2.1** (2025-02-03): "),
    ],
)
def test_the_first_line_answers(merlin: Assistant, question: str, first: str) -> None:
    assert merlin.ask(question).answer.startswith(first)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("does merlin still have MERLIN_NESTDIR?", "Use MERLIN_NESTDIR instead"),
        ("does merlin still have the native brood sheet?", "native brood sheet"),
        ("does merlin still run on Falcon 2.6?", "Falcon 2.6 is still supported"),
        ("is merlin.thrush() deprecated?", "--chilly"),
        ("does merlin still have --max-plumes?", "--max-plumes"),
        ("is the json2 reporter still maintained in merlin?", ""),
        ("are the songs deprecated in merlin?", "All songs will be deprecated"),
        ("merlin merlin merlin", ""),
    ],
)
def test_nothing_is_said_before_what_does_not_tell_it_of_the_thing(
    merlin: Assistant, question: str, words: str
) -> None:
    answer = merlin.ask(question).answer
    assert words in answer.replace("`", "")
    assert answer.startswith(("**merlin", "Not found")), answer


def _said(assistant: Assistant, passage_number: int, item_number: int, opening: Opening) -> tuple[str, str]:
    """What a made-up opening makes of an item, and all that bears it: quote and headings."""
    passages = every_passage(assistant.index)
    passage = passages[passage_number % len(passages)]
    span = passage.items[item_number % len(passage.items)].span
    text = assistant.index.text_of(passage)
    quote = Quote(passage, span, span, retracted=False)
    statement = Statement(announced(quote, text), (quote,), opening)
    answer = compose_answer(Draft(Status.ANSWERED, "", (statement,)), assistant.index).text
    return answer.removesuffix(" [1]"), one_line(" ".join((span.slice(text), *passage.heading)))


_BORNE_BY = {
    "Removed": "removed drop discontinued deleted eliminated",
    "Deprecated": "deprecated deprecation",
    "Fixed": "fixed resolved repaired",
    "Reverted": "reverted retracted revoked yanked withdrawn",
    "Replaced": "replaced",
}
_GONE = frozenset(split_tokens(f"{_BORNE_BY['Removed']} {_BORNE_BY['Reverted']} require minimum least fail lack"))
_TURNS = (
    "no ",
    "not",
    "n't",
    "n’t",
    "never",
    "without",
    "cannot",
    "neither",
    "nor ",
    "none",
    "except",
    "exclud",
    "unless",
)


@pytest.mark.parametrize("notes", ["handmade", "bundled"])
@examples(60)
@given(
    place=st.tuples(st.integers(0, 10_000), st.integers(0, 50)),
    opening=st.builds(Opening, st.sampled_from((None, True, False)), st.sampled_from(("", *STATUS.values()))),
)
def test_no_opening_says_what_its_quote_does_not_bear(
    request: pytest.FixtureRequest, notes: str, place: tuple[int, int], opening: Opening
) -> None:
    answer, borne = _said(request.getfixturevalue(notes), *place, opening)
    plain, _ = _said(request.getfixturevalue(notes), *place, Opening(None, ""))
    tokens = frozenset(split_tokens(borne))
    verdict = next((word for word in ("Yes", "No") if answer.startswith(f"{word}: ")), "")
    status = answer.removeprefix(f"{verdict}: ")[:20].split(" in **")[0].capitalize()
    if not plain.startswith(status) and status in _BORNE_BY:
        assert tokens & frozenset(split_tokens(_BORNE_BY[status])), (answer, borne)
    if verdict == "No":
        assert tokens & _GONE or any(turn in f"{borne} ".casefold() for turn in _TURNS), (answer, borne)
    elif not verdict and status not in (*_BORNE_BY, "Announced"):
        assert answer == plain
