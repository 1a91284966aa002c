"""The plain answer, one statement: what answers best with what explains it, for of what else is likely to answer nine
in ten add nothing (docs/decisions/0015). Before the words of its quote it says yes or no where that is asked, and what
became of the thing.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from itertools import takewhile

from corpus.ages import SUPPORT_END
from corpus.catalogue import stable_releases
from corpus.entry_words import without_authors
from corpus.happenings import reports_act
from corpus.index.release_matching import match_release
from corpus.lexicon import has_synonyms, split_tokens
from corpus.model import Act
from corpus.plain_words import as_code, readable
from corpus.versions import VersionMatch
from retrieval.answers.catalogue_releases import heading_quote, releases_that_fit
from retrieval.answers.events import ARRIVES, ENDS, MENDS, event_status, is_about
from retrieval.answers.missing import begin_sentence, missing_value, names_asked
from retrieval.answers.not_found import draft_not_found
from retrieval.answers.yes_no import decide_yes_no
from retrieval.blocks import markdown_words, words_of
from retrieval.model import Form, Status, Wanted
from retrieval.question.tokens import name_tokens
from retrieval.question.words import share_met
from retrieval.quoting.composing import Draft, Opening, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item, quote_items, surround, without_overlaps
from retrieval.quoting.quotes import ItemScore, Quote

_DATED = re.compile(r"\W{0,3}(?:[A-Z][a-z]+ |\d{1,2} )?\d")
_NAMED = 3  # Names told at most.
_FULL, _BESIDE = 0.7, 0.35  # Of a question's words what is of it holds, and what is beside it. Chosen by hand.
_USE = re.compile(
    r"(?is)(?:\A|[.;:,]\s)(?:(?!\b(?:(?:can)?not|never|no longer)\b|n['\u2019]t\b|[.;:,]\s).)*?"
    r"\buse (?:the )?((?:(?![.;:]\s).){2,120}?) instead\b"
)
"""What an item says to use in place of what it is about, in a clause that denies nothing before."""
_ADDS_SHARE, _PROSE_SHARE = 0.3, 0.5
"""A sentence before is told with what tells, and prose in place of code, where it is this much as likely to hold the
answer. Chosen by hand, never fitted."""

_ACROSS, _ACROSS_CHARACTERS = 7, 180  # Statements of several releases, and the length of each. A matter of display.
_MIN_SHARE, _RANK_GIVEN_BACK = 0.4, 0.015
"""Of the best's score an entry of several releases must have this share; given for each place that its passage stands
behind the first, for a range is told in more than one. Chosen by hand, never fitted."""


def draft_fact(findings: Findings) -> Draft:
    """Quote what answers best, in the asked release if the question names one."""
    if not findings.fitting:
        return draft_not_found(findings)
    if findings.fitting[0].passage.is_foreign:
        ours = (one for one in findings.fitting if not one.passage.is_foreign and is_about(findings, one.quote))
        findings = next(map(findings.led_by, ours), findings)
    present, verdict = findings.tells_now, findings.verdict
    led = findings if present else _with_asked_first(findings)
    if findings.query.form is Form.YES_NO and led is findings and not present:
        verdict = False if _is_open_issue(findings) else decide_yes_no(findings)
    findings, ranked = led, led.fitting
    best = ranked[0] if present or verdict is not None else _readable(findings, ranked[0])
    if not present and missing_value(findings, best):
        # Another entry on the same may give it.
        met = share_met(findings.focus.words, best.tokens)
        alike = (one for one in ranked if share_met(findings.focus.words, one.tokens) >= met)
        best = next((one for one in alike if not missing_value(findings, one)), best)
    text = findings.text_of(best)
    least = _ADDS_SHARE * ranked[0].score
    beside = {one.number for one in ranked if one.passage is best.passage and one.score >= least}
    wanted, value, items = findings.focus.value, "" if present else missing_value(findings, best), best.passage.items
    # A change's number may stand in a sentence behind.
    behind = takewhile(lambda number: not items[number].opens, range(best.number + 1, len(items)))
    entry = () if value or wanted is not Wanted.CHANGE else (best.number, *behind)
    given = (number for number in entry if findings.focus.is_met_in_kind(items[number].span.slice(text)))
    last = next(given, best.number)
    quote = surround(quote_items(best.passage, best.number, last, text, adding=beside))
    document = quote.passage.document
    words = " ".join((document.product, document.title, *quote.passage.heading, quote.span.slice(text)))
    tokens = frozenset(split_tokens(words))
    named = names_asked(findings)
    names = (one for one in findings.focus.names if one.text in named)
    loud = (one for one in names if not (one.text.isalnum() and one.text.islower()))
    own = (one for one in loud if not has_synonyms(one.text) and one.text.lower() not in document.product.lower())
    # An option is none whose name only begins alike.
    parts = ((name, () if name.text[0] == "-" else name_tokens(name.text)) for name in own)
    missing = [name for name, alike in parts if not name.met_by(tokens) and tokens.isdisjoint(alike)]
    if findings.query.act in ENDS and any(name.text[0] == "-" for name in missing):
        return draft_not_found(findings)
    listed = " or ".join(as_code(name.text) for name in missing[:_NAMED])
    cautions = (f"None of the quotes mentions {listed}.",) if listed else ()
    asked, keeps_tickets = frozenset(findings.outcome.tokens), wanted in (Wanted.CHANGE, Wanted.PERSON)
    statement = statement_of(quote, text, keeps_tickets=keeps_tickets, tells_day=True, asked=asked)
    if wanted is Wanted.CHANGE:
        unsigned = " ".join(without_authors(markdown_words(statement.words)).split())
        statement = replace(statement, words=words_of(unsigned.replace(" )", ")")))
    if quote.passage.is_own and not quote.retracted:
        opening = Opening(verdict, "" if verdict is not None else event_status(findings, best.quote))
        stable = _stable_since(findings, quote) if statement.speaker and best.act in ARRIVES else ""
        statement = replace(statement, opening=opening, speaker=statement.speaker + stable)
    status = Status.PARTIAL if cautions or value else Status.ANSWERED
    lead = f"{begin_sentence(value)};" if value else _instead(findings, best)
    return Draft(status, words_of(lead), (statement,), cautions, leads_on=bool(lead))


def _with_asked_first(findings: Findings) -> Findings:
    """Return the findings where what happened to the asked thing stands before what happened to another one."""
    best, words = findings.fitting[0], findings.focus.keywords
    if findings.query.act is None or share_met(words, best.tokens) >= _BESIDE:
        return findings
    alike = (one for one in findings.fitting if one.hit.match is best.hit.match)
    return next((findings.led_by(one) for one in alike if share_met(words, one.tokens) >= _FULL), findings)


def _is_open_issue(findings: Findings) -> bool:
    """Return whether what is asked to be fixed in a release is a known issue of it."""
    query, best = findings.query, findings.fitting[0]
    about = {one.act for one in findings.fitting if is_about(findings, one.quote)}
    is_issue = query.act is Act.FIXED and best.act is Act.KNOWN_ISSUE in about and about.isdisjoint(MENDS)
    return is_issue and query.constraint is not None and best.passage.release in query.constraint.versions


def draft_stated_end(findings: Findings) -> Draft | None:
    """Return the heading or the item of the one asked release that says until when it is supported; None for none."""
    constraint = findings.query.constraint
    if constraint is None or len(constraint.versions) != 1 or len(findings.products) != 1:
        return None
    (product,) = findings.products
    (release, *_) = (*releases_that_fit(product, constraint), None)
    heading = heading_quote(findings, product, release) if release else None
    if release is None or heading is None:
        return None
    passages = findings.index.load_passages(findings.index.release_positions(product.name, release.version))
    items = (Quote(passage, item.span, item.span) for passage in passages for item in passage.items if not item.is_code)
    for quote in (heading, *items):
        text = findings.index.text_of(quote.passage)
        if any(
            _DATED.match(text, phrase.end()) for phrase in SUPPORT_END.finditer(text, quote.span.start, quote.span.end)
        ):
            return Draft(Status.ANSWERED, words_of(""), (statement_of(quote, text, tells_day=True),))
    return None


def _instead(findings: Findings, best: ItemScore) -> str:
    """Return what an item says to use, where a question asks what to use in place of what it names; else empty."""
    found = _USE.search(readable(findings.words_of(best), keeps_code=True))
    if not found or findings.query.act is not Act.REPLACED or not is_about(findings, best.quote):
        return ""
    return f"Use {found[1]} instead:"


def _stable_since(findings: Findings, quote: Quote) -> str:
    """Return what release a quote's pre-release became; empty where the library has none."""
    release = quote.passage.release
    if release is None or not release.is_prerelease:
        return ""
    (product,) = findings.index.products_named([quote.passage.document.product])
    became = [one.version for one in stable_releases(product.releases) if one.version == release.base]
    return f", stable since {became[0]}" if became else ""


