"""Disagreement between two sentences about one release.

Precision first: they disagree if, in nearly the same words and under the same limits, they assert incompatible states,
numbers, platforms or acts. Former, planned, conditional or reported behaviour, that of another release, and questions
assert nothing.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, product
from operator import ne
from typing import NamedTuple

from corpus.acts import read_acts
from corpus.lexicon import STOP_WORDS, content_words, split_tokens
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.symbols import find_symbols
from corpus.versions import Version
from retrieval.question.words import RUNS_ON

_MOST_CHARACTERS, _SURE, _LEAST_SHARE, _ABOUT_WORDS = 700, 0.7, 0.3, 6  # Chosen by hand, never fitted.
_CLAUSE_END = re.compile(r"(?<!e\.g)(?<!i\.e)[.!]\s+|;\s+|(?<=\?)\s+|\s[–—]\s|,?\s(?:but|so|whereas|while|although)\s")
_NOT_ASSERTED = re.compile(
    r"\?\s*$|^\W*(?:#\d+:?\s*)?(?:bump|upgrade|bug|fix|regression|resolve|avoid|prevent|correct)(?:e?[sd]|ed|ing)?\b"
    r"|\b(?:previously|formerly|used to|(?:until|before|up to) (?:this|that|now)|in the past|earlier|prior|planned"
    r"|(?:reports?|claims?|writes?|says?|said|argues?|believes?|according|plans?) (?:that|to)|will|shall|going to|to be"
    r"|upcoming|future|may|might|could|should|if|when|unless|except|without|as long as)\b",
    re.IGNORECASE,
)
_IN_VERSION = re.compile(r"\b(?:in|since|as of|of)\s+(?:[a-z][\w-]*\s+)?v?(\d+(?:\.\d+)+)\b", re.IGNORECASE)
_DENIAL = r"(?:\b(?:not(?! just| only)|no longer|no|never|cannot)|n['’]t)\s"
_STATES = {
    r"(?P<no>(?:disabled|off) by default|opt-in|defaults? to `?(?:false|off|disabled))"
    r"|(?:enabled|on|used) by default|the default(?= for|\W*$)|defaults? to `?(?:true|on|enabled)": "on",
    r"(?P<no>experimental|unstable|(?:an? )?prototype|(?:in )?beta|preview)|stable|generally available"
    r"|production[- ]ready": "stable",
    r"(?P<no>(?<!an )(?<!the )optional)|required|mandatory": "required",
    r"(?P<no>unsupported)|support(?:s|ed)?|works?": "supported",
}
_FIGURES = (
    r"(?P<bound>\b(?:up to|at most|at least|more than|over) )?(?<![\w.#/=<>:@$'\"~-])(?<!about )(?<!around )"
    r"(?P<number>\d[\d,]*(?:\.\d+(?=\s?[x×%]))?)(?:\s?(?=[x×%])|\s)(?P<unit>[x×%](?!\w)|[a-z]{3,}\b)",
    r"(?P<bound>)(?:\b(?:requires?|needs?|minimum(?: supported)?) |(?=\S+ [\d.]+ (?:or later|or newer|is the minimum)))"
    r"\b(?P<unit>[a-z+#]{2,})(?: version)?(?: is)? (?P<number>\d+(?:\.\d+)*)\b(?: or (?:later|newer)| is the minimum)?",
)
_NO_UNITS = STOP_WORDS | frozenset("may bit line release redirects requests status code version".split())
_PLATFORMS = RUNS_ON | frozenset("xpu mps cpu gpu tpu wasm amd nvidia".split())
_ALONE = re.compile(r"\b(?:only|alone|solely|limited to|initial(?:ly)?(?: support)?|at first)\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _stems(words: str) -> frozenset[str]:
    return frozenset(token for word in words.split() for token in split_tokens(word)[:1])


_GENERIC = _stems("release version new yet cover minimum requires needs deprecated removed dropped deleted legacy")


class Assertion(NamedTuple):
    """A sentence or entry of release notes, its product's names in lower case, and its release."""

    text: str
    names: frozenset[str]
    release: Version | None


class Claim(NamedTuple):
    """One assertion of a clause: "up to 8 workers" -> key "up to worker", value ("8",), shown "up to 8 workers"."""

    key: str  # A unit with its bound, a state, "platforms" or "act".
    value: tuple[str, ...]
    shown: str
    limits: frozenset[str]  # The platforms, numbers and code names that it is limited to.
    stems: frozenset[str]  # Stems of its subject.


