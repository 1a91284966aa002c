"""Since when: what states a version itself, else the first or the last release whose page of documentation says it,
else the entry that answers best."""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.catalogue import stable_releases
from corpus.effects import named_change
from corpus.entry_words import change_in_heading
from corpus.happenings import NOT_DONE, asserted, find_acts, reports_act
from corpus.lexicon import split_tokens
from corpus.log_odds import log_odds, probability
from corpus.model import Act, Change
from corpus.plain_words import as_code, one_line, readable
from corpus.version_mentions import find_versions
from corpus.versions import Version
from retrieval.answers.catalogue_releases import name_release
from retrieval.answers.events import ELSE, ENDS, GONE, MENDS, is_about, is_of_asked, reports_event
from retrieval.answers.fact import draft_fact, draft_probable
from retrieval.answers.missing import look_at_all
from retrieval.answers.not_found import draft_not_found
from retrieval.answers.pages import ComparedPage, page_lines
from retrieval.blocks import words_of
from retrieval.judge.moves import read_moves
from retrieval.judge.pairs import DENIALS, split_words
from retrieval.model import Form, Status, Wanted
from retrieval.question.subject import subject_weights
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import QuestionWord, share_met
from retrieval.quoting.composing import Draft, Statement, attribution, not_found, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item
from retrieval.quoting.quotes import GOES, WARNS, ItemScore, Quote, best_first
from retrieval.quoting.statements import VersionStatement, find_statements
from retrieval.quoting.wording import word_quote
from retrieval.search.item_forms import is_title

_MIN_COVERAGE = 0.6  # Chosen by hand, never fitted.
_YEAR = re.compile(r"\b20\d\d\b")
_NEAR, _TOLD = 2.0, 1.25
"""By how many log-odds another entry may be behind the best one, and by how many what the answer before told is raised.
Chosen by hand, never fitted."""
_DONE = frozenset({Act.ADDED, Act.CHANGED, Act.DEPRECATED, Act.REMOVED, Act.REPLACED, Act.REVERTED, Act.FIXED})
_GOES_OVER = r"\b(?:switch|mov|migrat|transition)\w*\b(?=[^.?]*\bto\b)|\badopt\w*"
_ASKS_SWITCH = re.compile(_GOES_OVER, re.IGNORECASE)
_SWITCHED = re.compile(
    rf"{_GOES_OVER}|\bbec[ao]me\w*|\b(?:replac|supersed)\w+|\bdefault\b|\b(?:in favou?r|in place|instead) of\b"
    r"|\brather than\b|\bnow (?:\w+ ){0,2}?(?:uses?|ships?|comes?|is|are|runs?|built|based|depends?|relies)\b",
    re.IGNORECASE,
)
"""What asks, and what says, that a project goes over to something."""
_SPANS = re.compile(r"(?<![\d.])(\d{1,2}) ?(?:-|\u2013|to|through) ?(\d{1,2})(?![\d.]*\d)")
_RANGES = re.compile(
    r"[<>+]|\d ?[-\u2013] ?\d|\b(?:older|below|earlier|lower|prior|before|under|to|through|least|newer|later)\b"
)
"""What an entry says of more numbers than it names."""
_URGES = re.compile(r"\b(?:will|should|must|please|need to|have to|users?|you)\b", re.IGNORECASE)
_ENDS = DENIALS - {"without"}  # What asks for an end; what comes "without" another thing is there.
_MIN_SPOKEN, _SAME, _STILL, _NAMED = 0.35, 0.85, 0.6, 0.8
"""The share of the subject that a line must name for its first page to be the answer; the shares of words (Dice) from
which an older page says the same, and a newer one may still speak of it; what of the subject a line names its twin must
name too, for a list that lacks the very thing asked about is another statement. Chosen by hand, never fitted."""


