"""What releases deprecate, remove or break, asked without a subject: what their notes tell of it, or that they don't.

The notes are read as for an upgrade, entry by entry, so that a fix or a count of pull requests is no answer, and that
"the notes name nothing that is deprecated" is known and not guessed from a ranking.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, zip_longest
from typing import TYPE_CHECKING

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.index_store import IndexReader
from retrieval.answers.catalogue_releases import name_releases, releases_that_fit
from retrieval.answers.not_found import draft_which_product
from retrieval.answers.parts import missing_releases
from retrieval.change_words import Stage
from retrieval.drafting import OPINION, Draft, Statement, attributed
from retrieval.findings import Findings
from retrieval.model import Intent, Query, Status
from retrieval.overview import has_no_subject
from retrieval.quotes import join_neighbours

# Other questions need none of these, and don't wait for their imports.
if TYPE_CHECKING:
    from retrieval.upgrades.repeats import Finding, Told

_TOLD = 7
_RELEASES_AT_ONCE = 12
"""So many are read at a time where the newest that tell something are looked for."""
_INTENTS = (Intent.STATUS, Intent.UPGRADE, Intent.LIST)
_ASKS = {
    Stage.REMOVED: re.compile(r"\b(?:remov\w+|drop(?:s|ped)?|gone|delet\w+|disappear\w*)\b", re.IGNORECASE),
    Stage.DEPRECATED: re.compile(r"\bdeprecat\w*|\bobsolete\b", re.IGNORECASE),
}
_BREAKS = re.compile(r"\b(?:break\w*|broke\w*|incompatib\w+)\b", re.IGNORECASE)
_UPGRADES = re.compile(r"\b(?:upgrad|migrat)\w+\b", re.IGNORECASE)
_BREAKING_CHANGES = re.compile(r"\b(?:breaking|incompatible) changes?\b", re.IGNORECASE)
_MORE = re.compile(r"\b(?:new|add(?:s|ed)?|introduc\w+|fix(?:es|ed)?|defaults?|chang\w+)\b", re.IGNORECASE)
"""What else a question may want of a release."""
_SAYS_GONE = re.compile(
    r"\b(?:remov\w+|drop\w*|gone|delet\w+|end of (?:life|support)"
    r"|no longer (?:be )?(?:supported|accepted|provided|included|shipped|available|exists?|supports?))\b",
    re.IGNORECASE,
)
_SAYS_DEPRECATED = re.compile(r"\bdeprecat\w+", re.IGNORECASE)


def draft_told_changes(findings: Findings) -> Draft | None:
    """The changes of the asked kinds that the notes of the asked releases tell, the most severe of each release first;
    those of the newest releases where none is asked for; the honest no where none is told.

    None where the question asks for something else, has a subject, or isn't about one product.
    """
    query = findings.query
    stages = _asked_stages(query)
    if not stages or not has_no_subject(query, findings.index.products):
        return None
    fitting = [(one, releases) for one in findings.products if (releases := releases_that_fit(one, query.constraint))]
    if len(fitting) > 1 and query.constraint is None:
        return draft_which_product(findings)
    if len(fitting) != 1:
        return None
    ((product, releases),) = fitting
    told = _read(findings.index, product, releases, stages, at_once=0 if query.constraint else _RELEASES_AT_ONCE)
    if not told:
        return Draft(Status.NOT_FOUND, " ".join(_nothing_told(findings, product, releases, stages)), ())
    return _state(findings, told)


def _asked_stages(query: Query) -> tuple[Stage, ...]:
    """The kinds of change that are asked for, CHANGED for all that breaks; none where something else is asked too."""
    text = query.text if any(one.search(query.text) for one in (*_ASKS.values(), _BREAKS)) else query.search_text
    if query.intent not in _INTENTS or _MORE.search(_BREAKING_CHANGES.sub("", text)):
        return ()
    named = tuple(stage for stage, pattern in _ASKS.items() if pattern.search(text))
    breaks = _BREAKS.search(text) or (not named and _UPGRADES.search(text))
    return (Stage.CHANGED,) if breaks else named


def _read(
    index: IndexReader,
    product: CatalogueProduct,
    releases: Sequence[CatalogueRelease],
    stages: Sequence[Stage],
    *,
    at_once: int,
) -> list["Told"]:
    """The changes of these kinds in the order of their releases, repeats folded; with `at_once`, of the newest
    releases that have enough of them."""
    from retrieval.upgrades.reading import place_of, read_changes
    from retrieval.upgrades.repeats import fold_repeats

    found: list[Finding] = []
    step = at_once or len(releases)
    for start in range(0, len(releases), step):
        asked = frozenset(one.version for one in releases[start : start + step])
        kept = read_changes(index, product, asked.__contains__).kept
        found += (one for one in kept if any(_is_of(one, stage) for stage in stages))
        if at_once and len(found) >= _TOLD:
            break
    told = fold_repeats(_without_hearsay(found))
    # What is all of one kind keeps the order of its notes.
    return sorted(told, key=place_of if Stage.CHANGED in stages else lambda one: one.finding.version)


def _without_hearsay(found: Sequence["Finding"]) -> list["Finding"]:
    """The findings without what news and opinion say of releases of which better sources tell some."""
    told = {one.version for one in found if one.entry.passage.document.authority not in OPINION}
    return [one for one in found if one.version not in told or one.entry.passage.document.authority not in OPINION]


def _is_of(finding: "Finding", stage: Stage) -> bool:
    from retrieval.upgrades.model import Change
    from retrieval.upgrades.scopes import Scope

    change, lead = finding.change, finding.entry.lead
    if stage is Stage.DEPRECATED:
        return change is Change.DEPRECATED or (change is not Change.REMOVED and bool(_SAYS_DEPRECATED.search(lead)))
    if stage is Stage.REMOVED:
        is_gone = finding.entry.scope is Scope.REMOVED or bool(_SAYS_GONE.search(lead))
        return change is Change.REMOVED or (change is not Change.DEPRECATED and is_gone)
    return True


def _state(findings: Findings, told: Sequence["Told"]) -> Draft:
    """The first changes of each release in turn until there are enough, in version order; newest first where the
    question names no release."""
    from retrieval.upgrades.citing import quote_entry, summarise

    is_open = findings.query.constraint is None
    by_release = [list(group) for _, group in groupby(told, key=lambda one: one.finding.version)]
    if is_open:
        by_release.reverse()
        chosen = list(chain.from_iterable(by_release))[:_TOLD]
    else:
        turns = (one for one in chain.from_iterable(zip_longest(*by_release)) if one is not None)
        wanted = {id(one) for one, _ in zip(turns, range(_TOLD), strict=False)}
        chosen = [one for one in told if id(one) in wanted]
    quotes = [quote_entry(one.finding.entry, findings.index) for one in chosen]
    words = [
        summarise(one.finding.entry, one.finding.change, quote, findings.index)
        for one, quote in zip(chosen, quotes, strict=True)
    ]
    statements = tuple(
        Statement(attributed(quote, said), (quote,)) for said, quote in zip(words, join_neighbours(quotes), strict=True)
    )
    return Draft(Status.ANSWERED, "", statements, _notes(len(told), len(chosen), is_open=is_open))


def _notes(told: int, said: int, *, is_open: bool) -> tuple[str, ...]:
    if is_open:
        return ("No release is named: these are the newest such changes.",)
    left = told - said
    return (f"{left} more such {'change' if left == 1 else 'changes'} in these notes.",) if left else ()


def _nothing_told(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease], stages: Sequence[Stage]
) -> Iterator[str]:
    kind = {Stage.CHANGED: "breaks, is removed or deprecated", Stage.REMOVED: "is removed"}
    asked = " or ".join(kind.get(stage, "is deprecated") for stage in stages).replace(" or is ", " or ")
    which = name_releases(product, releases)
    yield f"Not found: the notes of {which} name nothing that {asked}."
    yield from missing_releases(findings)
