"""What may bear a part of a claim or refute it: the items that the search found nearest, judged one by one, and the
verdict that they make; or the heading of a release that the claim is about."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Protocol

from corpus.ages import Month
from corpus.happenings import asserted_act
from corpus.index.reader import IndexReader
from corpus.lexicon import content_words, split_tokens
from corpus.model import Span
from corpus.plain_words import one_line
from corpus.versions import Version
from retrieval.answers.catalogue_releases import heading_quote
from retrieval.claims.model import Verdict
from retrieval.judge.claims import Judgement, Slot, judge_claims
from retrieval.judge.moves import Relation
from retrieval.judge.pairs import DENIALS, JudgedItem, named_releases, read_item, read_pair, read_range, split_words
from retrieval.judge.wording import Wording, read_wording
from retrieval.model import Query
from retrieval.question.periods import find_period
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item, surround
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, ItemScore, Quote

if TYPE_CHECKING:
    from retrieval.llm.claims import ClaimReader

_READ_PASSAGES = 10
_JUDGED = 6
"""Of a search. The item that decides is among the first five in .95 of labelled claims, among twelve in .97."""

_RELEVANT = 0.3
"""What the deciding item must say of a claim, either way, or the notes don't tell. Chosen on claims about projects kept
aside and a panel (docs/decisions/0012)."""
_OUTWEIGHS = 0.8
"""What bears a claim decides where it is nearly as sure as what refutes it: of a thing's life each release tells a step
that refutes the others (docs/decisions/0012)."""
_SURE, _BORNE = 0.5, 0.15
"""How surely an item must bear a claim out, or refute it, to decide; and how surely another may bear out what one
refutes. Chosen on the development halves of our claims: weighed as if one claim in two were true, .90 and .91 of either
verdict are right there, .85 and .84 in the test halves (docs/decisions/0012)."""
_ALSO = 0.8  # What says nearly as much as the first is cited beside it. Chosen by hand, never fitted.
_MOVES: dict[Relation | None, Judgement] = {
    Relation.SAME: Judgement(1.0, 0.0, Slot.DIRECTION),
    Relation.SWAPPED: Judgement(0.0, 1.0, Slot.DIRECTION),
}
_WITHDRAWN = frozenset(split_tokens("yanked withdrawn retracted unpublished pulled recalled"))
_OUT = frozenset(split_tokens("released release releases version published came come out shipped dated tagged"))


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """An item with what it makes of the claim, as it would be cited."""

    quote: Quote
    judgement: Judgement
    wording: Wording

    @property
    def authority(self) -> int:
        return self.quote.passage.document.authority.weight


class Finder(Protocol):
    """What finds evidence: `retrieval.assistant.Assistant`."""

    @property
    def index(self) -> IndexReader: ...

    def understand_claim(self, text: str, *, product: str | None = None, version: str | None = None) -> Query: ...

    def find(self, query: Query, *, limit: int, is_asked: bool = True) -> Findings: ...

    def begin_claims(self) -> "ClaimReader | None": ...


def search_part(text: str, finder: Finder, *, product: str | None, version: str | None) -> Findings:
    """Return what the search finds for one part of a claim.

    Raises:
        UsageError: an unknown product, or a malformed version filter.
    """
    query = finder.understand_claim(text, product=product, version=version)
    return finder.find(query, limit=_READ_PASSAGES, is_asked=False)


def judge_evidence(text: str, findings: Findings) -> tuple[ClaimEvidence, ...]:
    """Return the nearest items of the search for one part of a claim, with what each makes of it."""
    items = nearest_items(findings, limit=_JUDGED)
    judged = [read_item(item, findings.index) for item in items]
    return _judge(text, judged, [_quote(item, findings.index) for item in items], findings)


def judge_quotes(text: str, quotes: Sequence[Quote], findings: Findings) -> tuple[ClaimEvidence, ...]:
    """Return the quotes that somebody else found for one part of a claim, with what each makes of it."""
    judged = [read_range(quote.passage, quote.core, findings.index) for quote in quotes]
    return _judge(text, judged, quotes, findings)


def _judge(
    text: str, judged: Sequence[JudgedItem], quotes: Sequence[Quote], findings: Findings
) -> tuple[ClaimEvidence, ...]:
    pairs = [read_pair(one_line(text), named_releases(findings.query), item) for item in judged]
    wordings = [read_wording(*read) for read in zip(pairs, judged, strict=True)]
    return tuple(
        ClaimEvidence(quote, _MOVES.get(wording.move, judgement), wording)
        for quote, judgement, wording in zip(quotes, judge_claims(pairs), wordings, strict=True)
    )


def nearest_items(findings: Findings, *, limit: int) -> list[ItemScore]:
    """Return the `limit` items most like what was searched, but those that are retracted or another project's."""
    nearest = sorted(findings.scored, key=lambda item: -item.likeness)[:limit]
    return [one for one in nearest if not one.item.retracted and not one.passage.is_foreign]


