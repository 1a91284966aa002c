"""The first line answers: yes or no, what became of the thing, where and when; in doubt the quote opens."""

from collections.abc import Callable

import pytest

from retrieval.assistant import Assistant


@pytest.fixture
def merlin(library: Callable[[str], Assistant]) -> Assistant:
    return library("lead")


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("does merlin still read INI files?", "No: **merlin 3.0** (2025-06-02): Support for INI"),
        ("does merlin support Parquet files?", "Yes: **merlin 2.1** (2025-02-03): Added support for Parquet"),
        ("is merlin.hover() deprecated?", "Yes: **merlin 2.1** (2025-02-03): Deprecated"),
        ("does merlin 3.0 run on Python 3.9?", "**merlin 3.0** (2025-06-02): The minimum required Python"),
        ("does merlin 3.0 run on Python 3.12?", "Yes: **merlin 3.0** (2025-06-02): The minimum required Python"),
        ("does merlin still have merlin.bask()?", "No: **merlin 3.0** (2025-06-02): Removed `merlin.bask()`"),
        ("did merlin drop INI files?", "Yes: **merlin 3.0** (2025-06-02): Support for INI files was removed"),
        ("does merlin 3.2 run on Python 3.13?", "No: **merlin 3.2** (2025-08-01): Removed support for"),
        ("can I still use NESTDIR with merlin?", "No: **merlin 3.0** (2025-06-02): Support for NESTDIR"),
        ("is merlin.bask() gone or still there?", "Removed in **merlin 3.1.0rc1** (2025-07-01): Removed"),
        ("did merlin remove merlin.hover()?", "**merlin 2.1** (2025-02-03): Deprecated `merlin.hover()`"),
        ("when was merlin.soar() deprecated?", "Deprecated in **merlin 2.0** (2024-10-01): "),
        ("when were all songs of merlin deprecated?", "Nothing says that it was deprecated, only the plan for it."),
        ("since when can merlin follow symbolic links?", "**merlin 3.0** (2025-06-02): Merlin no longer follows"),
        ("did merlin 3.0 remove the roost plan printer?", "Yes: **merlin 3.0** (2025-06-02): Removed the roost"),
        ("does merlin follow symbolic links?", "No: **merlin 3.0** (2025-06-02): Merlin no longer follows"),
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
        ("is the json2 reporter still maintained in merlin?", ""),
        ("merlin merlin merlin", ""),
    ],
)
def test_nothing_is_said_before_what_does_not_tell_it_of_the_thing(
    merlin: Assistant, question: str, words: str
) -> None:
    answer = merlin.ask(question).answer
    assert words in answer.replace("`", "")
    assert answer.startswith(("**merlin", "Not found")), answer
