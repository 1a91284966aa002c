"""`relnotes review`."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import UsageError
from ui.cli.options import IndexOption, JsonOption, say, show_result
from ui.rendering.review import ReviewFormat

if TYPE_CHECKING:
    from retrieval.reviews.diff import Diff
    from retrieval.reviews.model import Review, Unknown


class FailOn(StrEnum):
    """A kind of finding that a review may fail on; the values are those of `Rule`."""

    BREAKING = "breaking"
    REMOVAL = "removal"
    DEPRECATION = "deprecation"
    SECURITY = "security"


def review(
    diff: Annotated[
        str | None,
        typer.Option(
            "--diff",
            metavar="FILE|-|RANGE",
            help="A patch file, - for stdin, or a git range such as main..HEAD "
            "(default: stdin where it is piped, else the work tree against HEAD)",
        ),
    ] = None,
    repository: Annotated[
        Path | None,
        typer.Option(
            "--repository",
            metavar="DIR",
            help="The code that ranks the findings by what it uses "
            "(default: the git work tree we are in, where it holds files of the diff)",
        ),
    ] = None,
    output_format: Annotated[
        ReviewFormat | None,
        typer.Option("--format", help="How to print the review (default: markdown, or plain lines in a terminal)"),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="KIND[,KIND]",
            help="End with status 1 where such a change is found: breaking, removal, deprecation, security; "
            "may be repeated",
        ),
    ] = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Review a diff: the dependencies it bumps and the symbols it touches, with the release notes that matter.

    Read are requirement files, manifests, locks, images and workflows. Findings that the repository uses come first.
    --json is --format json. Nothing of the repository is run.

    Examples:
      relnotes review
      relnotes review --diff main..HEAD --fail-on removal,breaking
      git diff HEAD~1 | relnotes review --diff - --format github
      relnotes review --diff bump.patch --format sarif > relnotes.sarif
    """
    from corpus.index.reader import IndexReader
    from retrieval.code_usage import load_code
    from retrieval.reviews.bumps import find_unreadable
    from retrieval.reviews.diff import Diff, read_diff
    from retrieval.reviews.review import review_diff
    from ui.cli.diff_source import load_diff, load_texts
    from ui.rendering.review import render_review
    from ui.settings import load_settings

    gates = _read_gates(fail_on or ())
    if as_json and output_format not in (None, ReviewFormat.JSON):
        raise UsageError(f"--json and --format {output_format} ask for two formats. Leave one of them out.")
    wanted = ReviewFormat.JSON if as_json else output_format
    if wanted is None and not sys.stdout.isatty():
        wanted = ReviewFormat.MARKDOWN
    if repository is not None and not repository.is_dir():
        raise UsageError(f"Cannot scan {str(repository)!r}: there is no such directory. Give --repository a folder.")
    source = load_diff(diff, repository=repository)
    if not source.text.strip():
        say("relnotes: The diff is empty: there is nothing to review.")
    changes = read_diff(source.text) if source.text.strip() else Diff(())
    folder = _folder_of(changes, repository, source.work_tree)
    code = load_code(folder) if folder else None
    for note in code.notes if code else ():
        say(f"relnotes: {note}")
    texts = load_texts(folder, (file.path for file in changes.files)) if folder else None
    # No question is asked, so no model is needed.
    with IndexReader.open(load_settings(index=index).index) as reader:
        found = review_diff(changes, reader, code=code, texts=texts)
    if wanted is None:
        from ui.rendering.review.terminal import render_review_for_terminal

        show_result(render_review_for_terminal(found))
    elif rendered := render_review(found, wanted):
        typer.echo(rendered)
    missed = tuple(_missed_gates(found, gates, unreadable=find_unreadable(changes)))
    for line in missed:
        say(f"relnotes: {line}", is_error=True)
    if missed:
        raise typer.Exit(1)


def _read_gates(words: Iterable[str]) -> tuple[FailOn, ...]:
    """The kinds that the values of `--fail-on` name, each once; a value may hold several, apart by commas.

    Raises:
        UsageError: a word isn't a kind.
    """
    named = [word.strip().casefold() for value in words for word in value.split(",")]
    wrong = next((word for word in named if word not in set(FailOn)), None)
    if wrong is not None:
        raise UsageError(f"--fail-on {wrong[:40]!r} is no kind of change. Name one of {', '.join(FailOn)}.")
    return tuple(dict.fromkeys(map(FailOn, named)))


def _folder_of(changes: "Diff", repository: Path | None, work_tree: Path | None) -> Path | None:
    """Where the code of the diff is; None where no folder is named and the diff isn't of the work tree we are in."""
    if repository is not None or work_tree is None:
        return repository
    return work_tree if any((work_tree / file.path).is_file() for file in changes.files) else None


def _missed_gates(review: "Review", gates: Sequence[FailOn], *, unreadable: Sequence["Unknown"]) -> Iterator[str]:
    """A line for each gate that the review doesn't pass: how many findings, and the first of them.

    `unreadable` are the dependency files that couldn't be read: any change may be in one, so no gate is passed.
    """
    from ui.rendering.markup import on_one_line
    from ui.rendering.review.findings import list_findings

    if gates and unreadable:
        first = on_one_line(f"{unreadable[0].name}: {unreadable[0].reason}")
        yield f"--fail-on: {len(unreadable)} dependency file{'s' * (len(unreadable) > 1)} can't be read, first {first}"
    findings = list_findings(review)
    for gate in gates:
        found = [finding for finding in findings if finding.rule.value == gate.value]
        if found:
            place = f"{found[0].file}:{found[0].line} ({found[0].title}): {found[0].summary}"
            yield f"--fail-on {gate.value}: {len(found)} found, first {on_one_line(place)}"
