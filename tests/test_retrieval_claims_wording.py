"""How a claim's words stand in an item: word for word, in another order, beside other values."""

import pytest

from corpus.model import Act
from corpus.versions import Version
from retrieval.judge.pairs import JudgedItem, read_pair
from retrieval.judge.wording import read_wording

RENAMED = "- The option `outDir` was renamed to `output.dir` (#12). Move it."
RAISED = "The hasher iterates 1,000,000 times by default, up from 870,000"
DROPPED = "Drop support for Python 3.8 and 3.9"
SWAPPED = "`Kind::Lost` replaced with `Kind::Gone` to remove a special case"
DEFAULTS = "Default to Go 1.9. Forge now defaults to Go 1.9 instead of 1.8"
SHOWN = "`show()`'s `stage` parameter now defaults to `physical` instead of `logical`"
MOVED = "The `lint.unused` setting has been removed. Use `lint.flakes.unused` instead."
NEEDS = "Forge needs Node.js 20 or later"


@pytest.mark.parametrize(
    ("claim", "item", "act", "verbatim", "can_bear", "can_refute"),
    [
        ("The option outDir was renamed to output.dir.", RENAMED, Act.REPLACED, True, True, False),
        ("In Forge 5.0 the option outDir was renamed to output.dir", RENAMED, Act.REPLACED, True, True, False),
        ("In Forge 4.2 the option outDir was renamed to output.dir", RENAMED, Act.REPLACED, False, False, True),
        ("output.dir was renamed to outDir", RENAMED, Act.REPLACED, False, False, True),
        ("It iterates 870,000 times by default", RAISED, Act.DEFAULT, False, False, True),
        ("The hasher iterates 1,000,000 times by default", RAISED, Act.DEFAULT, True, True, False),
        ("Forge dropped support for Python 3.8 and 3.9.", DROPPED, Act.REMOVED, True, True, False),
        ("The hasher iterates 1000000 times by default", RAISED, Act.DEFAULT, True, True, False),
        ("Forge lost Python 3.9", DROPPED, Act.REMOVED, False, True, True),
        ("Kind::Lost was replaced with Kind::Gone in Forge 5.0", SWAPPED, Act.REPLACED, True, True, False),
        ("Kind::Gone was replaced with Kind::Lost", SWAPPED, Act.REPLACED, False, False, True),
        ("Forge 5.0 defaults to Go 1.8 instead of 1.9", DEFAULTS, Act.DEFAULT, False, False, True),
        ("show() has a stage of logical by default", SHOWN, Act.DEFAULT, False, False, True),
        ("show() has a stage of physical by default", SHOWN, Act.DEFAULT, False, True, True),
        ("The lint.flakes.unused setting was removed", MOVED, Act.REMOVED, False, False, True),
        ("Forge runs on Node.js 22", NEEDS, Act.REQUIRES, False, True, False),
        ("Forge runs on Node.js 18", NEEDS, Act.REQUIRES, False, True, True),
    ],
)
def test_wording(claim: str, item: str, act: Act, verbatim: bool, can_bear: bool, can_refute: bool) -> None:
    told = JudgedItem(item, "Forge", "Forge changelog", (), Version.parse("5.0"), act)
    releases = [Version.parse(label) for label in ("5.0", "4.2") if label in claim]
    wording = read_wording(read_pair(claim, releases, told), told)
    assert (wording.verbatim, wording.can_support, wording.can_refute) == (verbatim, can_bear, can_refute)
