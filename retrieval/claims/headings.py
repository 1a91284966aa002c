"""Claims about a release itself, which its heading tells and no entry: that it was taken back, when it came out."""

from datetime import date

from corpus.lexicon import content_words, split_tokens
from corpus.versions import Version
from retrieval.answers.catalogue_releases import heading_quote
from retrieval.claims.evidence import ClaimEvidence, PartVerdict
from retrieval.claims.model import Verdict
from retrieval.composing import has_yanked_heading
from retrieval.findings import Findings
from retrieval.judge.claims import Judgement, Slot
from retrieval.judge.pairs import DENIALS, split_words
from retrieval.judge.wording import Wording
from retrieval.question.periods import find_period

_WITHDRAWN = frozenset(split_tokens("yanked withdrawn retracted unpublished pulled recalled"))
_OUT = frozenset(split_tokens("released release releases version published came come out shipped dated tagged"))


def told_by_heading(text: str, findings: Findings) -> PartVerdict | None:
    """The verdict on a part of a claim that says nothing but that one release was taken back, or when it came out; a
    heading without a mark or a day is silent. None for any other part."""
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
    said = {token for word in words for token in split_tokens(word)[:1] if token not in aside}
    quote = heading_quote(findings, product, release)
    if quote is None or not said <= _OUT | _WITHDRAWN:
        return None
    if said & _WITHDRAWN and period is None:
        # What a notice below the heading says, an item does.
        is_told = is_borne = has_yanked_heading(quote.passage)
    elif period is not None and said <= _OUT:
        day = release.date
        is_told, is_borne = day is not None, day is not None and period.start <= day < period.end
    else:
        return None
    if not is_told:
        is_noticed = period is None and version in findings.index.yanked_releases(product.name)
        return None if is_noticed else PartVerdict(text, Verdict.NOT_FOUND, ())
    is_borne = is_borne is DENIALS.isdisjoint(split_words(text.casefold()))
    judged = Judgement(float(is_borne), float(not is_borne), Slot.NUMBER if period else Slot.STATUS)
    evidence = ClaimEvidence(quote, judged, Wording(verbatim=True, can_bear=True, can_refute=True))
    return PartVerdict(text, Verdict.SUPPORTED if is_borne else Verdict.CONTRADICTED, (evidence,))
