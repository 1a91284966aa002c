"""`relnotes upgrade` and `relnotes review`."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import UsageError
from ui.cli.options import IndexOption, JsonOption, echo, show_result
from ui.rendering.review import ReviewFormat

if TYPE_CHECKING:
    from retrieval.reviews.diff import Diff
    from retrieval.reviews.model import Review, Unknown

_GATES = ("breaking", "removal", "deprecation", "security")
"""The kinds of finding that a review may fail on; the values are those of `findings.Rule`."""


def upgrade(
    product: Annotated[str, typer.Argument(metavar="PRODUCT", help="The product, by its name, an alias or a nickname")],
    start: Annotated[str, typer.Argument(metavar="FROM", help="The version in use; its own changes aren't listed")],
    end: Annotated[str, typer.Argument(metavar="TO", help="The version to move to, or `latest`")],
    symbols_from: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Keep what the code in this file or directory uses, and say where it does"),
    ] = None,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what breaks, is removed, deprecated or needs action after FROM, up to and with TO.

    Grouped by release, most severe first, each change once with its source. Releases without notes in the index are
    named: there, nothing listed doesn't mean that nothing breaks.

    Examples:
      relnotes upgrade django 4.2 5.1
      relnotes upgrade numpy 1.26 latest --symbols-from src
      relnotes upgrade pytest 7.4 8.0 --json
    """
    from corpus.index.tables import TableReader
    from retrieval.code_usage.code import load_code
    from retrieval.upgrades.upgrade_list import list_upgrade
    from ui.settings import load_settings

    with TableReader.open(load_settings(index=index).index) as reader:
        code = load_code(symbols_from) if symbols_from is not None else None
        found = list_upgrade(reader, product, start, end, code=code)
    if as_json:
        from ui.contract.upgrade import UpgradeBody

        typer.echo(UpgradeBody.model_validate(found).to_json())
        return
    from ui.rendering.upgrade import render_upgrade

    show_result(render_upgrade(found))


def review(
    diff: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|-|RANGE",
            help="A patch file, - for stdin, or a git range such as main..HEAD "
            "(default: stdin where it is piped, else the work tree against HEAD)",
        ),
    ] = None,
    repository: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The code that ranks the findings by what it uses "
            "(default: the git work tree we are in, where it holds files of the diff)",
        ),
    ] = None,
    output_format: Annotated[
        ReviewFormat | None, typer.Option("--format", help="How to print the review (default: markdown)")
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
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
      git diff HEAD~1 | relnotes review --diff - --format markdown
      relnotes review --diff bump.patch --format sarif > relnotes.sarif
    """
    from retrieval.reviews.diff import Diff, read_diff
    from retrieval.reviews.unread import find_hidden
    from ui.cli.diff_source import load_diff
    from ui.rendering.review import render_review

    gates = [word.strip().casefold() for value in fail_on or () for word in value.split(",")]
    if wrong := [word for word in gates if word not in _GATES]:
        raise UsageError(f"--fail-on {wrong[0][:40]!r} is no kind of change. Name one of {', '.join(_GATES)}.")
    if as_json and output_format not in (None, ReviewFormat.JSON):
        raise UsageError(f"--json and --format {output_format} ask for two formats. Leave one of them out.")
    if repository is not None and not repository.is_dir():
        raise UsageError(f"Cannot scan {str(repository)!r}: there is no such directory. Give --repository a folder.")
    source = load_diff(diff, repository=repository)
    if not source.text.strip():
        echo("relnotes: The diff is empty: there is nothing to review.")
    changes = read_diff(source.text) if source.text.strip() else Diff(())
    found = _review_changes(changes, repository=repository, work_tree=source.work_tree, index=index)
    typer.echo(render_review(found, ReviewFormat.JSON if as_json else output_format or ReviewFormat.MARKDOWN))
    missed = tuple(_missed_gates(found, dict.fromkeys(gates), unreadable=find_hidden(changes)))
    for line in missed:
        echo(f"relnotes: {line}", is_error=True)
    if missed:
        raise typer.Exit(1)


def _review_changes(
    changes: "Diff", *, repository: Path | None, work_tree: Path | None, index: Path | None
) -> "Review":
    """Return the review of a diff, ranked by the code of `repository`, or of the work tree where the diff is of it."""
    from corpus.index.reader import IndexReader
    from retrieval.code_usage.code import load_code
    from retrieval.reviews.review import review_diff
    from ui.cli.diff_source import is_file, load_texts
    from ui.settings import load_settings

    folder = repository
    if folder is None and work_tree is not None and any(is_file(work_tree / file.path) for file in changes.files):
        folder = work_tree
    code = load_code(folder) if folder else None
    for note in code.notes if code else ():
        echo(f"relnotes: {note}")
    texts = load_texts(folder, (file.path for file in changes.files)) if folder else None
    # No question is asked, so no model is needed.
    with IndexReader.open(load_settings(index=index).index) as reader:
        return review_diff(changes, reader, code=code, texts=texts)


def _missed_gates(review: "Review", gates: Collection[str], *, unreadable: Sequence["Unknown"]) -> Iterator[str]:
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
        found = [finding for finding in findings if finding.rule.value == gate]
        if found:
            place = f"{found[0].file}:{found[0].line} ({found[0].title}): {found[0].summary}"
            yield f"--fail-on {gate}: {len(found)} found, first {on_one_line(place)}"
