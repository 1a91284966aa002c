"""The words of an entry as an answer says them: with the change that its heading names, without what leads away, and
without the records of a commit around them: tickets, hashes and authors.

An entry is read as a row of signs, one for each word, so that what is a record follows from where it stands.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from corpus.lexicon import STOP_WORDS, opens_with, split_tokens
from corpus.plain_words import one_line, readable, without_names

_HASH = r"[0-9a-f]{7,40}"
_TICKET = r"(?:(?<![\w./-])[\w.-]+/[\w./-]+\#|\#|!|\b(?:gh|bpo|pr|issues?)(?:[ -]?\#|[ -]))\d{1,7}(?![.,]?\w)"
_PAGE = r"/(?:pulls?|issues?|commits?|merge_requests|browse)/"
_KEY = r"(?-i:(?!ISO|IEC|IEEE|ECMA|FIPS|RFC|PEP|UTF|SHA|AES|CVE|CWE)[A-Z][A-Z\d]+-\d{2,6})"
"""An issue of a tracker, where its place tells it from a standard's name."""
_SIGN = re.compile(
    rf"""(?P<r>
      \[{{1,3}}`?(?:(?:\w+[ ])?{_TICKET}|{_KEY}|{_HASH}|@[\w-]+)`?\]+(?:\([^()\s]*\)|\[[^\]\n]*\])?
    | \[[^\[\]\s]{{0,99}}\]\([^()\s]{{0,300}}{_PAGE}[^()\s]*\)
    | `(?:{_TICKET}\s*<[^>\n]{{1,300}}>`_{{1,2}}|{_HASH}`)
    | :(?!(?:pep|rfc):)[\w-]+:`(?:(?:[^`\n]{{0,99}}\#)?\d{{1,7}}|{_HASH})(?:\s*<[^>\n]{{0,300}}>)?`
    | (?:\A|(?<=\A[-*+]\s)){_KEY}(?=:\s|\s[-–—]\s)|(?<=\(){_KEY}(?=[),;])
    | https?://\S{{1,300}}{_PAGE}[\w-]+
    | {_TICKET}
    | \b(?=\d*[a-f])(?=[a-f]*\d){_HASH}(?![\w.]*\w)
    )
    | (?P<a>(?<![\w/])@[\w-]+(?:\[bot\])?(?![/.]?\w)|:user:`[^`\n]*`|`[^`\n]*`_
        |\[(?P<who>[\w-]+)\]\((?:https?://[^/\s()]+/)?(?P=who)/?\))
    | (?P<c>`[^`\n]*`|\[[^\[\]\n]{{0,300}}\](?:\([^()\s]{{0,300}}\)|\[[^\]\n]{{0,99}}\])|https?://\S+)
    | (?P<n>\d{{2,7}}(?![.,]?\w))
    | (?P<b>\b(?:by|thanks)\b)
    | (?P<w>[^\W_](?:[\w'’./+-]*\w)?)
    | (?P<o>\S)""",
    re.IGNORECASE | re.VERBOSE,
)
"""Records, who is named, code and links, numbers, "by", words, and other signs as they are."""
_PEOPLE = r"wb(?-i:W{1,3}(?:s?W{1,3})?)"
_LABEL = r"\*?(?:[ws]{1,8}:|s?[ws])\*?"
_RUN = (
    r"(?:(?>(?:a[,&]?)*)r(?>(?:[,&]?[ra])*)|bs?[ra](?>(?:[,&s]?[ra])*)|(?<=-)b[wc](?:[,&s]?[wc])?"
    rf"|(?<=[.)]){_PEOPLE}|(?<=\.)n)"
)
_AFTER = re.compile(
    rf"(?>(?:[,;]?(?:[(\[]+(?=[^()\[\]]*[ra])[wsbnra,;:&.-]{{1,14}}[)\]]+|\(n(?:,n)*\)|\({_PEOPLE}\)"
    rf"|\[(?-i:W{{2,3}}(?:[,&s]W{{2,3}})*)\]|(?:(?<=[.,;)ra-])|^)(?:{_LABEL})?{_RUN}|(?<!s){_RUN})[.!]?)+)(?:(?:\([ws.]{{1,5}}\)|a(?:,?s?a)*)\.?)?$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"[*+-]*(?:w(?=r\[))?(?>(?:[(\[]*r[)\]]*[,;:&-]*)+)(?:b[ra]!-)?(?:(?<!r)|(?!s))", re.IGNORECASE)
_AUTHOR_AFTER = re.compile(r"\([ws.]{1,5}\)$", re.IGNORECASE)
_ASIDE = re.compile(r"\((?:[ra][,;&]?)+\)|(?<=\A[wW]:)r|(?<=\A-[wW]:)r")
_LEAST_WORDS = 2
_LEAD_CHARACTERS = 320
_MOST_SIGNS = 100  # Of the records after an entry: whatever begins further from its end is part of what it says.
_ONE_AUTHOR = r"\[?@[\w-]+(?:\]\([^()\s]*\))?"
_AUTHORS = re.compile(
    rf"(?:, ?)?\b(?:by|[Tt]hanks(?: to)?) {_ONE_AUTHOR}(?:(?:,| and|, and) {_ONE_AUTHOR})*(?:!(?: -)?)?"
)
_HEADINGS = {
    "added": "add adds added new support supports introduce introduces introduced",
    "deprecated": "deprecate deprecates deprecated deprecation",
    "deprecations": "deprecate deprecates deprecated deprecation",
    "removed": "remove removes removed removal drop drops dropped no longer gone delete deleted",
    "removals": "remove removes removed removal drop drops dropped no longer gone delete deleted",
    "fixed": "fix fixes fixed correct corrected resolve resolved no longer prevent avoid ensure",
}
_SENTENCE_WORDS = 5  # An addition of as many words says by itself that it is there. Chosen by hand, never fitted.
_THINGS = r"(?:features?|apis?|functions?|functionality|options?|settings?|behaviou?rs?)"
_TITLE_OF_THINGS = re.compile(
    rf"(?:{_THINGS} (?P<after>removed|deprecated)|(?P<before>removed|deprecated) {_THINGS})"
    r"(?: in [\w.+-]+(?: v?\d[\w.]*)?)?"
)
"""A section of things that go ("Features removed in 2.0"): its "Support for Python 3.9" would read as the opposite."""
_NAMES = {"deprecations": "Deprecated", "removals": "Removed"}
_POINTERS = frozenset(("see", "for more", "for further", "for details", "read the", "read more", "more details"))
_TICKET_LINK = re.compile(rf"\[(?![^\[\]\n]*\d\])[^\[\]\n]{{1,300}}\]\([^()\s]{{1,300}}{_PAGE}(\d{{1,7}})[^()\s]*\)")
"""A link to a ticket whose words don't tell its number."""
_LINK = re.compile(r"!?\[[^\]\n]*\]\([^)\s]*\)|`[^`<\n]+<[^>\n]+>`_{1,2}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS_BESIDE_LINKS = 1
_CREDIT = re.compile(
    r"(?:^\W{0,3}|(?<=[.!?)])\s+|\s*\(|\s+[-–—]{1,2}\s+)(?:(?i:contributed by|patch(?:ed)? by)\s+\w"
    r"|(?i:(?:contributed|patch(?:ed)?|reported|suggested|requested|reviewed|found|co-authored|signed-off)(?: |-)by:?"
    r"|courtesy of|kudos to|(?:(?:many|special) )?thanks(?: go)?(?: to\b|,)?|credits? (?:goes )?to)\s+[A-Z@:`\[*])"
    r"(?:(?!(?<!\b[A-Z])[.!?]\s+(?:-\s+)?[A-Z`])[^\n]){0,160}$"
)
"""Who did it, as the last thing that an entry says."""
_ADDRESS_BESIDE = re.compile(
    r"(?<=[\w`)”\"®™])(?<!\bat)(?<!\bfrom)(?<!\bto)(?<!\b[Ss]ee)(?<!\bin)(?<!\bon)(?<!\bvia)(?<!\bwith)(?<!\bfor)(?<!-url)"
    r" \(?https?://[^\s()`]+(?: [\w-]*/[\w./-]+)*\)?(?=[\s.,;:)]|$)"
)
"""Where a link led that a page's words were taken from."""
_TAGS = re.compile(r"^(?:\[[^\]\n]{0,40}[A-Za-z][^\]\n]{0,40}\]:?\s+)+(?=(?:\S+\s+){2})")
"""Of packages and branches, before an entry."""
_BOLD_TAG = re.compile(r"(?i)^(?<![^\s*+-])\W{0,6}\*\*\W?breaking(?:[ -]changes?)?\W?\*\*:?[ \t]+(?=\S)")
_OWN_REFERENCE = re.compile(r"(?<=[\w.!?)”\"])\s\[\d{1,3}\](?=[\s.,;:)]|$)")  # A source's own footnote.
_CONNECTIVES = frozenset(
    "However Additionally Furthermore Moreover Also Consequently Therefore Thus Finally Lastly Meanwhile Similarly"
    " Likewise Notably First Second Third Next".split()
).union(("In addition", "As a result", "In particular"))
_COMMIT_TYPE = re.compile(
    r"(?:feat|fix|chore|refactor|perf|docs|build|ci|test|style|sec|deps)(?:\((?P<scope>[^()\s]+)\))?!?:\s+"
    r"|\[?(?i:bc[ -]breaks?|breaking)(?i:[ -]changes?)?\]?(?:\([^()]*\))?:\s+|Changed?:\s+"
    r"|(?:(?:BUG|FIX|BUGFIX|FEAT|FEATURE|CHORE|CLEANUP|BUILD|CI|DOCS?|TESTS?|REGTESTS?|OPTIM|PERF|REORG|REVERT|SCRIPTS?"
    r"|EXAMPLES?|CRITICAL|MAJOR|MEDIUM|MINOR)[/:])+\s+"
)
"""The words for its kind that an entry begins with."""


def leads_away(words: str) -> bool:
    """Return whether an entry only points to another page, or is links with a word or two before them, or thanks."""
    beside, links = _LINK.subn(" ", words)
    return (
        is_record(words)
        or not _CREDIT.sub("", one_line(words)).strip(" -*+•")
        or bool(opens_with(without_names(words), _POINTERS))
        or (links > 0 and len(_WORD.findall(beside)) <= _WORDS_BESIDE_LINKS)
    )


def is_record(words: str) -> bool:
    """Return whether an entry's words are nothing but tickets and people, with what they are called ("Closes: #12")."""
    return bool(_AFTER.match("".join(map(_sign, _SIGN.finditer(words)))))


def _without_pointer(words: str) -> str:
    """Return what an entry says without a last sentence that is nothing but a pointer ("See the docs for details.")."""
    end = max(words.rfind(mark, 0, -1) for mark in ".!?") + 1
    last = words[end:].lstrip()
    is_apart = end > 0 and words[end : end + 1].isspace()
    return words[:end] if is_apart and last[:1].isupper() and opens_with(last, _POINTERS) else words


def change_in_heading(heading: Sequence[str]) -> str:
    """Return the change that a section's title names and its entries don't repeat ("Removed"); empty for none."""
    title = one_line(heading[-1]).strip(" :.").casefold() if heading else ""
    if things := _TITLE_OF_THINGS.fullmatch(title):
        title = things["after"] or things["before"]
    title = next((change for change, verbs in _HEADINGS.items() if verbs.split()[0] == title), title)
    return _NAMES.get(title, title.capitalize()) if title in _HEADINGS else ""


def without_connective(words: str) -> str:
    """A sentence without what joins it to the one before ("However,"), which isn't told."""
    connective, _, rest = words.partition(", ")
    if connective not in _CONNECTIVES or not rest.strip():
        return words
    return rest[0].upper() + rest[1:] if rest.split(maxsplit=1)[0].isalpha() else rest


def clean_entry(words: str, *, keeps_tickets: bool = False, is_flat: bool = False) -> str:
    """An entry as an answer says it, on one line, its code in backticks; never empty where `words` aren't. Its tickets
    and whom it thanks are left out unless it `keeps_tickets`."""
    words = _BOLD_TAG.sub("", words)
    entry = _TICKET_LINK.sub(r"\g<0> (#\1)", words) if keeps_tickets else without_records(words)
    plain = readable(entry, keeps_code=True) or " ".join(entry.split())
    plain = _ADDRESS_BESIDE.sub("", plain) if is_flat else plain
    plain = plain if keeps_tickets else _without_pointer(plain)
    plain = _without_label(_OWN_REFERENCE.sub("", _TAGS.sub("", plain)))
    return plain if keeps_tickets else _CREDIT.sub("", plain) or plain


def _without_label(words: str) -> str:
    """Return what an entry says without a label that its sentence repeats ("Deprecated: Deprecated using …")."""
    label, _, rest = words.partition(": ")
    verbs = next((verbs.split() for verbs in _HEADINGS.values() if label.casefold() in verbs.split()), [])
    is_repeated = not set(split_tokens(without_names(rest))).isdisjoint(split_tokens(" ".join(verbs)))
    return rest[:1].upper() + rest[1:] if is_repeated else words


def implied_change(words: str, heading: Sequence[str]) -> str:
    """Return the change that an entry's section names and the entry doesn't say itself ("Removed"); empty for none."""
    change = change_in_heading(heading)
    is_sentence = change == "Added" and len(words.split()) >= _SENTENCE_WORDS
    is_named = bool(change) and not set(split_tokens(without_names(words))).isdisjoint(
        split_tokens(_HEADINGS[change.casefold()])
    )
    return "" if is_sentence or is_named else change


# What breaks and what is new look at the same entry several times in one answer.
@lru_cache(maxsize=4096)
def without_records(words: str) -> str:
    """An entry's words, as written or made readable, without tickets, hashes and authors around them and in
    parentheses; as they are where hardly a word would be left."""
    bare = _without_records(words)
    # Tickets stand behind who is thanked, or before.
    uncredited = _CREDIT.sub("", bare)
    return _without_records(_closed(uncredited, bare)) if uncredited else bare


def _without_records(words: str) -> str:
    signs = list(_SIGN.finditer(words))
    row = "".join(map(_sign, signs))
    before = _BEFORE.match(row)
    first = before.end() if before else 0
    # Only lists of commits close with a bare name in parentheses; elsewhere it may be "(Windows)".
    after = _AFTER.search(row, max(first, len(row) - _MOST_SIGNS)) or (
        _AUTHOR_AFTER.search(row, first) if row[:first].endswith("r") else None
    )
    last = after.start() if after else len(row)
    if row.count("c", first, last) == 0 and row.casefold().count("w", first, last) < _LEAST_WORDS:
        return words
    at = signs[first].start()
    end = signs[last].start() if after else len(words)
    kept = ""
    for aside in _ASIDE.finditer(row, first, last):
        kept += words[at : signs[aside.start()].start()].rstrip()
        at = signs[aside.end() - 1].end()
        # A title over its paragraph, which only the tickets kept apart.
        following = words[at:].lstrip()
        kept += "." * (words[at : at + 1] == "\n" and following[:1].isupper() and kept[-1:].isalnum())
    kept += words[at:end]
    if not after:
        return kept
    return _closed(kept.rstrip(" \n,;:-–—"), words)


def _closed(kept: str, words: str) -> str:
    """Return what is left of `words` with the full stop that they end in."""
    return f"{kept}." if words.rstrip().endswith(".") and kept.rstrip()[-1:] not in ".!?" else kept


def _sign(found: re.Match[str]) -> str:
    """One letter for a word; another parenthesis than an aside's for that of a call ("numeric(19,4)")."""
    if found.lastgroup == "w" and found[0].casefold() in STOP_WORDS:
        return "s"
    if found.lastgroup != "o":
        # A name in a link is no group of its own.
        sign = "a" if found.lastgroup == "who" else found.lastgroup or ""
        return "W" if sign == "w" and found[0][0].isupper() else sign
    is_call = found[0] == "(" and found.start() > 0 and found.string[found.start() - 1].isalnum()
    return "{" if is_call else "-" if found[0] in "–—" else found[0]


def lead_of(words: Iterable[str], *, title: str = "", stem: str = "") -> str:
    """What an entry mainly says, on one line, without markup other than its code's and without records: its title or
    stem and its first words."""
    opening = ""
    for written in words:
        opening += " " + written
        if len(opening) >= _LEAD_CHARACTERS:
            break
    lead = readable(without_records(opening), keeps_code=True)[:_LEAD_CHARACTERS].strip()
    # Half a name would be read as words.
    lead = lead.rpartition("`")[0] if lead.count("`") % 2 else lead
    lead = f"{readable(stem, keeps_code=True)}: {lead}" if stem else lead
    return f"{readable(title, keeps_code=True)}. {lead}" if title else lead


def without_authors(words: str) -> str:
    """`words` without those who are named after "by" with an at sign, whose names may look like code."""
    return _AUTHORS.sub(" ", words)


def is_commit(symbol: str) -> bool:
    """Return whether what looks like a name of code is a commit's hash."""
    return bool(re.fullmatch(_HASH, symbol)) and any(c.isdigit() for c in symbol)


def without_metadata(words: str) -> str:
    """Return an entry's words without tickets, commits, authors and the commit's type around them; never empty where
    `words` aren't."""
    bare = without_records(words).strip()
    if found := _COMMIT_TYPE.match(bare):
        return (f"{found['scope']}: " if found["scope"] else "") + without_records(bare[found.end() :])
    return bare