def draft_since_when(findings: Findings) -> Draft:
    """Quote what states the version of the asked act; else the page that is the first to say so.

    Falls back to the plain answer.
    """
    fitting = findings.fitting
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    asked = findings.query.act or Act.ADDED
    if asked is Act.ADDED and not _ENDS.isdisjoint(split_words(findings.query.text.casefold())):
        # "From which version on are there no wheels?"
        asked = Act.REMOVED
    found = find_statements(fitting, subject, findings.index) if subject.weights else ()
    if stating := _newest_stated(found, asked):
        stated = tuple(_version_statement(findings, one.scored.quote) for one in stating)
        return Draft(Status.ANSWERED, statements=stated)
    if not fitting or not fitting[0].passage.release:
        return draft_fact(findings)
    if switched := _switched(findings):
        return draft_fact(findings.led_by(switched))
    best = fitting[0]
    speaks = not (best.act in _DONE and reports_event(findings, best.quote))
    speaks = speaks and (not subject.weights or subject.coverage(_own_tokens(findings, best)) >= _MIN_SPOKEN)
    is_removal = asked in GOES and best.act not in GOES
    paged = _draft_by_pages(findings, best, subject, is_removal=is_removal) if speaks else None
    if paged:
        return paged
    names, numbers = findings.focus.names or findings.focus.keywords, _numbers(findings)
    looked, earliest = None, _earliest(findings, asked)
    if earliest is None and (looked := look_at_all(findings, names)):
        earliest = _earliest(looked, asked)
    if earliest is None and asked in GOES:
        fullest = max(_near(findings), key=lambda one: subject.coverage(_own_tokens(findings, one)))
        paged = None if fullest is best else _draft_by_pages(findings, fullest, subject, is_removal=True)
        if paged and paged.status is Status.NOT_FOUND:
            return paged
    open_near = (one for one in _near(findings) if _leaves_open(findings, one, asked))
    silent = (one for one in open_near if reports_act(asked, one.act, findings.words_of(one)) is not False)
    first = earliest or next((one for one in silent if _names_as_much(findings, one)), None)
    if first is None or (is_removal and earliest is None and best.act in WARNS):
        return _draft_without_act(findings, looked, asked)
    is_other = first.act is not Act.REQUIRES and not _RANGES.search(findings.words_of(first))
    if is_other and not all(word.met_by(_own_tokens(findings, first)) for word in numbers):
        return draft_not_found(findings)
    return draft_fact(findings.led_by(first))


def lead_with_last(draft: Draft, findings: Findings) -> Draft:
    """Return the draft led by the last release of which what a question asks the last one of is so, where it tells."""
    quote = draft.statements[0].quotes[0] if draft.statements else None
    if findings.query.wanted is not Wanted.LAST or quote is None or (release := quote.passage.release) is None:
        return draft
    (product,) = findings.index.products_named([quote.passage.document.product])
    still = findings.tells_now and findings.verdict is not False
    of = [one for one in stable_releases(product.releases) if still or one.version < release.base]
    if not of or not (findings.tells_now or named_change(findings.core_of(quote)) is Change.REMOVED):
        return draft
    told = "newest release, with no entry that ends that" if still else "last release before that"
    lead = name_release(product, of[0]) + "," * bool(of[0].date) + f" is the {told}:"
    statements = (replace(draft.statements[0], opening=None), *draft.statements[1:])
    return replace(draft, lead=lead, statements=statements, leads_on=True)


def _switched(findings: Findings) -> ItemScore | None:
    """Return the first entry of all to tell that a project went over to what a question asks since when it uses; None
    where it doesn't ask that, or nothing tells it."""
    asks = _ASKS_SWITCH.search(findings.query.text)
    there = _gone_over_to(findings.query.text) - {*split_tokens(asks[0] if asks else "")}
    words = [word for word in findings.focus.names or findings.focus.keywords if word.met_by(there)]
    looked = look_at_all(findings, words) if asks and words else None

    def tells(one: ItemScore) -> bool:
        said = asserted(readable(findings.words_of(one)), one.passage.release)
        is_done = one.act not in MENDS | NOT_DONE | {Act.DEPRECATED} and one.passage.release and one.passage.is_own
        is_switch = _SWITCHED.search(said) and not _URGES.search(said)
        return bool(is_done and is_switch) and all(word.met_by(_gone_over_to(said)) for word in words)

    told = filter(tells, looked.fitting if looked else ())
    keywords = findings.focus.keywords
    return min(told, key=lambda one: (-share_met(keywords, one.tokens), one.passage.release_order), default=None)


def _gone_over_to(text: str) -> frozenset[str]:
    """Return the tokens of a text without those of what is left for something else."""
    moves = read_moves(text.rstrip("?"), is_claim=True)
    return frozenset(split_tokens(text)).difference(*(move.old for move in moves))


