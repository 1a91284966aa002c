"""How words tell an act, what a section's heading says of its entries, and which act tells another."""

import pytest

from corpus.change_kinds import act_of_section
from corpus.happenings import Modality, asserted_act, find_acts, first_act, reports_act
from corpus.model import Act
from corpus.versions import Version

OWN = Version.parse("5.0")
DONE, PLANNED, COMING, DENIED, UNDONE, SAID = Modality


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("- Removed the `turn` option.", [(Act.REMOVED, DONE)]),
        ("feat(api)!: drop the flag", [(Act.REMOVED, DONE)]),
        ("Python 3.8 is no longer supported.", [(Act.REMOVED, DONE)]),
        ("Fixed a hang; removed the lock", [(Act.FIXED, DONE), (Act.REMOVED, DONE)]),
        ("Fixed the hang by removing the lock", [(Act.FIXED, DONE), (Act.REMOVED, DONE)]),
        ("`x` is deprecated and will be removed in 6.0", [(Act.DEPRECATED, DONE), (Act.REMOVED, PLANNED)]),
        ("We intend to remove the backend after 2027.", [(Act.REMOVED, PLANNED)]),
        ("We are considering dropping it.", [(Act.REMOVED, PLANNED)]),
        ("Removal of Foo is planned for 6.0.", [(Act.REMOVED, PLANNED)]),
        ("Feature removals in the future:", [(Act.REMOVED, PLANNED)]),
        ("Scheduled for removal in 6.0: x", [(Act.REMOVED, PLANNED)]),
        ("Announced the removal of Foo.", [(Act.REMOVED, PLANNED)]),
        ("The deprecated `x` may be removed in a future release.", [(Act.REMOVED, PLANNED)]),
        ("The default will change in 6.0.", [(Act.CHANGED, PLANNED)]),
        ("A new engine is coming in the next release.", [(Act.ADDED, PLANNED)]),
        ("Support for Windows 8 will be dropped.", [(Act.REMOVED, COMING)]),
        ("In 5.0, x will be removed.", [(Act.REMOVED, DONE)]),
        ("x will now be removed on exit", [(Act.REMOVED, DONE)]),
        ("The importer no longer removes empty rows.", [(Act.REMOVED, DENIED)]),
        ("x is no longer deprecated.", [(Act.DEPRECATED, DENIED)]),
        ("Un-deprecate `foo`", [(Act.REVERTED, DONE)]),
        ("Fixed the removal of `x`.", [(Act.FIXED, DONE), (Act.REMOVED, UNDONE)]),
        ('Revert "Remove x".', [(Act.REVERTED, DONE), (Act.REMOVED, UNDONE)]),
        ("The removal of cookies was reverted.", [(Act.REMOVED, UNDONE), (Act.REVERTED, DONE)]),
        ("The removal of `x` was postponed.", [(Act.REMOVED, PLANNED)]),
        ("Adding a turbo mode has been put off.", [(Act.ADDED, PLANNED)]),
        ("The plan to rename `x` was dropped.", [(Act.REPLACED, UNDONE)]),
        ("The removal of `x` has been cancelled.", [(Act.REMOVED, SAID)]),
        ("The fix for the leak was backed out.", [(Act.FIXED, UNDONE), (Act.REVERTED, DONE)]),
        ("We decided against removing it.", [(Act.REMOVED, SAID)]),
        ("It has not, as was feared, been removed.", [(Act.REMOVED, DENIED)]),
        ("Nobody removed it; removed nothing", [(Act.REMOVED, DENIED), (Act.REMOVED, DENIED)]),
        ("Neither the lid nor the pan was removed.", [(Act.REMOVED, DENIED)]),
        ("No lids were removed.", [(Act.REMOVED, DENIED)]),
        ("It was not only deprecated but removed.", [(Act.DEPRECATED, DONE), (Act.REMOVED, DONE)]),
        ("Was it removed? No.", [(Act.REMOVED, SAID)]),
        ("Corrected the docs, which said that `x` was removed", [(Act.FIXED, DONE), (Act.REMOVED, SAID)]),
        ("\u201cThe lid was removed\u201d, a user writes.", [(Act.REMOVED, SAID)]),
        ("That it was removed is a myth.", [(Act.REMOVED, SAID)]),
        ("If it is removed, the wheel stops.", [(Act.REMOVED, SAID)]),
        ("The lid is far from removed.", [(Act.REMOVED, SAID)]),
        ("A new lid, added and tested", [(Act.ADDED, DONE)]),
        ("A crash where the lid was not shut has been fixed", [(Act.FIXED, DONE)]),
        ("It was n\u200bo\u00adt removed.", [(Act.REMOVED, DENIED)]),
        ("~~Removed it~~ <del>Removed it</del> It stays.", []),
        ("Stop by removing the lock", [(Act.REMOVED, DONE)]),
        ("Block list option removed", [(Act.REMOVED, DONE)]),
        ("The default is false now, and the flag was removed", [(Act.REMOVED, DONE)]),
        ("The `sub` claim was removed", [(Act.REMOVED, DONE)]),
        ("Allow columns to be dropped", []),
        ("The removed option is told in the log", []),
        ("`drop()` and --remove take a name", []),
    ],
)
def test_words_tell_an_act_as_done_planned_denied_or_undone(words: str, told: list[tuple[Act, Modality]]) -> None:
    assert list(find_acts(words, OWN)) == told


