"""What may bear a part of a claim or refute it: the items that the search found nearest, judged one by one, and the
verdict that they make."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.model import Span
from corpus.plain_words import one_line
from corpus.versions import Version
from retrieval.claims.entailment import Judgement, load_entailment
from retrieval.claims.model import Verdict
from retrieval.claims.pairs import Side, ToldItem, read_pair
from retrieval.claims.understanding import Finder, understand_part
from retrieval.findings import Findings
from retrieval.model import Query
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, ItemScore, Quote, surround, widen

_READ_PASSAGES = 10
_JUDGED = 6
"""Of a search. The item that decides is among the first five in .95 of labelled claims, among twelve in .97."""

_SAID = 0.3
"""What the deciding item must say of a claim, either way, or the notes don't tell."""
_OUTWEIGHS = 0.8
"""What bears a claim decides where it is nearly as sure as what refutes it: of a thing's life each release tells a step
that refutes the others."""
_SURE = 0.5
_AS_SURE = 0.95
"""Of what says as much as the surest, that decides which the search found nearest."""
_ALSO = 0.8
"""What says nearly as much as the first is cited beside it."""


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """An item with what it makes of the claim, as it would be cited."""

    quote: Quote
    judgement: Judgement

    @property
    def authority(self) -> int:
        return self.quote.passage.document.authority.weight


def search_part(text: str, finder: Finder, *, product: str | None, version: str | None) -> tuple[Findings, ...]:
    """What the search finds for one part of a claim; where the part names a release, in any other too: the same may
    have come with that.

    Raises:
        UsageError: an unknown product, or a malformed version filter.
    """
    query = understand_part(text, finder, product=product, version=version)
    findings = finder.find(query, limit=_READ_PASSAGES)
    if query.constraint is None or query.version_filtered:
        return (findings,)
    return findings, finder.find(replace(query, constraint=None), limit=_READ_PASSAGES)


def judge_evidence(text: str, findings: Sequence[Findings]) -> tuple[ClaimEvidence, ...]:
    """The nearest items of the searches for one part of a claim, each once, with what each makes of it."""
    items = nearest_items(findings, limit=_JUDGED)
    releases = named_releases(findings[0].query)
    pairs = [pair_of(text, releases, item, findings[0].index) for item in items]
    judged = zip(items, load_entailment().judge(pairs), strict=True)
    quoted = (ClaimEvidence(_quote(item, findings[0].index), judgement) for item, judgement in judged)
    return _tellable(quoted, findings[0])


def judge_quotes(text: str, quotes: Sequence[Quote], findings: Findings) -> tuple[ClaimEvidence, ...]:
    """The quotes that somebody else found for one part of a claim, with what each makes of it."""
    releases, index = named_releases(findings.query), findings.index
    told = [_told(quote.passage, quote.core, index) for quote in quotes]
    judged = load_entailment().judge([read_pair(one_line(text), releases, item) for item in told])
    return _tellable(
        (ClaimEvidence(quote, judgement) for quote, judgement in zip(quotes, judged, strict=True)), findings
    )


def _tellable(evidence: Iterable[ClaimEvidence], findings: Findings) -> tuple[ClaimEvidence, ...]:
    """Of names that no passage has nothing can be refuted: the notes are silent about them."""
    names = [name.text for name in findings.focus.names if not name.text[0].isdigit()]
    is_unknown = bool(names) and set(names) <= set(unknown_names(findings))
    return tuple(one for one in evidence if not is_unknown or one.judgement.supported > one.judgement.contradicted)


def unknown_names(findings: Findings) -> tuple[str, ...]:
    """The code names of a claim that no indexed passage holds."""
    unknown = set(findings.weights.unknown)
    return tuple(name.text for name in findings.focus.names if name.tokens[0] in unknown)


def nearest_items(findings: Sequence[Findings], *, limit: int) -> tuple[ItemScore, ...]:
    """The items of each search that are most like what was searched, at most `limit` of one, each once."""
    nearest: dict[tuple[int, int], ItemScore] = {}
    for found in findings:
        for scored in sorted(found.scored, key=lambda item: -item.likeness)[:limit]:
            if not scored.item.retracted:
                nearest.setdefault((scored.hit.passage.position, scored.number), scored)
    return tuple(nearest.values())


