"""The words of an entry as an answer gives them: with the change named in its heading, without pointers to other pages,
and without a commit's records around them: tickets, hashes and authors, which are recognised by their position."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice

from corpus.lexicon import STOP_WORDS, opens_with, split_tokens
from corpus.plain_words import one_line, readable, sub, without_names
from corpus.symbols import ADVISORY

_HASH = r"(?=\d{0,39}[a-f])(?=[a-f]{0,39}\d)[0-9a-f]{7,40}"
COMMIT = re.compile(_HASH)
_PAGE, _DASH = r"/(?:pulls?|issues?|commits?|merge_requests|browse)/", r"(?<![-–—])[-–—]++\s+"
_TICKET = r"(?:(?<![\w./-])[\w.-]+/[\w./-]+\#|\#|!|\b(?:gh|bpo|pr|issues?)(?:[ -]?\#|[ -]))\d{1,7}(?![.,]?\w)"
_KEY = r"(?:(?<=[(\[])|\A|(?<=,\s))(?!ISO|IEC|IEEE|ECMA|FIPS|RFC|PEP|UTF|SHA|AES|CVE|CWE)[A-Z][A-Z\d]+-\d{2,6}"
"""An issue key of a tracker; only its position distinguishes it from a standard's name."""
TICKET_AHEAD = re.compile(
    r"(?:\A|(?<=\A[*+-] ))(?!(?:19|20)\d\d\b)(?:[6-9]\d\d|\d{4,6}\.?)(?=\s+(?:[A-Z][a-z]|\[[a-z]))"
)
"""A bare number ahead of an entry ("7515 Remove the class"), which is no year and no status of HTTP."""
_PERSON = r"(?<![\w/])@[\w-]+(?:\[bot\])?(?![/.]?\w)"
_RECORD = re.compile(
    rf"`?(?i:{_TICKET}|https?://\S{{1,300}}{_PAGE}[\w-]+|\b{_HASH}(?![\w.]*\w))`?"
    rf"|{_PERSON}|{_KEY}(?=[),;\]:]|\s[-–—]\s)|{TICKET_AHEAD.pattern}"
)
_IN_RECORDS = frozenset("@/0123456789")  # Each record has one of them.
_FIRST, _FIRST_PERSON, _MOST, _T, _R = 0xF0000, 0xF8000, 0x7FFD, "[\U000f0000-\U000f7fff]", "[\U000f0000-\U000ffffd]"
"""Characters that replace records while those around an entry are looked for: a ticket or commit; any."""
_RUN, _NAME = rf"{_R}(?:(?:[,;&\s]|\b(?:and|from|in|via)\b)+{_R})*", r"[A-Z][\w'’.-]*"
_FULL_NAME = rf"(?!Windows|Mac|Visual|Internet|Apple|Google|Microsoft|Red|Active|Using|See){_NAME}(?: {_NAME}){{1,2}}"
_PEOPLE = rf"{_FULL_NAME}(?:(?:,| and|, and) {_FULL_NAME})*"
_TOLD = "as seen described discussed explained introduced mentioned noted proposed reported requested suggested"
_STOPS = f"(?i:{'|'.join(sorted(STOP_WORDS))})"
_AFTER = re.compile(
    rf"""(?>(?:(?<![\s,;])[\s,;]*+(?:
      (?<![(\[])[(\[]++(?=[^()\[\]]{{0,200}}?{_R})(?![^()\[\]]{{0,200}}?(?i:{ADVISORY.pattern}))(?:[\w\s#@!,;:&./'’+-]|{_R}){{1,300}}[)\]]+
    | \(\d{{2,7}}(?:,\s*\d{{2,7}})*\) | [(\[](?i:by\ |thanks\ )?(?-x:{_PEOPLE})[)\]]
    | (?:(?<=[.,;)\]\U000f0000-\U000ffffd]\s)|\A|(?<=[-–—]\s))
      (?:(?:[\w'-]+\s+){{0,7}}[\w'-]+:\s*|(?:{_STOPS}\s+)?[\w'-]+\s+){_RUN}
    | (?:{_DASH})?\b[Bb]y:?\s+(?:[\w-]+\s+in\s+)?{_RUN} | {_DASH}[Bb]y\ (?-x:{_PEOPLE})
    | {"".join(f"(?<!{word}[ ])" for word in _TOLD.split())}\bin\s+{_RUN}
    | {_R}{"".join(f"(?<!{re.escape(' ' + word + ' ')}.)" for word in sorted(STOP_WORDS))}(?:[,;&\s]*{_R})*
    | (?<=\.\s)\d{{2,7}}
    )(?:\s?[.!])?)+)(?:\s*\((?:[\w'’.-]++\s?){{1,5}}\)\.?)?""",
    re.VERBOSE,
)
"""Tickets, commits and people after an entry, with their labels: "(#12)", "Closes #12", "by @jane in #12"."""
_BEFORE = re.compile(
    rf"\A(?:(?P<label>[A-Za-z]{{2,12}}) {_T}(?=: )"
    rf"|(?:\w+ (?={_T} \[))?(?>(?:(?:via\s)?[(\[]*{_T}[)\]]*[\s,:&–—-]*+)+)(?:(?<!{_T}\s)|(?!{_STOPS}\b))(?=\S))"
)
_ASIDE = re.compile(rf"(?<!\s)\s*+\((?:(?:{_R}[,;&\s]*)+\)(?P<next>\s+[A-Z][a-z]+\s)?|{_PEOPLE}\)(?=: ))")
_AUTHOR_AFTER = re.compile(r"(?<!\s)\s*+\((?:[\w'’.-]++,?\s?){1,5}\)\.?\Z")
_WORDS = re.compile(r"[^\W_](?:[\w'’./+-]*\w)?")
_NOTHING = frozenset("no none nothing n/a na nil".split())
_BESIDE_NOTHING = _NOTHING.union(
    """there are is were have has been known yet so far to report note api any new user facing user-facing notable
    significant breaking backward backwards incompatible incompatibilities compatibility-breaking changes change changed
    removals removed deprecations deprecated features additions added fixes fixed issues security functional other in
    for of with since this the release version package module previous""".split()
)
_MOST_OF_NOTHING = 10
_MIN_WORDS, _LEAD_ITEMS, _LEAD_CHARACTERS, _MOST_AFTER = 2, 16, 320, 300
"""Least words of an entry, most items and characters of its lead, and most characters of the records after it."""
_CHANGES = {
    "Added": ("add added", "adds adding new support supports introduce introduces introduced"),
    "Deprecated": ("deprecate deprecated deprecations", "deprecates deprecation"),
    "Removed": ("remove removed removals", "removes removal drop drops dropped no longer gone delete deleted"),
    "Fixed": ("fix fixed", "fixes correct corrected resolve resolved no longer prevent avoid ensure"),
}
"""Titles that name a change, and other words that do."""
_SENTENCE_WORDS = 5  # An addition of so many words is a sentence of its own. Chosen by hand, never fitted.
_THINGS = r"(?:features?|apis?|functions?|functionality|options?|settings?|behaviou?rs?)"
_TITLE_OF_THINGS = re.compile(
    rf"(?:{_THINGS} (?P<after>removed|deprecated)|(?P<before>removed|deprecated) {_THINGS})"
    r"(?: in [\w.+-]+(?: v?\d[\w.]*)?)?"
)
"""A title of ended features ("Features removed in 2.0"): the section's "Support for X" would read as the opposite."""
_POINTERS = frozenset(("see", "for more", "for further", "for details", "read the", "read more", "more details"))
_TICKET_LINK = re.compile(
    rf"\[(?P<who>[\w-]+)\]\((?:https?://[^/\s()]+/)?(?P=who)/?\)"
    rf"|\[(?P<words>[^\[\]\n]{{1,300}})\]\([^()\s]{{0,300}}{_PAGE}(?P<page>\w+)[^()\s]*\)"
)
_LINK = re.compile(r"!?\[[^\]\n]*\]\([^)\s]*\)|`[^`<\n]+<[^>\n]+>`_{1,2}")
_WORD, _WORDS_BESIDE_LINKS = re.compile(r"[^\W\d_]{2,}"), 1
_CREDIT = re.compile(
    r"(?:^\W{0,3}|(?<=[.!?)])\s+|(?<!\s)\s*+\(|(?<!\s)\s++[-–—]{1,2}\s+)"
    r"(?i:(?:bug|fix|patch|change|feature|issue) )?(?:(?i:contributed by|patch(?:ed)? by)\s+\w"
    r"|(?i:(?:contributed|patch(?:ed)?|reported|suggested|requested|reviewed|found|co-authored|signed-off)(?: |-)by:?"
    r"|courtesy of|kudos to|(?:(?:many|special) )?thanks(?: go)?(?: to\b|,)?|credits? (?:goes )?to)"
    r"\s+(?:[A-Z@:`\[*]|(?:all|every\w+|our)\b))(?:(?!(?<!\b[A-Z])[.!?]\s+(?:-\s+)?[A-Z`])[^\n]){0,160}$"
)
"""The author of a change, named at the end of an entry."""
_CREDITS = "by courtesy kudos thanks credit".split()
_ADDRESS_BESIDE = re.compile(
    r"(?<=[\w`)”\"®™])(?<!\bat)(?<!\bfrom)(?<!\bto)(?<!\b[Ss]ee)(?<!\bin)(?<!\bon)(?<!\bvia)(?<!\bwith)(?<!\bfor)"
    r"(?<!\band)(?<!-url) https?://[^\s()`]+(?: [\w-]*/[\w./-]+)*(?=[\s.,;:)]|$)"
)
"""The address of a link after the link's words, as a page's text shows it."""
_TAGS = re.compile(
    r"^(?:\[(?!CVE-|GHSA-)[^\]\n]{0,40}[A-Za-z][^\]\n]{0,40}\]:?\s+|(?i:bug|enh|chg|feature|issue|task|improvement): )+"
    r"(?:(?:(?<=[A-Z]{3}\] )|(?<=[A-Za-z]: ))(?=\S)|(?=(?:\S+\s+){2}))"
)
"""Tags of packages and branches and kinds of tickets before an entry."""
_BOLD_TAG = re.compile(r"(?i)^(?<![^\s*+-])\W{0,6}\*\*\W?breaking(?:[ -]changes?)?\W?\*\*:?[ \t]+(?=\S)")
_OWN_REFERENCE = re.compile(r"(?<=[\w.!?)”\"])\s\[\d{1,3}\](?=[\s.,;:)]|$)")  # A source's own footnote.
_CONNECTIVE = re.compile(
    r"(?:However|Additionally|Furthermore|Moreover|Also|Consequently|Therefore|Thus|Finally|Lastly|Meanwhile|Similarly"
    r"|Likewise|Notably|First|Second|Third|Next|In addition|As a result|In particular), "
    r"(?:(?P<first>[a-z])(?=[a-z]*\s))?"
)
_COMMIT_TYPE = re.compile(
    r"(?:feat|fix|chore|refactor|perf|docs|build|ci|test|style|sec|deps)(?:\((?P<scope>[^()\s]+)\))?!?:\s+"
    r"|\[?(?i:bc[ -]breaks?|breaking)(?i:[ -]changes?)?\]?(?:\([^()]*\))?:\s+|Changed?:\s+"
    r"|(?:(?:BUG|FIX|BUGFIX|FEAT|FEATURE|CHORE|CLEANUP|BUILD|CI|DOCS?|TESTS?|REGTESTS?|OPTIM|PERF|REORG|REVERT|SCRIPTS?"
    r"|EXAMPLES?|CRITICAL|MAJOR|MEDIUM|MINOR)[/:])+\s+"
)
"""A commit's type at the beginning of an entry."""


