"""Evidence for or against a part of a claim, and the verdict: from the nearest items, or from a release's heading."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from corpus.affirming import SENTENCE_END, affirms
from corpus.ages import Month
from corpus.dates import find_dates
from corpus.happenings import NOT_DONE, Modality, asserted_act, find_acts
from corpus.index.reader import IndexReader
from corpus.lexicon import content_words, split_tokens
from corpus.model import Act, Span
from corpus.plain_words import one_line
from corpus.requirements import BACKS
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue_releases import heading_quote
from retrieval.claims.model import Verdict
from retrieval.judge.claims import Judgement, Slot, judge_claims
from retrieval.judge.moves import MOVING, Relation, names_only_old_value, read_moves, relate_moves
from retrieval.judge.pairs import (
    DENIALS,
    JudgedItem,
    Side,
    Sign,
    named_releases,
    read_item,
    read_pair,
    read_range,
    split_words,
)
from retrieval.model import Query
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item, surround
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, ItemScore, Quote
from retrieval.quoting.statements import read_statement

if TYPE_CHECKING:
    from retrieval.llm.claims import ClaimReader

_READ_PASSAGES = 10
_JUDGED = 6
"""Items judged for each search. The deciding one is among the first five in .95 of labelled claims, twelve in .97."""

_RELEVANT = 0.3
"""Least probability that the deciding item supports or contradicts a claim; below it the claim is "not found". Chosen
on claims about held-out projects and a panel (docs/decisions/0012)."""
_OUTWEIGHS = 0.8
"""Supporting evidence decides from this share of the contradicting probability on, because each release reports one
step in a thing's life, which contradicts the others (docs/decisions/0012)."""
_SURE, _MOST_SUPPORTED = 0.5, 0.15
"""Least probability with which an item supports or contradicts a claim to decide, and the most with which another item
may support a contradicted claim. Chosen on the development halves of our claims: weighed as if one claim in two were
true, .90 and .91 of either verdict are right there, .85 and .84 in the test halves (docs/decisions/0012)."""
_ALSO = 0.8  # Items with this share of the first one's probability are cited beside it. Chosen by hand, never fitted.
_MOVES: dict[Relation | None, Judgement] = {
    Relation.SAME: Judgement(1.0, 0.0, Slot.DIRECTION),
    Relation.SWAPPED: Judgement(0.0, 1.0, Slot.DIRECTION),
}
_ENDS = (Act.REMOVED, Act.DEPRECATED)
_OTHER_RELEASE = frozenset((Sign.EARLIER_RELEASE, Sign.LATER_RELEASE, Sign.SOME_RELEASE))
_OTHER_FACTS = frozenset((Sign.NAME, Sign.NUMBER, Sign.LOWER_NUMBER, Sign.HIGHER_NUMBER))
_LACKED = _OTHER_FACTS | {Sign.WORD}
_WITHDRAWN = frozenset(split_tokens("yanked withdrawn retracted unpublished pulled recalled"))
_OUT = frozenset(split_tokens("released release releases version published came come out shipped dated tagged"))


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """A quote with the judgement of the claim by its item."""

    quote: Quote
    judgement: Judgement
    can_support: bool = True  # Whether the item's label and moves allow that it supports the claim.
    can_refute: bool = True
    has_facts: bool = False  # The item has each name, number and release of the claim.

    @property
    def authority(self) -> int:
        return self.quote.passage.document.authority.weight


class Finder(Protocol):
    """The searcher for evidence, which `retrieval.assistant.Assistant` implements."""

    @property
    def index(self) -> IndexReader: ...

    def understand_claim(self, text: str, *, product: str | None = None, version: str | None = None) -> Query: ...

    def find(self, query: Query, *, limit: int, is_asked: bool = True) -> Findings: ...

    def begin_claims(self) -> "ClaimReader | None": ...


def search_part(text: str, finder: Finder, *, product: str | None, version: str | None) -> Findings:
    """Search for one part of a claim.

    Raises:
        UsageError: an unknown product, or a malformed version filter.
    """
    query = finder.understand_claim(text, product=product, version=version)
    return finder.find(query, limit=_READ_PASSAGES, is_asked=False)


def judge_evidence(text: str, findings: Findings) -> tuple[ClaimEvidence, ...]:
    """Return the nearest items of the search for one part of a claim, judged."""
    items = nearest_items(findings, limit=_JUDGED)
    judged = [read_item(item, findings.index) for item in items]
    return _judge(text, judged, [_quote(item, findings.index) for item in items], findings)


def judge_quotes(text: str, quotes: Sequence[Quote], findings: Findings) -> tuple[ClaimEvidence, ...]:
    """Return quotes for one part of a claim, found by other means (a language model, a revert), judged, in order."""
    return _judge(text, [read_range(quote.passage, quote.core, findings.index) for quote in quotes], quotes, findings)


