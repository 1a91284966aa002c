"""Upgrade: the changes between two releases by kind, also as Markdown; those that uploaded files use are marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse
from markupsafe import Markup

from corpus.catalogue import CatalogueProduct, releases_out, stable_releases
from corpus.dependencies.dependency_files import is_dependency_file
from corpus.dependencies.model import Dependency
from corpus.errors import RelnotesError, UsageError
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.products.known import find_product
from retrieval.reviews.project_files import OwnFiles, mark_used, read_own_files, releases_in_use
from retrieval.upgrades.model import Upgrade
from ui.question_lengths import MAX_FILTER_CHARACTERS
from ui.rendering.upgrade import items_of, render_upgrade_markdown
from ui.web.html import markdown_address, render, render_failure_html
from ui.web.products import release_counts, render_timeline
from ui.web.services import PageServices, SentForm, page_message, read_form
from ui.web.shell import show_page, trouble_response
from ui.web.source import Around, reads_around

PATH = "/upgrade"
_MAX_PRODUCTS = 20  # If files name more, those with the most passages are listed.


@dataclass(frozen=True, slots=True)
class Range:
    """The form's product, the release in use, and the one to move to; "" for an empty field."""

    product: str
    start: str
    end: str


def add_upgrade_page(app: FastAPI, services: PageServices) -> None:
    async def open_upgrade(request: Request) -> HTMLResponse:
        query = {name: value.strip() for name, value in request.query_params.items()}
        return await show_page(request, "upgrade", services, lambda assistant: ("Upgrade", _open(assistant, query)))

    app.add_route(PATH, open_upgrade)

    @app.post(PATH, include_in_schema=False)
    async def check_files(request: Request) -> HTMLResponse:
        try:
            sent = await read_form(request)
        except UsageError as error:
            return trouble_response(request, "upgrade", error)
        finally:
            # Deletes the temporary files of large uploads.
            await request.close()
        response = await show_page(request, "upgrade", services, lambda assistant: ("Upgrade", _check(assistant, sent)))
        # The browser alone may cache the page, to return to it without sending the files again.
        response.headers["Cache-Control"] = "private, no-cache"
        return response

    @app.get("/page/versions", include_in_schema=False)
    async def offer_versions(product: str = "") -> JSONResponse:
        """Return the versions of a product, and the range to preselect."""
        try:
            name = product[:MAX_FILTER_CHARACTERS]
            chosen = await services.run(lambda assistant: find_product(assistant.catalogue(), name), line="pages")
        except RelnotesError:
            return JSONResponse({"versions": [], "from": "", "to": ""})
        start, end = default_range(chosen)
        versions = [release.version.label for release in chosen.releases]
        return JSONResponse({"versions": versions, "from": start, "to": end})


def _open(assistant: Assistant, query: Mapping[str, str]) -> Markup:
    """Render the form, with the list of changes if the address names a product."""
    if query.get("product"):
        form = Range(query["product"], query.get("from", ""), query.get("to", ""))
        return _page(assistant, *_list(assistant, form, every="all" in query))
    return _page(assistant, None, Markup("") if assistant.catalogue() else render("upgrade", "hint"))


def _list(
    assistant: Assistant,
    form: Range,
    files: OwnFiles | None = None,
    left_out: Sequence[str] = (),
    *,
    every: bool = False,
) -> tuple[Range, Markup]:
    """Return the form with empty versions filled in, and its list of changes, or the error's message."""
    try:
        if max(map(len, (form.product, form.start, form.end))) > MAX_FILTER_CHARACTERS:
            raise UsageError(f"A product or version may have {MAX_FILTER_CHARACTERS} characters. Shorten it.")
        product = find_product(assistant.catalogue(), form.product)
        start, end = default_range(product)
        form = Range(product.name, form.start or start, form.end or end)
        if not (form.start and form.end):
            raise UsageError("Name two of its versions.")
        upgrade = assistant.upgrade(form.product, form.start, form.end, every=every)
        upgrade = mark_used(upgrade, product, files) if files else upgrade
        around = reads_around(assistant.index)
        return form, render_upgrade_html(upgrade, around, left_out=left_out, with_code=files is not None)
    except RelnotesError as error:
        return form, render_failure_html(page_message(error))


