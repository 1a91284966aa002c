"""The words of an entry as an answer says them: with the change that its heading names, without what leads away."""

import re
from collections.abc import Sequence

from corpus.lexicon import split_tokens
from corpus.plain_words import one_line, readable
from retrieval.quoting.commit_records import without_records

_HEADINGS = {
    "added": "add adds added new support supports introduce introduces introduced",
    "deprecated": "deprecate deprecates deprecated deprecation",
    "deprecations": "deprecate deprecates deprecated deprecation",
    "removed": "remove removes removed removal drop drops dropped no longer gone delete deleted",
    "removals": "remove removes removed removal drop drops dropped no longer gone delete deleted",
    "fixed": "fix fixes fixed correct corrected resolve resolved no longer prevent avoid ensure",
}
_SENTENCE_WORDS = 5
"""An addition of as many words says by itself that it is there."""
_THINGS = r"(?:features?|apis?|functions?|functionality|options?|settings?|behaviou?rs?)"
_TITLE_OF_THINGS = re.compile(
    rf"(?:{_THINGS} (?P<after>removed|deprecated)|(?P<before>removed|deprecated) {_THINGS})"
    r"(?: in [\w.+-]+(?: v?\d[\w.]*)?)?"
)
"""A section of things that go, in more words: "Features removed in 2.0", whose "Support for Python 3.9" would read as
its opposite."""
_NAMES = {"deprecations": "Deprecated", "removals": "Removed"}
_POINTER = re.compile(
    r"\W*(?:see(?: also)?|for (?:more|further|details)|read (?:the|more)|more details)\b", re.IGNORECASE
)
_LINK = re.compile(r"!?\[[^\]\n]*\]\([^)\s]*\)|`[^`<\n]+<[^>\n]+>`_{1,2}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS_BESIDE_LINKS = 1
_POINTING_SENTENCE = re.compile(
    r"(?<=[.!?])\s+(?:See(?: also)?|For more|For further|For details|Read (?:the|more)|More details)\b[^.!?]*[.!?]?$"
)


def leads_away(words: str) -> bool:
    """Whether an entry is nothing but a pointer to another page, or links with a word or two before them."""
    beside, links = _LINK.subn(" ", words)
    return bool(_POINTER.match(words)) or (links > 0 and len(_WORD.findall(beside)) <= _WORDS_BESIDE_LINKS)


def change_in_heading(heading: Sequence[str]) -> str:
    """The change that a section's title names and its entries don't repeat ("Removed"); empty where it names none."""
    title = one_line(heading[-1]).strip(" :.").casefold() if heading else ""
    if things := _TITLE_OF_THINGS.fullmatch(title):
        title = things["after"] or things["before"]
    return _NAMES.get(title, title.capitalize()) if title in _HEADINGS else ""


def say_entry(words: str, heading: Sequence[str], *, keeps_tickets: bool = False) -> str:
    """An entry as an answer says it, on one line, its code in backticks; never empty where `words` aren't."""
    entry = words if keeps_tickets else without_records(words)
    said = _POINTING_SENTENCE.sub("", readable(entry, keeps_code=True) or " ".join(entry.split()))
    change = change_in_heading(heading)
    is_sentence = change == "Added" and len(said.split()) >= _SENTENCE_WORDS
    if (
        not change
        or is_sentence
        or not frozenset(split_tokens(said)).isdisjoint(split_tokens(_HEADINGS[change.casefold()]))
    ):
        return said
    return f"{change}: {said}"
