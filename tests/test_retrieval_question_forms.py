"""Questions read by example: their form, the act they ask about, whether they lean on the one before, and the words
around them. What is asked here is clear to anyone; how right the readers are on odd wordings, `evals` measures.
"""

from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ui_small_index import open_notes

from corpus.embedding import Embedder
from corpus.model import Act
from retrieval.assistant import Assistant
from retrieval.model import Form
from retrieval.products.known import KnownProducts
from retrieval.question.cleaning import split_clauses, without_framing
from retrieval.question.forms import form_terms, read_form
from retrieval.question.tokens import tokenize_question

NOTES = """\
# {name} news

## 3.1 (2031-05-06)
- Songs are sorted by pitch.

## 3.0 (2030-01-02)
- Nests may hold other nests.
"""

FORMS = {
    Form.WHATS_NEW: (
        "What's new in Woodlark 3.1?",
        "woodlark 3.0 release notes",
        "what changed in the latest woodlark",
    ),
    Form.LATEST: ("latest woodlark", "What is the latest version of Woodlark?", "newest woodlark release?"),
    Form.EXISTS: ("Which versions of Woodlark do you have?", "is woodlark 3.2 out", "When was Woodlark 3.0 released?"),
    Form.SHOULD_UPGRADE: ("Should I upgrade to Woodlark 3.1?", "is woodlark 3.1 worth upgrading to"),
    Form.BREAKS: ("What breaks when I upgrade to Woodlark 3.1?", "woodlark 3.0 to 3.1 breaking changes"),
    Form.MIGRATE: ("What replaces `perch_all` in Woodlark 3.1?", "woodlark 3 removed perch_all, what do I use instead"),
    Form.ERROR: ("ImportError: cannot import name 'perch_all' from 'woodlark'", "AttributeError: no attribute 'sing'"),
    Form.SINCE_WHEN: ("Since when does Woodlark support nested nests?", "which woodlark version added the choir mode"),
    Form.YES_NO: (
        "Does Woodlark 3.1 support Windows?",
        "is perch_all deprecated in woodlark 3.1?",
        "has rebuild-nest been renamed in woodlark",
        "are there windows arm64 binaries of woodlark",
        "was --keep-within removed from woodlark prune",
    ),
    Form.VALUE: ("Which Python does Woodlark 3.1 need?", "what is the default timeout in woodlark 3.1"),
    Form.SECURITY: ("Any CVEs fixed in Woodlark 3.1?", "security fixes in woodlark 3.0"),
    Form.COMPARE: ("Woodlark 3.0 vs 3.1", "What is the difference between Woodlark 3.0 and 3.1?"),
    Form.SYMPTOM: (
        "after updating to woodlark 3.1 my songs come out in the wrong order",
        "since woodlark 3.1 start-up is much slower than before",
    ),
    Form.FACT: ("How does the choir mode of Woodlark work?", "why did woodlark change the order of songs"),
    Form.CHAT: ("hi", "Thank you!"),
}


@pytest.fixture(scope="module")
def birds(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    notes = {name.lower(): NOTES.format(name=name) for name in ("Woodlark", "Kinglet")}
    with open_notes(tmp_path_factory.mktemp("birds"), default_embedder, **notes) as assistant:
        yield assistant


def test_every_form_is_asked_for_here() -> None:
    assert set(FORMS) == set(Form)


@pytest.mark.parametrize(
    ("question", "form"), [pytest.param(asked, form, id=asked) for form, all_of in FORMS.items() for asked in all_of]
)
def test_the_form_of_a_clear_question(birds: Assistant, question: str, form: Form) -> None:
    assert birds.understand(question).form is form


@pytest.mark.parametrize("question", [asked for all_of in FORMS.values() for asked in all_of if "oodlark" in asked])
def test_the_words_of_a_question_about_another_product_are_read_the_same(birds: Assistant, question: str) -> None:
    known = KnownProducts.of(birds.catalogue())
    other = question.replace("Woodlark", "Kinglet").replace("woodlark", "kinglet")
    other = other.replace("3.0", "2.0").replace("3.1", "2.7")
    asked, again = (tokenize_question(text, known).tokens for text in (question, other))
    assert form_terms(asked) == form_terms(again)
    assert read_form(asked, None) == read_form(again, None)


@pytest.mark.parametrize(
    ("question", "act"),
    [
        ("What was deprecated in Woodlark 3.1?", Act.DEPRECATED),
        ("Which functions were removed in Woodlark 3.1?", Act.REMOVED),
        ("Which bugs were fixed in Woodlark 3.1?", Act.FIXED),
        ("Since when does Woodlark support nested nests?", Act.ADDED),
        ("Which Python does Woodlark 3.1 need?", Act.REQUIRES),
        ("Any CVEs fixed in Woodlark 3.1?", Act.SECURED),
        ("What is the default timeout in Woodlark 3.1?", Act.DEFAULT),
        ("Is Woodlark 3.1 faster than 3.0?", Act.FASTER),
        ("What's new in Woodlark 3.1?", None),
    ],
)
def test_the_act_that_a_question_asks_about(birds: Assistant, question: str, act: Act | None) -> None:
    assert birds.understand(question).act is act


AROUND = {
    "greeting": "Hi there! ",
    "reason": "My boss wants to know, ",
    "thanks before": "Thanks in advance, ",
    "apology": "Sorry if this was asked before. ",
}
BEHIND = {"nothing": "", "thanks": " Thanks a lot!", "cheers": " Cheers, Ada"}
CORE = (
    "What's new in Woodlark 3.1?",
    "Which Python does Woodlark 3.1 need?",
    "Does Kinglet support `perch_all`?",
    "What breaks when I upgrade from Woodlark 3.0 to 3.1?",
)


@pytest.mark.parametrize(
    ("before", "question", "after"),
    [
        pytest.param(AROUND[before], question, BEHIND[after], id=f"{before}-{place}-{after}")
        for before, (place, question), after in product(AROUND, enumerate(CORE), BEHIND)
    ],
)
def test_words_around_a_question_change_nothing(birds: Assistant, before: str, question: str, after: str) -> None:
    alone, framed = birds.understand(question), birds.understand(f"{before}{question}{after}")
    assert framed == alone


NAMING = ("Woodlark sings", "3.1 is out", "`perch_all` fails", "it is kinglet", "perch_all(deep=True) is slow")
IDLE = ("hi all", "thanks", "so", "my boss asks", "we wonder", "sorry for that", "no idea really")


@given(st.lists(st.sampled_from(NAMING + IDLE), min_size=1, max_size=8), st.sampled_from([", ", ". ", "\n", " - "]))
def test_a_clause_that_names_something_is_never_left_out(birds: Assistant, clauses: list[str], joint: str) -> None:
    known = KnownProducts.of(birds.catalogue())
    kept = without_framing(joint.join(clauses), known)
    assert [clause for clause in clauses if clause in NAMING] == [
        clause for start, end in split_clauses(kept) if (clause := kept[start:end].rstrip(",.")) in NAMING
    ]


@given(st.text(alphabet="ab .,;:!?-\n", max_size=60))
def test_clauses_are_ranges_in_order_that_leave_no_word_out(text: str) -> None:
    spans = split_clauses(text)
    assert all(start < end for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert sum(map(str.isalnum, text)) == sum(c.isalnum() for start, end in spans for c in text[start:end])


@given(st.text(max_size=80))
def test_every_text_has_a_form(text: str) -> None:
    reading = read_form(tokenize_question(text, KnownProducts.of(())).tokens, None)
    assert 0 <= reading.certainty <= 1
