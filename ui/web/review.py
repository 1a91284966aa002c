"""Review: checks a diff, or the claims of a text, against the notes; each line or claim is shown beside them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from corpus.catalogue import CatalogueProduct, largest_first
from corpus.dependencies.model import Ecosystem, Line
from corpus.errors import RelnotesError, UsageError
from corpus.model import Span
from retrieval.assistant import Assistant
from retrieval.claims.checking import MAX_CLAIMS, MAX_TEXT_CHARACTERS
from retrieval.claims.model import CheckedClaim, ClaimCheck
from retrieval.model import Citation
from retrieval.reviews.diff import COLOUR, Diff, read_diff
from retrieval.reviews.model import Bump, Review
from retrieval.reviews.products import ProductNames
from retrieval.upgrades.model import Upgrade, UpgradeItem
from ui.rendering.claim import NO_CLAIM, render_claims_markdown
from ui.rendering.review.findings import SHOWN_FILES, groups_of
from ui.rendering.review.markdown import render_markdown
from ui.web.html import markdown_address, render, render_failure_html
from ui.web.services import PageServices, page_message, read_form
from ui.web.shell import page_response, show_page
from ui.web.source import Around, reads_around
from ui.web.upgrade import default_range

PATH = "/review"
MAX_DIFF_CHARACTERS = 1_000_000  # As many fit into a request of the page, escaped as JSON.
_DIFF = re.compile(r"^(?:diff --(?:git|cc|combined) \S|--- [^\n]*\n\+\+\+ |@@@* -\d+)", re.MULTILINE)
"""The file or hunk header of a diff."""
_FILE = "requirements.txt"
_PACKAGE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_MIN_EXAMPLE, _MAX_EXAMPLE = 30, 200  # Characters of an example of a claim.
_WORDLESS_LINE_END = re.compile(r"[^\w\n]*$", re.MULTILINE)
_MIN_SHARED = 3  # Leading characters that a replaced line has in common with the new one.


@dataclass(frozen=True, slots=True)
class ExampleBump:
    """A Python dependency with the two releases of an example of a bump."""

    product: str
    package: str
    start: str
    end: str

    @property
    def diff(self) -> str:
        return (
            f"--- a/{_FILE}\n+++ b/{_FILE}\n@@ -1 +1 @@\n-{self.package}=={self.start}\n+{self.package}=={self.end}\n"
        )


@dataclass(frozen=True, slots=True)
class ShownLines:
    """A changed line of a diff as removed and as added; None for a side that it lacks."""

    file: str
    number: int
    removed: Line | None
    added: Line | None


def add_review_page(app: FastAPI, services: PageServices) -> None:
    async def open_review(request: Request) -> HTMLResponse:
        example = request.query_params.get("example", "")

        def work(assistant: Assistant) -> tuple[str, Markup]:
            bump = example_bump(assistant.catalogue())
            text = bump.diff if bump is not None and example == "diff" else ""
            if bump is not None and example == "claim":
                text = example_claim(assistant.upgrade(bump.product, bump.start, bump.end))
            return "Review", _render_page(bump, text, _review_html(assistant, text) if text else Markup(""))

        return await show_page(request, "review", services, work)

    app.add_route(PATH, open_review)

    @app.post(PATH, include_in_schema=False)
    async def review(request: Request) -> HTMLResponse:
        text = ""

        def work(assistant: Assistant) -> Markup:
            return _render_page(example_bump(assistant.catalogue()), text, _review_html(assistant, text))

        try:
            # Forms send "\r\n", but offsets count in the text as pasted.
            text = (await read_form(request)).fields.get("text", "").replace("\r\n", "\n")
            body = await services.run(work)
        except RelnotesError as error:
            # The pasted text stays in the form.
            body = _render_page(None, text[:MAX_DIFF_CHARACTERS], render_failure_html(page_message(error)))
        finally:
            await request.close()
        return page_response(request, "Review", "review", body)


def _review_html(assistant: Assistant, text: str) -> Markup:
    """Render the review of a diff or the check of a text's claims, or the reason why it can't be reviewed."""
    try:
        if not text.strip():
            raise UsageError("Paste a diff or a text first, or take one of the examples.")
        around = reads_around(assistant.index)
        if _DIFF.search(COLOUR.sub("", text).removeprefix("\ufeff")):
            return render_review_html(assistant.review(text), read_diff(text), around)
        return render_claims_html(assistant.cite(text), around)
    except RelnotesError as error:
        return render_failure_html(page_message(error))


def _render_page(bump: ExampleBump | None, text: str, shown: Markup) -> Markup:
    most = (MAX_DIFF_CHARACTERS, MAX_TEXT_CHARACTERS, MAX_CLAIMS)
    return render("review", "page", bump=bump, text=text, shown=shown, most=most)


def example_bump(products: Sequence[CatalogueProduct]) -> ExampleBump | None:
    """Return a bump of the product with the most passages that PyPI names resolve to; None if there is none."""
    names = ProductNames(products)
    for product in largest_first(products):
        start, end = default_range(product)
        if not (start and end):
            continue
        for name in sorted((product.name, *product.aliases), key=lambda name: name != name.casefold()):
            bump = Bump(name, Ecosystem.PYPI, start, end, _FILE, 1)
            if _PACKAGE.fullmatch(name) and names.product_of(bump) == product:
                return ExampleBump(product.name, name, start, end)
    return None


def example_claim(upgrade: Upgrade) -> str:
    """Return a claim that the notes support, made of the shortest summary of 30 to 200 characters; "" if none fits."""
    items = [(release.version, item.summary.text) for release in upgrade.releases for item in release.items]
    fitting = [(version, words) for version, words in items if _MIN_EXAMPLE <= len(words) <= _MAX_EXAMPLE]
    if not fitting:
        return ""
    version, words = min(fitting, key=lambda claim: len(claim[1]))
    return f"In {upgrade.product} {version}: {words}"


def render_claims_html(check: ClaimCheck, around: Around) -> Markup:
    """Render every claim of the text, in its order."""
    if not check.claims:
        return render("review", "no_claim", said=NO_CLAIM)
    # The whole text, cut after each claim and the rest of its line if that has no word.
    rows: list[tuple[str, str, str, CheckedClaim]] = []
    position = 0
    for checked in check.claims:
        claim = checked.claim
        rest = _WORDLESS_LINE_END.match(check.text, claim.end)
        end = len(check.text) if checked is check.claims[-1] else rest.end() if rest else claim.end
        before, claim_text = check.text[position : claim.start], check.text[claim.start : claim.end]
        rows.append((before.lstrip(), claim_text, check.text[claim.end : end].rstrip(), checked))
        position = end
    address = markdown_address(render_claims_markdown(check))
    return render("review", "claims", rows=rows, notes=check.notes, around=around, address=address)


def render_review_html(review: Review, diff: Diff, around: Around) -> Markup:
    """Render the whole review of `diff`: its bumps and symbols beside the changed lines, and what is unknown."""
    bumps = []
    for group in groups_of(review.bumps):
        shown_bumps = [bump.bump for bump in group[:SHOWN_FILES]]
        places = [_changed_line(diff, b.file, b.line, naming=b.end or b.start or b.name) for b in shown_bumps]
        bumps.append((group, places))
    items = [item for bump in review.bumps for item in (*bump.items, *bump.security)]

    def change_or_citation(cited: Citation) -> UpgradeItem | Citation:
        """Return the change of a bump that the citation quotes, which has a kind; else the citation."""
        quote = Span(cited.start, cited.end)
        candidates = (item for item in items if item.citation.document_id == cited.document_id)
        return next((item for item in candidates if quote.meets(Span(item.citation.start, item.citation.end))), cited)

    symbols = []
    for (file, line), line_symbols in groupby(review.symbols, key=lambda touched: (touched.file, touched.line)):
        touched = [(symbol, tuple(dict.fromkeys(map(change_or_citation, symbol.citations)))) for symbol in line_symbols]
        symbols.append((_changed_line(diff, file, line, naming=touched[0][0].symbol.rpartition(".")[2]), touched))
    shown = {"review": review, "files": {file.path for file in diff.files}, "bumps": bumps, "symbols": symbols}
    address = markdown_address(render_markdown(review).rstrip("\n") + "\n")
    return render("review", "review", **shown, around=around, address=address)


def _changed_line(diff: Diff, file: str, number: int, *, naming: str) -> ShownLines:
    """Return the line `number` of `file` with the line it replaces. If both sides of the diff have that number, the
    line containing `naming` is taken; it replaces the removed line with the longest prefix in common, of three
    characters at least (`django==4.1`, `django==4.2`)."""

    def find(lines: list[Line]) -> Line | None:
        numbered = [line for line in lines if line.number == number]
        return next((line for line in numbered if naming in line.text), numbered[0] if numbered else None)

    files = [file_diff for file_diff in diff.files if file in (file_diff.path_after, file_diff.path_before)]
    removals = [line for file_diff in files for line in file_diff.removed]
    added, removed = find([line for file_diff in files for line in file_diff.added]), find(removals)
    if added is None or (removed is not None and naming not in added.text):
        return ShownLines(file, number, removed, None)

    def shared_prefix(line: Line) -> int:
        pairs = zip(line.text.strip(), added.text.strip(), strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    replaced = max((line for line in removals if shared_prefix(line) >= _MIN_SHARED), key=shared_prefix, default=None)
    return ShownLines(file, number, replaced, added)
