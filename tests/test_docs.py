"""The documentation says what is so: links, commands, options, settings and examples are checked against the code."""

import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
import typer
from pydantic import TypeAdapter

from corpus.formats import FORMATS, Format
from ingest.formats import parse_blocks
from ingest.sources.connectors.changelog_files import is_notes_path
from ingest.sources.files import is_document_name
from retrieval.model import Form
from ui.cli.app import app
from ui.contract.answer import AnswerBody, Body, ClaimCheckBody, SearchBody
from ui.contract.index import DocumentBody, StatusBody
from ui.contract.ingest import IngestBody
from ui.contract.upgrade import ReviewBody
from ui.http.problems import ProblemBody
from ui.settings import FetchingSettings, Settings

REPOSITORY = Path(__file__).parents[1]
DOCUMENTS = REPOSITORY / "corpus" / "documents"
PAGES = sorted(
    page.relative_to(REPOSITORY).as_posix()
    for page in (
        *(REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
        *(REPOSITORY / "docs").rglob("*.md"),
    )
)
MEASURED = sorted(page.relative_to(REPOSITORY).as_posix() for page in (REPOSITORY / "evals").rglob("*.md"))

# Written as patterns, so that this file doesn't hold what it forbids.
REGISTRY_HOST = re.compile(r"\b(?:pypi|npmjs|crates|rubygems|anaconda)\.(?:org|com|io)\b|\bpythonhosted\.")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|tmp|home|Users)/")

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)|\bsrc(?:set)?=\"([^\"]+)\"")

SOURCE_FILE = re.compile(r"`((?:corpus|ingest|retrieval|evals|ui|tests)/[\w/]+\.\w+)`")

EXAMPLES: tuple[tuple[str, type[Body]], ...] = (
    ("confidence", AnswerBody),
    ("claims", ClaimCheckBody),
    ("query", SearchBody),
    ("bumps", ReviewBody),
    ("generation", StatusBody),
    ("media_type", DocumentBody),
    ("seconds", IngestBody),
    ("detail", ProblemBody),
)


@cache
def read(page: str) -> str:
    return (REPOSITORY / page).read_text(encoding="utf-8")


def fenced(page: str, language: str) -> list[str]:
    return [body for name, body in FENCED.findall(read(page)) if name == language]


def code(page: str) -> Iterator[str]:
    """Every line of a shell block and every code span."""
    for language, body in FENCED.findall(read(page)):
        if language in ("sh", "console"):
            yield from (line.removeprefix("$ ") for line in body.replace("\\\n", " ").splitlines())
    yield from re.findall(r"`([^`\n]+)`", FENCED.sub("", read(page)))


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"(?m)^#{1,6} +(.+)$", FENCED.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def shown(pages: list[str], pattern: str) -> list[tuple[str, str]]:
    """What follows a match at the start of a line of code, up to a comment, with its page."""
    lines = ((page, line) for page in pages for line in code(page))
    return [(page, match[1].strip()) for page, line in lines if (match := re.match(pattern + r"([^#|]*)", line))]


@cache
def commands() -> dict[str, Any]:
    """Every command by its words."""
    root: Any = typer.main.get_command(app)
    nested = {name: getattr(command, "commands", {}) for name, command in root.commands.items()}
    inner = {f"{name} {word}": command for name, words in nested.items() for word, command in words.items()}
    return {"": root, **root.commands, **inner}


@pytest.mark.parametrize("page", PAGES + MEASURED)
def test_every_relative_link_resolves(page: str) -> None:
    home = (REPOSITORY / page).parent
    broken = []
    for target in (first or second for first, second in LINK.findall(FENCED.sub("", read(page)))):
        path, _, anchor = target.partition("#")
        if "://" in path:
            continue
        file = home / path if path else REPOSITORY / page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("page", PAGES)
def test_no_registry_host_and_no_machine_path(page: str) -> None:
    assert REGISTRY_HOST.findall(read(page)) + MACHINE_PATH.findall(read(page)) == []


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_the_files_that_a_change_is_sent_to_are_there(page: str) -> None:
    named = SOURCE_FILE.findall(read(page))
    assert named
    assert [path for path in named if not (REPOSITORY / path).is_file()] == []


def test_the_contract_lists_every_intent() -> None:
    printed = re.search(r"`intent` is [^.]*\.", read("docs/contract.md"))
    assert printed is not None
    assert set(re.findall(r"`(\w+)`", printed[0])) == {"intent", *(form.intent for form in Form)}


def test_operations_lists_every_variable_that_is_read_and_no_other() -> None:
    settings = (setting for kind in (FetchingSettings, Settings) for setting in fields(kind))
    used = {setting.metadata.get("variable") or f"RELNOTES_{setting.name.upper()}" for setting in settings}
    packages = (REPOSITORY / package for package in ("corpus", "ingest", "retrieval", "ui"))
    source = "".join(path.read_text("utf-8") for package in packages for path in package.rglob("*.py"))
    used |= set(re.findall(r'(?:environ(?:ment)?(?:\.get\(|\[)"|"(?=RELNOTES_))([A-Z_]+)"', source))
    listed = " ".join(re.findall(r"(?m)^- ((?:`[A-Z_]+`,\s+)*`[A-Z_]+`):", read("docs/operations.md")))
    # Proxies are looked up by a scheme's name, and certificates by the library of TLS.
    by_others = {"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE"}
    assert set(re.findall(r"\w+", listed)) - by_others == used
    named = "".join(map(read, set(PAGES) - {"CHANGELOG.md"}))
    assert set(re.findall(r"\bRELNOTES_[A-Z_]*[A-Z]\b", named)) <= used


