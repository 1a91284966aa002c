"""When two sentences of release notes disagree.

Precision first: both must tell of one product in one release, of one subject in nearly the same words and under the
same limits, and of its act, number, version or platforms what can't both be true, or one denies what the other says.
"Experimental" in 2.9 and "stable" in 2.12 is history; a former or planned behaviour, a question, and what others say
tell nothing of how things are.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from corpus.acts import read_acts
from corpus.lexicon import STOP_WORDS, content_words, split_tokens
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.question.token_weights import is_generic

MAX_CHARACTERS = 700
_MIN_CHARACTERS = 12
_CLAUSE_END = re.compile(
    r"(?<!e\.g)(?<!i\.e)(?<! vs)(?<!etc)[.!]\s+|;\s+|(?<=\?)\s+|\s[–—]\s"
    r"|,?\s(?:but|so|whereas|while|although|however|yet)\s"
)
_TELLS_NOTHING = re.compile(
    r"\?\s*$|^\W*(?:#\d+:?\s*)?(?:bump|upgrade|bug|fix|regression|resolve|avoid|prevent|correct)(?:e?[sd]|ed|ing)?\b"
    r"|\b(?:previously|formerly|used to|(?:until|before|up to) (?:this|that|now)|in the past|earlier|prior)\b"
    r"|\b(?:reports?|claims?|writes?|says?|said|argues?|believes?|states?|according)\b (?:that|to)\b"
    r"|\b(?:will|shall|plan(?:s|ned|ning) (?:to|for)|planned|going to|to be|upcoming|future|may|might|could|should)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|when|unless|except|without|whenever|in case|as long as|other than)\b", re.IGNORECASE)
_ON = "on-by-default"
_PLAIN_STATES = tuple(
    (re.compile(rf"\b(?:{words})", re.IGNORECASE), said)
    for words, said in (
        (r"(?:disabled|off|inactive) by default\b|opt-in\b|defaults? to `?(?:false|off|disabled)\b", f"not {_ON}"),
        (r"(?:enabled|on|active|activated|used) by default\b|defaults? to `?(?:true|on|enabled)\b", _ON),
        (r"the default\b(?! (?!for|in|on|when)\w)", _ON),
        (r"experimental\b|unstable\b|(?:an? )?prototype\b|(?:in )?beta\b|preview\b", "not stable"),
        (r"generally available\b|production[- ]ready\b", "stable"),
        (r"(?<!an )(?<!the )optional\b|(?:may|can) be omitted\b", "not required"),
        (r"mandatory\b", "required"),
        (r"un(?=supported\b)|in(?=compatible\b)", "not "),
    )
)
"""What states are called, in words of which one denies the other."""
_DENIED = "¬"
_DENIAL = re.compile(
    r"(?<![\w-])(?:(?<!but )(?<!and )(?<!or )not(?! just| only)|no longer|no|never|cannot|without)(?![\w-])|n['’]t\b",
    re.IGNORECASE,
)

_DOTTED = r"v?(?P<number>\d+(?:\.\d+){1,3})(?![\w.]*\d)"
_NUMBERS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:\b(?P<bound>up to|at most|at least|more than|over)\s)?(?<![\w.#/=<>:@$'\"-])"
        r"(?P<number>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+"
        r"(?=\s?[x×%]|\s(?:times|seconds?|minutes?|hours?|days?|million|billion)\b))?)"
        r"(?:\s?(?=[x×%])|\s)(?P<key>[x×%](?!\w)|[a-z]{3,}\b)",
        rf"\b(?P<key>deprecated|removed|added|introduced|dropped) (?:in|since|as of) (?:(?:version|release) )?{_DOTTED}"
        r"(?!(?: and| or|,|/) ?v?\d)",
        r"(?P<need>\b(?:requires?|needs?|minimum(?: supported| required)?(?: version)?(?: of| is)?|at least) )?"
        r"\b(?P<key>[A-Za-z][A-Za-z+#]+)(?: version)?(?: is| to)?\s(?:[>≥]=?\s?)?v?(?P<number>\d+(?:\.\d+)*)\b"
        r"(?P<more>\+| (?:or|and) (?:later|newer|above|higher|up)\b| is the minimum\b)?",
    )
)
"""An amount, the version of an event, the least version of what is needed."""
_ROUGHLY = re.compile(r"\b(?:about|around|nearly|almost|roughly|approximately|some)\s$|~$")
_NO_KEY = frozenset(
    """and the for with from but are was were has had can may will bit line release redirect response error status code
    version or to of is at least than instead rather because since again already both either""".split()
)
_SAME_EVENT = {"dropped": "removed", "introduced": "added"}
_NEEDED = "at least: "
_EVENTS = frozenset(("deprecated", "removed", "added"))
_PLATFORM = re.compile(
    r"\b(?:cuda|rocm|xpu|mps|tpu|cpus?|linux|windows|macos|osx|android|ios|freebsd|wasm|aarch64|arm64|x86_64|x86"
    r"|intel|amd|nvidia|mysql|mariadb|postgresql|postgres|sqlite|oracle|mssql|firefox|chrome|safari)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\b(?:only|alone|solely|limited to|initial(?:ly)?(?: support)?|at first)\b", re.IGNORECASE)
_GLOSS = re.compile(r"\([^()]*\)")
"""In "CUDA and XPU (Intel)" one platform is said twice."""
_IN_VERSION = re.compile(
    r"\b(?:in|since|as of|of|for|with|from)\s+(?:the\s+)?(?:(?:version|release|(?P<name>[A-Za-z][\w-]*))\s+)?"
    r"v?(?P<version>\d+(?:\.\d+)+(?:(?:a|b|rc)\d+)?)\b",
    re.IGNORECASE,
)
_LIFE = frozenset({Act.REMOVED, Act.DEPRECATED})
_SURE = 0.7
"""Chosen by hand, never fitted."""
_WORDS_FOR_ONE_OTHER = 6
"""A word of the shorter statement that the longer one lacks makes another subject, unless there are so many words."""
_MIN_SHARE_OF_LONGER = 0.3
_ABOUT_WORDS = 6
"""These, and the number of words above, were chosen by hand, never fitted."""


@lru_cache(maxsize=4096)
def _stems(words: str) -> frozenset[str]:
    return frozenset(token for word in words.split() for token in split_tokens(word)[:1])


_SAYS_LITTLE = _stems(
    "still already note release version feature new yet cover later newer instead minimum requires needs"
)
_STATES = _stems(f"{_ON} stable required")
_CHANGES = _stems("deprecated removed dropped deleted added introduced legacy")


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence or entry of release notes, and of what it tells."""

    text: str
    names: frozenset[str]
    """Those of the product, in lower case."""
    release: Version | None


