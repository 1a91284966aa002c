"""The words of an entry as an answer gives them: with the change named in its heading, without pointers to other pages,
and without a commit's records around them: tickets, hashes and authors.

An entry is turned into a string of signs, one letter for each word, in which records are recognised by their position.
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
"""An issue key of a tracker; only its position distinguishes it from a standard's name."""
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
"""A word. Groups: record (r), person (a), code or link (c), number (n), "by" (b), word (w), other sign (o)."""
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
_MIN_WORDS = 2
_LEAD_CHARACTERS = 320
_MAX_SIGNS = 100  # The most signs of records after an entry: text further from its end belongs to the entry.
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
_SENTENCE_WORDS = 5  # An addition of so many words is a sentence of its own. Chosen by hand, never fitted.
_THINGS = r"(?:features?|apis?|functions?|functionality|options?|settings?|behaviou?rs?)"
_TITLE_OF_THINGS = re.compile(
    rf"(?:{_THINGS} (?P<after>removed|deprecated)|(?P<before>removed|deprecated) {_THINGS})"
    r"(?: in [\w.+-]+(?: v?\d[\w.]*)?)?"
)
"""A title of ended features ("Features removed in 2.0"): the section's "Support for X" would read as the opposite."""
_NAMES = {"deprecations": "Deprecated", "removals": "Removed"}
_POINTERS = frozenset(("see", "for more", "for further", "for details", "read the", "read more", "more details"))
_TICKET_LINK = re.compile(rf"\[(?![^\[\]\n]*\d\])[^\[\]\n]{{1,300}}\]\([^()\s]{{1,300}}{_PAGE}(\d{{1,7}})[^()\s]*\)")
"""A link to a ticket with words that don't contain its number."""
_LINK = re.compile(r"!?\[[^\]\n]*\]\([^)\s]*\)|`[^`<\n]+<[^>\n]+>`_{1,2}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS_BESIDE_LINKS = 1
_CREDIT = re.compile(
    r"(?:^\W{0,3}|(?<=[.!?)])\s+|\s*\(|\s+[-–—]{1,2}\s+)(?:(?i:contributed by|patch(?:ed)? by)\s+\w"
    r"|(?i:(?:contributed|patch(?:ed)?|reported|suggested|requested|reviewed|found|co-authored|signed-off)(?: |-)by:?"
    r"|courtesy of|kudos to|(?:(?:many|special) )?thanks(?: go)?(?: to\b|,)?|credits? (?:goes )?to)\s+[A-Z@:`\[*])"
    r"(?:(?!(?<!\b[A-Z])[.!?]\s+(?:-\s+)?[A-Z`])[^\n]){0,160}$"
)
"""The author of a change, named at the end of an entry."""
_ADDRESS_BESIDE = re.compile(
    r"(?<=[\w`)”\"®™])(?<!\bat)(?<!\bfrom)(?<!\bto)(?<!\b[Ss]ee)(?<!\bin)(?<!\bon)(?<!\bvia)(?<!\bwith)(?<!\bfor)(?<!-url)"
    r" \(?https?://[^\s()`]+(?: [\w-]*/[\w./-]+)*\)?(?=[\s.,;:)]|$)"
)
"""The address of a link after the link's words, as a page's text shows it."""
_TAGS = re.compile(r"^(?:\[[^\]\n]{0,40}[A-Za-z][^\]\n]{0,40}\]:?\s+)+(?=(?:\S+\s+){2})")
"""Tags of packages and branches before an entry."""
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


def is_record(words: str) -> bool:
    """Return whether an entry consists only of tickets and people, with their labels ("Closes: #12")."""
    return bool(_AFTER.match("".join(map(_sign, _SIGN.finditer(words)))))


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
    title = next((change for change, verbs in _HEADINGS.items() if verbs.split()[0] == title), title)
    return _NAMES.get(title, title.capitalize()) if title in _HEADINGS else ""


def without_connective(words: str) -> str:
    """Return a sentence without its connective: "However, it fails" -> "It fails"; unchanged without one."""
    connective, _, rest = words.partition(", ")
    if connective not in _CONNECTIVES or not rest.strip():
        return words
    return rest[0].upper() + rest[1:] if rest.split(maxsplit=1)[0].isalpha() else rest


def clean_entry(words: str, *, keeps_tickets: bool = False, is_flat: bool = False) -> str:
    """Return an entry as answers show it: on one line, with code in backticks; never empty unless `words` are. It
    drops tickets and credits unless `keeps_tickets`, and addresses beside their links' words if `is_flat`."""
    words = _BOLD_TAG.sub("", words)
    entry = _TICKET_LINK.sub(r"\g<0> (#\1)", words) if keeps_tickets else without_records(words)
    plain = readable(entry, keeps_code=True) or " ".join(entry.split())
    plain = _ADDRESS_BESIDE.sub("", plain) if is_flat else plain
    plain = plain if keeps_tickets else _without_pointer(plain)
    plain = _without_label(_OWN_REFERENCE.sub("", _TAGS.sub("", plain)))
    return plain if keeps_tickets else _CREDIT.sub("", plain) or plain


def _without_label(words: str) -> str:
    """Return an entry without a label that its sentence repeats ("Deprecated: Deprecated using …")."""
    label, _, rest = words.partition(": ")
    verbs = next((verbs.split() for verbs in _HEADINGS.values() if label.casefold() in verbs.split()), [])
    is_repeated = not set(split_tokens(without_names(rest))).isdisjoint(split_tokens(" ".join(verbs)))
    return rest[:1].upper() + rest[1:] if is_repeated else words


def implied_change(words: str, heading: Sequence[str]) -> str:
    """Return the change that an entry's section names and the entry itself doesn't ("Removed"), else empty."""
    change = change_in_heading(heading)
    is_sentence = change == "Added" and len(words.split()) >= _SENTENCE_WORDS
    is_named = bool(change) and not set(split_tokens(without_names(words))).isdisjoint(
        split_tokens(_HEADINGS[change.casefold()])
    )
    return "" if is_sentence or is_named else change


# One answer reads the same entry several times, for breaking changes and for news.
@lru_cache(maxsize=4096)
def without_records(words: str) -> str:
    """Return an entry's words, as written or made readable, without tickets, hashes and authors around them and in
    parentheses; unchanged if hardly a word is left. "Fix crash (#12) by @bob" -> "Fix crash"."""
    bare = _strip_records(words)
    # Tickets may come before or after the credit.
    uncredited = _CREDIT.sub("", bare)
    return _strip_records(_with_full_stop(uncredited, bare)) if uncredited else bare


def _strip_records(words: str) -> str:
    """Return an entry's words without the records around and inside them; unchanged if too few words are left."""
    signs = list(_SIGN.finditer(words))
    row = "".join(map(_sign, signs))
    before = _BEFORE.match(row)
    first_sign = before.end() if before else 0
    # Only lists of commits close with a bare name in parentheses; elsewhere it may be "(Windows)".
    after = _AFTER.search(row, max(first_sign, len(row) - _MAX_SIGNS)) or (
        _AUTHOR_AFTER.search(row, first_sign) if row[:first_sign].endswith("r") else None
    )
    end_sign = after.start() if after else len(row)
    if row.count("c", first_sign, end_sign) == 0 and row.casefold().count("w", first_sign, end_sign) < _MIN_WORDS:
        return words
    position = signs[first_sign].start()
    end = signs[end_sign].start() if after else len(words)
    cleaned = ""
    for aside in _ASIDE.finditer(row, first_sign, end_sign):
        cleaned += words[position : signs[aside.start()].start()].rstrip()
        position = signs[aside.end() - 1].end()
        # Only the tickets separated a title from its paragraph.
        following = words[position:].lstrip()
        cleaned += "." * (words[position : position + 1] == "\n" and following[:1].isupper() and cleaned[-1:].isalnum())
    cleaned += words[position:end]
    if not after:
        return cleaned
    return _with_full_stop(cleaned.rstrip(" \n,;:-–—"), words)


def _with_full_stop(part: str, words: str) -> str:
    """Return `part`, cut from `words`, with a full stop if `words` end with one."""
    return f"{part}." if words.rstrip().endswith(".") and part.rstrip()[-1:] not in ".!?" else part


def _sign(match: re.Match[str]) -> str:
    """Return the letter of a word's kind, or a sign: "-" for any dash, "{" for a call's parenthesis ("max(19,4)")."""
    if match.lastgroup == "w" and match[0].casefold() in STOP_WORDS:
        return "s"
    if match.lastgroup != "o":
        # The group inside a linked name is reported as the last one.
        sign = "a" if match.lastgroup == "who" else match.lastgroup or ""
        return "W" if sign == "w" and match[0][0].isupper() else sign
    is_call = match[0] == "(" and match.start() > 0 and match.string[match.start() - 1].isalnum()
    return "{" if is_call else "-" if match[0] in "–—" else match[0]


def lead_of(words: Iterable[str], *, title: str = "", stem: str = "") -> str:
    """Return an entry's title, stem and first words on one line, without records, and without markup except of code."""
    opening = ""
    for written in words:
        opening += " " + written
        if len(opening) >= _LEAD_CHARACTERS:
            break
    lead = readable(without_records(opening), keeps_code=True)[:_LEAD_CHARACTERS].strip()
    # Drop an unclosed span of code: half a name would be read as words.
    lead = lead.rpartition("`")[0] if lead.count("`") % 2 else lead
    lead = f"{readable(stem, keeps_code=True)}: {lead}" if stem else lead
    return f"{readable(title, keeps_code=True)}. {lead}" if title else lead


def without_authors(words: str) -> str:
    """Return `words` without the names after "by" that begin with an at sign, which may look like code."""
    return _AUTHORS.sub(" ", words)


def is_commit(symbol: str) -> bool:
    """Return whether a symbol that looks like a name of code is a commit's hash."""
    return bool(re.fullmatch(_HASH, symbol)) and any(c.isdigit() for c in symbol)


def without_metadata(words: str) -> str:
    """Return an entry's words without tickets, commits, authors and commit type; never empty unless `words` are."""
    bare = without_records(words).strip()
    if match := _COMMIT_TYPE.match(bare):
        return (f"{match['scope']}: " if match["scope"] else "") + without_records(bare[match.end() :])
    return bare