def leads_away(words: str) -> bool:
    """Return whether an entry only has records or links, thanks people, or points to another page."""
    unlinked, links = _LINK.subn(" ", words)
    return (
        is_record(words)
        or not _CREDIT.sub("", one_line(words)).strip(" -*+•")
        or bool(opens_with(without_names(words), _POINTERS))
        or (links > 0 and len(_WORD.findall(unlinked)) <= _WORDS_BESIDE_LINKS)
    )


def says_nothing(words: str) -> bool:
    """Return whether an entry only says that there is none ("None.", "N/A", "No breaking changes in this release")."""
    said_words = [word.casefold() for word in _WORDS.findall(words) if word[-1].isalpha()][: _MOST_OF_NOTHING + 1]
    is_short = len(said_words) <= _MOST_OF_NOTHING and not _NOTHING.isdisjoint(said_words[:3])
    return is_short and _BESIDE_NOTHING.issuperset(said_words)


def is_record(words: str) -> bool:
    """Return whether an entry consists only of tickets and people, with their labels ("Closes: #12")."""
    return bool(_AFTER.fullmatch(_mark_records(_read_out(words))[0]))


def _read_out(words: str) -> str:
    return readable(_without_ticket_links(words), keeps_code=True)


def _without_ticket_links(words: str) -> str:
    """Return words with numbers and names in place of, or after, the links to tickets and people."""

    def written(link: re.Match[str]) -> str:
        if (page := link["page"]) is None:
            return f"@{link['who']}"
        shown = link["words"].strip("`")
        ticket = f"#{page}" if page.isdigit() else page
        if shown.isdigit():
            return ticket
        return link["words"] if any(map(str.isdigit, shown)) else f"{link['words']} ({ticket})"

    return _TICKET_LINK.sub(written, words) if "](" in words else words