def find_disagreement(this: Assertion, other: Assertion, *, of_one_subject: bool = False) -> str | None:
    """Return the first disagreement of two statements about one release, as "np.safe_eval: deprecated or removed", or
    None. If they are known to be `of_one_subject`, their other words may differ."""
    if this.names.isdisjoint(other.names) or not this.release or this.release != other.release:
        return None
    names = _stems(" ".join(this.names))
    for first, second in product(read_claims(this), read_claims(other)):
        # "2.9" and "2.9.0" are one version.
        if first.key == second.key and any(map(ne, first.value, second.value)) and first.limits == second.limits:
            least, most = sorted((first.stems - names, second.stems - names), key=len)
            is_near = least <= most and len(least) >= max(_LEAST_SHARE * len(most), 1 if first.key == "act" else 2)
            is_same = least == most and (least or first.key.startswith("at least "))
            if is_same or is_near or (of_one_subject and first.key not in ("act", "platforms")):
                words = [word for word in content_words(this.text) if least & most & _stems(word)]
                values = " or ".join(filter(None, (first.shown, second.shown)))
                return ": ".join(filter(None, (" ".join(words[:_ABOUT_WORDS]), values)))
    return None


@lru_cache(maxsize=4096)
def read_claims(assertion: Assertion) -> tuple[Claim, ...]:
    """Return the claims of a sentence or entry, clause by clause; none if it has more than 700 characters."""
    # Parentheses may repeat a platform: "CUDA and XPU (Intel)".
    plain = re.sub(r"\s\([^()]*\)", "", one_line(assertion.text)) if len(assertion.text) <= _MOST_CHARACTERS else ""
    claims: list[Claim] = []
    for clause in _CLAUSE_END.split(plain):
        is_now = all(Version.try_parse(version) == assertion.release for version in _IN_VERSION.findall(clause))
        if is_now and not _NOT_ASSERTED.search(clause):
            claims += _read_clause(_IN_VERSION.sub("", clause))
    return tuple(claims)


def _read_clause(clause: str) -> Iterator[Claim]:
    denials = len(re.findall(_DENIAL, clause, re.IGNORECASE))
    for pattern, key in _STATES.items():
        state = rf"(?P<denial>{_DENIAL}(?:be |an? )?)?\b(?:{pattern})\b"
        for match in (matches := [*re.finditer(state, clause, re.IGNORECASE)]):
            # A clause that denies anything else, or has both states, is skipped.
            if denials == bool(match["denial"]) and len({bool(m["no"]) for m in matches}) == 1:
                yield _claim(clause.replace(match[0], ""), key, str(bool(match["denial"]) != bool(match["no"])), "")
    if denials:
        return
    for match in chain.from_iterable(re.finditer(pattern, clause, re.IGNORECASE) for pattern in _FIGURES):
        unit = match["unit"].casefold().replace("×", "x")
        if unit not in _NO_UNITS:
            key = f"{'at least ' if match['bound'] == '' else match['bound'] or ''}{unit.removesuffix('s')}".casefold()
            rest = f"{clause[: match.start()]} {clause[match.end() :]}"
            yield _claim(rest, key, match["number"].replace(",", ""), match[0].strip())
    if _ALONE.search(clause) and (written := [word for word in content_words(clause) if word.casefold() in _PLATFORMS]):
        rest = re.sub(rf"\b(?:{'|'.join(map(re.escape, written))})\b", "", _ALONE.sub("", clause))
        yield _claim(rest, "platforms", " ".join(sorted(map(str.casefold, written))), " and ".join(written))
    if symbols := find_symbols(clause):
        ((act, certainty),) = read_acts([clause], (), None, digest="")
        if act in (Act.REMOVED, Act.DEPRECATED) and certainty >= _SURE:
            yield _claim(clause, "act", act.value, act.value, *symbols)


def _claim(rest: str, key: str, value: str, shown: str, *limits: str) -> Claim:
    """Return a claim of a clause, of which `rest` are the words without the value."""
    words = content_words(rest)
    named = {word for word in map(str.casefold, words) if word[0].isdigit() or word in _PLATFORMS}
    stems = frozenset(stem for stem in _stems(" ".join(words)) if len(stem) > 1 and any(map(str.isalpha, stem)))
    about = stems - _GENERIC - {*key.split()}
    return Claim(key, tuple(value.split(".")), shown, frozenset((*named, *limits)), about)