@dataclass(frozen=True, slots=True)
class ClauseClaim:
    """One thing that a clause says of its subject."""

    key: str
    """What it tells: a unit, an event, the thing that is needed, "platforms", "act"; empty: whether something is so."""
    value: object
    shown: str
    """The value as people read it."""
    clause: str
    said: frozenset[str]
    """Stems of the words beside the value that carry meaning and aren't denied."""
    denied: frozenset[str]
    limits: frozenset[str]
    """What it holds for: platforms and numbers beside the value, versions with the name before them; "if" under a
    condition."""
    names: frozenset[str]
    """Code names, in lower case."""
    versions: tuple[tuple[str, Version], ...]
    """Versions that the clause puts itself into ("in 2.9"), with the name before each in lower case, if any."""

    @property
    def subject(self) -> frozenset[str]:
        """Stems of what the clause is about."""
        words = (self.said | self.denied) - _SAYS_LITTLE - {self.key.removeprefix(_NEEDED)}
        return words - _CHANGES if self.key == "act" else words


def find_disagreement(
    one: Saying, other: Saying, *, of_one_speaker: bool = False, of_one_subject: bool = False
) -> str | None:
    """The first thing that two statements disagree about; None where there is nothing decidable.

    It is told by its subject in the words of the first statement, and both values: "np.safe_eval: deprecated or
    removed". In what is `of_one_speaker`, a word with "without" here and alone there is no disagreement; in what is
    known to be `of_one_subject` the other words may differ.
    """
    if one.names.isdisjoint(other.names) or not (_stems(one.text) & _stems(other.text)) - STOP_WORDS:
        return None
    for first in read_claims(one.text):
        for second in read_claims(other.text):
            is_decided = bool(first.key) or not of_one_speaker
            if (
                is_decided
                and first.key == second.key
                and _disagree(first, second, one, other, of_one_subject=of_one_subject)
            ):
                shared = (first.subject & second.subject) - _stems(" ".join(one.names)) | _flipped(first, second)
                words = [word for word in content_words(first.clause) if not shared.isdisjoint(_stems(word))]
                said = f"{first.shown} or {second.shown}" if first.key else ""
                return ": ".join(filter(None, (" ".join(words[:_ABOUT_WORDS]), said)))
    return None


