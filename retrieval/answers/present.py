"""Questions about the present: for a runtime or dependency, the newest requirement by release answers, not the entry
most similar to the question. Requirements are read as in upgrades."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpus.effects import stated_change
from corpus.entry_words import without_metadata
from corpus.happenings import asserted, find_acts
from corpus.index.release_matching import match_release
from corpus.lexicon import split_tokens
from corpus.model import Act, Change
from corpus.plain_words import readable
from corpus.requirements import ASIDE, BACKS, DROPS, FLOOR, GONE, LEAST, NUMBERS, UPSTREAM, decide_support
from corpus.versions import Version
from retrieval.answers.events import (
    FILE,
    FIXES,
    comes_after,
    denies,
    find_revert,
    is_about,
    reports_event,
)
from retrieval.answers.yes_no import asks_end
from retrieval.model import Form, Wanted
from retrieval.question.words import RUNS_ON, share_met
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import REMOVES, WARNS, ItemScore
from retrieval.search.hits import Hit

_FORMS = (Form.FACT, Form.VALUE, Form.YES_NO)
_TOLD = split_tokens(
    "drop remove support require need minimum minimal msrv longer bump update upgrade raise compat ship bundle build"
)
_DOES = split_tokens("build compile install run work")  # Purposes of a requirement, often left out.
_ALIKE = ("msrv rustc rust", "nodejs node", "golang go", "python cpython py", "postgresql postgres", "windows win")
_GO = re.compile(r"\bgo (?:version|v?\d)", re.I)  # Elsewhere "go" is an everyday word.
_GOES_WITH = re.compile(
    rf"{BACKS.pattern}|^\W*+[\w-]+ v?\d|\b(?:bump|bundl|ship|us(?:e|es|ing)\b|default|buil[dt]|includ)", re.I
)
_PARTS = re.compile(r"[ -]?(?:specific|only|relat|compat\w* \w|files|code\b|tests|shims?)", re.I)  # "3.8-only code".
_OTHERS = r"\b(?:for|with|using) (?!v|at )[^\W\d]|,\s(?!v)\w+\W*$|\s(?![vV]|LTS)[A-Z]\w*\W*$"  # Another's.
_NOW = re.compile(r"\b(?:still|now(?:adays)?|these days|current(?:ly)?|by default|gone|any ?more)\b", re.I)
_LEAST = re.compile(r"\b(?:msrv|minimum|minimal|(?:is|are|now) required)\b", re.I)
_COUNT = r"(\d+(?:\.\d+)*)"
# A question's pattern of its own takes a millisecond to compile: "\0" stands for what is asked about.
_COUNTED = rf"\0(?: versions?)?[\s<>=~]*[vr]?{_COUNT}|(?<!\d)(?<!\d\.){_COUNT} \0(?![\w-]|\W*v?\d)"
_IS_WHICH = r"\b(?:what|which)(?: versions? of)? \0(?: versions?)? (?:is|are|do(?:es)?|comes?|ships?|in|inside)\b"
_AT_ONCE, _MOST, _FIRST, _HALF = 24, 480, 3, 0.5


def lead_with_newest(findings: Findings) -> Findings:
    """Return the findings led by the newest entry that states the present requirement on a runtime or dependency asked
    about, or by its end up to the requested release; unchanged if none is asked about, or stated."""
    query, is_last = findings.query, findings.query.wanted is Wanted.LAST
    named, is_yes_no = query.constraint.versions if query.constraint else (), query.form is Form.YES_NO
    if (query.constraint and len(named) != 1) or not findings.fitting:
        return findings
    for names in _asked_objects(findings):
        called = rf"(?i:(?<![\w.-])(?:{'|'.join(map(re.escape, names))})(?:\.js)?)"
        is_platform = not RUNS_ON.isdisjoint(names)
        marked = re.sub(called, "\0", query.search_text)
        beside = re.search(_COUNTED, marked, re.I)
        number, led, is_dropped = Version.parse(beside[1] or beside[2]) if beside else None, findings, False
        is_least = re.search(rf"(?i){LEAST}\w*\W+(?:\w+\W+)?\0", marked)
        needs = re.search(FLOOR if is_platform else rf"(?i){LEAST}", query.search_text)
        # "Which libpq is in the wheels?" asks for the bundled version, not for the minimum.
        is_which = re.search(_IS_WHICH, marked, re.I)
        if not (query.form in _FORMS or is_least or is_which or (is_last and number)):
            continue
        # "Which driver does CUDA 13 ask for?" asks for another value, not whether CUDA 13 is supported.
        asks_least = needs or is_which or (is_platform and "version" in query.search_text)
        asks_of_number = (query.form is not Form.VALUE or is_last) and (is_platform or is_yes_no or not named)
        if not (asks_least if number is None else asks_of_number):
            continue
        for item, is_required in _requirements(findings, called, names, upto=named[0] if named else None):
            words, verdict = _present_words(findings, item), None
            if number is not None:
                decides, verdict = decide_support(words, called, number, is_required=is_required)
            else:
                telling = [word for word in findings.focus.names if not FLOOR.search(word.text)]
                decides = (is_required or not needs) and share_met(telling, item.tokens.union(names, _DOES)) >= _HALF
            if not decides:
                continue
            if Act.REVERTED in dict(find_acts(words)):
                return replace(findings.led_by(item), tells_now=True)  # What it restores isn't what it says.
            is_turned = is_yes_no and asks_end(query) and verdict is not None
            # It may have come before the release that it is asked of.
            is_older = verdict and named and item.passage.release != named[0]
            stated = None if is_older or (needs and is_yes_no) else not verdict if is_turned else verdict
            now, drops = replace(findings.led_by(item), tells_now=True, verdict=stated), bool(DROPS.search(words))
            if not is_last and (verdict or number is None):
                return now if led is findings or (led.verdict is None and not named) else led
            # A raised minimum gives way to an older drop of the number or minimum above it, a drop to an older drop.
            if led is findings or (verdict is False and is_required and is_dropped <= drops):
                led, is_dropped = now, drops
        if led is not findings:
            return led
    is_now = is_yes_no or _NOW.search(query.text)
    return _with_newest_alike(findings) if is_now and query.constraint is None else findings


def _with_newest_alike(findings: Findings) -> Findings:
    """Return the findings led by the newest entry that meets the question like the best, or ends or denies it and has
    half as much of its words: a revert of another thing doesn't decide."""
    focus, best = findings.focus, findings.fitting[0]
    words = focus.names or [word for word in focus.keywords if not word.is_generic]
    least, is_now = share_met(focus.words, best.tokens), _NOW.search(findings.query.text)
    # What a revert takes back is told before it.
    can_turn = findings.query.form is Form.YES_NO and not find_revert(findings, best.quote)

    def answers(item: ItemScore) -> bool:
        release, is_other = item.passage.release, item.item.is_code or item.act in FIXES | WARNS
        is_out = (
            item.passage.is_own and release and not (item.passage.is_unreleased or release.is_prerelease or is_other)
        )
        is_full = is_now and share_met(focus.words, item.tokens) >= least and all(w.met_by(item.tokens) for w in words)
        is_against = can_turn and (item.act is Act.REVERTED or denies(findings.words_of(item)))
        is_end = item.act in REMOVES and reports_event(findings, item.quote)
        is_turned = is_end or (is_against and is_about(findings, item.quote))
        return bool(is_out and (is_full or is_turned))

    after = (item for item in findings.scored if comes_after(item.quote, best.quote))
    later = (item for item in after if share_met(focus.words, item.tokens) >= _HALF * least and answers(item))
    newest = max(later, key=lambda item: item.passage.release_order, default=best)
    return findings.led_by(newest) if best.passage.release not in (None, newest.passage.release) else findings


