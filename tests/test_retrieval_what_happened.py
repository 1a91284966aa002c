"""What was asked to have happened must have happened in the quote, to that thing, and in no section of known issues or
plans: over seven small changelogs (`tests/data/notes/happened`), each in a form of its own."""

from collections.abc import Callable

import pytest

from retrieval.assistant import Assistant
from retrieval.claims.model import Verdict
from retrieval.upgrades.upgrade_list import list_upgrade

Library = Callable[[str], Assistant]

ASKED: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Which Kiln release removed the glaze option?", ("6.0.0",), ("Not found",)),
    ("From which version of Kiln on is there no glaze option?", ("6.0.0",), ("Not found", "4.0.0")),
    ("When was the glaze option deprecated in Kiln?", ("5.1.0",), ("6.0.0",)),
    ("When was the glaze option added to Kiln?", ("4.0.0",), ("5.1.0", "6.0.0")),
    ("Which version of Kiln renamed --heat?", ("5.2.0",), ("Since", "4.0.0")),
    ("Which Kiln release removed the peat fuel?", ("Not found", "only the plan"), ("Removed in", "4.0.0")),
    ("Since when is the swift backend the default in Kiln?", ("6.0.0",), ("5.0.0",)),
    ("When was the swift backend added to Kiln?", ("5.0.0",), ("6.0.0",)),
    ("Which version of Kiln dropped support for Windows 8?", ("Not found", "only the plan"), ("Removed in",)),
    ("Which version of Kiln removed the spark plugin?", ("Not found", "only the plan"), ("Removed in", "Since")),
    ("When was shelf() deprecated in Kiln?", ("5.0.0",), ("5.1.0",)),
    ("Which Kiln release dropped the --cool flag?", ("Taken back: **kiln 5.2.0**",), ("Since",)),
    ("Which Kiln release removed expired sessions?", (), ("Removed in", "Fixed in")),
    ("Is the peat fuel removed in Kiln 5.0.0?", (), ("Yes",)),
    ("Was support for Windows 8 dropped in Kiln 5.0.0?", (), ("Yes",)),
    ("What was removed in Kiln 5.0.0?", ("Not found",), ("peat", "Windows")),
    ("What was deprecated in Kiln 5.0.0?", ("shelf",), ("peat", "Windows")),
    ("What was removed in Kiln 6.0.0?", ("glaze",), ("swift",)),
    ("Which Kiln release removed the bellows command?", ("6.0.0",), ("5.1.0 (",)),
    ("When did Kiln deprecate the bellows command?", ("5.1.0",), ()),
    ("Which Kiln release fixed the crash of kiln fire?", ("5.2.0",), ()),
    ("Does Kiln 5.0.0 remove finished jobs in kiln watch?", (), ("Yes",)),
    ("What are the known issues in Sluice 3.1?", ("feet",), ("Fixed",)),
    ("Was the level meter showing feet fixed in Sluice 3.1?", (), ("Yes", "Fixed in")),
    ("What was fixed in Sluice 3.1?", (), ("feet", "2 GB", "CVE")),
    ("What was fixed in Sluice 3.0?", (), ("pump",)),
    ("Which Sluice release fixed the pump stalling after a power cut?", ("3.1",), ("3.0**",)),
    ("Are the cut off exports fixed in Sluice 3.1?", (), ("Yes", "Fixed in")),
    ("Which security issues were fixed in Sluice 3.1?", (), ("tell of 1 security", "CVE-2025-90210")),
    ("Is CVE-2025-90210 fixed in Sluice 3.1?", (), ("Yes", "Fixed in")),
    ("Does Sluice 3.1 support rotated maps?", (), ("Yes",)),
    ("Which version of Ferret removed Burrow=?", ("12",), ("Since", "Ferret 11")),
    ("Is Burrow= removed in Ferret 11?", (), ("Yes",)),
    ("When was Burrow= added to Ferret?", ("10",), ("Ferret 12", "Ferret 11")),
    ("Did Ferret 11 drop syslog over UDP?", (), ("Yes",)),
    ("Which Ferret release renamed Whiskers=?", ("11",), ("Since",)),
    ("Which Osprey release removed the --since flag?", ("3.1.0",), ("Not found", "Since")),
    ("When was --since added to osprey?", ("3.0.0",), ("3.2.0", "Removed")),
    ("Which osprey version removed the --json flag?", ("Not found", "only the plan"), ("Removed in", "Since")),
    ("Is --json removed in osprey 3.1.0?", (), ("Yes",)),
    ("Since which version is strict mode on by default in osprey?", ("3.2.0",), ("3.1.0",)),
    ("When did osprey get strict mode?", ("3.1.0",), ("3.2.0",)),
    ("Does osprey encrypt the cache?", (), ("Yes",)),
    ("Which release of osprey dropped the last line?", (), ("Removed in",)),
    ("When was osprey log deprecated?", ("3.0.0",), ()),
    ("Which version of osprey removed osprey log?", ("Not found", "only the plan"), ("Removed in",)),
    ("When was the herb loader removed from tansy?", ("Not found", "only the plan"), ("Removed in",)),
    ("Which tansy release dropped Python 3.9?", ("Not found", "only the plan"), ("Removed in",)),
    ("Since when is salve the default in tansy?", ("Not found", "only the plan"), ("Since",)),
    ("When was the salve format added to tansy?", ("2.3",), ("2.4",)),
    ("Was the balm cache removed in tansy 2.3?", (), ("Yes",)),
    (
        "Which version of tansy removed the balm cache?",
        ("Not found", "only the plan", "was not removed"),
        ("Removed in",),
    ),
    ("Which version of tansy removed tincture?", ("2.4",), ("Not found",)),
    ("When was tincture deprecated in tansy?", ("2.1", "Not found"), ("Deprecated in **tansy 2.4",)),
    ("Which tansy release introduced the regression in exports?", ("2.3",), ()),
    ("Is the poultice protocol gone in tansy 2.2?", (), ("Yes",)),
    ("What was removed in tansy 2.4?", ("tincture",), ("herb", "balm", "Python 3.9")),
    ("What was deprecated in tansy 2.4?", ("herb",), ("tincture", "Python 3.9")),
    ("Was the duplicate grams in the table of units fixed in tansy 2.4?", (), ("Yes",)),
    ("Is the hanging restore of a backup over NFS fixed in Culvert 7.1?", (), ("Yes", "Fixed in")),
    ("What are the known issues of Culvert 7.1?", ("NFS",), ("ARM", "Fixed")),
    ("Which culvert release fixed the start on ARM?", ("7.1",), ("7.0 ",)),
    ("Which mortar version dropped Java 11?", ("Not found", "only the plan"), ("Removed in",)),
    ("Which mortar version dropped Java 8?", ("5.0",), ("Not found",)),
    ("Which mortar version removed temporary files?", (), ("Removed in",)),
    ("When was grout() deprecated in mortar?", ("4.0",), ("Deprecated in **mortar 5.0",)),
    ("Is the lime binding removed in mortar 5.0?", (), ("Yes",)),
    ("Which mortar release renamed plaster?", ("5.0",), ("Since", "4.0")),
    ("When was the trowel engine added to mortar?", ("6.0",), ("Since **mortar 5.0",)),
)
"""The question, of which words the answer has one, if any, and which it has none of."""
BORNE_OUT = (
    "Kiln 6.0.0 removed the glaze option.",
    "Ferret 12 removed the option Burrow=.",
    "Tansy 2.4 removed the tincture module.",
)
MAY_BE = (
    "In Kiln 5.0.0 support for Windows 8 is announced to be dropped in 7.0.",
    "In Sluice 3.1 exports of more than 2 GB are cut off.",
    "Sluice 3.1 fixed the stall of the pump after a power cut.",
    "Osprey 3.2.0 turned strict mode on by default.",
    "Mortar 5.0 dropped Java 8.",
    "Tansy 2.1 deprecated the tincture module.",
)
"""True, and never refuted."""
NEVER = (
    "Kiln 5.0.0 removed the peat fuel.",
    "Kiln 5.0.0 dropped support for Windows 8.",
    "Kiln 5.0.0 removed the spark plugin.",
    "Sluice 3.1 fixed the level meter that shows feet after a restart.",
    "Sluice 3.1 fixes CVE-2025-90210.",
    "Sluice 3.0 fixed the stall of the pump after a power cut.",
    "Ferret 11 removed the option Burrow=.",
    "Ferret 11 removed support for syslog over UDP.",
    "Osprey 3.1.0 removed the --json flag.",
    "Osprey 3.1.0 turned strict mode on by default.",
    "Tansy 2.4 dropped support for Python 3.9.",
    "Tansy 2.4 made salve the default format.",
    "Tansy 2.4 removed the herb loader.",
    "Tansy 2.3 removed the balm cache.",
    "Culvert 7.1 completed the French translation of the wizard.",
    "Culvert 7.1 fixed the hang when a backup is restored over NFS.",
    "Mortar 5.0 dropped Java 11.",
    "Mortar 5.0 removed the lime binding.",
    "Tansy 2.1 removed the tincture module.",
    "Mortar 5.0 added the trowel engine.",
)
UPGRADES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("kiln 4.0.0 5.0.0", ("shelf",), ("peat", "Windows", "spark")),
    ("kiln 5.0.0 6.0.0", ("glaze", "bellows"), ("peat", "Windows")),
    ("kiln 4.0.0 6.0.0", ("glaze",), ("peat", "Windows")),
    ("sluice 3.0 3.1", (), ("CVE-2025-90210", "feet", "rotated")),
    ("ferret 10 11", ("Whiskers",), ("Burrow", "syslog")),
    ("ferret 10 12", ("Burrow",), ("syslog",)),
    ("osprey 3.0.0 3.1.0", ("--since",), ("--json",)),
    ("tansy 2.3 2.4", ("tincture", "herb"), ("Python 3.9", "balm", "grams")),
    ("tansy 2.2 2.3", (), ("balm",)),
    ("culvert 7.0 7.1", (), ("NFS", "French")),
    ("mortar 4.0 5.0", ("Java 8", "plaster"), ("Java 11", "lime", "temporary")),
    ("mortar 4.0 6.0", ("Java 8",), ("Java 11", "lime")),
    ("mortar 5.0 6.0", (), ("Java 11", "lime")),
)


