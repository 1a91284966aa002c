"""The plain answer: what answers best with what explains it, and what else is about as likely to answer; of several
releases the entries that answer best, in version order. Before the words of its first quote it says yes or no where
that is asked, and what became of the thing.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from corpus.lexicon import question_tokens, split_tokens
from corpus.model import Span
from corpus.plain_words import as_code, one_line
from corpus.versions import Version, VersionMatch
from retrieval.answers.events import told_status
from retrieval.answers.not_found import draft_not_found
from retrieval.answers.yes_no import decide_yes_no
from retrieval.composing import OPINION, STATEMENT_CHARACTERS, Draft, Opening, state
from retrieval.findings import Findings
from retrieval.log_odds import log_odds
from retrieval.model import Form, Status, Wanted
from retrieval.quoting.quotes import (
    MAX_QUOTE_CHARACTERS,
    ItemScore,
    Quote,
    code_of,
    explain,
    join_neighbours,
    quote_item,
    select_quotes,
)
from retrieval.quoting.said_words import is_credit, leads_away
from retrieval.releases.matching import match_release
from retrieval.search.item_forms import is_title

_STATEMENTS, _MOST_STATEMENTS = 2, 4
"""Statements of an answer; the most where further ones bring names of the question that the first don't."""
_NAMED = 3
_ANSWER_CHARACTERS = 750
_FIRST_CHARACTERS, _FURTHER_CHARACTERS = 260, 200
"""A statement takes in what explains it up to this length, the first so that it is told within the first lines. A
matter of display."""
_MOST_BEHIND, _MOST_BEHIND_NAMING, _NEW_SHARE = 0.8, 1.2, 0.5
"""By how many log-odds a further statement may be behind the first; more where it has a word or name of the question
that wasn't told yet; of its words this share must be new. Chosen on practice questions (docs/decisions/0015)."""
_ADDS_SHARE, _PROSE_SHARE = 0.3, 0.5
"""A sentence beside is told with it, and prose in place of code, where it is this much as likely to hold the answer.
Chosen by hand, never fitted."""
_ACROSS, _ACROSS_CHARACTERS = 7, 180
"""Statements of several releases at most, and the length of each. A matter of display."""
_MIN_SHARE_ACROSS = 0.4
"""An entry of several releases must score this share of the best. Chosen by hand, never fitted."""
_RANK_GIVEN_BACK = 0.015
"""For each place that an entry's passage stands behind the first, for a range is told in more than one passage. Chosen
by hand, never fitted."""
_DOERS = (Wanted.CHANGE, Wanted.PERSON)


def draft_fact(findings: Findings) -> Draft:
    """Quote what answers best, in the asked release if the question names one."""
    ranked = findings.fitting
    if not ranked:
        return draft_not_found(findings)
    first, verdict = decide_yes_no(findings) if findings.query.form is Form.YES_NO else (ranked[0], None)
    if first.item.is_code and verdict is None:
        # A sentence that answers about as well is read more easily.
        told = (one for one in ranked if not one.item.is_code and one.score >= _PROSE_SHARE * first.score)
        first = next(told, first)
    quotes = _choose_quotes(findings, (replace(first, score=ranked[0].score), *ranked))
    # Which names of the question stand in none of the quotes nor above them; 13 stands in "13.0+".
    said = ""
    for quote in quotes:
        document, heading = quote.passage.document, quote.passage.heading
        said += " ".join((" ", document.product, document.title, *heading, quote.span.slice(findings.text_of(quote))))
    tokens, names = frozenset(split_tokens(said)), findings.focus.names
    unsaid = [
        name
        for name in names
        if not name.met_by(tokens) and not re.search(rf"(?<!\w){re.escape(name.text)}(?!\w)", said, re.IGNORECASE)
    ]
    # Numbers others answer ("3.9 or later" a question about 3.8), and rare words notes may say otherwise.
    own = [name for name in names if not (name.text[0].isdigit() or name.text.islower())]
    if verdict is None and own and all(name in unsaid for name in own):
        # Where no passage about its products has one of them, what is told is of something else.
        products = [product.name for product in findings.products]
        if not findings.index.passages_holding((t for name in own for t in name.tokens), products=products).size:
            return draft_not_found(findings)
    texts = [name.text for name in unsaid if not (name.text.islower() or name.text.isdigit())]
    named = " or ".join(map(as_code, texts[:_NAMED]))
    cautions = (f"None of the quotes mentions {named}.",) if named else ()
    keeps_tickets = findings.focus.value in _DOERS
    statements = [
        state(quote, findings.text_of(quote), keeps_tickets=keeps_tickets, tells_day=quote is quotes[0])
        for quote in quotes
    ]
    if quotes[0].passage.document.authority not in OPINION and not quotes[0].retracted:
        opening = Opening(verdict, "" if verdict is not None else told_status(findings, first))
        statements[0] = replace(statements[0], opening=opening)
    return Draft(Status.PARTIAL if cautions else Status.ANSWERED, "", tuple(statements), cautions)


