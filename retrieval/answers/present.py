"""How things are now: of what a product runs on or depends on, the newest requirement in the order of releases answers,
not the entry that is most like the question. Requirements are read as Upgrade reads them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpus.effects import stated_change
from corpus.entry_words import without_metadata
from corpus.everyday_words import PLATFORMS
from corpus.happenings import asserted
from corpus.index.release_matching import match_release
from corpus.lexicon import split_tokens
from corpus.model import Change
from corpus.plain_words import readable
from corpus.requirements import ASIDE, BACKS, DROPS, FLOOR, GONE, LEAST, NUMBERS, UPSTREAM, decide_support
from corpus.versions import Version
from retrieval.answers.events import FILE, MENDS, comes_after, is_of_asked, reports_event
from retrieval.model import Form, Wanted
from retrieval.question.words import RUNS_ON, share_met
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import GOES, WARNS, ItemScore
from retrieval.search.hits import Hit

_FORMS = (Form.FACT, Form.VALUE, Form.YES_NO)
_TOLD = split_tokens("drop remove support require need minimum minimal msrv longer bump update upgrade raise compat")
_DOES = split_tokens("build compile install run work")  # What a requirement is for, said or not.
_ALIKE = ("msrv rust rustc", "node nodejs", "golang go", "python cpython py", "postgres postgresql")
_GO = re.compile(r"\bgo (?:version|v?\d)", re.I)  # What else is a word of every day.
_IS = r"(?:is|are|do(?:es)?|comes?|ships?|in|inside)\b"
_GOES_WITH = re.compile(
    rf"{BACKS.pattern}|^\W*[\w-]+ v?\d|\b(?:bump|bundl|ship|us(?:e|es|ing)\b|default|buil[dt]|includ)", re.I
)
_PARTS = re.compile(r"[ -]?(?:specific|only|relat|compat\w* \w|files|code\b|tests|shims?)", re.I)  # Of what was, alone.
_NOW = re.compile(r"\b(?:still|now(?:adays)?|these days|current(?:ly)?|by default|gone|any ?more)\b", re.I)
_LEAST = re.compile(r"\b(?:msrv|minimum|minimal)\b", re.I)
_COUNT = r"(\d+(?:\.\d+)*)"
_AT_ONCE, _MOST, _FIRST, _HALF = 48, 480, 3, 0.5


def lead_with_newest(findings: Findings) -> Findings:
    """Return the findings with the newest entry that tells what is asked of a runtime or dependency now, or that it was
    ended up to the release that is asked about, in front; as they are where nothing of the sort is asked, or told."""
    query, is_last = findings.query, findings.query.wanted is Wanted.LAST
    named = query.constraint.versions if query.constraint else ()
    if (query.constraint and len(named) != 1) or not findings.fitting:
        return findings
    for names in _asked_objects(findings):
        called = rf"(?<![\w.-])(?:{'|'.join(map(re.escape, names))})(?:\.js)?"
        is_platform = not RUNS_ON.isdisjoint(names)
        counted = rf"{called}(?: versions?)?[\s<>=~]*[vr]?{_COUNT}|{_COUNT} {called}(?![\w-])"
        beside = re.search(counted, query.search_text, re.I)
        number, led, dropped = Version.parse(beside[1] or beside[2]) if beside else None, findings, False
        is_least = re.search(rf"{LEAST}\w*\W+(?:\w+\W+)?{called}", query.text, re.I)
        needs = bool((FLOOR if is_platform else re.compile(LEAST, re.I)).search(query.text))
        # "Which libpq is in the wheels?" asks for what it goes with, not for the least that will do.
        is_which = re.search(rf"\b(?:what|which)(?: versions? of)? {called} {_IS}", query.text, re.I)
        if not (query.form in _FORMS or is_least or is_which or (is_last and number)):
            continue
        # "Which driver does CUDA 13 ask for?" asks for another value than whether it runs there.
        asks_least = needs or is_which or (is_platform and "version" in query.text)
        asks_of_number = query.form is not Form.VALUE or is_last
        if not (asks_least if number is None else asks_of_number):
            continue
        for one, is_required in _requirements(findings, called, names, upto=named[0] if named else None):
            words, verdict = _told(findings, one), None
            if number is not None:
                decides, verdict = decide_support(words, called, number, is_required=is_required)
            else:
                telling = [word for word in findings.focus.names if not FLOOR.search(word.text)]
                decides = (is_required or not needs) and share_met(telling, one.tokens.union(names, _DOES)) >= _HALF
            if not decides or (named and verdict is not False):
                continue
            now, drops = replace(findings.led_by(one), tells_now=True, verdict=verdict), bool(DROPS.search(words))
            if not is_last and (verdict is not None or number is None):
                return now
            # What is above a minimum gives way to an older entry that names the number, an end to an older one.
            if led is findings or (is_last and verdict is False and is_required and dropped <= drops):
                led, dropped = now, drops
            if is_last and verdict is not False:
                break
        if led is not findings:
            return led
    is_now = query.form is Form.YES_NO or _NOW.search(query.text)
    return _with_newest_alike(findings) if is_now and query.constraint is None else findings


def _with_newest_alike(findings: Findings) -> Findings:
    """Return the findings led by the newest entry that tells as much as the likeliest one, or surely the end of it."""
    focus, best = findings.focus, findings.fitting[0]
    words = focus.names or [word for word in focus.keywords if not word.is_generic]
    least, is_now = share_met(focus.words, best.tokens), _NOW.search(findings.query.text)

    def tells(one: ItemScore) -> bool:
        release, is_told = one.passage.release, not (one.item.is_code or one.act in MENDS | WARNS)
        is_out = one.passage.is_own and release and not (one.passage.is_unreleased or release.is_prerelease)
        is_full = is_now and share_met(focus.words, one.tokens) >= least and all(w.met_by(one.tokens) for w in words)
        return bool(is_out and is_told and (is_full or (one.act in GOES and reports_event(findings, one.quote))))

    later = (one for one in findings.fitting if comes_after(one.quote, best.quote) and tells(one))
    newest = max(later, key=lambda one: one.passage.release_order, default=best)
    return findings.led_by(newest) if best.passage.release not in (None, newest.passage.release) else findings


def _asked_objects(findings: Findings) -> Iterator[Sequence[str]]:
    """Yield what each word of a question that may be a runtime or a dependency is called, runtimes first."""
    words = [re.sub(r"\.js$", "", word.text.casefold()) for word in findings.focus.words if not word.is_generic]
    # "py3.9" is a runtime at its number, "UP038" a name.
    words = [stem if (stem := word.rstrip("0123456789.")) in RUNS_ON else word for word in words]
    words += ["golang"] * bool(_GO.search(findings.query.text))
    own = {name.casefold() for name in findings.query.products}
    telling = [word for word in words if word in RUNS_ON or not (word in own or not word or FLOOR.search(word))]
    for word in sorted(telling, key=lambda word: word not in RUNS_ON):
        yield next((group.split() for group in _ALIKE if word in group.split()), [word])
    if not telling and FLOOR.search(findings.query.text):
        yield sorted(PLATFORMS)


def _told(findings: Findings, one: ItemScore) -> str:
    words = without_metadata(readable(findings.words_of(one))).replace("\u2265", ">=")
    return asserted(words, one.passage.release)


def _requirements(
    findings: Findings, called: str, names: Sequence[str], *, upto: Version | None
) -> Iterator[tuple[ItemScore, bool]]:
    """Yield the items of a product's own notes that tell which numbers it takes of what is `called` so, of the newest
    release first, and whether each requires something: what does stands before what else a passage says."""
    index, query = findings.index, findings.query
    # A name that people import by is no product's, and all that is like the question is one's.
    products = query.products or {one.passage.document.product for one in findings.fitting[:_FIRST]}
    if len(products) != 1:
        return
    tokens = {token for name in names for token in (*split_tokens(name)[:1], f"{name}.js")}
    # "go1.25", "py3.14".
    at_number = RUNS_ON.intersection(names)
    tokens |= {one for name in at_number for one in index.lexical.terms_from(name) if one[len(name) :][:1].isdigit()}
    held, telling = (index.passages_holding(some, products=products) for some in (tokens, _TOLD))
    (product,), table = index.products_named(products), index.passages
    of_row = ((row, table.distinct_versions[table.version_codes[row]]) for row in sorted({*held} & {*telling}))
    fit = ((of, row) for row, of in of_row if of and (of <= upto if upto else of.base in product.finals))
    rows = [int(row) for _, row in sorted(fit, reverse=True)][:_MOST]
    scored = {(one.passage.position, one.number): one for one in findings.scored}
    for start in range(0, len(rows), _AT_ONCE):
        passages = [one for one in index.load_passages(rows[start : start + _AT_ONCE]) if one.is_own]
        for passage, entries in zip(passages, index.load_entries(passages), strict=True):
            hit = Hit(passage, 0.0, 0.0, match_release(query.constraint, passage.release, bearing=query.bearing))
            told = list[tuple[ItemScore, bool]]()
            for number, item in enumerate(passage.items):
                one = scored.get((passage.position, number)) or ItemScore(hit, number, None, 0.0)
                words = _told(findings, one)
                one = replace(one, tokens=one.tokens.union(split_tokens(words)))
                counted = re.search(called + r"(?![a-z_-])" + NUMBERS, words, re.I)
                is_elsewhere = counted and UPSTREAM.search(words) and not DROPS.search(words[: counted.start()])
                is_part = counted and (is_elsewhere or _PARTS.match(words, counted.end()))
                is_aside = one.act in WARNS or is_part or (DROPS.search(words) and is_of_asked(findings, words))
                if passage.is_unreleased or item.is_code or not counted or is_aside:
                    continue
                changes = {stated_change(words), *(entry.change for entry in entries if entry.span.holds(item.span))}
                is_ended = Change.REMOVED in changes and GONE.match(words, counted.end())
                is_required = bool(Change.REQUIREMENT in changes or is_ended or _LEAST.search(words))
                is_mended = one.act in MENDS and not re.search(r"\b(?:compatib|support\b)", words, re.I)
                is_beside = FILE.search(re.sub(called, "", words, flags=re.I)) or ASIDE.search(words[: counted.start()])
                if is_required or (_GOES_WITH.search(words) and not (is_mended or is_beside)):
                    told.append((one, is_required))
            yield from sorted(told, key=lambda pair: not pair[1])
