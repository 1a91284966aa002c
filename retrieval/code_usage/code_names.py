"""The names that a piece of code uses, told from its tokens: no grammar, so that a piece that is broken, or cut out of
a file by a diff, reads as a whole one does.

Imports say where names come from; what is seen at a glance (`x = Client()`, `x: Client`, `class X(Client)`) goes on
from there. A name is one for the whole file, whatever function it stands in.
"""

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import NamedTuple

from retrieval.code_usage.languages import (
    LANGUAGES,
    MAX_CHAIN,
    OTHERS,
    Language,
    Path,
    Token,
    read_imports,
    tokens_of,
    without_comments,
    without_imports,
)
from retrieval.code_usage.model import FileNames, Mention, MentionKind, Origin
from retrieval.code_usage.plain_names import UPPER_NAME, string_mentions
from retrieval.code_usage.product_roots import plain
from retrieval.code_usage.wanted import has_several_words

_Known = tuple[Path, Origin]
_MAX_STARS = 3
_MAX_WORDS = 8
_CONFIGURATION = re.compile(r"(?:([a-z][a-z0-9-]*)\.config(?:\.\w+)?|\.([a-z][a-z0-9-]*?)rc)\.[cm]?[jt]sx?")
_WORD = re.compile(r"[A-Za-z][\w./-]*")
_CLASSES = frozenset(("class", "struct", "interface", "trait", "enum"))
_DEFINES = _CLASSES | frozenset(("def", "func", "fn", "function", "fun"))
_BEFORE_VALUE = frozenset("await const final let mut new static val var".split())
_KEYWORDS = _BEFORE_VALUE | frozenset(
    "and as assert async break case catch continue default do elif else except export extends finally for from if impl"
    " implements import in instanceof is lambda match module not of or package private protected pub public raise"
    " readonly return switch then throw throws try type typeof unless until void when where while with yield"
    " None True False null true false nil int string bool str float double long".split()
)
_CLASS_INDENT = 4
"""What a class assigns is indented by so much more than the class, at most."""
_PAIRS = {")": "(", "]": "[", "}": "{"}
_NOTHING = Token("newline", "\n", 0, 0, 0)


