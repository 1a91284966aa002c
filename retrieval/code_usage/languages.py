"""What the languages differ in for a reader of names: comments, quotes, what links a name to its owner, and imports.

No grammar is needed for that: a table of patterns, each of which takes time in proportion to the text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

Path = tuple[str, ...]
MAX_CHAIN = 30
"""Parts of a name that are read; who writes more does so to make us slow."""

_TEXT = r"\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)"
_STRING = r"\"(?:[^\"\\\n]|\\.)*\"?|`[^`\n]*`"
_QUOTED = r"|'(?:[^'\\\n]|\\.)*'?"
_CHARACTER = r"|'(?:[^'\\\n]|\\[^'\n]{1,10})'"
_HASH = r"#.*"
_SLASHES = r"//.*|/\*[\s\S]*?(?:\*/|\Z)"
_MODULE = r"['\"](?P<module>[^'\"\n]+)['\"]"
_PYTHON_IMPORT = r"^[ \t]*(?:from[ \t]+(?P<module>[\w.]+)[ \t]+)?import\b(?P<names>[ \t]*\([^()]*|[^\n;]*)"
_SCRIPT_IMPORT = (
    rf"\b(?:import|export|const|let|var)\b(?P<names>[\w$*,\s]{{0,200}}(?:\{{[^{{}}]*\}})?)\s*"
    rf"(?:\bfrom\s*|=\s*require\s*\(\s*){_MODULE}|^[ \t]*import\s*{_MODULE.replace('module', 'alone')}"
)
_GO_IMPORT = rf"^[ \t]*(?:import[ \t]+)?(?P<names>[\w.]+[ \t]+)?{_MODULE}[ \t]*$"
_LINE_IMPORT = r"^[ \t]*(?:import|using|use)[ \t]+(?P<names>[^\n;=(]*)"
_TREE_IMPORT = r"^[ \t]*(?:pub(?:\(\w+\))?[ \t]+)?use[ \t]+(?P<names>[^;=(]{0,1000})"
_INCLUDE = r"^[ \t]*#[ \t]*include[ \t]*[<\"](?P<names>[^>\"\n.]+)"
_PART = re.compile(r"[\w$]+|::|[*{},:;]")
_UNMEANT = frozenset("type typeof function static".split())
"""Words of an import that are no part of a name."""


@dataclass(frozen=True, slots=True)
class Language:
    """How one language is read; patterns are those of `re`."""

    imports: str = _TREE_IMPORT
    """What finds one; groups `names`, and `module` where that stands apart."""
    comments: str = _SLASHES
    quotes: str = _CHARACTER
    """Beside double quotes and back quotes: strings in single ones, or characters."""
    links: str = r"\?\.|!\.|::|\.(?!\d)"
    """What stands between a name and its owner."""
    has_annotations: bool = True
    """Whether `name: x` tells a type; elsewhere it gives an argument."""
    has_global_constants: bool = False
    """Whether a capital name is the same everywhere, imported or not."""
    name_ends: str = ""
    """What a name may end in beside letters."""
    own_objects: frozenset[str] = frozenset()
    """Objects of the language itself, whose members are of no product."""


_PYTHON = Language(_PYTHON_IMPORT, _HASH, _QUOTED)
_SCRIPT = Language(
    _SCRIPT_IMPORT,
    quotes=_QUOTED,
    own_objects=frozenset("Array Date JSON Math Number Object Promise Reflect RegExp String Symbol console".split()),
)
_RUBY = Language(
    r"(?P<names>(?!))",
    comments=_HASH,
    quotes=_QUOTED,
    links=r"&\.|::|\.",
    has_annotations=False,
    has_global_constants=True,
    name_ends="[!?]?",
)
_PHP = Language(_LINE_IMPORT, f"{_SLASHES}|{_HASH}", _QUOTED, r"\??->|::|\\|\.(?=\w)", has_annotations=False)
_DOTTED = Language(_LINE_IMPORT)
_C = Language(_INCLUDE, links=r"->|::|\.(?!\d)")
OTHERS = Language(_LINE_IMPORT, f"{_SLASHES}|{_HASH}", _QUOTED, r"\??->|\?\.|::|\\|\.(?!\d)", has_annotations=False)
"""What a language is taken for that isn't in the table."""
LANGUAGES: Mapping[str, Language] = {
    **dict.fromkeys((".py", ".pyi"), _PYTHON),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte"), _SCRIPT),
    **dict.fromkeys((".rb", ".rake", ".gemspec"), _RUBY),
    **dict.fromkeys((".java", ".kt", ".kts", ".scala", ".swift"), _DOTTED),
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".hpp"), _C),
    ".cs": Language(_LINE_IMPORT, has_annotations=False),
    ".go": Language(_GO_IMPORT),
    ".rs": Language(),
    ".php": _PHP,
}
"""For each ending of a file's name, its language."""


class Import(NamedTuple):
    """What one name of an import stands for."""

    name: str | None
    """As the code calls it; `*` where all names of a module are taken over, None where none is bound."""
    path: Path
    offset: int
    """Of the name in the text."""


