"""The names that a piece of code uses, told from its tokens, so that what a diff cuts out of a file reads as a whole.

Imports say where names come from; `x = Client()`, `x: Client` and `as x` go on from there. Nothing else is inferred,
and a name is one for the whole file.
"""

import re
from dataclasses import dataclass
from itertools import islice

from corpus.deadline import check_time
from retrieval.code_usage.languages import MAX_CHAIN, NAME, Path, SourceText, Token
from retrieval.code_usage.matching import UPPER_NAME, has_several_words, plain
from retrieval.code_usage.model import FileNames, Mention, MentionKind, Origin
from retrieval.code_usage.plain_names import string_mentions

_Known = tuple[Path, Origin]
_MAX_OPEN = 200
_MAX_WORDS = 8
_WORD = re.compile(r"[A-Za-z][\w./-]*")
_CLASSES = frozenset("class struct interface trait enum".split())
_BEFORE_KEYS = ("return", "default")
_DEFINES = _CLASSES | frozenset("def func fn function fun".split())
_BEFORE_VALUE = frozenset("await const let mut new static val var".split())
_KEYWORDS = (_BEFORE_VALUE | _DEFINES).union(
    "None True False null true false nil int string bool str float double long and as assert async break case".split(),
    "catch continue default do elif else except export extends final finally for from if impl implements".split(),
    "import in instanceof is lambda match module not of or package private protected pub public raise readonly".split(),
    "return switch then throw throws try type typeof unless until void when where while with yield".split(),
)
_OF_THE_LANGUAGE = frozenset("Array Date JSON Math Number Object Promise Reflect RegExp String Symbol console".split())
"""Objects whose members are of no product."""
_CLASS_INDENT = 4  # What a class assigns is indented by so much more than the class, at most.
_PAIRS = {")": "(", "]": "[", "}": "{"}
_END = Token("newline", "\n", 0, 0, 0)


@dataclass(slots=True)
class _Frame:
    """An open bracket, and the statement within it that is being read."""

    bracket: str
    callee: _Known | None = None  # What takes the arguments and keys that the bracket holds.
    is_block: bool = False
    chain: _Known | None = None  # What the names just read lead to.
    target: str = ""  # What that is assigned to.
    key: str = ""
    words: tuple[str, ...] = ()  # Its strings that are words, as those of a command before a flag.


def read_code_names(text: str, path: str) -> FileNames:
    """Return the names of the code in `text`, whose language the ending of `path` tells."""
    return _Reader().read(SourceText(text, path))