def _without_pointer(words: str) -> str:
    """Return an entry's words without a last sentence that is only a pointer ("See the docs for details.")."""
    end = max(words.rfind(mark, 0, -1) for mark in ".!?") + 1
    last = words[end:].lstrip()
    is_apart = end > 0 and words[end : end + 1].isspace()
    return words[:end] if is_apart and last[:1].isupper() and opens_with(last, _POINTERS) else words


def change_in_heading(heading: Sequence[str]) -> str:
    """Return the change that the last title of a heading names ("Removed"); empty if it names none."""
    title = one_line(heading[-1]).strip(" :.").casefold() if heading else ""
    if match := _TITLE_OF_THINGS.fullmatch(title):
        title = match["after"] or match["before"]
    return next((change for change, (titles, _) in _CHANGES.items() if title in titles.split()), "")


def without_connective(words: str) -> str:
    """Return a sentence without its connective: "However, it fails" -> "It fails"; unchanged without one."""
    match = _CONNECTIVE.match(words)
    return (match["first"] or "").upper() + words[match.end() :] if match else words


def said(words: str, *, keeps_tickets: bool = False) -> str:
    """Return an entry as answers show it: on one line, with code in backticks; never empty unless `words` are. It
    drops tags and repeated labels; unless `keeps_tickets` also tickets, credits, addresses and a last "See …"."""
    plain = _read_out(_BOLD_TAG.sub("", words)) or " ".join(words.split())
    plain = plain if keeps_tickets else _without_pointer(_ADDRESS_BESIDE.sub("", without_records(plain)))
    plain = _without_label(_OWN_REFERENCE.sub("", _TAGS.sub("", plain)))
    return plain if keeps_tickets else _CREDIT.sub("", plain) or plain


