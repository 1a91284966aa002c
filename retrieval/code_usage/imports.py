"""Import statements and the names that they bind: a pattern for each family of languages, no grammar."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from corpus.deadline import check_time

SCRIPTS = frozenset(".js .mjs .cjs .jsx .ts .mts .tsx .vue .svelte".split())
_LONGEST = 2_000
_QUOTED = r"(?P<quote>['\"])(?P<module>[^'\"\n]+)(?P=quote)"
_PYTHON = r"^[ \t]*(?:from[ \t]+(?P<package>[\w.]+)[ \t]+)?import\b(?P<names>[ \t]*\([^()]*|[^\n;]*)"
_SCRIPT = rf"\b(?:(?P<binds>from\b|(?:require|import)\s*+\()|import\b)\s*+{_QUOTED}"
_GO = rf"^[ \t]*(?:import[ \t]+)?(?P<bound>[\w.]+[ \t]+)?{_QUOTED}[ \t]*$"
_HEADER = r"^[ \t]*(?:#[ \t]*include[ \t]*[<\"]|require(?:_once)?[ \t(]*['\"])(?P<module>[^>\"'\n.]+)[^\n]*"
_TREE = (
    r"^[ \t]*(?:pub(?:\(\w+\))?[ \t]+)?(?:import|using|use)[ \t]+"
    r"(?P<names>[^\n;={(]*(?:\{(?:[^{};=(]|\{[^{};=(]*\})*)?)"
)
_BEFORE_MODULE = re.compile(
    r"\A[\s\S]*\b(?:import|export|const|let|var)\b(?P<bound>[\w$\s*,]*+)"
    r"(?P<names>(?:\{[^{}]*\})?)[\s,]*+=?\s*+(?:await\s*)?\Z"
)
_ENTRY = re.compile(
    r"(?P<path>[\w$]++(?>(?:(?:\.|::|\\)[\w$*]++)*))"
    r"(?:(?P<opens>[.:\s\\]*+\{)|(?:\s+as\s+|\s*:\s*)(?P<alias>[\w$]+))?|(?P<brace>[{}])"
)
_UNMEANT = frozenset("as await type typeof function static".split())  # Keywords in imports, not names.
_PATTERNS = {
    **dict.fromkeys(SCRIPTS, (_SCRIPT,)),
    **dict.fromkeys((".py", ".pyi"), (_PYTHON,)),
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".hpp", ".rb"), (_HEADER,)),
    ".go": (_GO,),
}


class Import(NamedTuple):
    """One imported name."""

    bound: str  # The local name; empty for none.
    path: tuple[str, ...]  # The imported name, `("django", "db", "models")`.
    is_module: bool  # Whether it is the whole module imported from.
    at: int  # Its offset in the text.


def read_imports(text: str, ending: str) -> Iterator[tuple[tuple[int, int], list[Import]]]:
    """Yield the range of each import statement and its imports, in a file whose name ends in `ending` (".py")."""
    done = 0
    for pattern in _PATTERNS.get(ending, (_TREE,)):
        for match in re.finditer(pattern, text, re.MULTILINE):
            check_time()
            groups, begin = match.groupdict(""), match.start()
            bound, names, at = groups.get("bound", ""), groups.get("names", ""), begin
            module: tuple[str, ...] = tuple(re.findall(r"^\.+|\w+", groups.get("package", "")))
            if "names" in groups:
                at = match.start("names")
            elif groups.get("binds"):
                head = text[max(done, begin - _LONGEST) : begin]
                if before := _BEFORE_MODULE.match(head):
                    bound, names = before["bound"], before["names"]
                    at = begin - len(head) + before.start("names")
                    begin = begin - len(head) + before.start("bound")
            if "module" in groups:
                # `github.com/x/gin/v2` is package `gin`, `gopkg.in/yaml.v3` is `yaml`.
                module = (re.sub(r"(?:/|\.)v\d+$", "", groups["module"]),)
                if ending == ".go":
                    bound = bound or module[0].rpartition("/")[2].removeprefix("go-")
            done = match.end()
            imports = [Import("", module, True, match.start())] if module else []
            for word in re.findall(r"[\w$]+", bound):
                # A default import with a capital is a class of the module: `import Link from "next/link"`.
                path = (*module, word) if ending in SCRIPTS and word[:1].isupper() else module
                imports += [Import(word, path, path == module, begin)] if word not in _UNMEANT else []
            entries = _entries(names, module, at)
            if pattern is _PYTHON and not module:
                entries = (entry._replace(is_module=True) for entry in entries)
            yield (begin, done), [*imports, *entries]


def _entries(names: str, start: tuple[str, ...], offset: int) -> Iterator[Import]:
    """Yield each name in an import list (`a::{b, c as d}`), below the path `start`."""
    prefixes = [start]
    for match in _ENTRY.finditer(names):
        path = (*prefixes[-1], *(part for part in re.split(r"\W+", match["path"] or "") if part not in ("", "self")))
        if match["brace"] == "}":
            prefixes = prefixes[:-1] or [start]
        elif match["brace"] or match["opens"]:
            prefixes.append(path)
        elif path and match["path"] not in _UNMEANT:
            bound = "" if match[0].endswith("*") else match["alias"] or path[-1]
            yield Import(bound, path, False, offset + match.end("path") - 1)
