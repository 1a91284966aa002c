"""What a follow-up question leans on: the words of the question before, without what the new one puts in their place.

"Which Python version did pytest 9.0 drop?" and then "and 8.4?" asks the same of another version, "and tox?" of another
thing; "what replaces it?" asks something else of the same one, and is searched with the words of both.
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

_LEAD_IN = frozenset("and or but also then so ok okay what how about of the same for it just only".split())
"""What a fragment may begin with ("ok, and what about 8.4?")."""
_AROUND_NAMES = frozenset("on in with under using at by from to between a an one ones both thru".split()) | _LEAD_IN
_NEWEST = frozenset("latest newest last most recent current now today nowadays release version".split())
_BACK = frozenset("it its that this them these those one ones same".split())
"""What stands for a thing of the question before, unless the question has named one itself by then."""
_NO_THINGS = STOP_WORDS | _AROUND_NAMES | _NEWEST | _BACK | COMPARING | KINDS_OF_THINGS | RECORDS
_NO_THINGS |= set("hm hmm huh wait well nice cool great case back happened old keep kept still yet already".split())
_WORD, _JOINED = re.compile(r"[^\s,;:?!()`\"]*\w(?: \d[\d.]*(?<!\.)(?!\w))?"), re.compile(r"^\W|[^\W_][^\w']\w")
_MAX_FRAGMENT_WORDS, _SAYS_ENOUGH = 3, 3
"""How long what goes on with a name may be, and after how many ordinary words a question says itself what it is about,
as with one name. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class OwnedQuestion:
    """A question with its versions; `owned` are its subject's, by position."""

    text: str
    tokens: tuple[Token, ...]
    owned: tuple[int, ...]

    @property
    def things(self) -> list[tuple[int, int]]:
        """Where each thing stands that a question is about: code, and words that aren't of just any question."""
        named = [token for k, token in enumerate(self.tokens) if token.product or k in self.owned]
        spans = (word.span() for word in _WORD.finditer(self.text))
        free = (span for span in spans if not any(token.start < span[1] and span[0] < token.end for token in named))
        return [(start, end) for start, end in free if _is_thing(self.text[start:end].lower().partition(" ")[0])]

    @property
    def is_about_own(self) -> bool:
        """Whether a question names what it is about, and nothing before that refers to another one's."""
        text, things = self.text, self.things
        if not _BACK.isdisjoint(text[: things[0][0] if things else None].lower().split()):
            return False
        named = (_is_named(text[start:end]) or text[:start].endswith("about ") for start, end in things)
        return len(things) > _SAYS_ENOUGH or any(named)

    def names_only(self, *, is_open: bool) -> bool:
        """Return whether a question says nothing but versions, products and code ("and from 2.9 to 2.12?") or, where
        its form `is_open`, goes on from the one before with nothing but a name ("and the interactive one?")."""
        tokens = [token for token in self.tokens if token.kind is not TokenKind.MARK]
        said = {token.word for token in tokens if token.kind is TokenKind.WORD} - _AROUND_NAMES
        if not said:
            return any(token.kind is not TokenKind.WORD for token in tokens)
        is_named = not _WORD.search(replace_ranges(self.text, [(*thing, "") for thing in self.things]))
        goes_on = is_open and (is_named or tokens[0].word in _LEAD_IN) and len(said) <= _MAX_FRAGMENT_WORDS
        return goes_on and STOP_WORDS.isdisjoint(said) and not said <= _NEWEST

    @property
    def names_only_newest(self) -> bool:
        """Return whether a question says nothing but that it means the newest release ("and now?", not "what now")."""
        words = {token.word for token in self.tokens if token.kind is not TokenKind.MARK}
        said = words - _AROUND_NAMES
        return bool(said) and said <= _NEWEST and ("about" in words or words.isdisjoint(("what", "how")))

    def replaced_thing(self, new: "OwnedQuestion") -> tuple[int, int] | None:
        """Return where what the new question's thing stands for is: what follows the same preposition ("and on
        Windows?"), what is a name as it is one, code, or all that there is; None where it may be one of several."""
        text, named, runs = self.text, new.things, list[tuple[int, int]]()
        for start, end in self.things:
            is_next = runs and text[runs[-1][1] : start] == " "
            runs[-1:] = [(runs[-1][0], end)] if is_next else [*runs[-1:], (start, end)]
        if not named:
            return None
        before, is_named = new.text[: named[0][0]].lower().split()[-1:], _is_named(new.text[slice(*named[-1])])
        is_around = _AROUND_NAMES.issuperset(before)
        behind = [run for run in runs if is_around and text[: run[0]].lower().split()[-1:] == before]
        alike = [run for run in runs if any(map(_is_named, text[slice(*run)].split())) is is_named]
        symbols = [token.start for token in self.tokens if token.kind is TokenKind.SYMBOL]
        code = [(start, end) for start, end in runs if any(start <= symbol < end for symbol in symbols)]
        return next((found[0] for found in (behind, alike, code, runs) if len(found) == 1), None)

    def replaced_versions(self, new: "OwnedQuestion") -> tuple[int, ...]:
        """Return the places of its versions that the new question's stand for: those that it resembles most.
        Releases of one product are near each other in their first component, so "and 3.14?" after "does 2.9 drop Python
        3.9?" asks about Python."""
        version = next((token.version for token in new.tokens if token.version), None)
        if version is None:
            return ()
        numbers = {k: one.version.release[0] for k, one in enumerate(number_tokens(self.tokens)) if one.version}
        distance = {k: abs(number - version.release[0]) for k, number in numbers.items()}
        nearest = min(distance, key=lambda k: (distance[k], k not in self.owned), default=None)
        return self.owned if nearest is None or nearest in self.owned else (nearest,)

    def joined(self, new: str, *, without: Sequence[int], is_whole: bool) -> str:
        """Join it, whole or without the words of any question, and without the tokens at `without`, and a new one."""
        idle = frozenset() if is_whole else STOP_WORDS
        around = [self.text[max(0, one.start - 1) : one.end + 1] for one in self.tokens]
        # "on" of "x-on" and of "on:click" is part of a name.
        is_idle = [one.word in idle and {*"-:"}.isdisjoint(near) for one, near in zip(self.tokens, around, strict=True)]
        dropped = [one for n, one in enumerate(self.tokens) if n in without or is_idle[n]]
        text = replace_ranges(self.text, [(one.start, one.end, "") for one in dropped])
        return " ".join((*text.rstrip(" ?.!").split(), new))


def _is_thing(word: str) -> bool:
    is_idle = word in _NO_THINGS or names_only_changes(word, _NO_THINGS) or any(map(is_generic, split_tokens(word)[:1]))
    return any(map(str.isalpha, word)) and (bool(_JOINED.search(word)) or not is_idle)


def _is_named(word: str) -> bool:
    return bool(_JOINED.search(word)) or is_name(word)
