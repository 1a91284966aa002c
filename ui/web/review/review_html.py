"""What was pasted as HTML: a diff's lines or a text's claims, each beside what the release notes say of it."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, takewhile

from markupsafe import Markup

from corpus.dependencies.model import Line
from retrieval.claims.model import CheckedClaim, ClaimCheck
from retrieval.reviews.diff import Diff
from retrieval.reviews.model import Review, Unknown
from ui.rendering.claim import NO_CLAIM, render_claims_markdown
from ui.rendering.review.findings import groups_of, is_downgrade, notes_of
from ui.rendering.review.markdown import render_markdown
from ui.rendering.words import VERDICT_WORDS, counted
from ui.web.html import markdown_address, render
from ui.web.source import Around

_LEFT_OF_LINE = re.compile(r"[^\w\n]*$", re.MULTILINE)
_LEAST_SHARED = 3
_BY_COMMAND = " Add them: `relnotes "


@dataclass(frozen=True, slots=True)
class ShownLines:
    """A line of a diff: what is taken away and what is put in its place; either may be missing."""

    file: str
    number: int
    removed: Line | None
    added: Line | None


def render_claims_html(check: ClaimCheck, around: Around) -> Markup:
    """Every claim of the text, in its order."""
    if not check.claims:
        return render("review", "no_claim", said=NO_CLAIM)
    verdicts = Counter(checked.verdict for checked in check.claims)
    found = ", ".join(
        f"{verdicts[verdict]} {words.lower().partition(':')[0]}"
        for verdict, words in VERDICT_WORDS.items()
        if verdicts[verdict]
    )
    return render(
        "review",
        "claims",
        rows=list(_rows(check)),
        said=f"{counted(len(check.claims), 'claim')}: {found}.",
        notes=check.notes,
        around=around,
        address=markdown_address(render_claims_markdown(check)),
    )


def render_review_html(review: Review, diff: Diff, around: Around) -> Markup:
    """The whole review of `diff`."""
    groups = groups_of(review.bumps)
    found = [
        counted(len(groups), "dependency", "dependencies") if groups else "",
        counted(len(review.symbols), "name") + " on changed lines" if review.symbols else "",
    ]
    told = " and ".join(filter(None, found))
    said = f"The notes speak of {told}." if told else "The notes here say nothing of what it changes."
    missing = f" Nothing could be looked up for {counted(len(review.unknown), 'name')}." if review.unknown else ""
    bumps = [
        (
            group[0],
            [
                lines_at(diff, bump.file, bump.line, naming=bump.end or bump.start or bump.name)
                for bump in (reviewed.bump for reviewed in group)
            ],
            notes_of(group),
            (*group[0].items, *sorted(group[0].security, key=lambda item: not item.usages)),
            is_downgrade(group[0]),
        )
        for group in groups
    ]
    by_line = groupby(review.symbols, key=lambda touched: (touched.file, touched.line))
    symbols = [
        (lines_at(diff, file, line, naming=touched[0].symbol.rpartition(".")[2]), touched)
        for (file, line), touched in ((place, tuple(touched)) for place, touched in by_line)
    ]
    return render(
        "review",
        "review",
        said=said + missing,
        read_as=f"Read as a diff of {counted(len({file.path for file in diff.files}), 'file')}.",
        bumps=bumps,
        symbols=symbols,
        unknown=[(unknown.name, *_reason(unknown)) for unknown in review.unknown],
        around=around,
        address=markdown_address(render_markdown(review).rstrip("\n") + "\n"),
    )


def lines_at(diff: Diff, file: str, number: int, *, naming: str) -> ShownLines:
    """The line of `file` with that number, added or removed, and what it replaces.

    A number alone doesn't tell the side: of both, the one that holds `naming` is meant. What is replaced is the removed
    line that is most like the added one by its first word.
    """
    files = [changed for changed in diff.files if file in (changed.path_after, changed.path_before)]
    removals = [line for changed in files for line in changed.removed]
    added = _find([line for changed in files for line in changed.added], number, naming)
    removed = _find(removals, number, naming)
    if added is not None and (removed is None or naming in added.text):
        return ShownLines(file, number, _replaced(removals, added), added)
    return ShownLines(file, number, removed, None)


def _rows(check: ClaimCheck) -> Iterator[tuple[str, str, str, CheckedClaim]]:
    """The whole text, cut after each claim and what is left of its line where that is no word."""
    position = 0
    for checked in check.claims:
        claim = checked.claim
        rest = _LEFT_OF_LINE.match(check.text, claim.end)
        end = len(check.text) if checked is check.claims[-1] else rest.end() if rest else claim.end
        before, stated = check.text[position : claim.start], check.text[claim.start : claim.end]
        yield before.lstrip(), stated, check.text[claim.end : end].rstrip(), checked
        position = end


def _reason(unknown: Unknown) -> tuple[str, bool]:
    """Why nothing is told of a name, and whether its notes can be added; how, the page says without a command."""
    if _BY_COMMAND in unknown.reason:
        return "There are no release notes of it here.", True
    return unknown.reason, False


def _find(lines: list[Line], number: int, naming: str) -> Line | None:
    found = [line for line in lines if line.number == number]
    return next((line for line in found if naming in line.text), found[0] if found else None)


def _replaced(removals: list[Line], added: Line) -> Line | None:
    """The removed line that begins as `added` does, longest first: `django==4.1` before `django==4.2`."""

    def shared(line: Line) -> int:
        pairs = zip(line.text.strip(), added.text.strip(), strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    return max((line for line in removals if shared(line) >= _LEAST_SHARED), key=shared, default=None)