@lru_cache(maxsize=4096)
def read_claims(text: str) -> tuple[ClauseClaim, ...]:
    """What a sentence or entry says, clause by clause; nothing of one of more than 700 characters."""
    plain = one_line(text) if len(text) <= MAX_CHARACTERS else ""
    clauses = (clause.strip(" –•*").removeprefix("- ") for clause in _CLAUSE_END.split(plain))
    return tuple(
        claim
        for clause in clauses
        if len(clause) >= _MIN_CHARACTERS and not _TELLS_NOTHING.search(clause)
        for claim in _read_clause(clause)
    )


def _read_clause(clause: str) -> Iterator[ClauseClaim]:
    # The numbers that it gives, by what they are of; of two of one thing neither.
    found = [(_key(match), match) for pattern in _NUMBERS for match in pattern.finditer(clause)]
    kept = [(key, match) for key, match in found if key and not _ROUGHLY.search(clause[: match.start()])]
    counts = Counter(key for key, _ in kept)
    for key, match in kept:
        number = Version.try_parse(match["number"].replace(",", ""))
        if number and counts[key] == 1:
            rest = f"{clause[: match.start()]} {clause[match.end() :]}"
            bound = (match.groupdict().get("bound") or "").casefold()
            yield _claim(clause, rest, key=key, value=(bound, number.release), shown=match[0].strip())
    if _ALONE.search(clause) and (written := dict.fromkeys(_PLATFORM.findall(_GLOSS.sub("", clause)))):
        platforms = frozenset(map(str.casefold, written))
        rest = _PLATFORM.sub(" ", _ALONE.sub(" ", clause))
        yield _claim(clause, rest, key="platforms", value=platforms, shown=" and ".join(written))
    if find_symbols(clause) and not any(pattern.search(clause) for pattern in (_DENIAL, _IN_VERSION)):
        ((act, certainty),) = read_acts([clause], (), None, digest="")
        if act in _LIFE and certainty >= _SURE:
            yield _claim(clause, clause, key="act", value=act, shown=act.value)
    yield _claim(clause, clause, key="", value=None, shown="")


def _key(match: re.Match[str]) -> str:
    """What a number is of; empty where it is of nothing that can be compared."""
    key = match["key"].casefold().removesuffix("s").replace("×", "x")
    groups = match.groupdict()
    if key in _NO_KEY or ("need" in groups and not (groups["need"] or groups["more"])):
        return ""
    return f"{_NEEDED}{key}" if "need" in groups else _SAME_EVENT.get(key, key)


def _claim(clause: str, rest: str, *, key: str, value: object, shown: str) -> ClauseClaim:
    own = [match for match in _IN_VERSION.finditer(clause) if Version.try_parse(match["version"])]
    numbers = (word for word in content_words(_IN_VERSION.sub(" ", rest)) if word[0].isdigit())
    others = (f"{match['name']} {match['version']}" for match in _IN_VERSION.finditer(rest) if match["name"])
    condition = ("if",) if _CONDITION.search(rest) else ()
    said, denied = _read_words(rest)
    return ClauseClaim(
        key=key,
        value=value,
        shown=shown,
        clause=clause,
        said=said,
        denied=denied,
        limits=frozenset(map(str.casefold, (*numbers, *others, *_PLATFORM.findall(rest), *condition))),
        names=frozenset(name.casefold() for name in find_symbols(rest)),
        versions=tuple(((match["name"] or "").casefold(), Version.parse(match["version"])) for match in own),
    )


