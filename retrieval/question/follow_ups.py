"""Follow-up questions: which parts of the question before they replace, and which they keep.

After "Which Python version did pytest 9.0 drop?", "and 8.4?" asks the same about another version, "and tox?" about
another thing; "what replaces it?" asks something else about the same thing, and is searched with the words of both.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.lexicon import STOP_WORDS, split_tokens
from retrieval.question.subject import COMPARING, KINDS_OF_THINGS, names_only_changes
from retrieval.question.token_weights import is_generic
from retrieval.question.tokens import Token, TokenKind, replace_ranges
from retrieval.question.version_roles import number_tokens
from retrieval.question.words import RECORDS, is_name

_LEAD_IN = frozenset("and or but also then so ok okay what how about of the same for it just only i mean meant".split())
"""First words of fragments ("ok, and what about 8.4?")."""
_AROUND_NAMES = frozenset("on in with under using at by from to between a an one ones both thru".split()) | _LEAD_IN
_NEWEST = frozenset("latest newest last most recent current now today nowadays release version new happened".split())
_BACK = frozenset("it its that this them these those one ones same".split())
"""Words that refer to a thing in the question before, unless the question itself has named one by then."""
_NO_THINGS = STOP_WORDS | _AROUND_NAMES | _NEWEST | _BACK | COMPARING | KINDS_OF_THINGS | RECORDS
_NO_THINGS |= set(
    """right hm huh ugh argh damn oh ouch wow lol wait well nice cool great case back old keep kept still yet already
    sure certain surely hmm think thought believe remember guess said swear doubt wasn't isn't didn't doesn't""".split()
)
_WORD = re.compile(r"(?>(?:[^\w\s,;:?!()`\"]{0,99}\w)+)(?: \d[\d.]*(?<!\.)(?!\w))?")
_JOINED = re.compile(r"^\W|[^\W_][^\w']\w")
_MAX_FRAGMENT_WORDS = 3  # Of a fragment about a name. Chosen by hand.


@dataclass(frozen=True, slots=True)
class OwnedQuestion:
    """A question with its tokens; `owned` are the positions of the subject's versions."""

    text: str
    tokens: tuple[Token, ...]
    owned: tuple[int, ...]

    @property
    def things(self) -> list[tuple[int, int]]:
        """The ranges of the things that the question is about: code, and words specific to this question."""
        named = [token for k, token in enumerate(self.tokens) if token.product or k in self.owned]
        spans = (word.span() for word in _WORD.finditer(self.text))
        free = (span for span in spans if not any(token.start < span[1] and span[0] < token.end for token in named))
        return [(start, end) for start, end in free if _is_thing(self.text[start:end].lower().partition(" ")[0])]

    @property
    def is_about_own(self) -> bool:
        """Whether the question names what it is about, and no "it" before that refers to an earlier question."""
        text, things = self.text, self.things
        if not _BACK.isdisjoint(text[: things[0][0] if things else None].lower().split()):
            return False
        return any(_JOINED.search(word := text[a:b]) or is_name(word) or text[:a].endswith("about ") for a, b in things)

    def names_only(self, *, is_open: bool) -> bool:
        """Return whether the question consists of versions, products and code ("and from 2.9 to 2.12?") or, if its form
        `is_open`, continues the one before with just a name ("and the interactive one?")."""
        tokens = [token for token in self.tokens if token.kind is not TokenKind.MARK]
        words = {token.word for token in tokens if token.kind is TokenKind.WORD} - _AROUND_NAMES
        if not words:
            return any(token.kind is not TokenKind.WORD for token in tokens)
        is_named = not _WORD.search(replace_ranges(self.text, [(*thing, "") for thing in self.things]))
        continues = is_open and (is_named or tokens[0].word in _LEAD_IN) and len(words) <= _MAX_FRAGMENT_WORDS
        return continues and STOP_WORDS.isdisjoint(words) and not words <= _NEWEST

    @property
    def names_only_newest(self) -> bool:
        """Whether the question consists of words for the newest release ("and now?", but not "what now")."""
        words = {token.word for token in self.tokens if token.kind is not TokenKind.MARK}
        naming = words - _AROUND_NAMES
        return bool(naming) and naming <= _NEWEST and ("about" in words or words.isdisjoint(("what", "how")))

    def replaced_versions(self, new: "OwnedQuestion") -> tuple[int, ...]:
        """Return the positions of the versions that the new question's replaces: the one nearest by first component, or
        all owned ones if it is owned: "and 3.14?" after "does 2.9 drop Python 3.9?" replaces 3.9."""
        numbered = enumerate(number_tokens(new.tokens))
        at, version = next(((k, token.version) for k, token in numbered if token.version), (0, None))
        if version is None:
            return ()
        numbers = {k: token.version.release[0] for k, token in enumerate(number_tokens(self.tokens)) if token.version}
        named = new.tokens[at - 1].product if at else ""
        if named and any(token.product == named for token in self.tokens):
            # "And django 4?" isn't about another version of Python.
            numbers = {k: number for k, number in numbers.items() if k and self.tokens[k - 1].product == named}
        distance = {k: abs(number - version.release[0]) for k, number in numbers.items()}
        nearest = min(distance, key=lambda k: (distance[k], k not in self.owned), default=None)
        return self.owned if nearest is None or nearest in self.owned else (nearest,)

    def join(self, new: str, *, without: Sequence[int], is_whole: bool) -> str:
        """Return its text and `new`; without the tokens at `without`, and without stop words unless `is_whole`."""
        idle = frozenset() if is_whole else STOP_WORDS
        around = [self.text[max(0, token.start - 1) : token.end + 1] for token in self.tokens]
        # "on" in "x-on" and "on:click" is part of a name.
        is_idle = [t.word in idle and {*"-:"}.isdisjoint(near) for t, near in zip(self.tokens, around, strict=True)]
        dropped = [token for n, token in enumerate(self.tokens) if n in without or is_idle[n]]
        text = replace_ranges(self.text, [(token.start, token.end, "") for token in dropped])
        return " ".join((*text.rstrip(" ?.!").split(), new))


def _is_thing(word: str) -> bool:
    """Return whether a word (in lower case) may name a thing: code, or not one of any question's words."""
    is_idle = word in _NO_THINGS or names_only_changes(word, _NO_THINGS) or any(map(is_generic, split_tokens(word)[:1]))
    return any(map(str.isalpha, word)) and (bool(_JOINED.search(word)) or not is_idle)