def test_the_contract_lists_every_command() -> None:
    listed = set(re.findall(r"(?m)^\| `relnotes (\w+)", read("docs/contract.md")))
    assert listed == {name for name in commands() if name and " " not in name}


def test_each_figure_of_the_readme_rests_on_a_row_of_evidence() -> None:
    table = re.search(r"(?m)^\| measured \|.*\n\| -.*\n((?:\|.*\n)+)", read("README.md"))
    assert table is not None
    evidence = {row.removeprefix("| ").split(" |")[0]: row for row in read("docs/lab/evidence.md").splitlines()}
    for row in table[1].splitlines():
        name = re.split(r"; | \(|: | \|", row.removeprefix("| "))[0]
        missing = set(re.findall(r"\d+(?:\.\d+)?", row)) - set(re.findall(r"\d+(?:\.\d+)?", evidence[name]))
        assert missing == set(), name


def test_every_make_target_that_is_named_exists_and_contributing_lists_all() -> None:
    targets = set(re.findall(r"(?m)^([a-z][a-z-]*):", read("Makefile")))
    named = {
        word
        for _, words in shown(PAGES, r"(?:[A-Z]+=\S+ )*make\b")
        for word in re.findall(r"[A-Z]+='[^']*'|[^\s,]+", words)
        if "=" not in word
    }
    assert named >= {"run", "test"}
    assert named <= targets <= set(re.findall(r"`make ([a-z-]+)`", read("CONTRIBUTING.md")))


def test_every_command_and_option_that_is_shown_exists() -> None:
    unknown = []
    found = shown(PAGES, r"relnotes(?= |$)")
    assert len(found) > len(commands())
    for page, words in found:
        first, _, rest = words.partition(" ")
        name = first if not first.startswith("-") else ""
        if f"{name} {rest.partition(' ')[0]}" in commands():
            name = f"{name} {rest.partition(' ')[0]}"
        if name not in commands():
            unknown.append(f"{page}: relnotes {words}")
            continue
        options = {option for parameter in commands()[name].params for option in parameter.opts} | {"--help"}
        unquoted = re.sub(r"\"[^\"]*\"", "", words)
        unknown += [
            f"{page}: {option} of {name}"
            for option in re.findall(r"(?<!\S)-{1,2}[a-z][a-z-]*", unquoted)
            if option not in options
        ]
    assert unknown == []


@pytest.mark.parametrize(("key", "body"), EXAMPLES, ids=[body.__name__ for _, body in EXAMPLES])
def test_examples_of_the_contract_have_its_form(key: str, body: type[Body]) -> None:
    examples = [text for text in fenced("docs/contract.md", "json") if f'"{key}"' in text]
    assert examples
    for text in examples:
        adapter: TypeAdapter[Any] = TypeAdapter(body)
        parsed = adapter.validate_json(text)
        printed = adapter.dump_python(parsed, mode="json")
        assert set(adapter.dump_python(parsed, mode="json", exclude_unset=True)) ^ set(printed) <= {"errors"}
        assert set(re.findall(r'(?m)^ {0,2}"(\w+)":', text)) <= set(printed)


def test_quotes_in_the_examples_are_slices_of_the_bundled_documents() -> None:
    answers = [AnswerBody.model_validate_json(t) for t in fenced("docs/contract.md", "json") if '"confidence"' in t]
    quoted = [(c.source, c.start, c.end, c.quote) for answer in answers for c in answer.citations]
    quoted += [(p.source, p.start, p.end, p.text) for answer in answers for p in answer.passages]
    assert quoted
    for source, start, end, words in quoted:
        assert (DOCUMENTS / source).read_bytes().decode()[start:end] == words


def test_every_decision_is_in_the_index() -> None:
    pages = {page.name for page in (REPOSITORY / "docs" / "decisions").glob("[0-9]*.md")}
    assert pages == set(re.findall(r"\]\((\d[^)]*\.md)\)", read("docs/decisions/README.md")))


@pytest.fixture(scope="module")
def outline() -> dict[str, Any]:
    """The example parser, as a reader would paste it."""
    module: dict[str, Any] = {}
    exec(fenced("docs/adding-a-format.md", "python")[0], module)
    return module


def test_a_row_and_a_parser_are_all_that_a_format_needs(
    outline: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = eval(fenced("docs/adding-a-format.md", "python")[1], {"Format": Format})
    monkeypatch.setitem(FORMATS, row.media_type, row)
    monkeypatch.setitem(sys.modules, "ingest.formats.outline", cast("ModuleType", SimpleNamespace(**outline)))
    parsed = parse_blocks("ideas.outline", b"* Widget 2.0\n- One\n")
    assert (parsed.media_type, [str(b.kind) for b in parsed.blocks]) == ("text/x-outline", ["heading", "list_item"])
    assert is_document_name("ideas.outline")
    assert is_notes_path("docs/releases/2.0.outline")
