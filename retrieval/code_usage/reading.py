"""The names that a file uses, read from its tokens, so that a fragment from a diff can be read like a whole file.

One method for all languages: imports bind names, dotted names are resolved by them, brackets show whose an argument is.
Nothing else is inferred, not even what a call returns. Each pattern takes time in proportion to the text.
"""

import re
from bisect import bisect_right
from itertools import islice
from pathlib import PurePosixPath

from corpus.deadline import waited_for
from retrieval.code_usage.imports import SCRIPTS, read_imports
from retrieval.code_usage.matching import NAME, has_several_words, plain
from retrieval.code_usage.model import FileNames, Kind, Name

CODE_ENDINGS = SCRIPTS | frozenset(".py .pyi .go .rs .java .kt .cs .php .rb .c .h .cc .cpp .hpp".split())
_PLAIN = frozenset(".sh .yaml .yml .toml .ini .cfg .json .env".split())
_PLAIN_FILES = ("dockerfile.", "containerfile.", "makefile.", "procfile.", "jenkinsfile.", ".env.")
_HASHED = frozenset((".py", ".pyi", ".rb"))
_LONGEST_CHAIN = 30  # Parts of a dotted name; longer ones are an attack.
_MOST_OPEN, _MOST_WORDS = 200, 5_000
_LONGEST_COMMAND = 400  # Characters before an option.

_TEXT = r"\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)"
_STRING = r"\"(?:[^\"\\\n]|\\.)*\"?|`[^`\n]*`|'(?:[^'\\\n]|\\.)*'"
_SKIPPED = [
    re.compile(rf"(?P<prose>{comment}|{_TEXT})|{_STRING}") for comment in (r"//.*|/\*[\s\S]*?(?:\*/|\Z)", r"(?<!\S)#.*")
]
_BLANKS = r"(?:[^\S\n]*+\n\s*+)?"
_LINK = rf"{_BLANKS}(?:[?!&]?\.|::|(?<! )\??->|\\(?=[A-Z])){_BLANKS}"
"""The operator between a name and its owner, in any language."""
_TOKEN = re.compile(
    rf"(?P<string>{_STRING})|(?P<name>(?:{_LINK})?{NAME.pattern}(?>(?:{_LINK}{NAME.pattern})*))"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|\s++"
)
_IS_GIVEN = re.compile(r"\s*+(?:=(?![=>~])|:(?![:=])|=>)")
_OF_THE_LANGUAGE = frozenset("Array Date JSON Math Number Object Promise Reflect RegExp String Symbol console".split())
"""Built-in objects, whose members belong to no product."""
_SETTING = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]\w*(?:-\w+)+")  # In strings, names with `_` are mostly data.
_PLAIN_WORD = re.compile(r"[A-Za-z_][\w-]*")
_WORD = re.compile(r"[A-Za-z][\w.-]*[A-Za-z0-9]")
_LINE = re.compile(
    r"""^[ \t]*\[+(?P<section>[^\[\]"'\n]+)\]+[ \t]*$
    | ^[ \t]*+(?:-[ \t]++)?["']?(?P<key>[A-Za-z_][\w.-]*+)["']?[ \t]*+(?::(?=\s|\Z)|=)
    | (?<![\w-])(?P<option>--?[A-Za-z](?:[\w-]|\.(?=\w))*[A-Za-z0-9])(?![\w-])""",
    re.VERBOSE | re.MULTILINE,
)
_ENDS_COMMAND = re.compile(r"[;|]|&&|(?<!\\)\n")


def read_names(file: str, text: str, *, any_ending: bool = False) -> FileNames | None:
    """Return the names in one file; None if, by its name, it isn't of a kind that is read (unless `any_ending`)."""
    path = PurePosixPath(file)
    ending = path.suffix.lower()
    is_script = not ending and text.startswith("#!")
    is_plain = ending in _PLAIN or is_script or f"{path.name.casefold()}.".startswith(_PLAIN_FILES)
    if not is_plain and ending not in CODE_ENDINGS and not any_ending:
        return None
    skipped = _SKIPPED[is_plain or ending in _HASHED]
    text = skipped.sub(lambda match: _blank(match[0]) if match["prose"] else match[0], text)
    return _Reader(text, is_plain=is_plain).read(ending)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