def _quote(scored: ItemScore, index: IndexReader) -> Quote:
    """Quote the item with its neighbours, from its passage's heading on where both fit: entries lean on it."""
    text = index.document_text(scored.hit.passage.document.id)
    quote = surround(quote_item(scored, text))
    wider = Span(quote.passage.span.start, quote.span.end)
    is_first = scored.number == 0 or quote.span.start <= quote.passage.items[0].span.start
    fits = is_first and len(wider) <= MAX_QUOTE_CHARACTERS
    return Quote(quote.passage, wider, quote.core, quote.retracted) if fits else quote


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """The verdict on one part of a claim, with the evidence that decides it, what decides first."""

    text: str
    verdict: Verdict
    evidence: tuple[ClaimEvidence, ...]
    against: ClaimEvidence | None = None  # A source of another authority that says otherwise.


def decide(text: str, evidence: Sequence[ClaimEvidence]) -> PartVerdict:
    """Decide on a part by the item that says most of it, first of all by one that says it in the same words; where one
    of more authority surely says the opposite, by that; unsure where that item isn't sure enough."""
    if not evidence:
        return PartVerdict(text, Verdict.NOT_FOUND, ())
    ranked = {bears: sorted(evidence, key=lambda one: -support(one, bears=bears)) for bears in (True, False)}
    # What only denies or plans the fact doesn't stand before what tells it.
    ranked[True].sort(key=lambda one: not (one.wording.can_bear and support(one, bears=True) >= _SURE))
    same = [one for one in ranked[True] if one.wording.verbatim]
    bears = bool(same) or support(ranked[True][0], bears=True) >= _OUTWEIGHS * support(ranked[False][0], bears=False)
    first = (same or ranked[bears])[0]
    if first.judgement.relevance < _RELEVANT:
        return PartVerdict(text, Verdict.NOT_FOUND, ())
    others = (one for one in ranked[not bears] if one.authority != first.authority)
    against = next((one for one in others if support(one, bears=not bears) >= _SURE), None)
    if against and against.authority > first.authority:
        bears, first, against = not bears, against, first
    least = _ALSO * support(first, bears=bears)
    also = [one for one in ranked[bears] if one is not first and support(one, bears=bears) >= least]
    if bears:
        is_sure = first.wording.verbatim or (first.wording.can_bear and support(first, bears=True) >= _SURE)
    else:
        swaps = first.wording.move is Relation.SWAPPED
        borne = (support(one, bears=True) for one in evidence if one.authority >= first.authority)
        is_alone = not same and max(borne) <= (_SURE if swaps else _BORNE)
        # Beside another move of the thing nothing else refutes the claimed one.
        is_alone &= swaps or all(one.wording.move is not Relation.OTHER for one in evidence)
        # What happened to another thing leaves the claimed one open: much is removed in a release.
        happened = {Slot.SUBJECT} if asserted_act(text) is not None else set()
        can_refute = first.wording.can_refute and first.judgement.slot not in first.wording.silent | happened
        is_sure = is_alone and can_refute and support(first, bears=False) >= _SURE
    verdict = Verdict.UNSURE if not is_sure else Verdict.SUPPORTED if bears else Verdict.CONTRADICTED
    return PartVerdict(text, verdict, (first, *also), against)


