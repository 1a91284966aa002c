"""The names that a file uses, told from its tokens, so that what a diff cuts out of a file reads as a whole.

One way for all languages: imports bind names, chains of names go on from them, brackets tell who takes an argument.
Nothing else is inferred, and a call ends what is known. Each pattern takes time in proportion to the text.
"""

import re
from bisect import bisect_right
from itertools import islice
from pathlib import PurePosixPath
from typing import NamedTuple

from corpus.deadline import check_time, waited_for
from retrieval.code_usage.imports import SCRIPTS, read_imports
from retrieval.code_usage.matching import NAME, has_several_words, plain
from retrieval.code_usage.model import FileNames, Kind, Name

CODE_ENDINGS = SCRIPTS | frozenset(".py .pyi .go .rs .java .kt .cs .php .rb .c .h .cc .cpp .hpp".split())
_PLAIN = frozenset(".sh .yaml .yml .toml .ini .cfg .json .env".split())
_PLAIN_FILES = ("dockerfile.", "containerfile.", "makefile.", "procfile.", "jenkinsfile.", ".env.")
_HASHED = frozenset((".py", ".pyi", ".rb"))
_LONGEST_CHAIN = 30  # Parts; who writes more does so to make us slow.
_MOST_OPEN = 200
_MOST_WORDS = 5_000
_LONGEST_COMMAND = 12  # Words before an option.
_CLASS_INDENT = 4

_TEXT = r"\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)"
_STRING = r"\"(?:[^\"\\\n]|\\.)*\"?|`[^`\n]*`|'(?:[^'\\\n]|\\.)*'"
_SKIPPED = [
    re.compile(rf"(?P<prose>{comment}|{_TEXT})|{_STRING}") for comment in (r"//.*|/\*[\s\S]*?(?:\*/|\Z)", r"(?<!\S)#.*")
]
_BLANKS = r"(?:[^\S\n]*+\n\s*+)?"
_LINK = rf"{_BLANKS}(?:[?!&]?\.|::|(?<! )\??->|\\(?=[A-Z])){_BLANKS}"
"""What stands between a name and its owner, in any language."""
_TOKEN = re.compile(
    rf"(?P<string>{_STRING})|(?P<name>(?:{_LINK})?{NAME.pattern}(?>(?:{_LINK}{NAME.pattern})*))"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|\s++"
)
_IS_GIVEN = re.compile(r"\s*+(?:=(?![=>~])|:(?![:=])|=>)")
_IS_ASSIGNED = re.compile(r"\s++:?=(?![=>~])|:[^\S\n][^=\n]*=(?!=)")  # Tight, it is an attribute of markup.
_DEFINED = re.compile(r"\b(?:def|func|fn|function|fun|class|struct|interface|trait|enum)\s+(\w+)")
_OF_THE_LANGUAGE = frozenset("Array Date JSON Math Number Object Promise Reflect RegExp String Symbol console".split())
"""Objects whose members are of no product."""
_DEFINE = frozenset("def func fn function fun".split())
_SETTING = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]\w*(?:-\w+)+")  # In strings, names with `_` are mostly data.
_PLAIN_WORD = re.compile(r"[A-Za-z_][\w-]*")
_KEY = re.compile(r"(?P<indent>\s*(?:-\s+)?)[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?\s*(?::(?=\s|$)|=)")
_SECTION = re.compile(r"\s*\[+(?P<section>[^\[\]\"']+)\]+\s*$")
_WORD = re.compile(r"[A-Za-z][\w.-]*[A-Za-z0-9]")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z](?:[\w-]|\.(?=\w))*[A-Za-z0-9](?![\w-])")


def read_names(file: str, text: str, *, any_ending: bool = False) -> FileNames | None:
    """Return the names of one file; None where its name tells that it is of no kind that is read."""
    path = PurePosixPath(file)
    ending = path.suffix.lower()
    is_script = not ending and text.startswith("#!")
    is_plain = ending in _PLAIN or is_script or f"{path.name.casefold()}.".startswith(_PLAIN_FILES)
    if not is_plain and ending not in CODE_ENDINGS and not any_ending:
        return None
    skipped = _SKIPPED[is_plain or ending in _HASHED]
    text = skipped.sub(lambda found: _blank(found[0]) if found["prose"] else found[0], text)
    return _Reader(text, is_plain=is_plain).read(ending)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


class _Known(NamedTuple):
    """What a chain of names leads to."""

    path: tuple[str, ...]
    is_imported: bool


_NOTHING = _Known((), False)


