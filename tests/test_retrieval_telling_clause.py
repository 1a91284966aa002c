"""What an answer says of an entry: no records of who and where, and whole sentences or clauses as far as they fit."""

import pytest

from retrieval.drafting import said_words, telling_clause


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        pytest.param("Fix a hang (#12, fixes #9, @gull)", "Fix a hang", id="tickets and who at the end"),
        pytest.param("Fix a hang (reported by Ann Gull).", "Fix a hang.", id="who told"),
        pytest.param("Fix a hang. @gull 5a015deae35d19e3eb", "Fix a hang.", id="a commit"),
        pytest.param("Fix a hang. Thanks to @gull!", "Fix a hang.", id="thanks"),
        pytest.param("Drop Python 3.8. 2966", "Drop Python 3.8.", id="a bare number after a sentence"),
        pytest.param("Fix a hang. Patch by Ann Gull and Bo Tern.", "Fix a hang.", id="a sentence on its author"),
        pytest.param("#12 Fix a hang", "Fix a hang", id="a ticket before it"),
        pytest.param("[[#12]]: fix a hang [[@gull]]", "fix a hang", id="both in brackets"),
        pytest.param("bug #12 [Mail] Fix a hang (gull)", "[Mail] Fix a hang", id="a generated list"),
        pytest.param("fix(mail)!: end a hang", "mail: end a hang", id="a commit's type, not what it is about"),
        pytest.param("Fix a hang (#12) (Ann Gull)", "Fix a hang", id="who behind the ticket"),
        pytest.param("Fix a hang (Windows)", "Fix a hang (Windows)", id="an aside is no record"),
        pytest.param("Support Python 3.14", "Support Python 3.14", id="nor is a version"),
        pytest.param("#12", "#12", id="never nothing"),
    ],
)
def test_records_are_no_part_of_what_an_entry_says(entry: str, said: str) -> None:
    assert said_words(entry) == said


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("The flag is gone. Use the option.", "The flag is gone. Use the option."),
        ("The old flag of the command is gone. Use the option in its place.", "The old flag of the command is gone."),
        ("The flag of the command is gone, which was long announced here", "The flag of the command is gone …"),
        (
            "The flag (of the command, an old one) is gone for all",
            "The flag (of the command, an old one) is gone for …",
        ),
    ],
)
def test_a_long_entry_is_told_in_whole_sentences_or_clauses(entry: str, said: str) -> None:
    assert telling_clause(entry, max_characters=50) == said
