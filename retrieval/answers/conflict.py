"""Conflicts: where what is quoted disagrees with what else was found, both sides are told, the official one first."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from corpus.versions import Version
from retrieval.disagreement import ClauseClaim, Saying, find_disagreement, read_claims
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


def tell_conflicts(draft: Draft, findings: Findings) -> Draft:
    """The draft with the first conflict between its quotes and what else was found, if there is one."""
    if draft.status is Status.NOT_FOUND:
        return draft
    quoted = [quote for statement in draft.statements for quote in statement.quotes if not quote.retracted]
    asked = bool(_ASKS_DISAGREEMENT.search(findings.query.text))
    for pair in _pairs(quoted, findings, every_pair=asked):
        sides = sorted(pair, key=lambda side: -side[0].passage.document.authority.weight)
        (first, saying), (second, other) = sides
        if not first.shares_core(second):
            one, two = first.passage, second.passage
            is_of_one = one.document.id == two.document.id and one.release == two.release
            about = find_disagreement(saying, other, of_one_speaker=is_of_one)
            if about is not None:
                return _told(draft, about, (first, second), findings, asked=asked)
    return draft


def _pairs(
    quoted: Sequence[Quote], findings: Findings, *, every_pair: bool
) -> Iterator[tuple[tuple[Quote, Saying], tuple[Quote, Saying]]]:
    """What is quoted with all else that shares its words; where the disagreement is asked for, all that was found."""
    claims = [read_claims(findings.core_of(quote)) for quote in quoted]
    if not any(claims) and not every_pair:
        return
    others = (item.quote for item in findings.fitting[:_CANDIDATES] if not item.item.retracted)
    found: list[tuple[Quote, Saying]] = []
    for quote in (*quoted, *others):
        document, release = quote.passage.document, quote.passage.release
        names = frozenset(map(str.casefold, (document.product, *document.aliases)))
        saying = Saying(findings.core_of(quote), names, Version.try_parse(release) if release else None)
        found.append((quote, saying))
    texts = [saying.text.casefold() for _, saying in found]
    for number, own in enumerate(claims):
        for place in range(number + 1, len(found)):
            if own and _shares_words(own, texts[place]):
                yield found[number], found[place]
    if every_pair:
        yield from combinations(found[:_PAIRED], 2)


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
    voices = []
    for quote in sides:
        speaker = attribution(quote)
        if speaker != according_to(quote) and not speaker.endswith(")"):
            speaker += f" ({quote.passage.document.authority.value})"
        voices.append(f"{speaker}: {wording(quote, findings.text_of(quote))}")
    pair = (
        Statement(f"{who} about {safe(about)}. {voices[0]}", (first,)),
        Statement(f"Against it, {voices[1][:1].lower()}{voices[1][1:]}", (second,)),
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
        disputes=(*draft.disputes, Dispute(about, sides)),
    )