def draft_probable(findings: Findings, *, aside: Collection[str] = ()) -> Draft | None:
    """Return what answers best, called probable: of the first two what holds two words that the question turns on, all
    names that are asked for but those `aside`, all other names but one, the asked value, and of since when what
    happened; None where neither does."""
    keywords, asked, query = findings.focus.keywords, {*names_asked(findings)}, findings.query
    event = query.act or Act.ADDED

    def tells(one: ItemScore) -> bool:
        lacking = [word for word in keywords if not word.met_by(one.tokens)]
        names = {word.text for word in lacking if word.is_name}.difference(aside)
        is_other = query.form is Form.SINCE_WHEN and not reports_act(event, one.act, findings.words_of(one))
        return len(keywords) > len(lacking) + 1 and len(names) < 2 and not (names & asked or is_other)

    best = next((one for one in findings.fitting[:2] if tells(one) and not missing_value(findings, one)), None)
    if best is None:
        return None
    fact = draft_fact(findings.led_by(best))
    bare = (replace(statement, opening=None) for statement in fact.statements)
    return replace(fact, lead=words_of("Probably:"), statements=tuple(bare), leads_on=True) if fact.statements else None


def _readable(findings: Findings, best: ItemScore) -> ItemScore:
    """Return what answers about as well as the best and is read more easily: a sentence in place of code, in which a
    pasted error's names stand as they do there; where it is asked what happened, what is of the asked thing."""
    is_chosen = findings.query.form is Form.SINCE_WHEN  # By what happened, in whatever spelling.
    if findings.query.act is not None and not (is_chosen or is_about(findings, best.quote)):
        near = (one for one in findings.fitting if one.score >= _PROSE_SHARE * best.score)
        return next((one for one in near if is_about(findings, one.quote)), best)
    names = [name for name in findings.focus.names if findings.query.form is Form.ERROR and name.met_by(best.tokens)]
    easier = (one for one in findings.fitting if not one.item.is_code and one.score >= _PROSE_SHARE * best.score)
    alike = (one for one in easier if all(name.met_by(one.tokens) for name in names))
    return next(alike, best) if best.item.is_code else best


def draft_across_releases(findings: Findings) -> Draft:
    """Quote the best entries of the asked releases, in version order; the plain answer where there is only one."""
    rank = {hit.passage.position: n for n, hit in enumerate(findings.outcome.hits)}
    fitting, outside = findings.fitting, VersionMatch.OUTSIDE
    released = ((one, one.passage.release) for one in fitting)
    asked = [one for one, of in released if of is None or match_release(findings.query.constraint, of) is not outside]
    scores = [(one.likeness + _RANK_GIVEN_BACK * rank.get(one.passage.position, 0), one) for one in asked or fitting]
    best = sorted(scores, key=lambda score: -score[0])[:_ACROSS]
    chosen = (one for score, one in best if score >= _MIN_SHARE * best[0][0])
    quotes = without_overlaps(quote_item(one, findings.text_of(one)) for one in chosen)
    if len(quotes) < 2:
        return draft_fact(findings)
    quotes.sort(key=lambda quote: (quote.passage.release_order, quote.core))
    stated = (statement_of(quote, findings.text_of(quote), max_characters=_ACROSS_CHARACTERS) for quote in quotes)
    return Draft(Status.ANSWERED, statements=tuple(stated))
