"""The weights that search adds its evidence up with, and how far it looks: few, and each with a meaning.

The defaults were chosen by the practice questions (docs/decisions/0003) and the development halves of our own
(`evals/tune.py` at commit 5108043); what each is worth was told by `evals/ablation.py` at commit 25ebd272.
"""

from dataclasses import dataclass

CANDIDATES = 400
"""Passages of each leg that are scored together."""
ITEM_CANDIDATES = 1000
"""Items nearest to the question; a passage that has none of them isn't in the dense leg."""
ELSEWHERE = 6
"""Hits of other releases than the asked one that are kept, whatever their rank."""
OTHER_PAGE_PENALTY = 0.3
"""For a page of documentation of another release than the one asked for: it says nearly the same words as the right
one, and they may be wrong."""
SEARCHED_HITS = 20
"""How many hits are found at least, for what comes behind the listed ones tells how much these stand out."""


@dataclass(frozen=True, slots=True)
class SearchWeights:
    """What each piece of evidence adds to a passage's score; 0 leaves it out.

    `dense` is the share of the dense leg in the fused score, 0 to 1; the lexical leg has the rest. `related` is what a
    related word of the thesaurus counts for in the lexical leg, 0 to 1.
    """

    dense: float = 0.4
    related: float = 0.35
    exact_release: float = 0.30
    series_release: float = 0.15
    mention: float = 0.12
    """For a passage of another release that speaks of the one asked for ("deprecated in 2.10")."""
    prerelease: float = 0.03
    """Taken off a pre-release where the final release was named: between like passages the release itself wins."""
    reference: float = 0.5
    kind: float = 0.08
    authority: float = 0.01
    """For each step of authority: decides between passages that say the same, nothing else."""


DEFAULT_WEIGHTS = SearchWeights()