@pytest.fixture(scope="module")
def notes(library: Library) -> Assistant:
    return library("happened")


@pytest.mark.parametrize(("question", "has_one", "has_none"), ASKED)
def test_an_answer_tells_what_happened_and_to_what(
    notes: Assistant, question: str, has_one: tuple[str, ...], has_none: tuple[str, ...]
) -> None:
    answer = notes.ask(question).answer
    assert not has_one or any(words in answer for words in has_one), answer
    assert not [words for words in has_none if words in answer], answer


@pytest.mark.parametrize("claim", BORNE_OUT)
def test_a_claim_of_what_happened_is_borne_out(notes: Assistant, claim: str) -> None:
    (checked,) = notes.cite(claim).claims
    assert checked.verdict is Verdict.SUPPORTED, checked.because


@pytest.mark.parametrize("claim", MAY_BE)
def test_a_true_claim_is_never_refuted(notes: Assistant, claim: str) -> None:
    (checked,) = notes.cite(claim).claims
    assert checked.verdict in (Verdict.SUPPORTED, Verdict.UNSURE), checked.because


@pytest.mark.parametrize("claim", NEVER)
def test_no_claim_is_borne_out_by_a_plan_or_a_known_issue(notes: Assistant, claim: str) -> None:
    (checked,) = notes.cite(claim).claims
    assert checked.verdict in (Verdict.UNSURE, Verdict.CONTRADICTED, Verdict.NOT_FOUND), checked.because


@pytest.mark.parametrize(("bump", "has_all", "has_none"), UPGRADES)
def test_an_upgrade_lists_what_happened_in_its_range(
    notes: Assistant, bump: str, has_all: tuple[str, ...], has_none: tuple[str, ...]
) -> None:
    upgrade = list_upgrade(notes.index, *bump.split())
    items = [*upgrade.security, *(item for release in upgrade.releases for item in release.items)]
    listed = " | ".join(item.summary.text for item in items)
    assert all(words in listed for words in has_all), listed
    assert not [words for words in has_none if words in listed], listed
