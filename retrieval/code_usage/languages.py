"""The languages that are read: how each writes comments, strings and imports. A table of patterns and one tokenizer, no
grammar; each pattern takes time in proportion to the text.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

Path = tuple[str, ...]
MAX_CHAIN = 30
"""Parts of a name that are read; who writes more does so to make us slow."""

_HASH, _SLASHES = r"#.*", r"//.*|/\*[\s\S]*?(?:\*/|\Z)"
_TEXT = r"\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)"
_STRING = r"\"(?:[^\"\\\n]|\\.)*\"?|`[^`\n]*`"
_QUOTED = r"|'(?:[^'\\\n]|\\.)*'?"
_CHARACTER = r"|'(?:[^'\\\n]|\\[^'\n]{1,10})'"
_MODULE = r"['\"](?P<module>[^'\"\n]+)['\"]"
_PYTHON_IMPORT = r"^[ \t]*(?:from[ \t]+(?P<package>[\w.]+)[ \t]+)?import\b(?P<names>[ \t]*\([^()]*|[^\n;]*)"
_SCRIPT_IMPORT = (
    r"\b(?:import|export|const|let|var)\b(?P<names>[\w$*,\s]{0,200}(?:\{[^{}]*\})?)\s*"
    rf"(?:\bfrom\s*|=\s*require\s*\(\s*|(?<=import)\s*){_MODULE}"
)
_GO_IMPORT = rf"^[ \t]*(?:import[ \t]+)?(?P<names>[\w.]+[ \t]+)?{_MODULE}[ \t]*$"
_TREE_IMPORT = (
    r"^[ \t]*(?:pub(?:\(\w+\))?[ \t]+)?(?:import|using|use)[ \t]+"
    r"(?P<names>[^\n;={(]*(?:\{(?:[^{};=(]|\{[^{};=(]*\})*)?)"
)
_INCLUDE = r"^[ \t]*#[ \t]*include[ \t]*[<\"](?P<names>[^>\"\n.]+)"
_PART = re.compile(r"[\w$]+|::|[*{},:;]")
_UNMEANT = frozenset("as type typeof function static".split())
"""Words of an import that are no part of a name."""

NAME = r"[A-Za-z_$][\w$]*"
_NEXT_LINE = r"(?:[^\S\n]*+\n\s*+)?"
_LINK = rf"{_NEXT_LINE}(?:[?!&]?\.|::|(?<! )\??->|\\(?=[A-Z])){_NEXT_LINE}"
"""What stands between a name and its owner, in any language."""


class Language(NamedTuple):
    """How one language is read, as patterns of `re`."""

    imports: str
    """What finds one; groups `names`, and where it stands apart `module` in quotes or `package` without."""
    comments: str = _SLASHES
    quotes: str = _CHARACTER
    """Beside double quotes and back quotes: strings in single ones, or characters."""


_SCRIPT = Language(_SCRIPT_IMPORT, quotes=_QUOTED)
OTHERS = Language(_TREE_IMPORT, f"{_SLASHES}|{_HASH}", _QUOTED)
"""What a language is taken for that isn't in the table."""
LANGUAGES: Mapping[str, Language] = {
    **dict.fromkeys(".py .pyi".split(), Language(_PYTHON_IMPORT, _HASH, _QUOTED)),
    **dict.fromkeys(".js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte".split(), _SCRIPT),
    **dict.fromkeys(".rb .rake .gemspec".split(), Language(_TREE_IMPORT, _HASH, _QUOTED)),
    **dict.fromkeys(".java .kt .kts .scala .swift .rs .cs".split(), Language(_TREE_IMPORT)),
    **dict.fromkeys(".c .h .cc .cpp .hpp".split(), Language(_INCLUDE)),
    ".go": Language(_GO_IMPORT),
    ".php": OTHERS,
}
"""For each ending of a file's name, its language."""


class Import(NamedTuple):
    """What one name of an import stands for."""

    name: str
    """As the code calls it; empty where none is bound."""
    path: Path
    offset: int
    """Of the name in the text."""