class _Reader:
    """Reads one text without comments."""

    def __init__(self, text: str, *, is_plain: bool) -> None:
        self._names: dict[Name, None] = {}
        self._subjects: set[str] = set()
        self._text, self._is_plain = text, is_plain
        self._bound: dict[str, tuple[str, ...]] = {}
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def read(self, ending: str) -> FileNames:
        """Return all names."""
        self._lines()
        code = re.sub("[\"'`]", " ", self._text) if self._is_plain else self._imports(ending)
        own = self._tokens(code)
        names = (name for name in self._names if name.path not in own)
        return FileNames(tuple(names), frozenset(_DEFINED.findall(self._text)), frozenset(self._subjects))

    def _note(self, path: tuple[str, ...], kind: Kind, at: int, *, is_imported: bool = False) -> None:
        if len(path) <= _LONGEST_CHAIN:
            self._names[Name(path, kind, is_imported, bisect_right(self._starts, at))] = None

    def _imports(self, ending: str) -> str:
        """Bind what imports name; the code without them."""
        done, kept = 0, []
        for (begin, end), brought in read_imports(self._text, ending):
            kept += [self._text[done:begin], _blank(self._text[begin:end])]
            done = end
            for each in brought:
                self._note(each.path, Kind.MODULE if each.is_module else Kind.NAME, each.at, is_imported=True)
                self._bound[each.bound] = each.path
                if each.bound == each.path[-1]:
                    self._bound.setdefault(each.path[0], each.path[:1])
        return "".join(kept) + self._text[done:]

    def _lines(self) -> None:
        """Read the keys of a configuration, below their sections and the keys that they are indented under, and the
        options of commands behind the words before them."""
        section: tuple[str, ...] = ()
        path: tuple[str, ...] = ()
        command: tuple[str, ...] = ()
        keys: list[tuple[int, str]] = []
        for start, line in zip(self._starts, waited_for(self._text.split("\n")), strict=True):
            if self._is_plain:
                if found := _SECTION.match(line):
                    section, keys = tuple(re.findall(r"[\w-]+", found["section"])), []
                    self._subjects.update(map(plain, section))
                elif found := _KEY.match(line):
                    indent = len(found["indent"])
                    keys = [each for each in keys if each[0] < indent] + [(indent, found["key"])]
                    above = (part for _, key in keys for part in re.findall(r"[\w-]+", key))
                    path = (*section, *above)
                    self._note(path, Kind.SETTING, start)
                if len(self._subjects) < _MOST_WORDS:
                    self._subjects.update(map(plain, _WORD.findall(line)))
            words, done = command or path, 0
            for found in _OPTION.finditer(line):
                *ended, begun = re.split(r"[;|]|&&", line[done : found.start()])
                words, done = ((*([] if ended else words), *_WORD.findall(begun))[-_LONGEST_COMMAND:]), found.end()
                self._note((*words, found[0]), Kind.SETTING, start)
            is_open = line.rstrip().endswith("\\")
            command = (*words, *_WORD.findall(line[done:]))[:_LONGEST_COMMAND] if is_open else ()

    def _tokens(self, text: str) -> set[tuple[str, ...]]:
        """Note chains of names, arguments, and strings that are names; the paths of the code's own variables."""
        own: set[tuple[str, ...]] = set()
        takers: list[_Known] = []  # What takes the arguments and keys in the brackets that are open.
        known = _NOTHING  # What the last token leads to.
        previous, end, key, class_at = "", 0, "", -1
        for found in _TOKEN.finditer(text):
            check_time()
            if not found.lastgroup:
                continue
            written, at, gap, before, known = found[0], found.start(), text[end : found.start()], known, _NOTHING
            bare, sign, end = written.strip("'\"`"), (gap.strip() or previous)[-1:], found.end()
            column = at - self._starts[bisect_right(self._starts, at) - 1] if "\n" in gap or not previous else -1
            if not column and found.lastgroup != "close":
                takers.clear()  # A bracket that is open at the margin was cut off by the diff.
            if 0 <= column <= class_at or written == "class":
                class_at = column if written == "class" else -1
            if found.lastgroup == "open":
                if not before.path and takers and sign in tuple("([{,:=>"):
                    before = takers[-1]._replace(path=(*takers[-1].path, key)) if key and sign in ":=" else takers[-1]
                takers = [*takers, before][:_MOST_OPEN]
            elif found.lastgroup == "close":
                del takers[-1:]
            elif (
                takers
                and not self._is_plain
                and sign in tuple("({[,")
                and _PLAIN_WORD.fullmatch(bare)
                and _IS_GIVEN.match(text, end)
            ):
                key, taker = bare, takers[-1]
                self._note((*(taker.path or ("",)), bare), Kind.ARGUMENT, at, is_imported=taker.is_imported)
            elif found.lastgroup == "string":
                parts = tuple(bare.replace(":", ".").split("."))
                if len(parts) > 1 and all(map(str.isidentifier, parts)):
                    self._note(parts, Kind.NAME, at, is_imported=True)
                elif _SETTING.fullmatch(bare):
                    self._note(("", bare), Kind.NAME, at)
            elif previous in _DEFINE:
                self._note(("", bare), Kind.NAME, at)
            else:
                is_called = text[end : end + 1] == "(" or sign == "@"
                known = self._chain(written, at, is_called=is_called)
                is_option = not column or (class_at >= 0 and 0 < column - class_at <= _CLASS_INDENT)
                is_bare = not (known.is_imported or self._is_plain) and NAME.fullmatch(written)
                if is_bare and not is_option and _IS_ASSIGNED.match(text, end):
                    own.add(known.path)
            previous = written
        return own

    def _chain(self, written: str, at: int, *, is_called: bool) -> "_Known":
        """Note a name and each that is linked to it; what the last one leads to."""
        pieces = [*islice(NAME.finditer(written), _LONGEST_CHAIN)]
        first = pieces[0][0]
        if first in _OF_THE_LANGUAGE and first not in self._bound:
            return _NOTHING
        path = self._bound.get(first, ()) if not pieces[0].start() else ("",)
        is_imported = bool(path and path[0])
        if is_imported:
            self._note(path, Kind.NAME, at, is_imported=True)
        elif not path and first[:1].isupper():
            self._subjects.add(plain(first))
        if not path and len(pieces) == 1:
            if is_called or has_several_words(first):
                self._note(("", first), Kind.NAME, at)
            return _Known(("", first), False)
        path = path or (first,)
        for piece in pieces[is_imported or path != ("",) :]:
            path = (*path, piece[0])
            self._note(path, Kind.NAME, at + piece.start(), is_imported=is_imported)
        return _Known(path, is_imported)