def _without_label(words: str) -> str:
    """Return an entry without a label that its sentence repeats ("Deprecated: Deprecated using …")."""
    label, _, rest = words.partition(": ")
    change = next((change for change, verbs in _CHANGES.items() if label.casefold() in " ".join(verbs).split()), "")
    return rest[:1].upper() + rest[1:] if change and _names(change, rest) else words


def implied_change(words: str, heading: Sequence[str]) -> str:
    """Return the change that an entry's section names and the entry itself doesn't ("Removed"), else empty."""
    change = change_in_heading(heading)
    is_sentence = change == "Added" and len(words.split()) >= _SENTENCE_WORDS
    return "" if is_sentence or (change and _names(change, words)) else change


def _names(change: str, words: str) -> bool:
    return not set(split_tokens(without_names(words))).isdisjoint(split_tokens(" ".join(_CHANGES[change])))


# One answer reads the same entry several times, for breaking changes and for news.
@lru_cache(maxsize=4096)
def without_records(words: str) -> str:
    """Return an entry's words, as written or readable, without tickets, hashes and authors around them and in
    parentheses; unchanged if hardly a word is left. "Fix crash (#12) by @bob" -> "Fix crash"."""
    marked, records = _mark_records(_without_ticket_links(words))
    before = _BEFORE.match(marked)
    body = (before["label"] or "") + marked[before.end() :] if before else marked
    for _ in range(2):  # Tickets may come before or after the credit.
        lowered = body.lower()
        last = body.rstrip(".!").rstrip()[-1:]
        # To look takes long, so it is looked where there may be one.
        may_end = last in ")]0123456789" or not last.isascii() or "by " in lowered
        runs = _AFTER.finditer(body, len(body) - _MOST_AFTER) if may_end else ()
        after = next((run for run in runs if run.end() == len(body)), before and _AUTHOR_AFTER.search(body))
        body = body[: after.start()].rstrip(" ,;:-–—") if after else body
        body = _CREDIT.sub("", body) if any(map(lowered.__contains__, _CREDITS)) else body

    def between(aside: re.Match[str]) -> str:
        # Only the tickets separated a title from its paragraph.
        return "." * body[aside.start() - 1].isalnum() + aside["next"] if aside["next"] else ""

    body = sub(_ASIDE, between, body, "(")
    if len(_WORDS.findall(body)) < _MIN_WORDS and "`" not in body:
        return words
    body = body.translate(records)
    return f"{body}." if words.endswith(".") and body[-1:] not in ".!?:" else body


