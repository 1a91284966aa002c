"""Tokens of prose and of symbols, the same for indexing and for questions.

A symbol has a token for the whole and one for each part, so that "is capturing" finds `is_capturing`. Words are
stemmed with Snowball (Porter 1980), URLs have no tokens.
"""

import re
import unicodedata
from collections.abc import Set
from functools import lru_cache
from itertools import chain

import Stemmer

from corpus.plain_words import without_invisible

STOP_WORDS = frozenset(
    """a about actually am an and any anybody anyone are as at be because been but by can could did do does doing done
    eh else even ever every exactly for from get gets getting give gives go goes gonna gotta got guys had has have
    having he hello hey hi how i if im in into is isnt it its just know let like may me mean might my need no not now of
    ok okay on one only or our out over please pls plz really say says shall should since so some somebody someone still
    such tell than that the their them then there these they thing things this those to too u up us use uses using was
    we well were what whats when where whether which while who whom whose why will with without would ya yet you your
    folks team also way ways bit sort kind thanks thx arent cant couldnt didnt doesnt dont hadnt hasnt havent ive
    shouldnt thats theres theyre wasnt werent wont wouldnt youre""".split()
)
"""Words that questions consist of; a match of one is never evidence that a passage answers a question."""

_URL = re.compile(r"(?:https?|ftp)://[^\s<>\"')\]]+|www\.[^\s<>\"')\]]+", re.IGNORECASE)
_TOKEN = re.compile(
    r"""
    [A-Z]?[a-z]+(?=[ ,;)\n])                  # most words: nothing of what is below would go on here
    | --?[A-Za-z][\w-]*                       # --flag, -C
    | [A-Za-z_]\w*(?:(?:\.|::|/)[A-Za-z_]\w*)+(?:-\w+)*   # dotted.name, ns::name, path/name
    | [A-Za-z]{2,}\d+(?:\.\d+)+              # py3.9, cuda12.8
    | v?\d+(?:\.\d+)+(?:[A-Za-z]+\d*|[-+](?!\d+\.\d)[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*)?  # version, not 3.8-3.12
    | \d+(?:,\d{3})+(?!\d)                  # 2,926
    | \w+(?:[-'’]\w+)*                      # words, hyphenated ones, snake_case
    """,
    re.VERBOSE,
)
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_PLURAL_ACRONYM = re.compile(r"[A-Z]{2,}s")
_ACRONYM = re.compile(r"[A-Z0-9]+s?|[a-z]+\d+[a-z]?")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+)((?:[A-Za-z]+\d*|[-+].+)?)$")
_GLUED_VERSION = re.compile(r"([A-Za-z]{2,})(\d+(?:\.\d+)+)")
_MODEL_NUMBER = re.compile(r"([A-Za-z]{2,}\d{2,})[A-Za-z]")  # "MI350" finds `MI350X`.
_SPLIT = re.compile(r"[._:/\-'’]+")
_MEMBERS = re.compile(r"[.:/]+")  # "full_clean" finds `Model.full_clean`.
_APOSTROPHE = re.compile("['’]")
_REGIONAL = re.compile(
    r"(?<=[a-z]{2}[iy])[sz](?=e[drs]?$|ers?$|ing$|ations?$|able$)|(?<=[a-z]{3})ou?r(?=s?$|ed$|ing$|al$|ites?$)"
)
_OTHER_REGION = {"s": "z", "z": "s", "our": "or", "or": "our"}  # British and American endings.
_SYNONYMS = (
    "segfault, sigsegv, segmentation fault; oom, out of memory, memory exhaustion; abort, cancel; crash, panic; leak"
    "; hang, hung, freeze, froze, stuck, deadlock; ms, msec, millisecond; sec, second; min, minute; hr, hour"
    "; kb, kilobyte; mb, megabyte; gb, gigabyte; dir, folder, directory; subdir, subfolder, subdirectory"
)
"""Synonyms between semicolons: faults, units and everyday things."""
_SHORTEST_PART = 3  # The fewest letters of a word in a compound.
_LONGEST_WORD = _MAX_TOKEN_LENGTH = 64  # Characters; trying each split of a longer one is slow.
_OPENING = re.compile(r"\W*(?P<words>\w+(?:'\w+)*(?:[\s,(-]+\w+(?:'\w+)*){0,3})")
_BLANKS = str.maketrans(",(-", "   ")
_STEMMER = Stemmer.Stemmer("english", 0)


def split_tokens(text: str) -> tuple[str, ...]:
    """Return the lexical tokens of `text` outside web addresses, in order, with repeats, case-folded and stemmed:
    "Wheel.turn spins" gives `('wheel.turn', 'wheel', 'turn', 'spin')`."""
    return tuple(chain.from_iterable(map(word_tokens, _words(text))))


def content_words(text: str) -> tuple[str, ...]:
    """Return the distinct words of `text` as written, in order, without stop words and URLs."""
    return tuple(dict.fromkeys(word for word in _words(text) if _APOSTROPHE.sub("", word.casefold()) not in STOP_WORDS))


