"""The flags, environment variables, keys and dotted names in shell scripts, Dockerfiles and configuration.

Read line by line: sections, keys by their indent, and the words of a command, which tell whose option a flag is.
Comments are passed over. Nothing is expanded or evaluated.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from corpus.deadline import waited_for
from retrieval.code_usage.matching import UPPER_NAME, plain
from retrieval.code_usage.model import FileNames, Mention, MentionKind, Origin

PLAIN_ENDINGS = frozenset(
    ".sh .bash .zsh .fish .ps1 .bat .cmd .yaml .yml .toml .ini .cfg .conf .env .properties .json .json5 .mk .just"
    " .service .dockerfile .containerfile .tf .hcl .gradle .cmake .npmrc .yarnrc .pypirc".split()
)
_PLAIN_NAMES = tuple(
    "dockerfile. containerfile. makefile. gnumakefile. justfile. procfile. vagrantfile. jenkinsfile. .env.".split()
)
_COMMENT = re.compile(r"(?:^|(?<=\s))(?:#|//|;;).*")
_KEY = re.compile(r"(?P<indent>\s*(?:-\s+)?)[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?\s*(?::(?=\s|$)|=)")
_DOTTED = re.compile(r"(?<![\w/.@-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?![\w/-])")
_WORD = re.compile(r"[A-Za-z][\w.-]*[A-Za-z0-9]")
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z](?:[\w-]|\.(?=\w))*[A-Za-z0-9](?![\w-])")
_ENVIRONMENT = re.compile(rf"(?<![\w.-]){UPPER_NAME.pattern}(?![\w-])")
_MAX_STRING = 400
_MOST_WORDS = 5_000
_LONGEST_CONTEXT = 12


def is_plain(path: PurePosixPath, text: str) -> bool:
    """Return whether a file is a script of a shell or a configuration, by its name or its first line."""
    ending, name = path.suffix.lower(), f"{path.name.casefold()}."
    return ending in PLAIN_ENDINGS or name.startswith(_PLAIN_NAMES) or (not ending and text.startswith("#!"))


def read_plain(text: str) -> FileNames:
    """Return the names of one file that isn't code of a programming language; nothing in it is an error."""
    places: dict[tuple[Mention, int], None] = {}
    subjects: set[str] = set()
    section: tuple[str, ...] = ()
    keys: list[tuple[int, str]] = []
    command: tuple[str, ...] = ()
    for number, written in enumerate(waited_for(text.split("\n")), start=1):
        line = _COMMENT.sub("", written)
        key = _KEY.match(line)
        bare = line.strip()
        header = bare.strip("[]")
        if bare[:1] == "[" and bare[-1:] == "]" and header and not any(sign in header for sign in "[]\"'"):
            section, keys = _split(header), []
            subjects.update(map(plain, section))
        elif key:
            keys = [each for each in keys if each[0] < len(key["indent"])] + [(len(key["indent"]), key["key"])]
        path = (*section, *(part for _, name in keys for part in _split(name)))
        places.update(((mention, number), None) for mention in _mentions(line, path, command, has_key=bool(key)))
        words = tuple(plain(word) for word in _WORD.findall(line))
        if len(subjects) < _MOST_WORDS:
            subjects.update(words)
        command = (*command, *words)[:_LONGEST_CONTEXT] if line.rstrip().endswith("\\") else ()
    return FileNames(tuple(places), subjects=frozenset(subjects))


def _mentions(line: str, path: tuple[str, ...], command: tuple[str, ...], *, has_key: bool) -> Iterator[Mention]:
    if has_key and path:
        yield Mention(path, MentionKind.KEY)
    # Words before a flag name its command; in a configuration the keys above do.
    for flag in _FLAG.findall(line):
        words = (*command, *_WORD.findall(line.partition(flag)[0]))
        origin = Origin.UNKNOWN if words else Origin.DERIVED
        yield Mention((*(*path, *words)[-_LONGEST_CONTEXT:], flag), MentionKind.FLAG, origin)
    for name in _ENVIRONMENT.findall(line):
        yield Mention((name,), MentionKind.SETTING)
    for dotted in _DOTTED.findall(line):
        yield Mention(parts := tuple(dotted.split(".")), MentionKind.STRING, Origin.IMPORTED, len(parts))


def _split(name: str) -> tuple[str, ...]:
    return tuple(part for part in re.split(r"[.:\s]+", name) if part)


def string_mentions(text: str) -> Iterator[Mention]:
    """Return what a string constant of code names; nothing for prose and for long strings."""
    if not 2 < len(text) <= _MAX_STRING:
        return
    if "--" in text or text[0] == "-":
        yield from (Mention((flag,), MentionKind.FLAG) for flag in _FLAG.findall(text))
    elif UPPER_NAME.fullmatch(text):
        yield Mention((text,), MentionKind.SETTING)
    elif text[0].isalpha() and text.replace("-", "_").isidentifier():
        yield Mention((text,), MentionKind.KEY)
    elif len(parts := text.replace(":", ".").split(".")) > 1 and all(map(str.isidentifier, parts)):
        yield Mention(tuple(parts), MentionKind.STRING, Origin.IMPORTED)
