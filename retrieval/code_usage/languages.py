"""The languages that are read: how each writes comments, strings and imports. A table of patterns and one tokenizer, no
grammar; each pattern takes time in proportion to the text.

Not pygments' tokens: they take five times as long, and the square of the length where code is hostile.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

Path = tuple[str, ...]
MAX_CHAIN = 30  # Parts of a name that are read; who writes more does so to make us slow.

_HASH, _SLASHES = r"#.*", r"//.*|/\*[\s\S]*?(?:\*/|\Z)"
_TEXT = r"\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)"
_STRING = r"\"(?:[^\"\\\n]|\\.)*\"?|`[^`\n]*`"
_QUOTED = r"|'(?:[^'\\\n]|\\.)*'?"
_CHARACTER = r"|'(?:[^'\\\n]|\\[^'\n]{1,10})'"
_MODULE = r"['\"](?P<module>[^'\"\n]+)['\"]"
_PYTHON_IMPORT = r"^[ \t]*(?:from[ \t]+(?P<package>[\w.]+)[ \t]+)?import\b(?P<names>[ \t]*\([^()]*|[^\n;]*)"
_BINDS = r"(?:import|export|const|let|var)\b"
# No blank is read again for another way to divide what is bound.
_SCRIPT_IMPORT = (
    rf"\b(?:{_BINDS}(?P<names>[*,\s]*+(?>(?:(?!{_BINDS}|from\s*+['\"])[\w$]++[*,\s]*+){{0,20}})(?:\{{[^{{}}]*+\}})?)"
    rf"\s*+(?:from\s*+|=\s*+require\s*+\(\s*+)|import\s*+){_MODULE}"
)
_GO_IMPORT = rf"^[ \t]*(?:import[ \t]+)?(?P<names>[\w.]+[ \t]+)?{_MODULE}[ \t]*$"
_TREE_IMPORT = (
    r"^[ \t]*(?:pub(?:\(\w+\))?[ \t]+)?(?:import|using|use)[ \t]+"
    r"(?P<names>[^\n;={(]*(?:\{(?:[^{};=(]|\{[^{};=(]*\})*)?)"
)
_INCLUDE = r"^[ \t]*#[ \t]*include[ \t]*[<\"](?P<names>[^>\"\n.]+)"
_ENTRY = re.compile(
    r"(?P<path>[\w$]++(?>(?:(?:\.|::|\\)[\w$*]++)*))"
    r"(?:(?P<opens>[.:\s]*+\{)|(?:\s+as\s+|\s*:\s*)(?P<alias>[\w$]+))?|(?P<brace>[{}])"
)
_UNMEANT = frozenset("as type typeof function static".split())  # Words of an import that are no part of a name.

NAME = re.compile(r"[A-Za-z_$][\w$]*")
_NEXT_LINE = r"(?:[^\S\n]*+\n\s*+)?"
_LINK = rf"{_NEXT_LINE}(?:[?!&]?\.|::|(?<! )\??->|\\(?=[A-Z])){_NEXT_LINE}"
"""What stands between a name and its owner, in any language."""


class Language(NamedTuple):
    """How one language is read."""

    imports: re.Pattern[str]  # Groups `names`, and where it stands apart `module` in quotes or `package` without.
    skipped: re.Pattern[str]  # Comments and strings; group `prose` is what is no code.
    tokens: re.Pattern[str]


def _language(imports: str, comments: str = _SLASHES, quotes: str = _CHARACTER) -> Language:
    """`quotes` are strings in single quotes, or characters."""
    return Language(
        re.compile(imports, re.MULTILINE),
        re.compile(rf"(?P<prose>{comments}|{_TEXT})|{_STRING}{quotes}"),
        re.compile(
            rf"(?P<string>(?:\b[A-Za-z]{{1,2}}(?=[\"'`]))?(?:{_STRING}{quotes}))"
            rf"|(?P<name>(?:{_LINK})?{NAME.pattern}(?>(?:{_LINK}{NAME.pattern})*))|(?P<newline>\n\s*+)|(?P<blank>\s++)"
            r"|(?P<assign>:?=(?![=>~]))|(?P<sign>[-+*/%&|^<>!=~]{0,3}=>?|\d[\w.]*)|(?P<open>[(\[{])|(?P<close>[)\]}])"
            r"|(?P<more>[^\s\w])"
        ),
    )


_SCRIPT = _language(_SCRIPT_IMPORT, quotes=_QUOTED)
OTHERS = _language(_TREE_IMPORT, f"{_SLASHES}|{_HASH}", _QUOTED)  # What a language is taken for that isn't listed.
LANGUAGES: Mapping[str, Language] = {
    **dict.fromkeys(".py .pyi".split(), _language(_PYTHON_IMPORT, _HASH, _QUOTED)),
    **dict.fromkeys(".js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte".split(), _SCRIPT),
    **dict.fromkeys(".java .kt .kts .scala .swift .rs .cs".split(), _language(_TREE_IMPORT)),
    **dict.fromkeys(".c .h .cc .cpp .hpp".split(), _language(_INCLUDE)),
    ".go": _language(_GO_IMPORT),
    **dict.fromkeys(".rb .rake .gemspec .php".split(), OTHERS),
}
"""For each ending of a file's name, its language."""


