"""Conflicts: what sources disagree about is told after the answer where it was asked, the official side first."""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, combinations, product

from corpus.lexicon import split_tokens
from retrieval.answers.disagreement import Assertion, find_disagreement
from retrieval.blocks import NO_WORDS, words_of
from retrieval.model import Status
from retrieval.question.words import share_met
from retrieval.quoting.composing import Dispute, Draft, Statement, according_to, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote

_LEADING, _CANDIDATES = 2, 40
"""How many of the first statements are compared with how many of the items that are likeliest to answer."""
_ABOUT, _ANSWER = 0.3, 0.9
"""Both sides must hold this much of what the question is about; in other words, also this share of what the fuller one
holds of it. Chosen by hand, never fitted."""
_ASKS_DISAGREEMENT = re.compile(
    r"\b(?:(?:dis|don[’']?t |doesn[’']?t |not )(?:quite )?agree|contradict|conflict(?:s|ing)\b|inconsisten|discrepanc"
    r"|at odds\b|(?:says?|said|seen|heard|read|find|found) both\b|both words\b|differently\b)",
    re.IGNORECASE,
)


def append_conflict(draft: Draft, findings: Findings) -> Draft:
    """Return the draft, after its answer the first disagreement about what was asked; where the disagreement itself is
    asked for, its two sides are the answer, also where there was none."""
    asked = bool(_ASKS_DISAGREEMENT.search(findings.query.text))
    if draft.status is Status.NOT_FOUND and not (asked and draft.by_confidence):
        return draft
    quoted = [quote for statement in draft.statements for quote in statement.quotes[:1] if not quote.retracted]
    likely = [item.quote for item in findings.fitting[:_CANDIDATES] if not item.item.retracted]
    assertions: dict[int, Assertion] = {}
    for quote in (*quoted, *likely):
        document = quote.passage.document
        names = frozenset(map(str.casefold, (document.product, *document.aliases)))
        assertions[id(quote)] = Assertion(findings.core_of(quote), names, quote.passage.release)
    several = (pair for pair in combinations(likely, 2) if asked or not _is_of_one(*pair))
    for pair in chain(product(quoted[:_LEADING], likely), several):
        first, second = sorted(pair, key=lambda quote: -quote.passage.document.authority.weight)
        if not first.shares_core(second) and (about := _disputed(first, second, assertions, findings, asked=asked)):
            own, against = sides = _sides(about, first, second, findings)
            disputes, statements = (*draft.disputes, Dispute(about, (first, second))), draft.statements
            if asked:
                return Draft(Status.ANSWERED, NO_WORDS, sides, draft.notes, disputes)
            # Keep the side that answers, unless the other one has more authority.
            sided = [[one for one in statements if any(map(side.shares_core, one.quotes))] for side in (first, second)]
            rest = [one for one in statements if one not in chain(*sided)]
            answer = statements[:1] if statements[0] in sided[0] else (own,) if statements[0] in sided[1] else ()
            after = (against,) if answer else sides
            return replace(draft, statements=(*answer, *rest, *after), disputes=disputes)
    return draft


def _disputed(
    first: Quote, second: Quote, assertions: Mapping[int, Assertion], findings: Findings, *, asked: bool
) -> str | None:
    """Return what two quotes disagree about, None where they agree or where the question asks about something else.
    `asked`: the question itself asks for a disagreement.

    The rest of what is asked may stand in their sections; two documents that answer as fully may use any words."""
    one, other = assertions[id(first)], assertions[id(second)]
    about = find_disagreement(one, other)
    is_strict, focus = about is not None, findings.focus
    if focus.words and not is_strict and not _is_of_one(first, second):
        about = find_disagreement(one, other, of_one_subject=True)
    if about is None:
        return None
    sides = ((quote.passage, findings.core_of(quote)) for quote in (first, second))
    texts = ((one, one.span.slice(findings.index.text_of(one)) if asked else core) for one, core in sides)
    tokens = [frozenset(split_tokens(" ".join((*one.heading, text)))) for one, text in texts]
    shared, most = tokens[0] & tokens[1], max(share_met(focus.keywords, own) for own in tokens)
    least = (0.0 if asked else _ABOUT) if is_strict else max(_ABOUT, _ANSWER * most)
    is_named = all(name.met_by(shared) for name in focus.names)
    return about if is_named and share_met(focus.keywords, shared) >= least else None


def _is_of_one(first: Quote, second: Quote) -> bool:
    return first.passage.document.id == second.passage.document.id


def _sides(about: str, first: Quote, second: Quote, findings: Findings) -> tuple[Statement, Statement]:
    """A statement for each side, in the second one what they disagree about."""
    who = "The notes disagree with themselves" if _is_of_one(first, second) else "Sources disagree"
    own = statement_of(first, findings.text_of(first), tells_day=True)
    against = statement_of(second, findings.text_of(second))
    speaker = against.speaker.with_small_initial()
    if against.speaker != according_to(second) and not speaker.text.endswith(")"):
        speaker += f" ({second.passage.document.authority.value})"
    return own, replace(against, before=words_of(f"{who} about {about}. Against it, "), speaker=speaker, code=())