def _judge(
    text: str, judged: Sequence[JudgedItem], quotes: Sequence[Quote], findings: Findings
) -> tuple[ClaimEvidence, ...]:
    named = named_releases(findings.query)
    pairs = [read_pair(one_line(text), named, item) for item in judged]
    return tuple(
        _weigh(quote, judgement, claim, item, named)
        for quote, judgement, (claim, _), item in zip(quotes, judge_claims(pairs), pairs, judged, strict=True)
    )


def _weigh(
    quote: Quote, judgement: Judgement, claim: Side, item: JudgedItem, named: Sequence[Version]
) -> ClaimEvidence:
    """Return a judgement with what the item's label allows: one that says that the act wasn't done, or that the thing
    ended, can't support that it was or is there; one that says that it was done can't refute it."""
    signs, claimed = {sign for _, _, sign in claim.signs}, asserted_act(claim.text)
    acts, is_denied = dict(find_acts(item.text)), Sign.DENIAL in signs
    moves = read_moves(item.text, is_claim=False)
    relation = relate_moves(read_moves(claim.text, is_claim=True), moves) if moves else None
    lacks = {
        word for start, end, sign in claim.signs if sign in _LACKED for word in split_tokens(claim.text[start:end])[:1]
    }
    is_whole = not is_denied and lacks <= MOVING and signs.isdisjoint(_OTHER_RELEASE)
    first = SENTENCE_END.split(item.text, maxsplit=1)[0]
    is_open = item.act in NOT_DONE and claimed is not item.act
    is_there = claimed not in _ENDS and bool(claimed or BACKS.search(claim.text))
    is_ended = item.act is Act.REMOVED and is_there and not is_denied
    is_undone = claimed in _ENDS and not is_denied and not affirms(first, claimed, item.act)
    is_old = not is_denied and names_only_old_value(claim.text, moves)
    is_said = claimed in _ENDS and acts.get(claimed) is Modality.DONE and not is_denied
    # An entry tells of its own release, unless it names another one.
    stated = read_statement(item.text)
    of_release = item.release and any(VersionConstraint.exactly(version).contains(item.release) for version in named)
    is_elsewhere = claimed is not None and named and not of_release and not (stated and stated[0] is claimed)
    is_asked = "".join(item.heading[-1:]).rstrip(" *_").endswith("?")
    is_above = Sign.HIGHER_NUMBER in signs and item.act in (Act.REQUIRES, Act.REMOVED)
    return ClaimEvidence(
        quote,
        _MOVES.get(relation, judgement) if is_whole else judgement,
        can_support=not (is_open or is_ended or is_undone or is_old or is_elsewhere or is_asked),
        can_refute=not (is_above or (is_said and judgement.slot is Slot.STATUS)),
        has_facts=signs.isdisjoint(_OTHER_FACTS | _OTHER_RELEASE),
    )


def nearest_items(findings: Findings, *, limit: int) -> list[ItemScore]:
    """Return the `limit` items most like the search text, minus those retracted or from another project among them."""
    nearest = sorted(findings.scored, key=lambda item: -item.likeness)[:limit]
    return [scored for scored in nearest if not scored.item.retracted and not scored.passage.is_foreign]


def _quote(scored: ItemScore, index: IndexReader) -> Quote:
    """Return the quote of an item with its neighbours, and with the heading if both fit, because entries need it."""
    quote = surround(quote_item(scored, index.document_text(scored.hit.passage.document.id)))
    wider = Span(quote.passage.span.start, quote.span.end)
    is_first = scored.number == 0 or quote.span.start <= quote.passage.items[0].span.start
    fits = is_first and len(wider) <= MAX_QUOTE_CHARACTERS
    return Quote(quote.passage, wider, quote.core, quote.retracted) if fits else quote


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """The verdict on one part of a claim, with its evidence, the deciding item first."""

    text: str
    verdict: Verdict
    evidence: tuple[ClaimEvidence, ...]
    against: ClaimEvidence | None = None  # Opposing evidence from a source with another authority.