def ask_of_answer(findings: Findings, told: Sequence[Quote]) -> Findings:
    """Return the findings where that is asked of which the answer before `told`: the entry that told it is likelier to
    say so, and since when asks when that happened. Of an end with no more, its release and other ends speak too."""
    before = [one for one in findings.fitting if any(one.quote.shares_core(quote) for quote in told)]
    act, is_when = findings.query.act, findings.query.form is Form.SINCE_WHEN
    act = before[0].act if is_when and before and before[0].act is not Act.OTHER else act
    ends = [one for one in before if one.act in ENDS and not (is_when or ELSE.search(findings.words_of(one)))]
    ended = {one.passage.release for one in ends}
    of_end = (one for one in findings.fitting if ended and (one.act in ENDS | WARNS or one.passage.release in ended))
    raised = {id(one): replace(one, score=probability(log_odds(one.score) + _TOLD)) for one in (*before, *of_end)}
    scored = best_first(raised.get(id(one), one) for one in findings.scored)
    return replace(findings, query=replace(findings.query, act=act), scored=scored, earlier=tuple(told))


def _earliest(findings: Findings, asked: Act) -> ItemScore | None:
    """Return the earliest entry to tell the asked act, of those that name as much of what is asked about as the best
    one, its numbers one and all, and are about as likely to answer (of ends all: what came is none); None where there
    is none."""
    keywords, ends = findings.focus.keywords, asked in GONE
    numbers = _numbers(findings)
    came = [
        one
        for one in (findings.fitting if ends else _near(findings))
        if reports_act(asked, one.act, findings.words_of(one))
        and not (ends and is_of_asked(findings, readable(findings.words_of(one))))
        and one.passage.release
        and one.passage.is_own
        and not is_title(one.passage, findings.words_of(one))
        and share_met(keywords, one.tokens | _own_tokens(findings, one)) >= _MIN_COVERAGE
        and _names_as_much(findings, one)
        and all(word.met_by(_own_tokens(findings, one)) for word in numbers)
    ]
    # What is read as an end goes before what only speaks of one ("needs 3.8, as 3.7 was dropped").
    read = [one for one in came if one.act is asked]
    told = [one for one in came if any(one.quote.shares_core(quote) for quote in findings.earlier)]
    return min(told or read or came, key=lambda one: one.passage.release_order, default=None)


def _names_as_much(findings: Findings, one: ItemScore) -> bool:
    """Return whether an entry names as much of what is asked about as the best one, and of code as much as any."""
    words, code = findings.focus.keywords, findings.query.symbols
    names = [name for name in findings.focus.names if name.text in code]
    most = max(sum(name.met_by(other.tokens) > 0 for name in names) for other in findings.fitting)
    is_full = sum(name.met_by(one.tokens) > 0 for name in names) == most
    mine, best = (other.tokens | _own_tokens(findings, other) for other in (one, findings.fitting[0]))
    return is_full and (bool(most) or share_met(words, mine) >= share_met(words, best))


def _numbers(findings: Findings) -> list[QuestionWord]:
    return [word for word in (*findings.focus.names, *findings.focus.keywords) if word.text[0].isdigit()]


def _near(findings: Findings) -> list[ItemScore]:
    """Return what is about as likely to answer as the best."""
    best = log_odds(findings.fitting[0].score)
    return [one for one in findings.fitting if best - log_odds(one.score) <= _NEAR]


def _newest_stated(found: Sequence[VersionStatement], asked: Act) -> tuple[VersionStatement, ...]:
    """Return the statements of the asked act, each by the newest page, and that what was added is to go, or went."""
    wanted = asked if asked in (Act.ADDED, Act.DEPRECATED, Act.REMOVED) else Act.CHANGED
    acts = {stated.act for stated in found}
    if wanted not in acts:
        return ()
    newest: dict[tuple[Act, Version], VersionStatement] = {}
    for statement in found:
        if statement.act is wanted or (statement.act in (Act.DEPRECATED, Act.REMOVED) and wanted is not Act.CHANGED):
            known = newest.get((statement.act, statement.version))
            if known is None or known.scored.passage.release_order < statement.scored.passage.release_order:
                newest[statement.act, statement.version] = statement
    return tuple(sorted(newest.values(), key=lambda stated: (stated.act is not wanted, stated.version)))


def _version_statement(findings: Findings, quote: Quote) -> Statement:
    about = "".join(f"{one_line(title)}: " for title in quote.passage.heading[-1:])
    words = word_quote(quote, findings.text_of(quote)).labelled
    return Statement(
        (words_of(about) if not words.text.startswith(about) else "") + words, (quote,), attribution(quote)
    )


def _own_tokens(findings: Findings, one: ItemScore) -> frozenset[str]:
    """Of the entry's words, without its headings: these name its release. A version is its major, too, and of a range
    all between."""
    words = findings.words_of(one)
    tokens = frozenset(split_tokens(words))
    versions = (token.removeprefix("v") for token in tokens if token.removeprefix("v")[:1].isdigit())
    between = (str(n) for ends in _SPANS.findall(words) for n in range(*sorted(map(int, ends))))
    return tokens.union(between, *((version, version.partition(".")[0]) for version in versions))


