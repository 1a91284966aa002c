"""What of a dependency file isn't read, as far as that is known: malformed lines, and the files of other ecosystems."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corpus.dependencies.bounds import read_requirement
from corpus.dependencies.model import Line
from corpus.dependencies.parts import JSON_MARK
from corpus.dependencies.python import OPTION, bare_line
from corpus.toml_text import load_toml

MAX_LINE_CHARACTERS = 10_000
"""Longer lines are passed over: nobody writes them, and nobody reviews them."""

_CONFLICT = re.compile(r"(?:<{7}|>{7}|\|{7})(?: |\Z)")
# Atomic: a long number before what isn't JSON would else be split in all ways before the line is refused.
_JSON_REST = re.compile(r"\s*+(?>(?:(?:true|false|null|[-+0-9.eE]++)\s*+)*)")
_TOML_LINE = re.compile(r"\s*(?:\Z|[#\[\]{}\"',]|[A-Za-z0-9_.\-]+\s*=)")
_UNREAD_TOOLS = (
    (r"build\.sbt", "sbt"),
    (r"(?:deps|project)\.(?:edn|clj)", "Clojure"),
    (r"chart\.(?:ya?ml|lock)", "Helm"),
    (r"global\.json", "NuGet"),
    (r"rebar\.(?:config|lock)", "Hex"),
    (r"rust-toolchain", "rustup"),
    (r"pubspec\.(?:yaml|lock)", "pub"),
    (r"package\.(?:swift|resolved)", "Swift packages"),
    (r"podfile(?:\.lock)?|[^/]+\.podspec|cartfile(?:\.resolved)?", "CocoaPods or Carthage"),
    (r"\.terraform\.lock\.hcl|\.terraform-version|[^/]+\.tf", "Terraform"),
    (r"deno\.(?:jsonc?|lock)|bun\.lockb", "Deno or Bun"),
    (r"conanfile\.(?:txt|py)|vcpkg\.json", "Conan or vcpkg"),
    (r"module\.bazel", "Bazel"),
    (r"(?:julia)?(?:manifest|project)\.toml", "Julia"),
    (r"\.?mise(?:\.[^/]+)?\.toml", "mise"),
    (r"flake\.lock", "Nix"),
    (r"stack\.ya?ml|[^/]+\.cabal|cabal\.project", "Cabal or Stack"),
    (r"cpanfile", "CPAN"),
    (r"\.ruby-version|\.go-version|\.java-version|\.php-version", "a version manager"),
)
_UNREAD = tuple((re.compile(rf"(?:.*/)?(?:{pattern})"), tool) for pattern, tool in _UNREAD_TOOLS)
_VERSION = re.compile(r"[0-9]")
_TERRAFORM_VERSION = re.compile(r"\bversion\b.*[0-9]|\brequired_version\b|[?&]ref=", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LineGrammar:
    """How a line of a kind of file has to look."""

    name: str
    """Completes "isn't …"."""
    is_line: Callable[[str], bool] | None
    """None where a line may look like anything, as in the long texts of pyproject.toml."""
    parse: Callable[[str], object] | None = None
    """Reads a whole file, and raises ValueError where it is malformed."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first line that can't be read, and why."""

    line: int
    reason: str


def first_fault(lines: Sequence[Line], grammar: LineGrammar | None, *, is_whole: bool) -> Fault | None:
    """What is wrong with these lines of one file: a NUL byte, a mark of a merge conflict, a line of endless length, or
    one that the grammar doesn't know; where the file `is_whole`, whatever its parser finds too."""
    for line in lines:
        if len(line.text) > MAX_LINE_CHARACTERS:
            return Fault(line.number, f"longer than {MAX_LINE_CHARACTERS:,} characters")
        if "\0" in line.text:
            return Fault(line.number, "a NUL byte, so it isn't read as text")
        if _CONFLICT.match(line.text):
            return Fault(line.number, "a merge conflict that isn't resolved")
        if grammar and grammar.is_line and not grammar.is_line(line.text):
            return Fault(line.number, f"{line.text.strip()[:60]!r} isn't {grammar.name}")
    if is_whole and lines and grammar and grammar.parse:
        try:
            grammar.parse("\n".join(line.text for line in lines))
        except ValueError as error:
            named = re.search(r"\bline (\d+)", str(error))
            return Fault(int(named[1]) if named else lines[-1].number, f"isn't {grammar.name}: {error}")
        except RecursionError:
            return Fault(1, f"isn't {grammar.name}: nested too deep")
    return None


def unread_tool(path: str, changed: Sequence[Line], *, is_binary: bool) -> str | None:
    """Whose dependency file this is, where none of it is read and a changed line may state a version, or none is shown;
    else None."""
    normal = path.replace("\\", "/").lower()
    tool = next((tool for pattern, tool in _UNREAD if pattern.fullmatch(normal)), None)
    # Most of a Terraform file isn't about versions.
    stated = _TERRAFORM_VERSION if normal.endswith(".tf") else _VERSION
    return tool if tool and (is_binary or any(stated.search(line.text) for line in changed)) else None


def _is_json(text: str) -> bool:
    unclosed = any(mark[0] == '"' and (len(mark) == 1 or mark[-1] != '"') for mark in JSON_MARK.findall(text))
    return not unclosed and bool(_JSON_REST.fullmatch(JSON_MARK.sub(" ", text)))


def _is_requirement(text: str) -> bool:
    bare = OPTION.sub("", bare_line(text))
    # Paths, and what the environment or a template fills in, are for pip to judge.
    return not bare or bare.startswith("-") or any(sign in bare for sign in "/${") or read_requirement(bare) is not None


JSON = LineGrammar("JSON", _is_json, json.loads)
TOML = LineGrammar("TOML", lambda text: bool(_TOML_LINE.match(text)), load_toml)
TOML_WITH_PROSE = LineGrammar("TOML", None, load_toml)
REQUIREMENTS = LineGrammar("a requirement", _is_requirement)