def decide(text: str, evidence: Sequence[ClaimEvidence]) -> PartVerdict:
    """Return the verdict of the most relevant item, or of a surely opposing one with more authority: unsure if it isn't
    sure enough, "not found" if it is hardly relevant."""
    if not evidence:
        return PartVerdict(text, Verdict.NOT_FOUND, ())
    ranked = {pro: sorted(evidence, key=lambda item: -chance(item, supports=pro)) for pro in (True, False)}
    # Items that only deny or plan the claimed fact come after those that report it.
    ranked[True].sort(key=lambda item: not (item.can_support and chance(item, supports=True) >= _SURE))
    pro = chance(ranked[True][0], supports=True) >= _OUTWEIGHS * chance(ranked[False][0], supports=False)
    first = ranked[pro][0]
    if first.judgement.relevance < _RELEVANT:
        return PartVerdict(text, Verdict.NOT_FOUND, ())
    others = (item for item in ranked[not pro] if item.authority != first.authority)
    against = next((item for item in others if chance(item, supports=not pro) >= _SURE), None)
    if against and against.authority > first.authority:
        pro, first, against = not pro, against, first
    least = _ALSO * chance(first, supports=pro)
    also = [item for item in ranked[pro] if item is not first and chance(item, supports=pro) >= least]
    is_sure = chance(first, supports=pro) >= _SURE
    if pro:
        is_sure &= first.can_support
    else:
        supports = (chance(item, supports=True) for item in evidence if item.authority >= first.authority)
        # The same event for another thing contradicts nothing: a release removes many things.
        is_other = first.judgement.slot is Slot.SUBJECT and asserted_act(text) is not None
        is_sure &= max(supports) <= _MOST_SUPPORTED and first.can_refute and not is_other
    verdict = Verdict.UNSURE if not is_sure else Verdict.SUPPORTED if pro else Verdict.CONTRADICTED
    return PartVerdict(text, verdict, (first, *also), against)


def reconcile(
    ours: PartVerdict, theirs: Verdict, evidence: Sequence[ClaimEvidence], chosen: Sequence[ClaimEvidence]
) -> PartVerdict:
    """Return the verdict on which we agree with the language model's `theirs`, perhaps only after adding the quotes
    it `chose` to our `evidence`; unsure if we differ. If only the model is sure, its quotes must contain the claim's
    names, release and numbers to support it, and our judge must lean against it to contradict it."""
    if ours.verdict is theirs:
        return ours
    if ours.verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED):
        return replace(ours, verdict=Verdict.UNSURE)
    if theirs is Verdict.NOT_FOUND:
        return PartVerdict(ours.text, theirs, ())
    for quoted in chosen[:1]:
        leans = chance(quoted, supports=False) > chance(quoted, supports=True)
        if quoted.has_facts if theirs is Verdict.SUPPORTED else leans:
            return PartVerdict(ours.text, theirs, (quoted,))
    shown = decide(ours.text, (*evidence, *chosen))
    return shown if shown.verdict is theirs else ours


def chance(evidence: ClaimEvidence, *, supports: bool) -> float:
    """Return the probability, 0 to 1, that an item supports the claim, or contradicts it if not `supports`."""
    return evidence.judgement.supported if supports else evidence.judgement.contradicted


def judge_by_heading(text: str, findings: Findings) -> PartVerdict | None:
    """Return the verdict on a part that only says that a release was withdrawn, or when it came out, by the release's
    heading: "not found" if that has no mark or day. None for any other part, or without one listed release."""
    query, constraint = findings.query, findings.query.constraint
    if len(query.products) != 1 or constraint is None or len(constraint.versions) != 1:
        return None
    (product,), (version,) = findings.products, constraint.versions
    release = next((listed for listed in product.releases if listed.version == version), None)
    if release is None:
        return None
    dated = next(iter(find_dates(text)), None)
    # A product's name may be one of these words ("Release").
    names = {word for name in (product.name, *product.aliases) for word in name.casefold().split()} | DENIALS
    words = [
        word for word in content_words(text) if Version.try_parse(word) != version and word.casefold() not in names
    ]
    aside = split_tokens(dated.span.slice(text)) if dated else ()
    tokens = {token for word in words for token in split_tokens(word)[:1] if token not in aside}
    quote = heading_quote(findings, product, release)
    if quote is None or not tokens <= _OUT | _WITHDRAWN:
        return None
    if tokens & _WITHDRAWN and dated is None:
        # A notice below the heading is an item, which is judged like any other.
        marks = split_tokens(" ".join(quote.passage.heading))
        is_stated = is_true = quote.passage.is_yanked and not _WITHDRAWN.isdisjoint(marks)
    elif dated is not None and tokens <= _OUT:
        day = release.date
        is_stated = day is not None and not isinstance(day, Month)
        is_true = day == dated.date
    else:
        return None
    if not is_stated:
        return None if dated is None and release.yanked else PartVerdict(text, Verdict.NOT_FOUND, ())
    is_true = is_true is DENIALS.isdisjoint(split_words(text.casefold()))
    judged = Judgement(float(is_true), float(not is_true), Slot.NUMBER if dated else Slot.STATUS)
    return PartVerdict(text, Verdict.SUPPORTED if is_true else Verdict.CONTRADICTED, (ClaimEvidence(quote, judged),))