def has_synonyms(word: str) -> bool:
    """Return whether a word has known synonyms: a fault, a unit or an everyday thing."""
    return _stem(_fold(word)) in {*split_tokens(_SYNONYMS)} - STOP_WORDS


@lru_cache(maxsize=4096)
def spellings(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the other ways to write a word or a name of code, each as its adjacent words: split or run together, in
    British or American spelling, or as a synonym: `('change', 'log')` is one for "changelog"."""
    names = _SPLIT.split(name.removesuffix("()").strip("-_."))
    if not all(map(str.isalnum, names)) or len(name) > _LONGEST_WORD:
        return ()
    parts = [part for name in names for part in (_ACRONYM.fullmatch(name) and [name]) or _CAMEL.findall(name) or [name]]
    whole, token = "".join(parts), _stem(_fold("".join(parts)))
    written = [names, parts, [whole]]
    if len(parts) == 1 and whole.isalpha():
        written += [[whole[:cut], whole[cut:]] for cut in range(_SHORTEST_PART, len(whole) - _SHORTEST_PART + 1)]
        alike = next((synonyms for synonyms in _SYNONYMS.split(";") if token in split_tokens(synonyms)), "")
        written += [phrase.split() for phrase in alike.split(",") if token not in split_tokens(phrase)]
    written += [[_REGIONAL.sub(lambda match: _OTHER_REGION[match[0]], part) for part in parts]]
    return tuple(dict.fromkeys(tuple(words) for words in written if words and words != [name]))


def opens_with(text: str, phrases: Set[str]) -> str:
    """Return the longest of `phrases` that begins `text`, in any case, after any marks and with commas, hyphens or
    brackets between words; "" for none. Phrases have up to four words in lower case, joined by blanks."""
    match = _OPENING.match(_APOSTROPHE.sub("'", text))
    words = match["words"].casefold().translate(_BLANKS).split() if match else []
    openings = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((opening for opening in openings if opening in phrases), "")


def question_tokens(text: str) -> tuple[str, ...]:
    """Return the distinct tokens of a question without stop words (`('turn', 'wheel')` for "How do I turn the wheel?");
    all distinct tokens if it has no other words."""
    tokens = [token for word in content_words(text) for token in word_tokens(word)]
    return tuple(dict.fromkeys(tokens)) or tuple(dict.fromkeys(split_tokens(text)))


def _words(text: str) -> list[str]:
    text = without_invisible(text)
    # Searching for URLs costs as much as searching for words, and most texts have none.
    may_have_url = "://" in text or "www." in text.lower()
    words: list[str] = _TOKEN.findall(_URL.sub(" ", text) if may_have_url else text)
    return words


@lru_cache(maxsize=65536)
def word_tokens(word: str) -> tuple[str, ...]:
    """Return the tokens of one written word: the whole first, then its parts; none for mere punctuation."""
    if version := _VERSION.fullmatch(word):
        return _version_tokens(version.group(1), version.group(2))
    if glued := _GLUED_VERSION.fullmatch(word):
        return tuple(dict.fromkeys((_fold(word), *_name_tokens(glued.group(1)), *_version_tokens(glued.group(2), ""))))
    bare = word.lstrip("-")
    if _PLURAL_ACRONYM.fullmatch(bare):
        bare = bare[:-1]
    names = [name for name in _SPLIT.split(bare) if name]
    if names == [bare]:
        return _name_tokens(bare)
    whole = _APOSTROPHE.sub("'", _fold(bare))
    members = (_fold(member) for member in _MEMBERS.split(bare) if "_" in member or "-" in member)
    parts = (token for name in names for token in _name_tokens(name) if len(token) > 1)
    return tuple(dict.fromkeys([whole, *members, *parts])) if names else ()


def _name_tokens(name: str) -> tuple[str, ...]:
    """Return the tokens of a name: `GraphImplInterface` and its humps; of an acronym or a plain word, itself only."""
    whole = _fold(name.replace(",", ""))
    if model := _MODEL_NUMBER.fullmatch(name):
        return (whole, _fold(model.group(1)))
    humps = _CAMEL.findall(name)
    if len(humps) < 2 or _ACRONYM.fullmatch(name):
        return (_stem(whole),)
    parts = (_fold(hump) for hump in humps if not hump.isdigit() and len(hump) > 1)
    return tuple(dict.fromkeys(map(_stem, (whole, *parts))))


def _version_tokens(numbers: str, suffix: str) -> tuple[str, ...]:
    """Return the tokens of a version: itself, its numbers alone, and its series."""
    series = ".".join(numbers.split(".")[:2])
    return tuple(dict.fromkeys(map(_fold, (numbers + suffix, numbers, series))))


def _fold(text: str) -> str:
    """Return one spelling for texts that look alike, without the blanks in some ligatures, cut to a token's length."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())[:_MAX_TOKEN_LENGTH]


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    if not word.isalpha() or not word.isascii():
        return word
    stem: str = _STEMMER.stemWord(word)
    return stem