class _Frame(NamedTuple):
    """An open bracket."""

    bracket: str
    taker: _Known | None = None
    """What takes what the bracket holds, and the keys that lead there."""
    holds: str = ""
    """`arguments`, `keys`, or neither."""
    chain: _Known | None = None
    """What goes on behind the bracket."""
    targets: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Its strings that are words, as those of a command before a flag; at most 8."""


def read_code_names(text: str, path: str) -> FileNames:
    """The names of the code in `text`, whose language the ending of `path` tells."""
    name = PurePosixPath(path)
    reader = _Reader(LANGUAGES.get(name.suffix.lower(), OTHERS), _CONFIGURATION.fullmatch(name.name))
    return reader.read(text)


class _Reader:
    """Takes the tokens of one file in order."""

    def __init__(self, language: Language, configured: re.Match[str] | None) -> None:
        product = (configured[1] or configured[2]) if configured else ""
        self._language = language
        self._places: dict[tuple[Mention, int], None] = {}
        self._subjects = {plain(product)} - {""}
        self._defined: set[str] = set()
        self._assigned: set[str] = set()
        self._known: dict[str, _Known] = {}
        self._stars: list[Path] = []
        self._bases: list[tuple[int, Path, Origin]] = []
        """The classes that are open: the column of each, and what it extends; its own name where nobody sees that."""
        self._class = ""
        self._class_column = 0
        self._chain: _Known | None = None
        self._targets: tuple[str, ...] = ()
        self._key = ""
        self._frames = [_Frame("", ((product,), Origin.IMPORTED) if product else None)]
        self._open = Counter[str]()

    def read(self, text: str) -> FileNames:
        """All names of one text."""
        text = without_comments(text, self._language)
        self._import(text)
        tokens = [*tokens_of(without_imports(text, self._language), self._language), _NOTHING, _NOTHING, _NOTHING]
        before, at = _NOTHING, 0
        while at < len(tokens) - 3:
            token, after = tokens[at], tokens[at + 1]
            match token.kind:
                case "name" if token.text in ("require", "import") and tokens[at + 2].kind == "string":
                    self._end()
                    self._module(tokens[at + 2].text.strip("'\"`"), token.line)
                    at += 3
                case "name" if before.kind == "link":
                    self._member(token, after)
                case "name" if token.text in _DEFINES and after.kind == "name":
                    self._define(token, after, tokens[at + 2])
                    at += 2 if tokens[at + 2].text in ("(", "<", ":") else 1
                case "name" if token.text in _KEYWORDS:
                    self._keyword(token, before, after)
                case "name":
                    self._name(token, before, after, tokens[at + 2])
                case "string":
                    self._string(token, before, after)
                case "open":
                    self._enter(token, before)
                case "close":
                    self._leave(token)
                case "newline":
                    self._newline(token, after)
                case "sign" if token.text not in "&*@":
                    self._end()
            before, at = tokens[at], at + 1
        self._end()
        return FileNames(tuple(self._places), frozenset(self._defined), frozenset(self._subjects))

    def _note(self, path: Path, kind: MentionKind, origin: Origin, line: int, *, written: int = 1) -> None:
        if path and path[-1] and len(path) <= MAX_CHAIN:
            self._places[Mention(path, kind, origin, written), line] = None

    def _import(self, text: str) -> None:
        line, counted = 1, 0
        for bound, path, offset in read_imports(text, self._language):
            line, counted = line + text.count("\n", counted, offset), max(counted, offset)
            self._subject(path)
            self._note(path, MentionKind.NAME, Origin.IMPORTED, line, written=len(path))
            if bound == "*" and len(self._stars) < _MAX_STARS:
                self._stars.append(path)
            elif bound:
                self._known[bound] = path, Origin.IMPORTED

    def _subject(self, path: Path) -> None:
        parts = (*re.split(r"[/@]", path[0]), *path[1:4])
        self._subjects.update(filter(None, map(plain, parts)))

    def _module(self, module: str, line: int) -> None:
        self._subject((module,))
        self._note((module,), MentionKind.NAME, Origin.IMPORTED, line)
        self._chain = (module,), Origin.IMPORTED

    def _end(self) -> None:
        """Bind what the chain that ends here is assigned to."""
        for target in self._targets:
            if self._chain and self._chain[1] is not Origin.UNKNOWN:
                self._known[target] = self._chain
            elif target in self._known and self._known[target][1] is Origin.DERIVED:
                del self._known[target]
        if self._class and self._chain and self._chain[1] is not Origin.UNKNOWN:
            self._known[self._class] = self._chain[0], Origin.DERIVED
            self._bases.append((self._class_column, self._chain[0], Origin.DERIVED))
            self._class = ""
        self._targets, self._chain = (), None

    def _newline(self, newline: Token, after: Token) -> None:
        if newline.column == 0 and after.kind != "close":
            # What stands at the margin is in no bracket: one above was cut off by the diff.
            del self._frames[1:]
            self._open.clear()
        if self._frames[-1].bracket not in ("(", "["):
            self._end()
            if self._class:
                self._bases.append((self._class_column, (self._class,), Origin.UNKNOWN))
                self._class = ""
        while self._bases and newline.column <= self._bases[-1][0] and after.kind != "close":
            self._bases.pop()

    @property
    def _base(self) -> _Known:
        """What the class extends that is read; empty outside of classes."""
        return self._bases[-1][1:] if self._bases else ((), Origin.UNKNOWN)

    def _define(self, word: Token, name: Token, after: Token) -> None:
        self._end()
        self._defined.add(name.text)
        base, origin = self._base
        if word.text in _CLASSES and origin is Origin.DERIVED:
            self._bases.append((word.column, (*base, name.text)[:MAX_CHAIN], origin))
        elif word.text in _CLASSES:
            self._class, self._class_column = name.text, word.column
        else:
            owner = base if origin is Origin.DERIVED else ()
            self._note((*owner, name.text), MentionKind.DEFINITION, origin, name.line)
        if after.text == "(":
            self._push(_Frame("("))

    def _keyword(self, word: Token, before: Token, after: Token) -> None:
        if word.text in ("in", "of") and before.kind == "name":
            self._end()
            self._targets = (before.text,)
        elif word.text == "as" and self._chain and after.kind == "name":
            self._targets = (*self._targets, after.text)
            self._chain = self._chain[0], max(self._chain[1], Origin.DERIVED)
            self._end()
        elif word.text not in _BEFORE_VALUE:
            self._end()

    def _member(self, name: Token, after: Token) -> None:
        path, origin = self._chain or (("",), Origin.UNKNOWN)
        if not path or len(path) >= MAX_CHAIN:
            return
        if path in (("self",), ("this",), ("cls",)):
            if after.kind == "assign":
                self._targets = (f"self.{name.text}",)
                self._defined.add(name.text)
            base, whose = self._base if self._base[1] is Origin.DERIVED else ((), origin)
            path, origin = self._known.get(f"self.{name.text}", ((*(base or path), name.text), whose))
        else:
            path = *path, name.text
        self._note(path, MentionKind.NAME, origin, name.line)
        if path[-2:-1] == ("env",) and UPPER_NAME.fullmatch(name.text):
            self._note((name.text,), MentionKind.ENVIRONMENT, Origin.UNKNOWN, name.line)
        self._chain = None if after.kind == "assign" else (path, origin)

    def _name(self, name: Token, before: Token, after: Token, next_but_one: Token) -> None:
        """A name that nothing stands in front of: what is assigned, given or used."""
        frame = self._frames[-1]
        is_first = before.text in ("{", ",") or before.kind == "newline"
        is_key = frame.holds == "keys" and is_first and after.text in (":", ",", "}", "(")
        is_given = frame.holds == "arguments" and after.text == "="
        tells = after.text == ":" and after.start == name.end
        if not self._language.has_annotations:
            is_given = is_given or (tells and frame.holds == "arguments")
        if self._chain is not None:
            self._end()
        if is_key or is_given:
            self._given(name.text, name.line)
            if after.kind in ("assign", "colon"):
                return
        elif after.kind == "assign":
            self._assign(name, before)
            return
        elif tells and next_but_one.kind == "name":
            self._targets = (*self._targets, name.text)
            self._assigned.add(name.text)
            return
        if name.text in self._language.own_objects and name.text not in self._known:
            self._chain = (), Origin.UNKNOWN
            return
        path, origin = self._known.get(name.text, ((name.text,), Origin.UNKNOWN))
        if name.text == "super":
            path, origin = self._base
        if origin is Origin.UNKNOWN and self._language.has_global_constants and name.text[:1].isupper():
            origin = Origin.IMPORTED
            self._subjects.add(plain(name.text))
            self._note(("", name.text), MentionKind.NAME, Origin.UNKNOWN, name.line)
        if origin is Origin.IMPORTED:
            self._note(path, MentionKind.NAME, origin, name.line)
        elif origin is Origin.UNKNOWN and not is_key and after.kind != "link":
            is_called = after.text == "(" or before.text == "@"
            if is_called or (has_several_words(name.text) and name.text not in self._assigned):
                for module in self._stars:
                    self._note((*module, name.text), MentionKind.NAME, Origin.DERIVED, name.line)
                self._note(("", name.text), MentionKind.NAME, origin, name.line)
        self._chain = path, origin

    def _given(self, key: str, line: int) -> None:
        self._key = key
        if (taker := self._frames[-1].taker) is not None:
            self._note((*taker[0], key), MentionKind.KEYWORD, taker[1], line)

    def _assign(self, name: Token, before: Token) -> None:
        self._assigned.add(name.text)
        self._targets = (*self._targets, name.text)
        base, origin = self._base
        if base and name.column <= self._bases[-1][0] + _CLASS_INDENT:
            # What a class assigns may be an option that the class it extends reads.
            self._defined.add(name.text)
            self._note((*base, name.text), MentionKind.DEFINITION, origin, name.line)
        # A type before it makes a constant of it, which nothing but the code reads.
        is_setting = name.text.isupper() or (not name.column and "_" in name.text)
        if is_setting and (before.kind != "name" or before.text in _BEFORE_VALUE - {"final"}):
            self._note((name.text,), MentionKind.SETTING, Origin.UNKNOWN, name.line)

    def _string(self, token: Token, before: Token, after: Token) -> None:
        self._end()
        frame = self._frames[-1]
        text = token.text.lstrip("rbfuRBFULc").strip("'\"`")
        if after.text in (":", "=>") and frame.bracket in ("{", "[") and frame.taker and before.text != ":":
            self._given(text, token.line)
        for mention in string_mentions(text):
            if mention.kind is MentionKind.FLAG:
                self._note((*frame.words, *mention.path), mention.kind, mention.origin, token.line)
            elif mention.kind is not MentionKind.KEY or has_several_words(mention.path[-1]):
                self._note(mention.path, mention.kind, mention.origin, token.line)
        if frame.bracket and _WORD.fullmatch(text):
            self._frames[-1] = frame._replace(words=(*frame.words, text)[-_MAX_WORDS:])

    def _push(self, frame: _Frame) -> None:
        self._frames.append(frame)
        self._open[frame.bracket] += 1

    def _enter(self, bracket: Token, before: Token) -> None:
        outer, chain, targets = self._frames[-1], self._chain, self._targets
        taken = outer.taker
        if taken and before.text in (":", "=", "=>") and outer.holds and self._key:
            taken = (*taken[0], self._key)[:MAX_CHAIN], taken[1]
        goes_on = chain and (chain[0], max(chain[1], Origin.DERIVED))
        self._chain, self._targets = None, ()
        is_adjacent = before.kind in ("name", "close") and chain is not None and chain[0] != ()
        match bracket.text:
            case "(" if is_adjacent:
                self._push(_Frame("(", chain, "arguments", goes_on, targets))
            case "{" if is_adjacent and before.kind == "name":
                self._push(_Frame("{", chain, "keys", goes_on, targets))
            case "[" if is_adjacent:
                self._push(_Frame("[", None, "", goes_on, targets))
            case "{":
                is_block = before.kind in ("name", "close", "newline") and before.text not in ("return", "default")
                if before.text == "=" and not outer.holds and outer.bracket:
                    taken = None
                is_keys = not is_block and before.text != "=>"
                self._push(_Frame("{", None if is_block else taken, "keys" if is_keys else "", None, targets))
            case _:
                self._push(_Frame(bracket.text, taken, "", None, targets))
        self._key = ""

    def _leave(self, bracket: Token) -> None:
        opening = _PAIRS[bracket.text]
        if not self._open[opening]:
            self._end()
            return
        inner = self._chain if opening == "(" else None
        while True:
            if opening != "(" or self._targets or self._class:
                self._end()
            frame = self._frames.pop()
            self._open[frame.bracket] -= 1
            if frame.bracket == opening:
                break
        self._chain, self._targets = (inner if frame.chain is None else frame.chain), frame.targets
