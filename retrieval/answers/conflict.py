"""Conflicts: a disagreement of sources about the question is added to the answer, the official side first."""

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
"""How many of the first statements are compared with how many of the likeliest items."""
_ABOUT, _ANSWER = 0.3, 0.9
"""Least share of the keywords' weight that both sides must share; if their other words differ, also least share of what
the fuller side has. Chosen by hand, never fitted."""
_ASKS_DISAGREEMENT = re.compile(
    r"\b(?:(?:dis|don[’']?t |doesn[’']?t |not )(?:quite )?agree|contradict|conflict(?:s|ing)\b|inconsisten|discrepanc"
    r"|at odds\b|(?:says?|said|seen|heard|read|find|found) both\b|both words\b|differently\b)",
    re.IGNORECASE,
)


def append_conflict(draft: Draft, findings: Findings) -> Draft:
    """Return the draft with the first disagreement about the question after its answer; unchanged if there is none. If
    the question asks for a disagreement, the two sides are the answer, even if the draft has none."""
    is_asked = bool(_ASKS_DISAGREEMENT.search(findings.query.text))
    if draft.status is Status.NOT_FOUND and not (is_asked and draft.by_confidence):
        return draft
    quoted = [quote for statement in draft.statements for quote in statement.quotes[:1] if not quote.retracted]
    likely = [item.quote for item in findings.fitting[:_CANDIDATES] if not item.item.retracted]
    assertions: dict[int, Assertion] = {}
    for quote in (*quoted, *likely):
        document = quote.passage.document
        names = frozenset(map(str.casefold, (document.product, *document.aliases)))
        assertions[id(quote)] = Assertion(findings.core_of(quote), names, quote.passage.release)
    across = (pair for pair in combinations(likely, 2) if is_asked or not _is_one_document(*pair))
    for pair in chain(product(quoted[:_LEADING], likely), across):
        first, second = sorted(pair, key=lambda quote: -quote.passage.document.authority.weight)
        if not first.shares_core(second) and (
            about := _disputed(first, second, assertions, findings, is_disputed=is_asked)
        ):
            pro, contra = sides = _sides(about, first, second, findings)
            disputes, statements = (*draft.disputes, Dispute(about, (first, second))), draft.statements
            if is_asked:
                return Draft(Status.ANSWERED, NO_WORDS, sides, draft.notes, disputes)
            # Keep the side that answers, unless the other one has more authority.
            sided = [[s for s in statements if any(map(side.shares_core, s.quotes))] for side in (first, second)]
            rest = [statement for statement in statements if statement not in chain(*sided)]
            answer = statements[:1] if statements[0] in sided[0] else (pro,) if statements[0] in sided[1] else ()
            after = (contra,) if answer else sides
            return replace(draft, statements=(*answer, *rest, *after), disputes=disputes)
    return draft


def _disputed(
    first: Quote, second: Quote, assertions: Mapping[int, Assertion], findings: Findings, *, is_disputed: bool
) -> str | None:
    """Return the subject on which two quotes disagree; None if they agree or the question is about something else.

    If the question is about a disagreement (`is_disputed`), its words may be anywhere in their sections. Quotes from
    two documents that answer equally well may differ in their other words."""
    assertion, opposite = assertions[id(first)], assertions[id(second)]
    about = find_disagreement(assertion, opposite)
    is_strict, focus = about is not None, findings.focus
    if focus.words and not is_strict and not _is_one_document(first, second):
        about = find_disagreement(assertion, opposite, of_one_subject=True)
    if about is None:
        return None
    sides = ((quote.passage, findings.core_of(quote)) for quote in (first, second))
    texts = ((p, p.span.slice(findings.index.text_of(p)) if is_disputed else core) for p, core in sides)
    tokens = [frozenset(split_tokens(" ".join((*passage.heading, text)))) for passage, text in texts]
    shared, most = tokens[0] & tokens[1], max(share_met(focus.keywords, side) for side in tokens)
    least = (0.0 if is_disputed else _ABOUT) if is_strict else max(_ABOUT, _ANSWER * most)
    is_named = all(name.met_by(shared) for name in focus.names)
    return about if is_named and share_met(focus.keywords, shared) >= least else None


def _is_one_document(first: Quote, second: Quote) -> bool:
    return first.passage.document.id == second.passage.document.id


def _sides(about: str, first: Quote, second: Quote, findings: Findings) -> tuple[Statement, Statement]:
    """Return a statement for each side; the second one begins with the subject of the disagreement."""
    who = "The notes disagree with themselves" if _is_one_document(first, second) else "Sources disagree"
    pro = statement_of(first, findings.text_of(first), tells_day=True)
    contra = statement_of(second, findings.text_of(second))
    speaker = contra.speaker.with_small_initial()
    if contra.speaker != according_to(second) and not speaker.text.endswith(")"):
        speaker += f" ({second.passage.document.authority.value})"
    return pro, replace(contra, before=words_of(f"{who} about {about}. Against it, "), speaker=speaker, code=())