def _check(assistant: Assistant, sent: SentForm) -> Markup:
    """List the upgrades of all products of which the files pin an old release; if they pin none, the form's range."""
    form = Range(*(sent.fields.get(name, "") for name in ("product", "from", "to")))
    try:
        if not (sent.files or sent.left_out):
            raise UsageError("Choose files first: a requirements file, a lock file, or code.")
        files = read_own_files(sent.files)
    except UsageError as error:
        return _page(assistant, form, render_failure_html(page_message(error)))
    pinned, unknown = releases_in_use(files, assistant.catalogue())
    if sent.files and not pinned and form.product:
        return _page(assistant, *_list(assistant, form, files, sent.left_out))
    behind = sorted((pair for pair in pinned if is_behind(*pair)), key=lambda pair: -pair[0].passages)
    around = reads_around(assistant.index)
    with_code = not all(map(is_dependency_file, sent.files))
    upgrades: list[tuple[tuple[int, ...], Upgrade, Dependency, Markup]] = []
    for product, dependency in behind[:_MAX_PRODUCTS]:
        upgrade = assistant.upgrade(product.name, dependency.version or "", default_range(product)[1])
        upgrade = mark_used(upgrade, product, files)
        listed = render_upgrade_html(upgrade, around, with_code=with_code, is_folded=True)
        items = items_of(upgrade)
        # Upgrades with most changes in use come first, then those with most security fixes, then the longest.
        used, security = sum(bool(item.usages) for item in items), len(upgrade.security)
        upgrades.append(((used, security, len(items)), upgrade, dependency, listed))
    listing = render(
        "upgrade",
        "of_files",
        upgrades=sorted(upgrades, key=itemgetter(0), reverse=True),
        with_code=with_code,
        more=len(behind) - _MAX_PRODUCTS,
        up_to_date=[product.name for product, dependency in pinned if not is_behind(product, dependency)],
        unknown=unknown,
        left_out=sent.left_out,
    )
    return _page(assistant, None, listing)


def _page(assistant: Assistant, form: Range | None, shown: Markup) -> Markup:
    products = assistant.catalogue()
    selected = next((product for product in products if form is not None and product.name == form.product), None)
    ends = [Version.try_parse(end) for end in (form.start, form.end)] if form else []
    return render(
        "upgrade",
        "page",
        names=[product.name for product in products],
        form=form or Range("", "", ""),
        versions=[release.version.label for release in selected.releases] if selected else (),
        timeline=render_timeline(selected.name, release_counts(assistant.index, selected), shown=ends)
        if selected
        else "",
        shown=shown,
    )


def default_range(product: CatalogueProduct) -> tuple[str, str]:
    """Return `(from, to)`: the first release of the previous series and the newest one; "" for a missing end."""
    stable, every = stable_releases(product.releases), releases_out(product.releases)
    versions = tuple(release.version for release in (stable if len(stable) > 1 else every))
    if not versions:
        return "", ""
    newest = versions[0]
    lower = [version for version in versions if version.series < newest.series]
    earlier = [version for version in lower if version.series == lower[0].series] or versions[1:]
    return earlier[-1].label if earlier else "", newest.label


def is_behind(product: CatalogueProduct, dependency: Dependency) -> bool:
    """Return whether the notes have a newer release than the pinned version."""
    newest, pinned = Version.try_parse(default_range(product)[1]), Version.try_parse(dependency.version or "")
    return newest is not None and pinned is not None and newest > pinned


def render_upgrade_html(upgrade: Upgrade, around: Around, **choices: object) -> Markup:
    """Render the whole upgrade; `choices` are parameters of its macro in `templates/upgrade.html`."""
    address = markdown_address(render_upgrade_markdown(upgrade))
    return render("upgrade", "upgrade", upgrade=upgrade, around=around, address=address, **choices)