@pytest.mark.parametrize(
    ("titles", "act"),
    [
        (("Gizmo 5.0", "Known issues"), Act.KNOWN_ISSUE),
        (("Gizmo known problems", "5.0"), Act.KNOWN_ISSUE),
        (("Known bugs", "Importer"), Act.KNOWN_ISSUE),
        (("5.0", "Limitations"), Act.KNOWN_ISSUE),
        (("5.0", "Errata"), Act.KNOWN_ISSUE),
        (("Known issues", "Fixed"), None),
        (("5.0", "Known issues fixed in this release"), None),
        (("5.0", "Known issues and other changes"), None),
        (("5.0", "Announcements of future removals"), Act.PLANNED),
        (("5.0", "Pending removal in 5.2"), Act.PLANNED),
        (("5.0", "Planned for 6.0"), Act.PLANNED),
        (("5.0", "Removals scheduled for 6.0", "asyncio"), Act.PLANNED),
        (("5.0", "Upcoming breaking changes"), Act.PLANNED),
        (("Roadmap",), Act.PLANNED),
        (("Features that will be removed in 6.0",), Act.PLANNED),
        (("Planned breaking changes (5.0)",), None),
        (("Planned breaking changes (5.0)", "Behavior changed: the folder will be deleted"), None),
        (("Items to be removed from future releases", "Past removals"), None),
        (("5.0", "Deprecated, will be removed in 6.0"), None),
        (("5.0", "Removed"), None),
        (("Changelog and roadmap", "5.0"), None),
    ],
)
def test_a_heading_tells_known_issues_or_plans(titles: tuple[str, ...], act: Act | None) -> None:
    assert act_of_section(titles, OWN) is act


@pytest.mark.parametrize(
    ("question", "act"),
    [
        ("Which release removed the turn option?", Act.REMOVED),
        ("When did it drop Python 2?", Act.REMOVED),
        ("Which release fixed the removal of files?", Act.FIXED),
        ("When was the remove method added?", Act.ADDED),
        ("Will it be removed?", Act.PLANNED),
        ("What are the known issues?", Act.KNOWN_ISSUE),
        ("Is the fixed size supported?", None),
    ],
)
def test_a_question_says_what_is_to_have_happened(question: str, act: Act | None) -> None:
    assert asserted_act(question) is act


@pytest.mark.parametrize(
    ("asked", "act", "words", "is_told"),
    [
        (Act.REMOVED, Act.REMOVED, "Removed x", True),
        (Act.REMOVED, Act.REPLACED, "Renamed x to y", True),
        (Act.REMOVED, Act.ADDED, "Added x", False),
        (Act.REMOVED, Act.DEPRECATED, "Deprecated x", False),
        (Act.REMOVED, Act.PLANNED, "We will remove x", False),
        (Act.REMOVED, Act.CHANGED, "x works otherwise", None),
        (Act.REMOVED, Act.CHANGED, "Changed y, removed x", True),
        (Act.REMOVED, Act.REVERTED, 'Revert "Add x"', True),
        (Act.REMOVED, Act.REVERTED, 'Revert "Remove x"', False),
        (Act.DEPRECATED, Act.REMOVED, "Removed the deprecated x", False),
        (Act.FIXED, Act.KNOWN_ISSUE, "x crashes", False),
        (Act.DEFAULT, Act.ADDED, "Added x", False),
        (Act.DEFAULT, Act.ADDED, "Added x, the new default", True),
        (Act.ADDED, Act.REMOVED, "Removed x", False),
        (Act.PLANNED, Act.DEPRECATED, "x is deprecated", None),
    ],
)
def test_an_act_tells_another_or_leaves_it_open(asked: Act, act: Act, words: str, is_told: bool | None) -> None:
    assert reports_act(asked, act, words) is is_told


def test_only_the_first_sentence_is_read_at_once() -> None:
    assert first_act("Warns of it. It will be removed in 6.0.", OWN) == (Act.REMOVED, PLANNED)
    assert first_act("Warns of it. It will be removed in 6.0.", OWN, at_once=True) == (None, None)