class _Reader:
    """Reads one text without comments."""

    def __init__(self, text: str, *, is_plain: bool) -> None:
        self._names: dict[Name, None] = {}
        self._subjects: set[str] = set()
        self._text, self._is_plain = text, is_plain
        self._bound: dict[str, tuple[str, ...]] = {}
        self._roots: set[tuple[str, ...]] = set()
        self._starts = [0, *(line_end.end() for line_end in re.finditer("\n", text))]

    def read(self, ending: str) -> FileNames:
        """Return all names; `ending` (".py") chooses the syntax of imports."""
        self._note_settings()
        self._note_names(re.sub("[\"'`]", " ", self._text) if self._is_plain else self._bind_imports(ending))
        return FileNames(tuple(self._names), frozenset(self._subjects))

    def _note(self, path: tuple[str, ...], kind: Kind, at: int, *, is_imported: bool = False) -> None:
        """Add a name at an offset of the text, unless its path is too long."""
        if len(path) <= _LONGEST_CHAIN:
            self._names[Name(path, kind, is_imported, bisect_right(self._starts, at))] = None

    def _bind_imports(self, ending: str) -> str:
        """Bind the imported names; return the code with import statements blanked."""
        done, kept = 0, []
        for (begin, end), imports in read_imports(self._text, ending):
            kept += [self._text[done:begin], _blank(self._text[begin:end])]
            done = end
            for name in imports:
                self._note(name.path, Kind.MODULE if name.is_module else Kind.NAME, name.at, is_imported=True)
                self._bound[name.bound] = name.path
                self._roots.add(name.path[:1])
                if name.bound == name.path[-1]:
                    self._bound.setdefault(name.path[0], name.path[:1])
        return "".join(kept) + self._text[done:]

    def _note_settings(self) -> None:
        """Note command options with the words before them; in plain files also words, and keys with their section."""
        section: tuple[str, ...] = ()
        if self._is_plain:
            words = (match[0] for match in waited_for(_WORD.finditer(self._text)))
            self._subjects.update(map(plain, islice(words, _MOST_WORDS)))
        for match in waited_for(_LINE.finditer(self._text)):
            at = match.start(match.lastgroup or 0)
            if match["option"]:
                before = _ENDS_COMMAND.split(self._text[max(0, at - _LONGEST_COMMAND) : at])[-1]
                self._note((*section, *_WORD.findall(before), match["option"]), Kind.SETTING, at)
            elif match["section"] and self._is_plain:
                section = tuple(re.findall(r"[\w-]+", match["section"]))
            elif self._is_plain:
                self._note((*section, *re.findall(r"[\w-]+", match["key"])), Kind.SETTING, at)

    def _note_names(self, text: str) -> None:
        """Note dotted names, arguments, and strings that are names."""
        takers: list[tuple[str, ...]] = []  # For each open bracket the function or object that it belongs to.
        known: tuple[str, ...] = ()  # The resolved path of the last token.
        previous, end = "", 0
        for match in waited_for(_TOKEN.finditer(text)):
            if not match.lastgroup:
                continue
            written, at, gap, before, known = match[0], match.start(), text[end : match.start()], known, ()
            bare, sign, end = written.strip("'\"`"), (gap.strip() or previous)[-1:], match.end()
            if match.lastgroup == "open":
                is_taken = before and gap.strip() in ("", ":", "=")
                takers = [*takers, before if is_taken else takers[-1] if takers else ()][:_MOST_OPEN]
            elif match.lastgroup == "close":
                del takers[-1:]
            elif gap.endswith("\n"):
                takers.clear()  # The end of a bracket still open at the margin isn't in the diff.
            may_be_key = takers and not self._is_plain and sign in tuple("({[,") and _PLAIN_WORD.fullmatch(bare)
            if may_be_key and _IS_GIVEN.match(text, end):
                known = (*(takers[-1] or ("",)), bare)
                self._note(known, Kind.ARGUMENT, at, is_imported=takers[-1][:1] in self._roots)
            elif match.lastgroup == "string":
                parts = tuple(bare.replace(":", ".").split("."))
                if len(parts) > 1 and all(map(str.isidentifier, parts)):
                    self._note(parts, Kind.NAME, at, is_imported=True)
                elif _SETTING.fullmatch(bare):
                    self._note(("", bare), Kind.NAME, at)
            elif match.lastgroup == "name":
                is_defined = previous in ("def", "func", "fn", "function", "fun")
                known = self._note_chain(written, at, is_called=text[end : end + 1] == "(" or sign == "@" or is_defined)
            previous = written

    def _note_chain(self, written: str, at: int, *, is_called: bool) -> tuple[str, ...]:
        """Note each part of a dotted name; return the resolved path of the last one, empty for the language's words."""
        pieces = [*islice(NAME.finditer(written), _LONGEST_CHAIN)]
        first = pieces[0][0]
        if first in _OF_THE_LANGUAGE and first not in self._bound:
            return ()
        path = self._bound.get(first, ()) if not pieces[0].start() else ("",)
        is_imported = bool(path and path[0])
        if is_imported:
            self._note(path, Kind.NAME, at, is_imported=True)
        elif not path and first[:1].isupper():
            self._subjects.add(plain(first))
        if not path and len(pieces) == 1:
            if is_called or has_several_words(first):
                self._note(("", first), Kind.NAME, at)
            return ("", first)
        path = path or (first,)
        for piece in pieces[is_imported or path != ("",) :]:
            path = (*path, piece[0])
            self._note(path, Kind.NAME, at + piece.start(), is_imported=is_imported)
        return path
