"""Events: what an entry reports, and whether it happened to the thing asked about. An answer gets our own words before
its quote ("Removed in") only if question and quote surely agree; otherwise it begins with the quote.
"""

import re

from corpus.affirming import affirms
from corpus.entry_words import without_metadata
from corpus.happenings import NOT_DONE, asserted, reports_act
from corpus.lexicon import split_tokens
from corpus.model import Act, Item
from corpus.plain_words import one_line, readable
from corpus.symbols import find_references
from corpus.version_mentions import find_versions
from retrieval.judge.pairs import DENIALS, split_words
from retrieval.model import Form, Status
from retrieval.question.words import share_met
from retrieval.quoting.composing import Draft
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import text_after
from retrieval.quoting.quotes import REMOVES, Quote
from retrieval.upgrades.repeats import change_words, has_most, reverted_records

STATUS = {
    Act.DEPRECATED: "Deprecated in",
    Act.REMOVED: "Removed in",
    Act.REPLACED: "Replaced in",
    Act.REVERTED: "Reverted in",
    Act.FIXED: "Fixed in",
    Act.SECURED: "Fixed in",
}
"""Our words for an act before the release."""
STARTS = frozenset({Act.ADDED, Act.CHANGED, Act.DEFAULT, Act.REQUIRES})  # Acts whose effect holds since the release.
FIXES = frozenset({Act.FIXED, Act.SECURED, Act.FASTER})
GONE = frozenset({Act.REMOVED, Act.REPLACED, Act.DEPRECATED})
ENDS = REMOVES | GONE
_CERTAIN = 0.7
"""Least certainty of an item's act to report it. Chosen by hand."""
ELSE = re.compile(
    r"[.:;]\s|\b(?:instead|rather|in (?:favou?r|place) of|replaced|superseded|renamed|use)\b", re.IGNORECASE
)
STILL = re.compile(r"\bstill\b", re.IGNORECASE)
_BEFORE = re.compile(
    r"\bfrom\s+\S+(?=\s+to\s)|\b(?:instead of|rather than|in (?:place|lieu) of)\s[^.:;,]+", re.IGNORECASE
)
"""The former state, if an entry names it beside the new one."""
_AHEAD = re.compile(r"\bwill\b|(?<!at )\bonce\b|\bnext (?:\w+ )?(?:release|version)\b", re.IGNORECASE)
_BELOW = r"[<>=~^\u2264]+|before|below|prior to|older than|earlier than|up to"
_OF = re.compile(
    r"\A(?!.*\b(?:support|compat|remov|deprecat|drop|use|ability|possibility)\w* (?:for|of|to|with)\b)"
    r".*\b(?!(?:removed|deprecated|dropped|an?|the|all|both|and|or|as|is|are|was|were)\b)"
    r"\w+\W{0,2} (?:to|of|for|about|around|on|in|from|with|against|when|between) (?:[\w-]+ ){0,3}\W*\Z",
    re.IGNORECASE,
)
"""Words before a thing of which only a part or use ended: "the references to the old"."""
_OWNS = r"\s+(?:--|[A-Za-z]+_|[A-Za-z]\w*\.)[A-Za-z]\w*\b(?!,)"  # "The `axle` `use_lid` option" is of the axle.
FILE = re.compile(r"\b[\w-]+/[\w./-]*\w|\b\w+\.(?:py|sh|md|rst|js|ts|rs|go|c|h|txt)\b")
_PLACES = 12  # Passages searched for reverts. Chosen by hand.
_ABOUT, _HALF = 0.6, 0.5
"""Shares of the keywords' weight. `_ABOUT`: an entry with less is about another thing.
`_HALF`: for "since when" more is needed (of 35 typed questions one with less was answered rightly). Chosen by hand."""


