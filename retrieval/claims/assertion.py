"""One thing a claim asserts, read for comparison: its telling words, names, figures, words of status and releases."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from corpus.lexicon import split_tokens
from corpus.plain_words import one_line, readable
from corpus.versions import Version, VersionConstraint
from retrieval.claims.aspects import Aspect, read_aspects
from retrieval.claims.figures import Figure, read_figures
from retrieval.findings import Findings
from retrieval.model import Query
from retrieval.name_words import PLATFORMS
from retrieval.question_words import QuestionWord
from retrieval.verification.reading import Reading, read_text

_HARD_NAME = re.compile(r"[A-Z_]|\w\.\w|::|^--?\w|[A-Za-z]\d|\d[A-Za-z]")
_NOT_TELLING = frozenset(
    split_tokens(
        """only now still also longer default defaults least most minimum since before until starting first last newly
        respectively instead rather replaced user users release version notes according project both several
        various official officially version's become becomes became make makes made take takes get gets got have use
        uses used using let lets turn turns turned planned plan plans later earlier newer older come comes came go goes
        went away left leave leaves wants want wanted behind back won't enabled disabled without unless under
        two three four five six seven eight nine ten eleven twelve percent between
        took good well really simply just merely
        mean means keep keeps kept ones thing things same both any all each every"""
    )
)
_RECORDS = frozenset("pr prs pull request requests issue issues ticket bug cve cves pep gh".split())
_MEASURED = re.compile(r"\d+(?:st|nd|rd|th|[a-z])|[kmgt]i?b|[mnu]?s", re.IGNORECASE)
_TECHNICAL = frozenset(
    split_tokens(
        """backend plugin async sync runtime config metadata namespace timestamp boolean dict dicts enum tuple iterator
        decorator url uri cli gui login username startup lookup fallback wildcard workflow subclass superclass callback
        middleware filename hostname localhost inline validator serializer parser tokenizer encoder decoder codec
        compiler linter formatter debugger profiler benchmark refactor upsert workaround changelog dataset checkpoint
        collation params args kwargs subcommand stacktrace traceback multithreaded multithreading asynchronous natively
        deprecations builtin builtins subprocess submodule symlink plugins wheels"""
    )
)
_QUOTED = re.compile(r"[\"'`“‘]([\w.+-]+)[\"'`”’](?!\w)")
"""A value as it would be written in code."""
_RECORD_WEIGHT = 6.0
_NAME_WEIGHT = 4.0
_WORD_WEIGHT = 6.0
_EVERYDAY_SHARE = 0.33
_CLASSES = {
    word: group
    for group, words in {
        "system": "linux windows macos osx darwin android ios freebsd ubuntu debian fedora rhel alpine wasm",
        "device": "cpu cpus gpu gpus tpu tpus npu npus xpu xpus mps cuda rocm metal vulkan",
        "maker": "arm arm64 aarch64 x86 x86_64 amd64 amd intel nvidia apple riscv risc-v",
        "database": "mysql mariadb postgresql postgres oracle sqlite redis valkey memcached mongodb mssql",
        "browser": "chrome firefox safari edge opera",
        "language": "python pypy cpython node nodejs deno bun ruby rust java javascript typescript php perl golang",
        "compiler": "gcc clang llvm msvc rustc",
    }.items()
    for word in words.split()
}
"""Names that can be mistaken for one another: "on Windows" for "on Linux", not for "on Intel"."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """A part of a claim that can be true or false by itself."""

    text: str
    """Without markup, on one line."""
    query: Query
    words: tuple[QuestionWord, ...]
    """What it is about: without names of code, figures and words of status."""
    names: tuple[QuestionWord, ...]
    """Names that evidence can't do without: of code, platforms, people, records."""
    figures: tuple[Figure, ...]
    """Numbers but for the releases that it places itself in."""
    aspects: Mapping[Aspect, frozenset[str]]
    reading: Reading

    @property
    def releases(self) -> VersionConstraint | None:
        """The releases of its product that it places itself in."""
        return self.query.versions_set_aside or self.query.constraint


