"""Conflicts: where what is quoted disagrees with what else was found, both sides are told, the official one first."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from corpus.model import Span
from corpus.versions import Version
from retrieval.disagreement import Claim, Disagreement, Scope, Told, find_disagreement, read_claims
from retrieval.drafting import Dispute, Draft, Statement, according_to, attribution, safe, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import Quote

_CANDIDATES = 40
_PAIRED = 24
_STATEMENTS = 3
"""As many are said of a question that asks for the disagreement itself."""
_ASKS_DISAGREEMENT = re.compile(
    r"\b(?:dis|don[’']?t |doesn[’']?t |not )(?:quite )?agree\w*|\bcontradict\w*|\bconflict(?:s|ing)\b|\binconsisten\w+"
    r"|\bat odds\b|\b(?:says?|said|seen|heard|read|find|found) both\b|\bboth words\b|\bdifferently\b|\bdiscrepanc\w+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Side:
    """Something found that may take one side of a conflict."""

    told: Told
    quote: Quote


def tell_conflicts(draft: Draft, findings: Findings) -> Draft:
    """The draft with the first conflict between its quotes and what else was found, if there is one."""
    if draft.status is Status.NOT_FOUND:
        return draft
    quoted = tuple(_side(quote, findings) for one in draft.statements for quote in one.quotes if not quote.retracted)
    asked = bool(_ASKS_DISAGREEMENT.search(findings.query.text))
    found = _found(findings)
    for one, other in _pairs(quoted, found, every_pair=asked):
        if not _overlap(one.quote, other.quote):
            disagreement = find_disagreement(one.told, other.told)
            if disagreement is not None:
                return _told(draft, disagreement, (one.quote, other.quote), findings, asked=asked)
    return draft


def _pairs(quoted: Sequence[_Side], found: Sequence[_Side], *, every_pair: bool) -> Iterator[tuple[_Side, _Side]]:
    """What is quoted with all else that shares its words; where the disagreement is asked for, all that was found."""
    for number, one in enumerate(quoted):
        claims = read_claims(one.told.text)
        if claims:
            others = (*quoted[number + 1 :], *found)
            yield from ((one, other) for other in others if _shares_words(claims, other.told.text.casefold()))
    if every_pair:
        yield from combinations(found[:_PAIRED], 2)


def _shares_words(claims: Sequence[Claim], text: str) -> bool:
    """Whether a text may speak of the subject of a claim; stems are parts of their words, or the claim is missed."""
    return any(sum(word in text for word in (*one.subject, one.key) if word) >= min(2, len(one.subject)) for one in claims)


def _found(findings: Findings) -> tuple[_Side, ...]:
    items = findings.fitting(findings.scored)[:_CANDIDATES]
    return tuple(
        _side(Quote(one.hit.passage, one.item.span, one.item.span, retracted=False), findings)
        for one in items
        if not one.item.retracted
    )


def _side(quote: Quote, findings: Findings) -> _Side:
    document = quote.passage.document
    names = frozenset(map(str.casefold, (document.product, *document.aliases)))
    release = Version.try_parse(quote.passage.release) if quote.passage.release else None
    return _Side(Told(quote.core.slice(findings.index.document_text(document.id)), Scope(names, release)), quote)


def _told(
    draft: Draft, disagreement: Disagreement, sides: Sequence[Quote], findings: Findings, *, asked: bool
) -> Draft:
    """Put both sides in the place of the first of them; where the disagreement itself was asked for, before all."""
    first, second = sorted(sides, key=lambda quote: -quote.passage.document.authority.weight)
    about = safe(disagreement.about)
    same_document = first.passage.document.id == second.passage.document.id
    who = "The notes disagree with themselves" if same_document else "Sources disagree"
    pair = (
        Statement(f"{who} about {about}. {_voice(first, findings)}", (first,)),
        Statement(f"Against it, {_lower(_voice(second, findings))}", (second,)),
    )
    place = 0 if asked else min(n for n, one in enumerate(draft.statements) if set(one.quotes) & set(sides))
    rest = [one for one in draft.statements if not any(_overlap(quote, side) for quote in one.quotes for side in sides)]
    statements = (*rest[:place], *pair, *rest[place:])
    stronger = first.passage.document.authority.weight > second.passage.document.authority.weight
    standing = f"; the {first.passage.document.authority.value} source stands first" if stronger else ""
    return replace(
        draft,
        statements=statements[:_STATEMENTS] if asked else statements,
        notes=(*draft.notes, f"{who} about {about}{standing}."),
        disputes=(*draft.disputes, Dispute(disagreement.about, (first, second))),
    )


def _voice(quote: Quote, findings: Findings) -> str:
    document = quote.passage.document
    speaker = attribution(quote)
    if speaker != according_to(quote) and not speaker.endswith(")"):
        speaker += f" ({document.authority.value})"
    return f"{speaker}: {wording(quote, findings.index.document_text(document.id))}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _overlap(one: Quote, other: Quote) -> bool:
    if one.passage.document.id != other.passage.document.id:
        return False
    return _meet(one.core, other.core)


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