def _choose_quotes(findings: Findings, ranked: Sequence[ItemScore]) -> list[Quote]:
    """What is said, best first, each item with what explains it, as long as the answer stays short: what stands within
    an earlier quote is proven by that."""
    quotes: list[Quote] = []
    said: frozenset[str] = frozenset()
    room = _ANSWER_CHARACTERS
    least_added, best = _ADDS_SHARE * ranked[0].score, log_odds(ranked[0].score)
    names = {name.tokens[0] for name in findings.focus.names}
    telling = {word.tokens[0] for word in findings.focus.telling if not word.is_generic}
    adding: dict[int, frozenset[Span]] = defaultdict(frozenset)
    for one in ranked:
        if one.score >= least_added:
            adding[one.passage.position] |= {one.item.span}
    for scored in ranked:
        text = findings.text_of(scored)
        beside = next((q for q in quotes if q.passage is scored.passage and q.span.holds(scored.item.span)), None)
        new = scored.tokens - said
        brings = names & new
        is_behind = best - log_odds(scored.score) > (_MOST_BEHIND_NAMING if brings or telling & new else _MOST_BEHIND)
        words = scored.item.span.slice(text)
        if is_credit(words) and findings.focus.value not in _DOERS and scored is not ranked[-1]:
            continue
        is_bare = scored.item.is_code or is_title(scored.passage, words) or scored.item.retracted
        is_enough = len(quotes) >= _STATEMENTS and not brings
        if quotes and (is_enough or is_behind or (beside and is_bare) or leads_away(words)):
            continue
        if beside:
            quote = replace(beside, core=scored.item.span)
        else:
            quote = quote_item(scored, text, room=MAX_QUOTE_CHARACTERS, apart_from=quotes)
        if any(_says_again(findings, quote, other) for other in quotes):
            continue
        if quotes and not brings and not _adds(findings, words, quotes):
            continue
        length = _FURTHER_CHARACTERS if quotes else _FIRST_CHARACTERS
        quote = explain(
            quote,
            text,
            room=length,
            apart_from=quotes,
            shows_code=findings.query.form.tells_trouble,
            adding=adding[scored.passage.position] | {scored.item.span},
        )
        length = min(len(one_line(quote.core.slice(text))), STATEMENT_CHARACTERS)
        if not quotes or length <= room:
            quotes.append(quote)
            room -= length
            said |= scored.tokens
        if len(quotes) == _MOST_STATEMENTS:
            break
    return quotes


def _adds(findings: Findings, words: str, quotes: Sequence[Quote]) -> bool:
    """Whether an item tells a number or a word that is asked for, which no quote's core has told, or enough in other
    words."""
    said = frozenset(token for quote in quotes for token in split_tokens(findings.core_of(quote)))
    told = frozenset(question_tokens(one_line(words)))
    new, asked = told - said, {word.tokens[0] for word in findings.focus.telling}
    return not new.isdisjoint(asked) or any(token[0].isdigit() for token in new) or len(new) >= _NEW_SHARE * len(told)


def _says_again(findings: Findings, quote: Quote, other: Quote) -> bool:
    """Whether a quote's core stands in another's, or says the same in another place (a fix of two patch releases)."""
    if quote.shares_core(other) or (quote.span != other.span and quote.overlaps(other)):
        return True
    words, theirs = (one_line(findings.core_of(q)).casefold() for q in (quote, other))
    code, other_code = (code_of(q, findings.text_of(q)) for q in (quote, other))
    return f" {words.rstrip('.')} " in f" {theirs.rstrip('.')} " or (bool(code) and code == other_code)


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
        join_neighbours(select_quotes(chosen, findings.index, limit=_ACROSS)),
        key=lambda quote: (quote.passage.release_order, quote.core),
    )
    stated = (state(quote, findings.text_of(quote), max_characters=_ACROSS_CHARACTERS) for quote in quotes)
    return Draft(Status.ANSWERED, "", tuple(stated))