class _Reader:
    """Takes the tokens of one file in order."""

    def __init__(self) -> None:
        self._places: dict[tuple[Mention, int], None] = {}
        self._subjects: set[str] = set()
        self._defined: set[str] = set()
        self._assigned: set[str] = set()
        self._known: dict[str, _Known] = {}
        self._class: tuple[int, str] | None = None
        """Column and name of the class whose own assignments are read."""
        self._frames = [_Frame("")]

    def read(self, text: SourceText) -> FileNames:
        """Return all names of one text."""
        for bound, path, line in text.imports():
            self._subjects.update(filter(None, map(plain, (*re.split(r"[/@]", path[0]), *path[1:4]))))
            self._note(path, MentionKind.NAME, Origin.IMPORTED, line, written=len(path))
            self._known[bound] = path, Origin.IMPORTED
        tokens = [_END, *text.tokens(), _END, _END]
        for before, token, after, following in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
            match token.kind:
                case "name":
                    self._name(token, before, after, following)
                case "string":
                    self._string(token, before, after)
                case "open":
                    self._open(token, before, after)
                case "close":
                    self._close(token)
                case "newline":
                    check_time()
                    if token.column == 0 and after.kind != "close":
                        # A line at the margin is in no bracket: an open one above was cut off by the diff.
                        del self._frames[1:]
                    if self._frames[-1].bracket not in ("(", "["):
                        self._end()
                case "sign" if token.text not in "&*@:":
                    self._end()
        return FileNames(tuple(self._places), frozenset(self._defined), frozenset(self._subjects))

    def _note(self, path: Path, kind: MentionKind, origin: Origin, line: int, *, written: int = 1) -> None:
        if len(path) <= MAX_CHAIN:
            self._places[Mention(path, kind, origin, written), line] = None

    def _end(self) -> None:
        """End a statement, and bind the name to which it assigns."""
        frame = self._frames[-1]
        if frame.target and frame.chain and frame.chain[1] is not Origin.UNKNOWN:
            self._known[frame.target] = frame.chain
        elif self._known.get(frame.target, ((), None))[1] is Origin.DERIVED:
            del self._known[frame.target]
        frame.target, frame.chain = "", None

    def _name(self, token: Token, before: Token, after: Token, following: Token) -> None:
        frame, first = self._frames[-1], NAME.match(token.text)
        if first is None:
            self._lead(frame.chain or (("",), Origin.UNKNOWN), token, 0)
        elif before.text in _DEFINES:
            self._end()
            self._defined.add(token.text)
            self._class = (before.column, token.text) if before.text in _CLASSES else None
            if not self._class:
                self._note((token.text,), MentionKind.DEFINITION, Origin.UNKNOWN, token.line)
        elif before.text == "as" and frame.chain:
            self._known[token.text] = frame.chain[0], max(frame.chain[1], Origin.DERIVED)
        elif token.text in _KEYWORDS:
            if token.text not in _BEFORE_VALUE and token.text != "as":
                self._end()
        else:
            if frame.chain:
                self._end()
            if first.end() == len(token.text):
                self._alone(token, before, after, following)
            elif first[0] in self._known or first[0] not in _OF_THE_LANGUAGE:
                self._lead(self._start(first[0], token.line), token, first.end())

    def _start(self, name: str, line: int) -> _Known:
        """Return what a name that stands first leads to."""
        path, origin = self._known.get(name, ((name,), Origin.UNKNOWN))
        if origin is Origin.IMPORTED:
            self._note(path, MentionKind.NAME, origin, line)
        elif name[:1].isupper():
            self._subjects.add(plain(name))
        return path, origin

    def _lead(self, start: _Known, token: Token, behind: int) -> None:
        """Go on from `start` by the names of a token that are linked to it."""
        path, origin = start
        for part in islice(NAME.finditer(token.text, behind), max(MAX_CHAIN - len(path), 0)):
            path, line = (*path, part[0]), token.line + token.text.count("\n", 0, part.start())
            self._note(path, MentionKind.NAME, origin, line)
            if path[-2] == "env" and UPPER_NAME.fullmatch(part[0]):
                self._note((part[0],), MentionKind.SETTING, Origin.UNKNOWN, line)
        self._frames[-1].chain = path, origin

    def _alone(self, token: Token, before: Token, after: Token, following: Token) -> None:
        """A name that nothing is linked to: an argument or a key, assigned, given a type, or used."""
        frame, name, callee = self._frames[-1], token.text, self._frames[-1].callee
        is_first = before.text in ("(", "{", ",") or before.kind == "newline"
        is_typed = after.text == ":" and after.start == token.start + len(name)
        if frame.bracket == "(":
            # `go(x: Client)` may well define `go`.
            is_given = callee is not None and (
                after.text == "=" or (is_typed and (len(callee[0]) > 1 or following.kind != "name"))
            )
        else:
            is_given = callee is not None and not frame.is_block and is_first and after.text in (":", ",", "}", "(")
        if is_given:
            self._add_key(name, token.line)
        if is_given and after.text in (":", "="):
            return
        if after.kind == "assign":
            self._assign(token, before)
        elif is_typed and following.kind == "name":
            frame.target = name
            self._assigned.add(name)
        else:
            frame.chain = self._start(name, token.line)
            is_called = after.text == "(" or before.text == "@"
            is_used = is_called or (has_several_words(name) and name not in self._assigned)
            if frame.chain[1] is Origin.UNKNOWN and is_used and not is_given:
                self._note(("", name), MentionKind.NAME, Origin.UNKNOWN, token.line)

    def _add_key(self, key: str, line: int) -> None:
        frame = self._frames[-1]
        frame.key = key
        if frame.callee:
            self._note((*frame.callee[0], key), MentionKind.KEYWORD, frame.callee[1], line)

    def _assign(self, token: Token, before: Token) -> None:
        name = self._frames[-1].target = token.text
        self._assigned.add(name)
        if self._class and 0 < token.column - self._class[0] <= _CLASS_INDENT:
            # A class may assign an option that the class it extends reads.
            self._defined.add(name)
            self._note((self._class[1], name), MentionKind.DEFINITION, Origin.UNKNOWN, token.line)
        # A type before it makes a constant of it, which nothing but the code reads.
        is_setting = name.isupper() or (not token.column and "_" in name)
        if is_setting and (before.kind != "name" or before.text in _BEFORE_VALUE):
            self._note((name,), MentionKind.SETTING, Origin.UNKNOWN, token.line)

    def _string(self, token: Token, before: Token, after: Token) -> None:
        self._end()
        frame, text = self._frames[-1], token.text.lstrip("rbfuRBFULc").strip("'\"`")
        if after.text in (":", "=>") and frame.bracket in ("{", "[") and before.text != ":":
            self._add_key(text, token.line)
        for mention in string_mentions(text):
            words = frame.words if mention.kind is MentionKind.FLAG else ()
            if mention.kind is not MentionKind.KEY or has_several_words(text):
                self._note((*words, *mention.path), mention.kind, mention.origin, token.line)
        if frame.bracket and _WORD.fullmatch(text):
            frame.words = (*frame.words, text)[-_MAX_WORDS:]

    def _open(self, bracket: Token, before: Token, after: Token) -> None:
        outer, frame = self._frames[-1], _Frame(bracket.text)
        if before.text in ("require", "import") and after.kind == "string":
            outer.chain = (after.text.strip("'\"`"),), Origin.IMPORTED
            self._note(outer.chain[0], MentionKind.NAME, Origin.IMPORTED, bracket.line)
        elif outer.chain and before.kind in ("name", "close"):
            if bracket.text != "[":
                frame.callee = outer.chain
            outer.chain = outer.chain[0], max(outer.chain[1], Origin.DERIVED)
        elif bracket.text == "{" and before.kind in ("name", "close", "newline") and before.text not in _BEFORE_KEYS:
            frame.is_block = True
        else:
            frame.callee, frame.is_block = outer.callee, before.text == "=>"
            if outer.callee and outer.key and before.text in (":", "=", "=>"):
                frame.callee = (*outer.callee[0], outer.key), outer.callee[1]
            elif before.text == "=" and outer.is_block:
                frame.callee = None
        outer.key = ""
        if len(self._frames) < _MAX_OPEN:
            self._frames.append(frame)

    def _close(self, bracket: Token) -> None:
        opening, inner = _PAIRS[bracket.text], None
        while any(frame.bracket == opening for frame in self._frames):
            inner = self._frames[-1].chain if opening == "(" else None
            self._end()
            if self._frames.pop().bracket == opening:
                break
        self._frames[-1].chain = self._frames[-1].chain or inner
