"""Answers to "since when": the earliest entry that reports the event, else the best one."""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.catalogue import stable_releases
from corpus.effects import named_change
from corpus.entry_words import change_in_heading, without_metadata
from corpus.happenings import NOT_DONE, find_acts, reports_act
from corpus.lexicon import split_tokens
from corpus.log_odds import log_odds, probability
from corpus.model import Act, Change
from corpus.plain_words import readable
from corpus.version_mentions import find_versions
from retrieval.answers.catalogue_releases import name_release
from retrieval.answers.events import ELSE, ENDS, FIXES, GONE, STARTS, ends_only_part, names_older
from retrieval.answers.fact import draft_fact, draft_probable
from retrieval.answers.missing import with_all_mentions
from retrieval.answers.not_found import draft_not_found
from retrieval.blocks import words_of
from retrieval.judge.pairs import DENIALS, split_words
from retrieval.model import Form, Status, Wanted
from retrieval.question.words import QuestionWord, share_met
from retrieval.quoting.composing import Draft, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item
from retrieval.quoting.quotes import REMOVES, WARNS, ItemScore, Quote, best_first
from retrieval.search.item_forms import is_title

_MIN_COVERAGE = 0.6  # Chosen by hand, never fitted.
_YEAR = re.compile(r"\b20\d\d\b")
_NEAR, _TOLD = 2.0, 1.25
"""How many log-odds an entry may be behind the best, and one of the last answer is raised; by hand, never fitted."""
_DONE = frozenset({Act.ADDED, Act.CHANGED, Act.DEPRECATED, Act.REMOVED, Act.REPLACED, Act.REVERTED, Act.FIXED})
_SPANS = re.compile(r"(?<![\d.])(\d{1,2}) ?(?:-|\u2013|to|through) ?(\d{1,2})(?![\d.]*\d)")
_RANGES = re.compile(
    r"[<>+]|\d ?[-\u2013] ?\d|\b(?:older|below|earlier|lower|prior|before|under|to|through|least|newer|later)\b"
)
"""Words for a range, which includes numbers that an entry doesn't name."""
_ENDS = {"t", "stop", "stopped", *DENIALS} - {"without"}  # Said of an end; a thing "without" another exists.


def draft_since_when(findings: Findings) -> Draft:
    """Answer with the earliest entry that reports the query's act, else with the plain answer or "not found"."""
    act, is_ended = findings.query.act, not _ENDS.isdisjoint(split_words(findings.query.text.casefold()))
    best_act = next((item.act for item in findings.fitting), Act.OTHER)
    is_event = best_act in _DONE and (is_ended or best_act not in FIXES)
    said = dict(find_acts(findings.query.text))
    is_guess = not (findings.query.asks_of_answer or act in (Act.DEFAULT, *said) or best_act is Act.CHANGED)
    asked_act = best_act if is_event and (is_guess or act in (None, Act.CHANGED)) else act or Act.ADDED
    if asked_act is Act.ADDED and is_ended:
        asked_act = Act.REMOVED  # "From which version on are there no wheels?"
    elif asked_act in STARTS and not is_ended:
        # The fix of a thing isn't how it came.
        events = tuple(i for i in findings.scored if i.act not in FIXES or names_older(findings, i.quote))
        findings = replace(findings, scored=events or findings.scored)
    fitting = findings.fitting
    if not fitting or not fitting[0].passage.release:
        return draft_fact(findings)
    best = fitting[0]
    is_removal = asked_act in REMOVES and best.act not in REMOVES
    names, numbers = findings.focus.names or findings.focus.keywords, _number_words(findings)
    looked, earliest = None, _earliest_report(findings, asked_act)
    if earliest is None and (looked := with_all_mentions(findings, names)):
        earliest = _earliest_report(looked, asked_act)
    open_near = (item for item in _likely_items(findings) if _may_report(findings, item, asked_act))
    silent = (item for item in open_near if reports_act(asked_act, item.act, findings.words_of(item)) is not False)
    dated = best if names_older(findings, best.quote) else None
    first = earliest or dated or next((item for item in silent if _names_as_much(findings, item)), None)
    if first is None or first.item.is_code or (is_removal and earliest is None and best.act in WARNS):
        return _draft_without_act(findings, looked, asked_act)
    is_other = first.act is not Act.REQUIRES and not _RANGES.search(findings.words_of(first))
    if is_other and not all(word.met_by(_entry_tokens(findings, first)) for word in numbers):
        return draft_not_found(findings)
    return draft_fact(findings.led_by(first))