class Token(NamedTuple):
    """A piece of code with its place."""

    kind: str  # `string`, `name` with all that is linked to it, `open`, `close`, `assign`, `newline` or `sign`.
    text: str
    start: int
    line: int  # From 1.
    column: int  # From 0; of a newline the column of what follows it.


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


class SourceText:
    """A text in the language that the ending of `path` tells, with blanks in place of comments and of strings in triple
    quotes, which are prose; lines stay lines."""

    def __init__(self, text: str, path: str) -> None:
        self._language = LANGUAGES.get(PurePosixPath(path).suffix.lower(), OTHERS)
        self._text = self._language.skipped.sub(lambda found: _blank(found) if found["prose"] else found[0], text)

    def imports(self) -> Iterator[tuple[str, Path, int]]:
        """Return what imports bind, in order: the name as the code calls it, empty where none is bound, what it stands
        for, and its line."""
        line, counted = 1, 0
        for name, path, offset in self._imports():
            line, counted = line + self._text.count("\n", counted, offset), max(counted, offset)
            yield name, path, line

    def _imports(self) -> Iterator[tuple[str, Path, int]]:
        for found in self._language.imports.finditer(self._text):
            groups = found.groupdict()
            names, at = groups["names"] or "", max(found.start("names"), found.start())
            if module := groups.get("module"):
                # `github.com/x/gin/v2` is package `gin`, `gopkg.in/yaml.v3` is `yaml`.
                module = re.sub(r"(?:/|\.)v\d+$", "", module)
                outside, _, inside = names.partition("{")
                bound = [word for word in re.findall(r"[\w$]+", outside) if word not in _UNMEANT]
                for name in bound or [module.rpartition("/")[2].removeprefix("go-")]:
                    yield name, (module,), found.start("module")
                yield from _entries(inside, (module,), at + len(outside) + 1)
            else:
                # A first part of dots marks a module of the code's own.
                package = tuple(re.findall(r"^\.+|\w+", groups.get("package") or ""))
                if package:
                    yield "", package, found.start("package")
                for name, path, offset in _entries(names, package, at):
                    yield name, path, offset
                    if not package and name == path[-1]:
                        yield path[0], path[:1], offset

    def tokens(self) -> Iterator[Token]:
        """Its tokens, without imports."""
        line, begin = 1, 0
        for found in self._language.tokens.finditer(self._language.imports.sub(_blank, self._text)):
            kind, written = found.lastgroup or "", found[0]
            column, start_line = found.start() - begin, line
            if "\n" in written:
                line, begin = line + written.count("\n"), found.start() + written.rfind("\n") + 1
            if kind == "newline":
                column = found.end() - begin
            if kind != "blank":
                yield Token("sign" if kind == "more" else kind, written, found.start(), start_line, column)


def _entries(names: str, start: Path, offset: int) -> Iterator[tuple[str, Path, int]]:
    """Yield name in the code, path and last word's offset of each part of an import (`a::{b, c as d}`)."""
    around = [start]
    for found in _ENTRY.finditer(names):
        parts = tuple(part for part in re.split(r"\W+", found["path"] or "") if part not in ("", "self"))
        path = (*around[-1], *parts)[:MAX_CHAIN]
        if found["brace"] == "}":
            around = around[:-1] or [start]
        elif found["brace"] or found["opens"]:
            around.append(path)
        elif path and found["path"] not in _UNMEANT:
            name = "" if found[0].endswith("*") else found["alias"] or path[-1]
            yield name, path, offset + found.end("path") - len(path[-1])
