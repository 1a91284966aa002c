"""The plain answer, one statement: what answers best with what explains it, for of what else is likely to answer nine
in ten add nothing (docs/decisions/0015); of several releases the entries that answer best, in version order. Before the
words of its quote it says yes or no where that is asked, and what became of the thing.
"""

from dataclasses import replace

from corpus.lexicon import split_tokens
from corpus.plain_words import as_code, one_line
from corpus.versions import Version, VersionMatch
from retrieval.answers.events import told_status
from retrieval.answers.not_found import draft_not_found
from retrieval.answers.yes_no import decide_yes_no
from retrieval.blocks import markdown_words, words_of
from retrieval.composing import Draft, Opening, state
from retrieval.findings import Findings
from retrieval.model import Form, Status, Wanted
from retrieval.quoting.quotes import ItemScore, join_neighbours
from retrieval.quoting.said_words import leads_away, without_authors
from retrieval.quoting.telling import select_quotes, surround, tell_item
from retrieval.release_matching import match_release

_NAMED = 3
_PROSE_SHARE = 0.5
"""Prose is told in place of code where it is this much as likely to hold the answer. Chosen by hand, never fitted."""
_ACROSS, _ACROSS_CHARACTERS = 7, 180
"""Statements of several releases at most, and the length of each. A matter of display."""
_MIN_SHARE_ACROSS = 0.4
"""An entry of several releases must score this share of the best. Chosen by hand, never fitted."""
_RANK_GIVEN_BACK = 0.015
"""For each place that an entry's passage stands behind the first, for a range is told in more than one passage. Chosen
by hand, never fitted."""
_UNSAID = {
    Wanted.CHANGE: "The notes give no number of a pull request, an issue or a commit for it:",
    Wanted.PERSON: "The notes name nobody for it:",
}
"""What is said where the entry that answers lacks what is otherwise left out of an answer."""


def draft_fact(findings: Findings) -> Draft:
    """Quote what answers best, in the asked release if the question names one."""
    ranked = findings.fitting
    if not ranked:
        return draft_not_found(findings)
    best, verdict = decide_yes_no(findings) if findings.query.form is Form.YES_NO else (ranked[0], None)
    if verdict is None:
        best = _readable(findings, best)
    text = findings.text_of(best)
    quote = surround(tell_item(best, text))
    document = quote.passage.document
    said = " ".join((document.product, document.title, *quote.passage.heading, quote.span.slice(text)))
    tokens = frozenset(split_tokens(said))
    # Numbers others answer ("3.9 or later" a question about 3.8), and rare words notes may say otherwise.
    own = [name for name in findings.focus.names if not (name.text[0].isdigit() or name.text.islower())]
    unsaid = [name for name in own if not name.met_by(tokens)]
    if verdict is None and own and unsaid == own:
        # Where no passage about its products has one of them, what is told is of something else.
        products = [product.name for product in findings.products]
        if not findings.index.passages_holding((t for name in own for t in name.tokens), products=products).size:
            return draft_not_found(findings)
    named = " or ".join(as_code(name.text) for name in unsaid[:_NAMED])
    cautions = (f"None of the quotes mentions {named}.",) if named else ()
    asked = findings.focus.value
    tokens_asked = frozenset(findings.outcome.tokens)
    statement = state(quote, text, keeps_tickets=asked in _UNSAID, tells_day=True, asked=tokens_asked)
    if asked is Wanted.CHANGE:
        unsigned = " ".join(without_authors(markdown_words(statement.words)).split())
        statement = replace(statement, words=words_of(unsigned.replace(" )", ")")))
    is_unsaid = asked in _UNSAID and not findings.focus.is_met_in_kind(_entry_of(findings, best))
    if quote.passage.is_own and not quote.retracted:
        opening = Opening(verdict, "" if verdict is not None else told_status(findings, best.quote))
        statement = replace(statement, opening=opening)
    status = Status.PARTIAL if cautions or is_unsaid else Status.ANSWERED
    return Draft(status, words_of(_UNSAID[asked] if asked and is_unsaid else ""), (statement,), cautions)


def _entry_of(findings: Findings, best: ItemScore) -> str:
    """The words of the whole entry or paragraph that an item is a part of."""
    items = best.passage.items
    first = next((number for number in range(best.number, 0, -1) if items[number].opens), 0)
    after = next((item.span.start for item in items[best.number + 1 :] if item.opens), best.passage.span.end)
    return findings.text_of(best)[items[first].span.start : after]


def _readable(findings: Findings, best: ItemScore) -> ItemScore:
    """What answers about as well as the best and is read more easily: a sentence in place of code."""
    easier = (one for one in findings.fitting if not one.item.is_code and one.score >= _PROSE_SHARE * best.score)
    return next(easier, best) if best.item.is_code else best


def draft_across_releases(findings: Findings) -> Draft:
    """Quote the best entries of the asked releases, in version order; the plain answer where there is only one."""
    rank = {hit.passage.position: n for n, hit in enumerate(findings.outcome.hits)}
    asked = []
    for one in findings.fitting:
        release = Version.parse(one.passage.release) if one.passage.release else None
        if release is None or match_release(findings.query.constraint, release) is not VersionMatch.OUTSIDE:
            asked.append(one)
    scores: list[tuple[float, ItemScore]] = []
    for one in asked or findings.fitting:
        words, passage = findings.words_of(one), one.passage
        if not leads_away(words) and one_line(words) not in {*map(one_line, passage.heading), passage.document.title}:
            # What the source takes back stands behind the others.
            score = one.likeness - one.item.retracted / 4 + _RANK_GIVEN_BACK * rank.get(passage.position, 0)
            scores.append((score, one))
    best = sorted(scores, key=lambda score: -score[0])[:_ACROSS]
    chosen = [scored for score, scored in best if score >= _MIN_SHARE_ACROSS * best[0][0]]
    if len(chosen) < 2:
        return draft_fact(findings)
    quotes = sorted(
        join_neighbours(select_quotes(chosen, findings.index, limit=_ACROSS, room=_ACROSS_CHARACTERS)),
        key=lambda quote: (quote.passage.release_order, quote.core),
    )
    stated = (state(quote, findings.text_of(quote), max_characters=_ACROSS_CHARACTERS) for quote in quotes)
    return Draft(Status.ANSWERED, statements=tuple(stated))