def pair_of(text: str, releases: Sequence[Version], scored: ItemScore, index: IndexReader) -> tuple[Side, Side]:
    """A part of a claim and an item, as the model reads them."""
    return read_pair(one_line(text), releases, told_of(scored, index))


def told_of(scored: ItemScore, index: IndexReader) -> ToldItem:
    """An item with where it stands."""
    return _told(scored.hit.passage, scored.item.span, index)


def _told(passage: StoredPassage, span: Span, index: IndexReader) -> ToldItem:
    document = passage.document
    words = one_line(span.slice(index.document_text(document.id)))
    return ToldItem(words, document.product, document.title, passage.heading, passage.release or document.version)


def named_releases(query: Query) -> tuple[Version, ...]:
    """The numbers of a query that are releases of its product."""
    named = query.versions_set_aside or query.constraint
    return tuple(version for version in (*named.versions, named.low, named.high) if version) if named else ()


def _quote(scored: ItemScore, index: IndexReader) -> Quote:
    """The item with its neighbours, begun at its passage's heading where both fit: entries often say half of it
    there."""
    text = index.document_text(scored.hit.passage.document.id)
    quote = surround(widen(scored, text), room=MAX_QUOTE_CHARACTERS)
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
    against: ClaimEvidence | None = None
    """A source of another authority that says otherwise."""


def decide(text: str, evidence: Sequence[ClaimEvidence]) -> PartVerdict:
    """Decide on a part by the item that says most of it, of `evidence` in the order of the search; where one of more
    authority surely says the opposite, by that."""
    if not evidence:
        return PartVerdict(text, Verdict.NOT_FOUND, ())
    bearing = max(evidence, key=lambda item: item.judgement.supported)
    refuting = max(evidence, key=lambda item: item.judgement.contradicted)
    bears = bearing.judgement.supported >= _OUTWEIGHS * refuting.judgement.contradicted
    surest = bearing if bears else refuting
    if surest.judgement.said < _SAID:
        return PartVerdict(text, Verdict.NOT_FOUND, ())
    enough = _AS_SURE * _says(surest, bears=bears)
    first = next(item for item in evidence if _says(item, bears=bears) >= enough)
    against = _most_of(evidence, bears=not bears, other_than=first.authority)
    if against and against.authority > first.authority:
        bears, first, against = not bears, against, first
    also = sorted(
        (
            item
            for item in evidence
            if item is not first and _says(item, bears=bears) >= _ALSO * _says(first, bears=bears)
        ),
        key=lambda item: -_says(item, bears=bears),
    )
    return PartVerdict(text, Verdict.SUPPORTED if bears else Verdict.CONTRADICTED, (first, *also), against)


def agree(
    ours: PartVerdict, theirs: Verdict, evidence: Sequence[ClaimEvidence], chosen: Sequence[ClaimEvidence]
) -> PartVerdict:
    """The verdict on a part that we and somebody else both come to, at first or once what they `chose` is there beside
    our `evidence`; not found where we differ, for a wrong verdict costs more than none."""
    if ours.verdict is theirs:
        return ours
    if ours.verdict is not Verdict.NOT_FOUND:
        return PartVerdict(ours.text, Verdict.NOT_FOUND, ())
    shown = decide(ours.text, (*evidence, *chosen))
    return shown if shown.verdict is theirs else ours


def _most_of(evidence: Sequence[ClaimEvidence], *, bears: bool, other_than: int) -> ClaimEvidence | None:
    """What surely says so from sources of another authority."""
    sure = [item for item in evidence if item.authority != other_than and _says(item, bears=bears) >= _SURE]
    return max(sure, key=lambda item: _says(item, bears=bears), default=None)


def _says(item: ClaimEvidence, *, bears: bool) -> float:
    return item.judgement.supported if bears else item.judgement.contradicted