def read_assertion(text: str, findings: Findings) -> Assertion:
    """Read a part of a claim against what its search understood of it."""
    plain = one_line(text)
    query = findings.query
    own = _release_labels(query.versions_set_aside or query.constraint)
    records = {number for one in query.references for number in re.findall(r"\d+", one)}
    names: list[QuestionWord] = []
    words: list[QuestionWord] = []
    names += _records(query)
    quoted = frozenset(match[1] for match in _QUOTED.finditer(text))
    for word in findings.focus.words:
        if not any(map(str.isalpha, word.text)):
            continue
        if word.text.casefold() in _RECORDS or _MEASURED.fullmatch(word.text):
            continue
        is_name = word.text in quoted or (word.is_name and is_hard_name(word.text)) or _is_soft_name(word)
        if is_name:
            names.append(replace(word, weight=max(word.weight, _NAME_WEIGHT)))
        elif not word.is_generic and word.tokens[0] not in _NOT_TELLING and not read_aspects(word.text):
            # Ordinary words can be said in other words; that none of the notes has one says little.
            words.append(replace(word, weight=min(word.weight, _WORD_WEIGHT) * _EVERYDAY_SHARE))
    return Assertion(
        text=plain,
        query=query,
        words=tuple(words),
        names=tuple(names),
        figures=tuple(one for one in read_figures(readable(text)) if one.text not in own and one.text not in records),
        aspects=_aspects(plain, query),
        reading=read_text(plain),
    )


def _aspects(plain: str, query: Query) -> Mapping[Aspect, frozenset[str]]:
    """The words of status; since a release means that it brought the thing, where nothing else is said of it."""
    told = read_aspects(plain)
    named = query.versions_set_aside or query.constraint
    is_since = named is not None and named.low is not None and named.high is None and named.includes_low
    return {**told, Aspect.LIFE: frozenset(("added",))} if is_since and Aspect.LIFE not in told else told


def _records(query: Query) -> list[QuestionWord]:
    """The references of a query as names: `#123` is held by whatever holds its number."""
    return [
        QuestionWord(one, tuple(split_tokens(one.lstrip("#"))), _RECORD_WEIGHT, True, False, frozenset())
        for one in query.references
    ]


def _is_soft_name(word: QuestionWord) -> bool:
    """Whether a word without capitals and marks is a name still: "zoneinfo", not "async"."""
    is_known = word.is_generic or word.tokens[0] in _NOT_TELLING or word.tokens[0] in _TECHNICAL
    return word.is_name and word.text.replace("-", "").isalpha() and not is_known


def is_hard_name(text: str) -> bool:
    """Whether a word is a name that no other word can stand for."""
    return bool(_HARD_NAME.search(text)) or text.casefold() in PLATFORMS or text.casefold() in _CLASSES


def name_class(text: str) -> str:
    """What a name is a name of, as far as its looks tell: only names of one class can be mistaken for one another."""
    folded = text.casefold()
    if folded in _CLASSES:
        return _CLASSES[folded]
    if folded in PLATFORMS:
        return "platform"
    if text.startswith("#") or re.match(r"(?:CVE|PEP|RFC)[- ]\d", text):
        return text[:3] if text[0] != "#" else "#"
    if text.startswith("-"):
        return "flag"
    if re.search(r"_|\w\.\w|::|\(\)|[A-Za-z]\d", text):
        return "code"
    if re.search(r"[a-z][A-Z]", text):
        return "camel"
    if text.isupper():
        return "acronym"
    return "name" if text[:1].isupper() else "word"


def _release_labels(constraint: VersionConstraint | None) -> frozenset[str]:
    if constraint is None:
        return frozenset()
    versions = (*constraint.versions, constraint.low, constraint.high)
    return frozenset(label for one in versions if one is not None for label in _labels(one))


def _labels(version: Version) -> tuple[str, ...]:
    return version.label, version.label.lstrip("vV")