def without_comments(text: str, language: Language) -> str:
    """`text` with blanks in place of comments and of strings in triple quotes, which are prose; lines stay lines."""
    skipped = re.compile(rf"(?P<prose>{language.comments}|{_TEXT})|{_STRING}{language.quotes}")
    return skipped.sub(lambda found: _blank(found[0]) if found["prose"] else found[0], text)


def read_imports(text: str, language: Language) -> Iterator[Import]:
    """What the imports of `text` bind, in order; `text` is without comments."""
    for found in re.finditer(language.imports, text, re.MULTILINE):
        groups = found.groupdict()
        module, names = groups.get("module") or groups.get("alone"), groups["names"] or ""
        offset = found.start("names") if groups["names"] else found.start()
        if language.imports == _GO_IMPORT and module:
            yield _import_of_go(names.strip(), module, offset)
        elif language.imports == _PYTHON_IMPORT:
            # A first part of dots marks a module of the code's own.
            start = tuple(re.findall(r"^\.+|\w+", module or ""))
            if start:
                yield Import(None, start, found.start("module"))
            for name, path, at in _entries(names, start):
                is_whole = not start and name == path[-1]
                yield Import(None if is_whole else name, path, at + offset)
                if is_whole:
                    yield Import(path[0], path[:1], at + offset)
        elif module:
            yield Import(None, (module,), found.start())
            braces = names.find("{") if "{" in names else len(names)
            for name, path, at in _entries(names, (module,)):
                yield Import(name, path if at > braces else path[:1], at + offset)
        else:
            yield from (Import(name, path, at + offset) for name, path, at in _entries(names, ()))


def _import_of_go(name: str, module: str, offset: int) -> Import:
    """`github.com/x/gin/v2` is package `gin`, `gopkg.in/yaml.v3` is `yaml`."""
    module = re.sub(r"(?:/|\.)v\d+$", "", module)
    bound = name or module.rpartition("/")[2].removeprefix("go-")
    return Import(None if bound in (".", "_") else bound, (module,), offset)


def _entries(names: str, start: Path) -> Iterator[tuple[str, Path, int]]:
    """The names of an import's tree (`a::{b, c as d}`, `a as b, c`): local name, path behind `start`, and offset."""
    around, path, alias, is_alias, offset = [start], start, "", False, 0
    for found in chain(_PART.finditer(names), (None,)):
        match found[0] if found else ",":
            case "{":
                around.append(path)
            case "," | "}" | ";" as end:
                kept = path[:-1] if path[-1:] in (("self",), ("*",)) else path
                if kept and (path != around[-1] or alias):
                    yield alias or ("*" if path[-1] == "*" else kept[-1]), kept, offset
                if end == "}" and len(around) > 1:
                    around.pop()
                path, alias = around[-1], ""
            case "as" | ":":
                is_alias = True
            case word if found is not None and word != "::" and word not in _UNMEANT:
                if is_alias:
                    alias, is_alias = word, False
                elif len(path) < MAX_CHAIN:
                    path, offset = (*path, word), found.start()


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


class Token(NamedTuple):
    """A piece of code with its place."""

    kind: str
    """`string`, `name`, `link`, `open`, `close`, `assign`, `colon`, `newline` or `sign`."""
    text: str
    start: int
    line: int
    """From 1."""
    column: int
    """From 0; of a newline the column of what follows it."""

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + len(self.text)


def tokens_of(text: str, language: Language) -> Iterator[Token]:
    """The tokens of `text`, which is without comments; no newline beside a link, for a chain goes on over lines."""
    link = re.compile(language.links)
    pattern = re.compile(
        rf"(?P<string>(?:\b[A-Za-z]{{1,2}}(?=[\"'`]))?(?:{_STRING}{language.quotes}))"
        rf"|(?P<name>[A-Za-z_$]\w*(?:\$\w+)*{language.name_ends})|(?P<link>{language.links})|(?P<newline>\n\s*)"
        r"|(?P<assign>:?=(?![=>~]))|(?P<sign>[-+*/%&|^<>!=~]{0,3}=>?|\d[\w.]*)|(?P<colon>:)|(?P<open>[(\[{])"
        r"|(?P<close>[)\]}])|(?P<more>[^\s\w])"
    )
    line, begin, last = 1, 0, ""
    for found in pattern.finditer(text):
        kind, token = found.lastgroup or "", found[0]
        if kind == "newline":
            begin = found.start() + token.rfind("\n") + 1
            if last != "link" and not link.match(text, found.end()):
                yield Token(kind, token, found.start(), line, found.end() - begin)
            line += token.count("\n")
            continue
        yield Token("sign" if kind == "more" else kind, token, found.start(), line, found.start() - begin)
        last = kind


def without_imports(text: str, language: Language) -> str:
    """`text` with blanks in place of its imports."""
    return re.sub(language.imports, lambda found: _blank(found[0]), text, flags=re.MULTILINE)