def lead_with_last(draft: Draft, findings: Findings) -> Draft:
    """Return a draft of statements led by the last release that had the thing, if that is asked and quoted."""
    quote = draft.statements[0].quotes[0]
    if findings.query.wanted is not Wanted.LAST or (release := quote.passage.release) is None:
        return draft
    (product,) = findings.index.products_named([quote.passage.document.product])
    still = findings.tells_now and findings.verdict is not False
    releases = [stable for stable in stable_releases(product.releases) if still or stable.version < release.base]
    if not releases or not (findings.tells_now or named_change(findings.core_of(quote)) is Change.REMOVED):
        return draft
    role = "newest release, with no entry that ends that" if still else "last release before that"
    lead = name_release(product, releases[0]) + ("," if releases[0].date else "") + f" is the {role}:"
    statements = (replace(draft.statements[0], opening=None), *draft.statements[1:])
    return replace(draft, lead=lead, statements=statements, leads_on=True)


def ask_of_answer(findings: Findings, quoted: Sequence[Quote]) -> Findings:
    """Return the findings for a question about the last answer: the entries that it `quoted` are raised (if they only
    report an end, also its release's and other ends), and "since when" asks about their event."""
    before = [item for item in findings.fitting if any(item.quote.shares_core(quote) for quote in quoted)]
    act, is_when = findings.query.act, findings.query.form is Form.SINCE_WHEN
    act = before[0].act if is_when and before and before[0].act is not Act.OTHER else act
    ends = [item for item in before if item.act in ENDS and not (is_when or ELSE.search(findings.words_of(item)))]
    ended = {item.passage.release for item in ends}
    of_end = (
        item for item in findings.fitting if ended and (item.act in ENDS | WARNS or item.passage.release in ended)
    )
    raised = {id(item): replace(item, score=probability(log_odds(item.score) + _TOLD)) for item in (*before, *of_end)}
    scored = best_first(raised.get(id(item), item) for item in findings.scored)
    return replace(findings, query=replace(findings.query, act=act), scored=scored, earlier=tuple(quoted))


def _earliest_report(findings: Findings, asked_act: Act) -> ItemScore | None:
    """Return the earliest entry that reports the query's act, has as many of the question's words as the best one and
    all its numbers, and is nearly as likely (for an end however likely); None for none."""
    keywords, numbers = findings.focus.keywords, _number_words(findings)
    reporting = [
        item
        for item in (findings.fitting if asked_act in GONE else _likely_items(findings))
        if reports_act(asked_act, item.act, findings.words_of(item))
        and item.passage.release
        and item.passage.is_own
        and not is_title(item.passage, findings.words_of(item))
        and share_met(keywords, item.tokens | _entry_tokens(findings, item)) >= _MIN_COVERAGE
        and _names_as_much(findings, item)
        and all(word.met_by(_entry_tokens(findings, item)) for word in numbers)
    ]
    # An entry with that very act is preferred to one that only mentions it ("needs 3.8, as 3.7 was dropped").
    same_act = [item for item in reporting if item.act is asked_act]
    # What is added, or ends, about a thing ("a paragraph about `spin`") isn't the thing.
    whole = [
        item
        for item in same_act or reporting
        if not ends_only_part(findings, without_metadata(readable(findings.words_of(item))))
    ]
    quoted = [item for item in reporting if any(item.quote.shares_core(quote) for quote in findings.earlier)]
    # What a candidate and its final release both tell came with the final.
    return min(
        quoted or whole,
        key=lambda item: (item.passage.release_order.base, item.passage.release_order.is_prerelease),
        default=None,
    )