def without_comments(text: str, language: Language) -> str:
    """`text` with blanks in place of comments and of strings in triple quotes, which are prose; lines stay lines."""
    skipped = re.compile(rf"(?P<prose>{language.comments}|{_TEXT})|{_STRING}{language.quotes}")
    return skipped.sub(lambda found: _blank(found) if found["prose"] else found[0], text)


def without_imports(text: str, language: Language) -> str:
    """`text` with blanks in place of its imports."""
    return re.sub(language.imports, _blank, text, flags=re.MULTILINE)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def read_imports(text: str, language: Language) -> Iterator[Import]:
    """What the imports of `text` bind, in order; `text` is without comments."""
    for found in re.finditer(language.imports, text, re.MULTILINE):
        groups = found.groupdict()
        names, at = groups["names"] or "", max(found.start("names"), found.start())
        if module := groups.get("module"):
            # `github.com/x/gin/v2` is package `gin`, `gopkg.in/yaml.v3` is `yaml`.
            module = re.sub(r"(?:/|\.)v\d+$", "", module)
            outside, _, inside = names.partition("{")
            bound = [word for word in re.findall(r"[\w$]+", outside) if word not in _UNMEANT]
            for name in bound or [module.rpartition("/")[2].removeprefix("go-")]:
                yield Import(name, (module,), found.start("module"))
            yield from _entries(inside, (module,), at + len(outside) + 1)
        else:
            # A first part of dots marks a module of the code's own.
            package = tuple(re.findall(r"^\.+|\w+", groups.get("package") or ""))
            if package:
                yield Import("", package, found.start("package"))
            for entry in _entries(names, package, at):
                yield entry
                if not package and entry.name == entry.path[-1]:
                    yield Import(entry.path[0], entry.path[:1], entry.offset)


def _entries(names: str, start: Path, offset: int) -> Iterator[Import]:
    """The names of an import's tree (`a::{b, c as d}`, `a as b, c`), which goes on behind `start`."""
    around, path, alias, is_alias, at = [start], start, "", False, offset
    for found in chain(_PART.finditer(names), (None,)):
        match found[0] if found else ",":
            case "{":
                around.append(path)
            case "," | "}" | ";" as end:
                kept = path[:-1] if path[-1:] in (("self",), ("*",)) else path
                if kept and (path != around[-1] or alias):
                    yield Import("" if path[-1] == "*" else alias or kept[-1], kept, at)
                if end == "}" and len(around) > 1:
                    around.pop()
                path, alias = around[-1], ""
            case "as" | ":":
                is_alias = True
            case word if found is not None and word != "::" and word not in _UNMEANT:
                if is_alias:
                    alias, is_alias = word, False
                elif len(path) < MAX_CHAIN:
                    path, at = (*path, word), offset + found.start()


class Token(NamedTuple):
    """A piece of code with its place."""

    kind: str
    """`string`, `name` with all that is linked to it, `open`, `close`, `assign`, `newline` or `sign`."""
    text: str
    start: int
    line: int
    """From 1."""
    column: int
    """From 0; of a newline the column of what follows it."""


def tokens_of(text: str, language: Language) -> Iterator[Token]:
    """The tokens of `text`, which is without comments."""
    pattern = re.compile(
        rf"(?P<string>(?:\b[A-Za-z]{{1,2}}(?=[\"'`]))?(?:{_STRING}{language.quotes}))"
        rf"|(?P<name>(?:{_LINK})?{NAME}(?:{_LINK}{NAME})*+)|(?P<newline>\n\s*+)|(?P<blank>\s++)"
        r"|(?P<assign>:?=(?![=>~]))|(?P<sign>[-+*/%&|^<>!=~]{0,3}=>?|\d[\w.]*)|(?P<open>[(\[{])|(?P<close>[)\]}])"
        r"|(?P<more>[^\s\w])"
    )
    line, begin = 1, 0
    for found in pattern.finditer(text):
        kind, written = found.lastgroup or "", found[0]
        column, start_line = found.start() - begin, line
        if "\n" in written:
            line, begin = line + written.count("\n"), found.start() + written.rfind("\n") + 1
        if kind == "newline":
            column = found.end() - begin
        if kind != "blank":
            yield Token("sign" if kind == "more" else kind, written, found.start(), start_line, column)