def _leaves_open(findings: Findings, one: ItemScore, asked: Act) -> bool:
    """Return whether an entry may tell an act: what neither its words nor its heading say was guessed. An end isn't
    told without a word of one."""
    words = findings.words_of(one)
    is_end = one.act in ENDS or named_change(words) or not _ENDS.isdisjoint(split_words(words.casefold()))
    if asked in GOES and (not is_end or is_of_asked(findings, readable(words))):
        return False
    is_told = find_acts(words) or change_in_heading(one.passage.heading) or one.act in NOT_DONE
    return not is_told or reports_act(asked, one.act, words) is not False


def _draft_without_act(findings: Findings, looked: Findings | None, asked: Act) -> Draft:
    """Draft that nothing tells of the asked act, only of what answers best, or of the plan for it, where all that names
    the thing was looked at and surely tells something else."""
    names = findings.focus.names or findings.focus.keywords
    fitting = looked.fitting if looked else ()
    naming = [one for one in fitting if all(word.met_by(_own_tokens(findings, one)) for word in names)]
    left_open = next((one for one in naming if _leaves_open(findings, one, asked)), None)
    is_sure = bool(naming) and left_open is None
    best = next((one for one in findings.fitting if _names_as_much(findings, one)), findings.fitting[0])
    words, release = findings.words_of(best), best.passage.release
    names_later = release is not None and any(it.version > release for it in find_versions(words))
    plans = best.act is Act.DEPRECATED and (names_later or _YEAR.search(words))
    if best.act is Act.PLANNED or (asked in GOES and plans):
        text = findings.text_of(best)
        stated = (statement_of(quote_item(best, text), text, tells_day=True),)
        was = (asked if asked in _DONE else Act.CHANGED).value
        lead = words_of(f"Nothing says that it was {was}, only the plan for it." if is_sure else "")
        return Draft(Status.PARTIAL if is_sure else Status.ANSWERED, lead, stated)
    if left_open:
        return draft_fact(findings.led_by(left_open))
    if not is_sure or not is_about(findings, best.quote) or not {asked, best.act} <= _DONE:
        return (None if is_sure else draft_probable(findings)) or draft_not_found(findings)
    name = as_code(findings.query.symbols[0]) if len(findings.query.symbols) == 1 else "it"
    known = f", only that it was {best.act.value} in {best.passage.document.product} {release}"
    known = known if {one.act for one in naming} == {best.act} else ""
    return not_found(f"no notes say that {name} was {asked.value}{known}.")


def _draft_by_pages(findings: Findings, best: ItemScore, subject: TokenWeights, *, is_removal: bool) -> Draft | None:
    """Return the first release whose page says what an item says of the subject, or for a removal the last one; None
    where the item is no line of a page that several releases have.

    A removal of what the newest page still says is not found.
    """
    index, passage = findings.index, best.passage
    product = next(iter(index.products_named([passage.document.product])), None)
    if product is None or not passage.release:
        return None
    release, source = passage.release, passage.document.source
    page = page_lines(index, product, release, like=source)
    last = next((line for line in page if (line.passage, line.span) == (passage, best.item.span)), None)
    if last is None:
        return None
    versions = sorted(indexed.version for indexed in product.releases)
    older, newer = [one for one in versions if one < release], [one for one in versions if one > release]
    named = _NAMED * subject.coverage(last.tokens)
    is_compared, is_ended = False, False
    for version in newer if is_removal else reversed(older):
        other = page_lines(index, product, version, like=source)
        if compared := ComparedPage.of(*((page, other) if is_removal else (other, page))):
            twin = compared.twin_of(last, least=_STILL if is_removal else _SAME)
            is_compared, is_ended = True, twin is None or subject.coverage(twin.tokens) < named
            if twin is None or is_ended:
                break
            last, page = twin, other
    if not is_compared:
        return None
    quote = Quote(last.passage, last.span, last.span, retracted=best.item.retracted)
    words = word_quote(quote, findings.text_of(quote)).labelled
    place = attribution(quote)
    if is_removal and not is_ended:
        return not_found(place + ", the newest page in the library, still says: " + words)
    which = f" is the {'last' if is_removal else 'first'} release in the library whose page says so: "
    return Draft(Status.ANSWERED, statements=(Statement(words, (quote,), before=place + which),))