def _names_as_much(findings: Findings, item: ItemScore) -> bool:
    """Return whether an entry has as many of the question's keywords as the best one, and of its code names as any."""
    words, code = findings.focus.keywords, findings.query.symbols
    names = [name for name in findings.focus.names if name.text in code]
    most = max(sum(name.met_by(other.tokens) > 0 for name in names) for other in findings.fitting)
    is_full = sum(name.met_by(item.tokens) > 0 for name in names) == most
    tokens, best = (compared.tokens | _entry_tokens(findings, compared) for compared in (item, findings.fitting[0]))
    return is_full and (bool(most) or share_met(words, tokens) >= share_met(words, best))


def _number_words(findings: Findings) -> list[QuestionWord]:
    """Return the numbers among the question's names and keywords."""
    return [word for word in (*findings.focus.names, *findings.focus.keywords) if word.text[0].isdigit()]


def _likely_items(findings: Findings) -> list[ItemScore]:
    """Return the items that are nearly as likely to answer as the best."""
    best = log_odds(findings.fitting[0].score)
    return [item for item in findings.fitting if best - log_odds(item.score) <= _NEAR]


def _entry_tokens(findings: Findings, item: ItemScore) -> frozenset[str]:
    """Return the tokens of an entry without headings, plus the major of each version and all numbers in each range."""
    words = findings.words_of(item)
    tokens = frozenset(split_tokens(words))
    versions = (token.removeprefix("v") for token in tokens if token.removeprefix("v")[:1].isdigit())
    between = (str(n) for ends in _SPANS.findall(words) for n in range(*sorted(map(int, ends))))
    return tokens.union(between, *((version, version.partition(".")[0]) for version in versions))


def _may_report(findings: Findings, item: ItemScore, asked_act: Act) -> bool:
    """Return whether an entry may report the query's act, if only as a guess; an end must be in words or heading."""
    words = findings.words_of(item)
    is_end = item.act in ENDS or named_change(words) or not _ENDS.isdisjoint(split_words(words.casefold()))
    if asked_act in REMOVES and (not is_end or ends_only_part(findings, readable(words))):
        return False
    is_stated = find_acts(words) or change_in_heading(item.passage.heading) or item.act in NOT_DONE
    return not is_stated or reports_act(asked_act, item.act, words) is not False


def _draft_without_act(findings: Findings, looked: Findings | None, asked_act: Act) -> Draft:
    """Answer without an entry that reports the query's act: with a plan for it, an entry that leaves it open, or "not
    found"; that there is only a plan is said if all entries that name the thing were read."""
    names = findings.focus.names or findings.focus.keywords
    fitting = looked.fitting if looked else ()
    naming = [item for item in fitting if all(word.met_by(_entry_tokens(findings, item)) for word in names)]
    left_open = next((item for item in naming if _may_report(findings, item, asked_act)), None)
    is_sure = bool(naming) and left_open is None
    best = next((item for item in findings.fitting if _names_as_much(findings, item)), findings.fitting[0])
    words, release = findings.words_of(best), best.passage.release
    names_later = release is not None and any(mention.version > release for mention in find_versions(words))
    plans = best.act is Act.DEPRECATED and (names_later or _YEAR.search(words))
    if best.act is Act.PLANNED or (asked_act in REMOVES and plans):
        text = findings.text_of(best)
        stated = (statement_of(quote_item(best, text), text, tells_day=True),)
        act = (asked_act if asked_act in _DONE else Act.CHANGED).value
        lead = words_of(f"Nothing says that it was {act}, only the plan for it." if is_sure else "")
        return Draft(Status.PARTIAL if is_sure else Status.ANSWERED, lead, stated)
    if left_open:
        return draft_fact(findings.led_by(left_open))
    return (None if is_sure else draft_probable(findings)) or draft_not_found(findings)
