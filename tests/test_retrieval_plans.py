"""A plan proves nothing that is, and yes and no are about the asked thing: over five changelogs that tell what is to
come in many words (`tests/data/notes/plans`), a word of ours stands only before what bears it out."""

from collections.abc import Callable

import pytest

from retrieval.assistant import Assistant
from retrieval.upgrades.upgrade_list import list_upgrade

_OURS = ("Yes", "No", "Since", "Removed in", "Deprecated in", "Fixed in", "Replaced in")
_NOTHING = ("",)
_NO = ("No", "")


@pytest.fixture(scope="module")
def notes(library: Callable[[str], Assistant]) -> Assistant:
    return library("plans")


def _word(answer: Assistant, question: str) -> str:
    """Our word before the first quote; empty where the quote opens."""
    first = answer.ask(question).answer.replace("*", "")
    return next((word for word in _OURS if first.startswith((f"{word} ", f"{word}:"))), "")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        # What is only planned, put off or announced.
        ("does fold work inside distributed graphs in gizmo?", _NO),
        ("since when can gizmo fold inside distributed graphs?", _NOTHING),
        ("does gizmo 4.0 require OpenSSL 3?", _NO),
        ("when was gizmo.turn removed?", _NOTHING),
        ("was gizmo.turn removed in gizmo 4.0.0?", _NO),
        ("when did gizmo remove the --lazy flag?", _NOTHING),
        ("did gizmo 3.2.0 drop Python 3.10?", _NO),
        ("did gizmo 3.1.0 change the default of retries?", _NO),
        ("are there windows arm builds of lathe?", _NO),
        ("was the XML exporter of lathe rewritten?", _NO),
        ("when was the turbo mode of lathe removed?", _NOTHING),
        ("does the lathe server support HTTP/2?", _NO),
        ("does lathe 2.3 support Ruby 3.4?", _NO),
        ("since when does lathe support Ruby 3.4?", _NOTHING),
        ("are CommonJS builds removed in trellis 9?", _NO),
        ("when was vine() removed from trellis?", _NOTHING),
        ("does the trellis dashboard have a dark mode?", _NO),
        ("was the open redirect of trellis fixed in 8.3.0?", _NO),
        ("did osprey 7.0 drop 32-bit builds?", _NO),
        ("does dive accept recursive globs in osprey?", _NO),
        ("does osprey 6.5 run on windows arm?", _NO),
        ("does osprey 6.5 support Lua 5.1?", ("Yes", "")),
        ("when did osprey remove the YAML loader?", _NOTHING),
        ("since when is TLS 1.3 the default in tansy?", _NOTHING),
        ("does tansy have a dark theme?", _NO),
        ("is the deadlock on macOS fixed in tansy 3.1.0?", _NO),
        # A neighbouring thing, an entry that allows, a value that was before.
        ("did gizmo drop the proxy?", _NO),
        ("is PHP 8.2 ok with gizmo 3.1.0?", _NO),
        ("is None forbidden as timeout in gizmo?", _NO),
        ("is anonymous access to the admin page of lathe forbidden?", _NO),
        ("did trellis drop Safari 15?", _NO),
        ("is port 8080 ok with tansy 3.2?", _NO),
        # What is so, what was planned for its own release among it.
        ("does gizmo 3.0 need Python 3.9?", ("Yes",)),
        ("did gizmo 3.0.0 drop the legacy backend?", ("Yes",)),
        ("when was gizmo.spin removed?", ("Removed in",)),
        ("is gizmo.spin removed?", ("Yes",)),
        ("does lathe support Ruby 2.7?", ("No",)),
        ("when did lathe add turbo mode?", ("Since",)),
        ("is the slow mode of lathe gone?", ("Yes",)),
        ("does trellis 9 support Node 18?", ("No",)),
        ("since when does trellis support Node 22?", ("Since",)),
        ("may the colour be null in osprey?", ("Yes",)),
    ],
)
def test_our_word_stands_only_before_what_bears_it_out(notes: Assistant, question: str, words: tuple[str, ...]) -> None:
    assert _word(notes, question) in words, notes.ask(question).answer


def test_a_plan_is_told_as_one(notes: Assistant) -> None:
    assert notes.ask("is turbo mode removed in lathe 2.4?").answer.startswith("Planned, says **Lathe 2.4**")


@pytest.mark.parametrize(
    ("bump", "listed", "absent"),
    [
        (
            "gizmo 2.0 4.0",
            ("3.0 will require Python 3.9", "You will need to", "Removed gizmo.spin"),
            ("OpenSSL", "turn"),
        ),
        ("gizmo 3.0 3.2", ("gizmo.spin is deprecated",), ("retries", "lazy", "Python 3.10")),
        ("lathe 2.2 2.5", ("Removed the slow mode", "Ruby 2.7"), ("turbo", "XML", "ARM", "HTTP/2")),
        ("trellis 8.2 9.0", ("Node 18", "vine()"), ("CommonJS", "open redirect", "Dark")),
        ("osprey 6.0 7.0", ("needs Lua 5.4", "Deprecated perch.old"), ("YAML", "32-bit", "Lua 5.1", "globs")),
        ("tansy 3.0 3.2", ("Stop shipping wheels", "Deprecated: Support for Ubuntu"), ("dark", "TLS")),
    ],
)
def test_an_upgrade_lists_no_plan_as_done(
    notes: Assistant, bump: str, listed: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    upgrade = list_upgrade(notes.index, *bump.split())
    items = [*upgrade.security, *(item for release in upgrade.releases for item in release.items)]
    told = " | ".join(item.summary.text for item in items).replace("`", "")
    assert not [words for words in listed if words not in told], told
    assert not [words for words in absent if words in told], told