def _mark_records(words: str) -> tuple[str, dict[int, str]]:
    """Return words with a character of a private plane for each record, and the records by these."""
    records: dict[int, str] = {}

    def mark(record: re.Match[str]) -> str:
        character = (_FIRST_PERSON if record[0].startswith("@") else _FIRST) + len(records)
        records[character] = record[0]
        return chr(character)

    return words if _IN_RECORDS.isdisjoint(words) else _RECORD.sub(mark, words, count=_MOST), records


def lead_of(words: Iterable[str], *, title: str = "", stem: str = "") -> str:
    """Return an entry's title, stem and first words on one line, without records, and without markup except of code."""
    lead = without_records(_read_out(" ".join(islice(words, _LEAD_ITEMS))))[:_LEAD_CHARACTERS].strip()
    # Drop an unclosed span of code: half a name would be read as words.
    lead = lead.rpartition("`")[0] if lead.count("`") % 2 else lead
    lead = f"{readable(stem, keeps_code=True)}: {lead}" if stem else lead
    return f"{readable(title, keeps_code=True)}. {lead}" if title else lead


def without_metadata(words: str) -> str:
    """Return an entry's words without tickets, commits, authors and commit type; never empty unless `words` are."""
    bare = without_records(words).strip()
    if match := _COMMIT_TYPE.match(bare):
        return (f"{match['scope']}: " if match["scope"] else "") + without_records(bare[match.end() :])
    return bare
