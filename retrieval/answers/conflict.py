"""Conflicts: where what is quoted disagrees with what else was found, both sides are told, the official one first."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from corpus.versions import Version
from retrieval.disagreement import ClauseClaim, Saying, StatementScope, find_disagreement, read_claims
from retrieval.drafting import Dispute, Draft, Statement, according_to, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quoting.quotes import Quote
from retrieval.quoting.safe_text import safe

_CANDIDATES = 40
_PAIRED = 30
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

    saying: Saying
    quote: Quote


def tell_conflicts(draft: Draft, findings: Findings) -> Draft:
    """The draft with the first conflict between its quotes and what else was found, if there is one."""
    if draft.status is Status.NOT_FOUND:
        return draft
    quoted = tuple(
        _side(findings, quote) for statement in draft.statements for quote in statement.quotes if not quote.retracted
    )
    asked = bool(_ASKS_DISAGREEMENT.search(findings.query.text))
    for pair in _pairs(quoted, findings, every_pair=asked):
        first, second = sorted(pair, key=lambda side: -side.quote.passage.document.authority.weight)
        if not first.quote.shares_core(second.quote):
            one, other = (side.quote.passage for side in (first, second))
            is_of_one = one.document.id == other.document.id and one.release == other.release
            about = find_disagreement(first.saying, second.saying, of_one_speaker=is_of_one)
            if about is not None:
                return _told(draft, about, (first.quote, second.quote), findings, asked=asked)
    return draft


def _side(findings: Findings, quote: Quote) -> _Side:
    document, release = quote.passage.document, quote.passage.release
    names = frozenset(map(str.casefold, (document.product, *document.aliases)))
    scope = StatementScope(names, Version.try_parse(release) if release else None)
    return _Side(Saying(findings.core_of(quote), scope), quote)


def _pairs(quoted: Sequence[_Side], findings: Findings, *, every_pair: bool) -> Iterator[tuple[_Side, _Side]]:
    """What is quoted with all else that shares its words; where the disagreement is asked for, all that was found."""
    claims = tuple(read_claims(side.saying.text) for side in quoted)
    if not any(claims) and not every_pair:
        return
    items = (item.quote for item in findings.fitting[:_CANDIDATES] if not item.item.retracted)
    sides = (*quoted, *(_side(findings, quote) for quote in items))
    found = tuple((side, side.saying.text.casefold()) for side in sides)
    for number, (quoted_side, own) in enumerate(zip(quoted, claims, strict=True)):
        yield from ((quoted_side, other) for other, text in found[number + 1 :] if own and _shares_words(own, text))
    if every_pair:
        yield from combinations((other for other, _ in found[:_PAIRED]), 2)


def _shares_words(claims: Sequence[ClauseClaim], text: str) -> bool:
    """Whether a text may speak of the subject of a claim: it holds a name of it, or two of its words' stems."""
    return any(
        any(name in text for name in claim.names)
        # The stem of "telemetry" is "telemetri".
        or sum(stem.removesuffix("i") in text for stem in (*claim.subject, claim.key) if stem)
        >= max(1, min(2, len(claim.subject) - 1))
        for claim in claims
    )


def _told(draft: Draft, about: str, sides: tuple[Quote, Quote], findings: Findings, *, asked: bool) -> Draft:
    """Put both sides in the place of the first of them; where the disagreement itself was asked for, before all."""
    first, second = sides
    same_document = first.passage.document.id == second.passage.document.id
    who = "The notes disagree with themselves" if same_document else "Sources disagree"
    pair = (
        Statement(f"{who} about {safe(about)}. {_voice(first, findings)}", (first,)),
        Statement(f"Against it, {_lower(_voice(second, findings))}", (second,)),
    )
    place = 0 if asked else min(n for n, statement in enumerate(draft.statements) if set(statement.quotes) & set(sides))
    rest = [
        statement
        for statement in draft.statements
        if not any(quote.shares_core(side) for quote in statement.quotes for side in sides)
    ]
    statements = (*rest[:place], *pair, *rest[place:])
    return replace(
        draft,
        statements=statements[:_STATEMENTS] if asked else statements,
        disputes=(*draft.disputes, Dispute(about, (first, second))),
    )


def _voice(quote: Quote, findings: Findings) -> str:
    document = quote.passage.document
    speaker = attribution(quote)
    if speaker != according_to(quote) and not speaker.endswith(")"):
        speaker += f" ({document.authority.value})"
    return f"{speaker}: {wording(quote, findings.index.document_text(document.id))}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
