"""Conflicts: what sources disagree about is told after the answer where it was asked, the official side first."""

import re
from dataclasses import replace
from itertools import chain, combinations
from itertools import product as every_pair

from corpus.lexicon import split_tokens
from corpus.versions import Version
from retrieval.answers.disagreement import Saying, find_disagreement
from retrieval.blocks import NO_WORDS, words_of
from retrieval.composing import Dispute, Draft, Statement, according_to, state
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.question.words import share_met
from retrieval.quoting.quotes import Quote

_LEADING, _CANDIDATES = 2, 40
"""How many of the first statements are compared with how many of the items that are likeliest to answer."""
_ABOUT, _ANSWER, _LEAST = 0.5, 0.9, 0.3
"""The passages of both sides must hold this much of what the question is about; in other words, both must hold this
share of what the fuller one holds of it, and that must be so much. Chosen by hand, never fitted."""
_ASKS_DISAGREEMENT = re.compile(
    r"\b(?:dis|don[’']?t |doesn[’']?t |not )(?:quite )?agree\w*|\bcontradict\w*|\bconflict(?:s|ing)\b|\binconsisten\w+"
    r"|\bat odds\b|\b(?:says?|said|seen|heard|read|find|found) both\b|\bboth words\b|\bdifferently\b|\bdiscrepanc\w+",
    re.IGNORECASE,
)


def tell_conflicts(draft: Draft, findings: Findings) -> Draft:
    """The draft, after its answer the first disagreement about what was asked; where the disagreement itself is asked
    for, its two sides are the answer, also where there was none."""
    asked = bool(_ASKS_DISAGREEMENT.search(findings.query.text))
    if draft.status is Status.NOT_FOUND and not (asked and draft.by_confidence):
        return draft
    told = [quote for statement in draft.statements for quote in statement.quotes[:1] if not quote.retracted]
    likely = [item.quote for item in findings.fitting[:_CANDIDATES] if not item.item.retracted]
    several = (pair for pair in combinations(likely, 2) if asked or len({_speaker(quote) for quote in pair}) > 1)
    for pair in chain(every_pair(told[:_LEADING], likely), several):
        first, second = sorted(pair, key=lambda quote: -quote.passage.document.authority.weight)
        about = None if first.shares_core(second) else _disputed(first, second, findings, asked=asked)
        if about is not None:
            disputes = (*draft.disputes, Dispute(about, (first, second)))
            if asked:
                return Draft(Status.ANSWERED, NO_WORDS, _sides(about, first, second, findings), draft.notes, disputes)
            return replace(draft, statements=_told_after(draft, disputes[-1], findings), disputes=disputes)
    return draft


def _disputed(first: Quote, second: Quote, findings: Findings, *, asked: bool) -> str | None:
    """What two quotes disagree about, where that is what the question asks about: both sides have a word of it, and
    their passages have the rest."""
    sayings = _saying(first, findings), _saying(second, findings)
    about = find_disagreement(*sayings, of_one_speaker=_speaker(first) == _speaker(second))
    is_strict, focus = about is not None, findings.focus
    if about is None and first.passage.document.id != second.passage.document.id:
        about = find_disagreement(*sayings, of_one_subject=True)
    if about is None or not focus.words:
        return about if is_strict else None
    tokens = [frozenset(split_tokens(saying.text)) for saying in sayings]
    shared = tokens[0] & tokens[1]
    if not is_strict:
        # Where both answer the question as fully, they tell of one subject in whatever words.
        most = max(share_met(focus.telling, own) for own in tokens)
        same = all(name.met_by(shared) for name in focus.names) and share_met(focus.telling, shared) >= _ANSWER * most
        return about if same and most >= _LEAST else None
    is_asked = asked or any(word.met_by(shared) for word in focus.words)
    for passage in (first.passage, second.passage):
        words = (passage.document.product, *passage.heading, passage.span.slice(findings.index.text_of(passage)))
        said = frozenset(split_tokens(" ".join(words)))
        is_asked &= all(name.met_by(said) for name in focus.names)
        is_asked &= asked or share_met(focus.telling, said) >= _ABOUT
    return about if is_asked else None


def _speaker(quote: Quote) -> tuple[int, str | None]:
    return quote.passage.document.id, quote.passage.release


def _saying(quote: Quote, findings: Findings) -> Saying:
    document, release = quote.passage.document, quote.passage.release
    names = frozenset(map(str.casefold, (document.product, *document.aliases)))
    return Saying(findings.core_of(quote), names, Version.try_parse(release) if release else None)


def _told_after(draft: Draft, dispute: Dispute, findings: Findings) -> tuple[Statement, ...]:
    """The statements with the sides of a disagreement after them; where one of these answers, the other stands against
    it, and the one of more authority is the answer."""
    first, second = dispute.quotes
    pair = _sides(dispute.about, first, second, findings)
    answers = [any(map(side.shares_core, draft.statements[0].quotes)) for side in dispute.quotes]
    others = tuple(one for one in draft.statements if not any(_tells(one, side) for side in dispute.quotes))
    if answers[0]:
        return (draft.statements[0], *others, pair[1])
    return (pair[0], *others, pair[1]) if answers[1] else (*others, *pair)


def _tells(statement: Statement, quote: Quote) -> bool:
    return any(map(quote.shares_core, statement.quotes))


def _sides(about: str, first: Quote, second: Quote, findings: Findings) -> tuple[Statement, Statement]:
    """A statement for each side, in the second one what they disagree about."""
    same_document = first.passage.document.id == second.passage.document.id
    who = "The notes disagree with themselves" if same_document else "Sources disagree"
    said = state(second, findings.text_of(second))
    speaker = said.speaker.with_small_initial()
    if said.speaker != according_to(second) and not speaker.text.endswith(")"):
        speaker += f" ({second.passage.document.authority.value})"
    before = words_of(f"{who} about {about}. Against it, ")
    return (
        state(first, findings.text_of(first), tells_day=True),
        replace(said, before=before, speaker=speaker, code=()),
    )