def _plainly(text: str) -> str:
    for words, plain in _PLAIN_STATES:
        text = words.sub(plain, text)
    return _DENIAL.sub(f" {_DENIED} ", text)


def _read_words(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of what is said, and of what is denied: the word after a denial, which another denial takes back."""
    stems: tuple[set[str], set[str]] = (set(), set())
    is_denied = False
    for word in _plainly(text).split():
        if word == _DENIED:
            is_denied = not is_denied
        for content in content_words(word):
            if any(map(str.isalpha, content)) and (token := next(iter(split_tokens(content)), "")) and len(token) > 1:
                stems[is_denied].add(token)
                is_denied = False
    return frozenset(stems[False]), frozenset(stems[True])


def _disagree(first: ClauseClaim, second: ClauseClaim, one: Saying, other: Saying, *, of_one_subject: bool) -> bool:
    """Whether two claims of one kind can't both be true: other values, or one denies what the other says, of one
    subject under the same limits and at the same time."""
    flipped = _flipped(first, second)
    one_value, other_value = first.value, second.value
    is_other = one_value != other_value
    if not first.key or flipped:
        is_other = not first.key and len(flipped) == 1
    elif isinstance(one_value, tuple) and isinstance(other_value, tuple):
        # "Over 400" and 457 may both be true, and 2.9 be 2.9.0.
        numbers = zip(one_value[1], other_value[1], strict=False)
        is_other = one_value[0] == other_value[0] and any(own != theirs for own, theirs in numbers)
    limits, other_limits = (
        # Releases of the product itself are the time of a claim, and no limit.
        {limit for limit in claim.limits if " " not in limit or limit.split()[0] not in saying.names}
        for claim, saying in ((first, one), (second, other))
    )
    time, other_time = (
        # The versions of the product that a claim puts itself into, else the release it stands in.
        {version for name, version in claim.versions if not name or name in saying.names}
        or ({saying.release} if saying.release else set())
        for claim, saying in ((first, one), (second, other))
    )
    # What was done in a version stays true; anything else holds for the release it is told of.
    is_one_time = first.key in _EVENTS or (bool(time) and time == other_time)
    if of_one_subject and (not first.key or isinstance(one_value, tuple)):
        is_plain = flipped <= _STATES if not first.key else not is_generic(next(iter(split_tokens(first.key)), ""))
        return is_other and is_one_time and is_plain
    return is_other and limits == other_limits and is_one_time and _same_subject(first, second, one)


def _flipped(first: ClauseClaim, second: ClauseClaim) -> frozenset[str]:
    """What one denies and the other says."""
    said, denied = first.said - first.denied, first.denied - first.said
    return (said & (second.denied - second.said)) | (denied & (second.said - second.denied))


def _same_subject(first: ClauseClaim, second: ClauseClaim, saying: Saying) -> bool:
    """Whether two claims are about one thing: of what comes or goes in other words, at least of the same names."""
    product = _stems(" ".join(saying.names)) | _flipped(first, second)
    ours, theirs = first.subject - product, second.subject - product
    shared, least, most = len(ours & theirs), *sorted((len(ours), len(theirs)))
    is_needed = first.key.startswith(_NEEDED)
    if is_needed or first.key in _EVENTS or ours == theirs:
        return ours == theirs and (is_needed or bool(ours))
    if first.key == "act" and first.names != second.names:
        return False
    if first.names and second.names and not (first.names <= second.names or second.names <= first.names):
        return False
    enough = shared >= (1 if first.names & second.names else 2)
    return enough and least - shared <= least // _WORDS_FOR_ONE_OTHER and shared >= _MIN_SHARE_OF_LONGER * most
