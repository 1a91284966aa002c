"""`relnotes upgrade` and `relnotes review`."""

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import UsageError
from ui.cli.options import IndexOption, JsonOption, echo, show_result
from ui.settings import load_settings

if TYPE_CHECKING:
    from retrieval.reviews.model import Review, Unknown

_GATES = ("breaking", "removal", "deprecation", "security")
"""The kinds of finding that `--fail-on` takes; values of `findings.Rule`."""


class ReviewFormat(StrEnum):
    """A format that `relnotes review` writes."""

    MARKDOWN = "markdown"
    JSON = "json"


def upgrade(
    product: Annotated[str, typer.Argument(metavar="PRODUCT", help="The product, by its name, an alias or a nickname")],
    start: Annotated[str, typer.Argument(metavar="FROM", help="The version in use; its own changes aren't listed")],
    end: Annotated[str, typer.Argument(metavar="TO", help="The version to move to, or `latest`")],
    every: Annotated[bool, typer.Option("--all", help="List fixes, additions and housekeeping, too")] = False,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what breaks, is removed, deprecated, needs action or behaves otherwise after FROM, up to and with TO.

    Grouped by release, most severe first, each change once with its source. Releases without notes in the index are
    named, because they may break more than is listed.

    Examples:
      relnotes upgrade django 4.2 5.1
      relnotes upgrade numpy 1.26 latest
      relnotes upgrade pytest 7.4 8.0 --json
    """
    from corpus.index.tables import TableReader
    from retrieval.upgrades.upgrade_list import list_upgrade

    with TableReader.open(load_settings(index=index).index) as reader:
        listed = list_upgrade(reader, product, start, end, every=every)
    if as_json:
        from ui.contract.upgrade import UpgradeBody

        typer.echo(UpgradeBody.model_validate(listed).to_json())
        return
    from ui.rendering.upgrade import render_upgrade

    show_result(render_upgrade(listed))


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

    Reads requirement files, manifests, locks, images and workflows. Findings that the repository uses come first.
    --json is --format json. No code of the repository is run.

    Examples:
      relnotes review
      relnotes review --diff main..HEAD --fail-on removal,breaking
      git diff HEAD~1 | relnotes review --diff - --format markdown
      relnotes review --diff bump.patch --format json > review.json
    """
    from corpus.index.reader import IndexReader
    from retrieval.reviews.diff import Diff, read_diff
    from retrieval.reviews.review import review_diff
    from retrieval.reviews.unread import find_hidden
    from retrieval.upgrades.code_usage import load_code
    from ui.cli.diff_source import is_file, load_diff

    gates = _read_gates(fail_on)
    if as_json and output_format not in (None, ReviewFormat.JSON):
        raise UsageError(f"--json and --format {output_format} ask for two formats. Leave one of them out.")
    if repository is not None and not repository.is_dir():
        raise UsageError(f"Cannot scan {str(repository)!r}: there is no such directory. Give --repository a folder.")
    source = load_diff(diff, repository=repository)
    changes, code = Diff(()), None
    if source.text.strip():
        changes = read_diff(source.text)
    else:
        echo("relnotes: The diff is empty: there is nothing to review.")
    folder = repository
    if folder is None and source.work_tree and any(is_file(source.work_tree / file.path) for file in changes.files):
        folder = source.work_tree
    if folder:
        code = load_code(folder)
        for note in code.notes:
            echo(f"relnotes: {note}")
    # A review embeds nothing, so no model is loaded.
    with IndexReader.open(load_settings(index=index).index) as reader:
        reviewed = review_diff(changes, reader, code=code)
    if as_json or output_format is ReviewFormat.JSON:
        from ui.contract.upgrade import ReviewBody

        typer.echo(ReviewBody.model_validate(reviewed).to_json())
    else:
        from ui.rendering.review.markdown import render_markdown

        typer.echo(render_markdown(reviewed).rstrip("\n"))
    failures = tuple(_failed_gates(reviewed, dict.fromkeys(gates), unreadable=find_hidden(changes)))
    for line in failures:
        echo(f"relnotes: {line}", is_error=True)
    if failures:
        raise typer.Exit(1)


def _read_gates(values: Sequence[str] | None) -> list[str]:
    gates = [word.strip().casefold() for value in values or () for word in value.split(",")]
    if unknown := [word for word in gates if word not in _GATES]:
        raise UsageError(f"--fail-on {unknown[0][:40]!r} is no kind of change. Name one of {', '.join(_GATES)}.")
    return gates


def _failed_gates(review: "Review", gates: Collection[str], *, unreadable: Sequence["Unknown"]) -> Iterator[str]:
    """Yield a line for each gate that the review fails: the number of findings, and the first one.

    If there are `unreadable` dependency files, yield a line for them too, since any change may be in one.
    """
    from ui.rendering.markup import on_one_line
    from ui.rendering.review.findings import list_findings
    from ui.rendering.words import counted

    if gates and unreadable:
        first = on_one_line(f"{unreadable[0].name}: {unreadable[0].reason}")
        yield f"--fail-on: {counted(len(unreadable), 'dependency file')} can't be read, first {first}"
    findings = list(list_findings(review))
    for gate in gates:
        if matching := [line for rule, line in findings if rule.value == gate]:
            yield f"--fail-on {gate}: {len(matching)} found, first {matching[0]}"