def _asked_objects(findings: Findings) -> Iterator[Sequence[str]]:
    """Yield the names of each runtime or dependency that a question may ask about, runtimes first: "node", "nodejs"."""
    words = [word.text.casefold().removesuffix(".js") for word in findings.focus.words if not word.is_generic]
    # "py3.9" is a runtime with its number, "UP038" and "http2" are names.
    words = [stem if (stem := word.rstrip("0123456789.")) in RUNS_ON - {"http"} else word for word in words]
    words += ["golang"] * bool(_GO.search(findings.query.text))
    products = {name.casefold() for name in findings.query.products}
    objects = [word for word in words if word in RUNS_ON or not (word in products or not word or FLOOR.search(word))]
    for word in sorted(objects, key=lambda word: word not in RUNS_ON):
        yield next((group.split() for group in _ALIKE if word in group.split()), [word])


def _present_words(findings: Findings, item: ItemScore) -> str:
    words = asserted(without_metadata(readable(findings.words_of(item))).replace("\u2265", ">="), item.passage.release)
    # Of a bare name the heading above says that it went.
    return f"removed {words}" if item.act is Act.REMOVED and not find_acts(words) else words


def _requirements(
    findings: Findings, called: str, names: Sequence[str], *, upto: Version | None
) -> Iterator[tuple[ItemScore, bool]]:
    """Yield (item, whether it is a requirement) for each item of a product's own notes with versions of the thing that
    `called` matches, newest release first, the surest requirement first within one; none for several products."""
    index, query = findings.index, findings.query
    # Without a named product, the first items must all be from one.
    products = query.products or {item.passage.document.product for item in findings.fitting[:_FIRST]}
    if len(products) != 1:
        return
    tokens = {token for name in names for token in (*split_tokens(name)[:1], f"{name}.js")}
    # Also "go1.25" and "py3.14".
    runtimes = RUNS_ON.intersection(names)
    tokens |= {term for name in runtimes for term in index.lexical.terms_from(name) if term[len(name) :][:1].isdigit()}
    naming, requiring = (index.passages_holding(words, products=products) for words in (tokens, _TOLD))
    (product,), table = index.products_named(products), index.passages
    of_row = ((row, table.distinct_versions[table.version_codes[row]]) for row in sorted({*naming} & {*requiring}))
    fit = ((of, row) for row, of in of_row if of and (of <= upto if upto else of.base in product.finals))
    rows = [int(row) for _, row in sorted(fit, reverse=True)][:_MOST]
    known = {(item.passage.position, item.number): item for item in findings.scored}
    for start in range(0, len(rows), _AT_ONCE):
        passages = [passage for passage in index.load_passages(rows[start : start + _AT_ONCE]) if passage.is_own]
        relevant = list[tuple[ItemScore, int]]()
        for passage, entries in zip(passages, index.load_entries(passages), strict=True):
            hit = Hit(passage, 0.0, 0.0, match_release(query.constraint, passage.release, bearing=query.bearing))
            for number, item in enumerate(passage.items):
                scored = known.get((passage.position, number)) or ItemScore(hit, number, None, 0.0)
                words = _present_words(findings, scored)
                scored = replace(scored, tokens=scored.tokens.union(split_tokens(words)))
                named = re.search(called + r"(?![a-z_-])" + NUMBERS, words, re.I)
                if passage.is_unreleased or item.is_code or not named:
                    continue
                before = words[: named.start()]
                is_part = (
                    re.search(rf"(?i)\bminim\w+(?: \w+){{0,2}} of (?!\W*(?:the )?{called})", words)
                    or (UPSTREAM.search(words) and not DROPS.search(before))
                    or _PARTS.match(words, named.end())
                    or re.search(_OTHERS, named[0][: -len(named[1])])
                )
                is_beside = ASIDE.search(before)
                if scored.act in WARNS or is_part or (DROPS.search(words) and is_beside):
                    continue
                changes = {stated_change(words), *(entry.change for entry in entries if entry.span.holds(item.span))}
                is_ended = Change.REMOVED in changes and GONE.match(words, named.end())
                is_stated = _LEAST.search(words) and "recommend" not in words
                is_range = re.search(r"(?i)\bsupport(?:s|ed)", words) and re.search(r"\d[^\w.]+(?:\w+ )?\d", named[1])
                rank = bool(Change.REQUIREMENT in changes or is_ended or is_range) + 2 * bool(is_stated)
                is_fix = scored.act in FIXES and not re.search(r"(?i)\b(?:compatib|support\b)", words)
                is_beside = is_beside or FILE.search(re.sub(called, "", words))
                if rank or (_GOES_WITH.search(words) and not (is_fix or is_beside)):
                    relevant.append((scored, rank))
        relevant.sort(key=lambda pair: (pair[0].passage.release_order, pair[1], pair[0].score))
        for scored, rank in reversed(relevant):
            yield scored, rank > 0
