"""The closed vocabularies of the sentence check: what may be added to a quote's words, and what must not change."""

from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act


def _stems(words: str) -> frozenset[str]:
    return frozenset(split_tokens(words))


NOT, MAY = "not", "may"
"""What can turn a word: "not removed", "may be removed"."""
NEGATORS = frozenset(
    """not no never none neither nor without cannot non except excluding unless lacks lack lacking fails fail
    failed""".split()
)
"""Words that turn what follows them; `n't` does too."""
TELLING_NEGATORS = frozenset("lacks lack lacking fails fail failed".split())
"""Those that can be turned themselves: "no longer fails"."""
HEDGES = frozenset("may might could will would shall planned scheduled proposed expected considered intended".split())
TWO_SIDED_HEDGES = frozenset("planned scheduled proposed expected considered intended".split())
"""Those that also stand after what they hedge: "removal is planned for 3.0"."""

BOUNDS = frozenset(
    """since until till before after from to above below over under than least most through within beyond minimum
    maximum exceeding""".split()
)
"""Words whose exchange turns "before 3.0" into something else."""

FREE_BOUNDS = frozenset("from to than through since".split())
"""Those that say little where no number follows them."""

_WORDS = {
    Act.REMOVED: "removed removes remove removal removing dropped drops drop dropping deleted discontinued eliminated",
    Act.DEPRECATED: "deprecated deprecates deprecate deprecation deprecations deprecating",
    Act.FIXED: "fixed fixes fix fixing resolved resolves repaired",
    Act.ADDED: "added adds add adding addition introduced introduces introduce introducing introduction new",
    Act.REVERTED: "retracted retracts revoked reverted reverts revert yanked withdrawn",
}
STATUS_OF = {stem: act for act, words in _WORDS.items() for stem in _stems(words)}
"""What happened to a thing, by stem; words of one status may stand for each other."""
REQUIRING = _stems("require requires required minimum least")
REPLACING = _stems("instead favor favour replaced replacement renamed superseded")
"""Words that come with what takes the place of something."""
MUST_BE_KEPT = frozenset({Act.REMOVED, Act.DEPRECATED, Act.FIXED, Act.REVERTED})
"""Without it a sentence says the opposite: "support for 3.7" of a quote that removes it."""
KEPT_FROM_HEADING = frozenset({Act.REMOVED, Act.DEPRECATED})
"""Likewise for an entry that has its status only from the heading it stands under."""

NEUTRAL = _stems(
    """release releases released version versions note notes changelog according state states stated say says mention
    mentions mentioned describe describes described list lists listed announce announces announced following include
    includes included including namely instead rather feature change changes thing specifically additionally moreover
    furthermore"""
)
"""Words of telling, which claim nothing about the software."""

_MEANINGFUL = (
    NEGATORS | HEDGES | BOUNDS | frozenset("only every exactly need needs some such can even one still".split())
)
FUNCTION_WORDS = (
    STOP_WORDS - _MEANINGFUL | frozenset("its itself both either each via per upon onto as well".split())
) - frozenset(("get", "gets", "getting", "gotta"))
"""Words that carry no claim. Those of questions that do ("only", "not", "may") aren't among them."""