def agree(
    ours: PartVerdict, theirs: Verdict, evidence: Sequence[ClaimEvidence], chosen: Sequence[ClaimEvidence]
) -> PartVerdict:
    """Return the verdict on a part that we and somebody else come to, at first or with what they `chose` beside our
    `evidence`; unsure where we differ. Where they alone are sure, what they chose must hold its names, release and
    numbers to bear it out, and by our judge rather refute than bear it to refute it."""
    if ours.verdict is theirs:
        return ours
    if ours.verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED):
        return replace(ours, verdict=Verdict.UNSURE)
    if theirs is Verdict.NOT_FOUND:
        return PartVerdict(ours.text, theirs, ())
    for one in chosen[:1]:
        leans = support(one, bears=False) > support(one, bears=True)
        if one.wording.holds_facts if theirs is Verdict.SUPPORTED else leans:
            return PartVerdict(ours.text, theirs, (one,))
    shown = decide(ours.text, (*evidence, *chosen))
    return shown if shown.verdict is theirs else ours


def support(one: ClaimEvidence, *, bears: bool) -> float:
    """Return how surely an item bears the claim out, or refutes it, 0 to 1."""
    return one.judgement.supported if bears else one.judgement.contradicted


def judge_by_heading(text: str, findings: Findings) -> PartVerdict | None:
    """Return the verdict on a part of a claim that says nothing but that one release was taken back, or when it came
    out; a heading without a mark or a day is silent. None for any other part."""
    query, constraint = findings.query, findings.query.constraint
    if len(query.products) != 1 or constraint is None or len(constraint.versions) != 1:
        return None
    (product,), (version,) = findings.products, constraint.versions
    release = next((one for one in product.releases if one.version == version), None)
    if release is None:
        return None
    period = find_period(text, today=date.today())
    # A product may be called as what happened to it.
    names = {word for name in (product.name, *product.aliases) for word in name.casefold().split()} | DENIALS
    words = [
        word for word in content_words(text) if Version.try_parse(word) != version and word.casefold() not in names
    ]
    aside = split_tokens(period.words) if period else ()
    tokens = {token for word in words for token in split_tokens(word)[:1] if token not in aside}
    quote = heading_quote(findings, product, release)
    if quote is None or not tokens <= _OUT | _WITHDRAWN:
        return None
    if tokens & _WITHDRAWN and period is None:
        # A notice below the heading is an item, judged as such.
        marks = split_tokens(" ".join(quote.passage.heading))
        is_stated = is_borne = quote.passage.is_yanked and not _WITHDRAWN.isdisjoint(marks)
    elif period is not None and tokens <= _OUT:
        day = release.date
        is_stated = day is not None and not (isinstance(day, Month) and period.end == period.start + timedelta(1))
        is_borne = day is not None and period.start <= day < period.end
    else:
        return None
    if not is_stated:
        return None if period is None and release.yanked else PartVerdict(text, Verdict.NOT_FOUND, ())
    is_borne = is_borne is DENIALS.isdisjoint(split_words(text.casefold()))
    judged = Judgement(float(is_borne), float(not is_borne), Slot.NUMBER if period else Slot.STATUS)
    evidence = ClaimEvidence(quote, judged, Wording(verbatim=True, move=None, can_bear=True, can_refute=True))
    return PartVerdict(text, Verdict.SUPPORTED if is_borne else Verdict.CONTRADICTED, (evidence,))