def find_revert(findings: Findings, quote: Quote, *, at_once: bool = False) -> Quote | None:
    """Return the entry of a later release (`at_once`: its own) that reverts a quote by ticket or words, or None."""
    index, core = findings.index, one_line(findings.core_of(quote))
    records, words = find_references(core), change_words(core)
    reverting, naming = (
        index.passages_holding(tokens, products=[quote.passage.document.product]) if records else ()
        for tokens in (("revert",), sorted(split_tokens(" ".join(records))))
    )
    passages = index.load_passages(sorted({*reverting} & {*naming})[:_PLACES])
    quotes = (Quote(passage, item.span, item.span) for passage in passages for item in passage.items)
    reverts = [other for other in quotes if not set(reverted_records(findings.core_of(other))).isdisjoint(records)]
    others = (item for item in findings.fitting if item.act is Act.REVERTED and not item.quote.shares_core(quote))
    reverts += (item.quote for item in others if has_most(change_words(findings.words_of(item)), words))
    later = (revert for revert in reverts if comes_after(revert, quote))
    return next((revert for revert in later if not at_once or revert.passage.release == quote.passage.release), None)


def comes_after(quote: Quote, earlier: Quote) -> bool:
    """Return whether `quote` is about the same product as `earlier`, and the same release or a later one."""
    later, release = (compared.passage.release for compared in (quote, earlier))
    is_later = later is None or release is None or later >= release
    return is_later and quote.passage.document.product == earlier.passage.document.product


def event_status(findings: Findings, quote: Quote) -> str:
    """Return the words before an event's release ("Removed in"), if asked for and reported by the quote; else empty."""
    form, asked_act = findings.query.form, findings.query.act
    is_when = form is Form.SINCE_WHEN
    wanted_acts = GONE if form is Form.MIGRATE else FIXES if form.traits.is_trouble else frozenset({asked_act})
    if is_when and (asked_act or Act.ADDED) in STARTS:
        wanted_acts = STARTS
    item = _core_item(quote)
    if item is None or not quote.passage.is_own or quote.passage.release is None:
        return ""
    if item.act is Act.PLANNED and (is_when or form is Form.YES_NO) and is_about(findings, quote):
        return "Planned, says"
    if item.act not in wanted_acts:
        return ""
    if not reports_event(findings, quote) or (form is Form.YES_NO and find_revert(findings, quote)):
        return ""
    if is_when and share_met(findings.focus.keywords, _context_tokens(findings, quote)) <= _HALF:
        return ""
    if is_when and reports_act(asked_act or Act.ADDED, item.act, findings.core_of(quote)) is False:
        return ""
    status = STATUS.get(item.act, "Since" if is_when else "")
    is_ahead = _AHEAD.search(first_clause(_present_words(findings, quote)))
    is_open = is_ahead or names_older(findings, quote)
    return "" if (is_ahead and status == "Removed in") or (is_open and status == "Since") else status


def names_older(findings: Findings, quote: Quote) -> bool:
    """Return whether a quote names an older release than its own ("a crash that 2.2.0 introduced")."""
    release, stated = quote.passage.release, {mention.version for mention in find_versions(findings.core_of(quote))}
    return release is not None and any(version < release for version in stated.intersection(quote.passage.versions))


def reports_event(findings: Findings, quote: Quote) -> bool:
    """Return whether a quote surely reports an event in its own release for the whole thing asked about."""
    item = _core_item(quote)
    if item is None or item.is_code or item.act in NOT_DONE or not contains_topic(findings, quote, item.act):
        return False
    if reports_act(item.act, item.act, findings.core_of(quote)) is False or not _affirms(findings, quote, item.act):
        return False
    if item.certainty < _CERTAIN:
        return False
    # An addition or change must not be denied, unless the question has a denial, too.
    is_denied = item.act in STARTS and denies(_present_words(findings, quote))
    return not is_denied or not DENIALS.isdisjoint(split_words(findings.query.text.casefold()))


def contains_topic(findings: Findings, quote: Quote, act: Act) -> bool:
    """Return whether the clauses of a quote that state the present contain the thing asked about, without plans and
    former states. An end must name the whole thing first; for an end, a fix or an addition numbers must be the same."""
    present, topic = _present_words(findings, quote), findings.focus.names or findings.focus.keywords
    whole, kept = (frozenset(split_tokens(words)) for words in (readable(findings.core_of(quote)), present))
    # Ticket numbers aren't part of the statement.
    tickets = {reference.casefold() for reference in findings.query.references}
    words = (word for word in findings.focus.words if word.text.casefold() not in tickets)
    if any(word.met_by(whole) > word.met_by(kept) for word in words):
        return False
    if act in ENDS:
        clause = first_clause(present)
        first = frozenset(split_tokens(clause))
        sure = [name for name in findings.focus.names if not name.text.islower()]  # "NTLM" of "NTLM logins".
        is_first = share_met(sure or topic, first) >= _ABOUT
        # The removal of "oven < 4" isn't that of oven.
        named = "|".join(re.escape(word.text) for word in topic)
        is_part = re.search(rf"(?:{named})\W{{0,2}}(?:\s*(?:{_BELOW})\s*)?v?\d", clause, re.IGNORECASE)
        is_whole = not is_part or any(number in findings.query.text for number in re.findall(r"\d+(?:\.\d+)*", clause))
        return is_first and is_whole and is_about(findings, quote) and not ends_only_part(findings, present)
    return is_about(findings, quote, numbers=act in ENDS | FIXES | {Act.ADDED})


def ends_only_part(findings: Findings, words: str) -> bool:
    """Return whether words only report the end of something about the thing asked for: references to it, a test."""
    clause = one_line(first_clause(words)).replace("`", "")
    topic = (*findings.focus.names, *findings.focus.keywords)
    matches = [match for word in topic for match in re.finditer(rf"\b{re.escape(word.text)}", clause, re.I)]
    parts = (_OF.search(clause[: m.start()]) or re.match(_OWNS, clause[m.end() :]) for m in matches)
    return all(parts) if matches else bool(FILE.search(clause))


def _present_words(findings: Findings, quote: Quote) -> str:
    """Return the clauses of a quote that state how things are since its release, without former states."""
    words = without_metadata(readable(findings.core_of(quote), keeps_code=True))
    return _BEFORE.sub(" ", asserted(words, quote.passage.release))


def _affirms(findings: Findings, quote: Quote, *acts: Act) -> bool:
    words, after = findings.core_of(quote), text_after(quote.passage, quote.core, findings.text_of(quote))
    return affirms(words, *(Act.FIXED if act is Act.SECURED else act for act in acts), after=after)


def first_clause(words: str) -> str:
    """Return the first clause of an entry, without the file that it is about ("src/main.c: Remove …")."""
    unlabelled = re.sub(r"\A(\w+): ", r"\1 ", words)
    return next((clause for clause in ELSE.split(unlabelled) if clause and not FILE.fullmatch(clause)), "")


def denies(words: str) -> bool:
    """Return whether the first clause of an entry contains a denial."""
    # Of "isn't" the "t" is a word.
    return not {"t", *DENIALS}.isdisjoint(split_words(first_clause(words).casefold()))


def _core_item(quote: Quote) -> Item | None:
    """Return the item that is exactly the core of a quote; None if the core is more or less than one."""
    return next((item for item in quote.passage.items if item.span == quote.core), None)


def is_about(findings: Findings, quote: Quote, *, least: float = _ABOUT, numbers: bool = True) -> bool:
    """Return whether a quote with its headings is about the thing asked for: has `least` of its words' weight and, if
    `numbers`, all its numbers. False if the question has only generic words."""
    tokens, topic = _context_tokens(findings, quote), findings.focus.names or findings.focus.keywords
    topic = tuple(word for word in topic if numbers or not word.text[0].isdigit() or word.met_by(tokens))
    has_numbers = all(word.met_by(tokens) for word in topic if word.text[0].isdigit())
    is_specific = any(word.is_name or not word.is_generic for word in topic)
    return is_specific and has_numbers and share_met(topic, tokens) >= least


def tells_of(draft: Draft, findings: Findings) -> bool:
    """Return whether a draft is about the thing asked for, or repeats a quote of the earlier answer asked about."""
    quotes = [quote for statement in draft.statements for quote in statement.quotes]
    is_on_subject = not quotes or any(is_about(findings, quote) for quote in quotes)
    is_repeated = any(quote.shares_core(earlier) for quote in quotes for earlier in findings.earlier)
    return draft.status is not Status.NOT_FOUND and (is_on_subject or is_repeated)


def _context_tokens(findings: Findings, quote: Quote) -> frozenset[str]:
    """Return the tokens of a quote's core with its headings, title and product."""
    document = quote.passage.document
    words = (document.product, document.title, *quote.passage.heading, findings.core_of(quote))
    return frozenset(split_tokens(" ".join(words)))
