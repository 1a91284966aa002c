"""Upgrade: what breaks between two releases."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import gradio as gr

from corpus.catalogue import CatalogueProduct
from corpus.errors import RelnotesError
from retrieval.assistant import Assistant
from retrieval.upgrades.bounds import find_product
from retrieval.upgrades.model import Change, Upgrade, UpgradeItem
from ui.question_limits import MAX_FILTER_CHARACTERS
from ui.rendering.upgrade import CHANGE_WORDS, counted_changes, group_items, render_upgrade_markdown
from ui.rendering.words import counted
from ui.web.addresses import file_name_of, markdown_address, page_query
from ui.web.controls import QUIETLY, SHOWN, html_block
from ui.web.html import render, render_failure_html
from ui.web.services import PageServices, tell_trouble
from ui.web.surroundings import Around, reads_around

_PUT_INTO_ADDRESS = "(product, from, to) => relnotesAddress('upgrade', {product, from, to})"

Chosen: TypeAlias = tuple[gr.Dropdown, gr.Dropdown]


def add_upgrade_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    with gr.Row(elem_classes="rn-range", equal_height=False):
        product = gr.Dropdown([], label="Product", elem_id="rn-upgrade-product", min_width=280)
        start = gr.Dropdown([], label="From", allow_custom_value=True, elem_id="rn-upgrade-from", min_width=110)
        end = gr.Dropdown([], label="To", allow_custom_value=True, elem_id="rn-upgrade-to", min_width=110)
        show = gr.Button("Show changes", variant="primary", scale=0, min_width=160, elem_id="rn-upgrade-show")
    result = html_block("", elem_id="rn-upgrade-result")

    async def list_changes(product: str | None, start: str | None, end: str | None) -> str:
        wanted = tuple((text or "").strip() for text in (product, start, end))
        if not all(wanted):
            return render_failure_html("Pick a product and two of its versions first.")
        if max(map(len, wanted)) > MAX_FILTER_CHARACTERS:
            return render_failure_html(f"A product or version may have {MAX_FILTER_CHARACTERS} characters. Shorten it.")

        def work(assistant: Assistant) -> str:
            return render_upgrade_html(assistant.upgrade(*wanted), reads_around(assistant.index))

        try:
            return await services.ask(work)
        except RelnotesError as error:
            return render_failure_html(tell_trouble(error))

    def offer_versions(name: str | None) -> Chosen:
        try:
            return _dropdowns(find_product(services.catalogue(), name or ""))
        except RelnotesError:
            return gr.Dropdown([], value=None), gr.Dropdown([], value=None)

    async def greet(request: gr.Request) -> tuple[gr.Dropdown, gr.Dropdown, gr.Dropdown, str]:
        """Fill the form; for an address that names an upgrade, with it, and list it."""
        asked: dict[str, Any] = dict(request.query_params) if request.query_params.get("tab") == "upgrade" else {}
        name = asked.get("product")
        products: tuple[CatalogueProduct, ...] = ()
        try:
            products = services.catalogue()
            known = find_product(products, name) if name else first_product(products)
            shown = render_upgrade_hint(has_products=bool(products))
        except RelnotesError as error:
            known, shown = None, render_failure_html(tell_trouble(error))
        names = [product.name for product in products]
        if known is None:
            return gr.Dropdown(names, value=None), *offer_versions(None), shown
        low, high = default_range(known)
        start, end = asked.get("from") or low, asked.get("to") or high
        if name:
            shown = await list_changes(known.name, start, end)
        return gr.Dropdown(names, value=known.name), *_dropdowns(known, start=start, end=end), shown

    product.input(offer_versions, inputs=product, outputs=[start, end], **QUIETLY)
    show.click(list_changes, inputs=[product, start, end], outputs=result, **SHOWN).then(
        None, inputs=[product, start, end], js=_PUT_INTO_ADDRESS, api_visibility="private"
    )
    page.load(greet, outputs=[product, start, end, result], **QUIETLY)


def render_upgrade_html(upgrade: Upgrade, around: Around) -> str:
    """The whole upgrade, every quote in its surroundings."""
    ends = {"product": upgrade.product, "from": upgrade.start, "to": upgrade.end}
    items = [item for release in upgrade.releases for item in release.items]
    return render(
        "upgrade",
        "upgrade",
        upgrade=upgrade,
        title=f"{upgrade.product} {upgrade.start} → {upgrade.end}",
        said=_said(upgrade, items),
        releases=[
            (release, group_items(release.items, by=lambda item: item.change), _counts(release.items))
            for release in upgrade.releases
        ],
        counts=_counts([*items, *upgrade.security]),
        around=around,
        address=markdown_address(render_upgrade_markdown(upgrade)),
        file_name=file_name_of(*ends.values()),
        link=page_query("upgrade", **ends),
    )


def render_upgrade_hint(*, has_products: bool) -> str:
    """What the tab shows before it is used."""
    return render("upgrade", "hint", has_products=has_products)


def default_range(product: CatalogueProduct) -> tuple[str, str]:
    """From the first release of the series before to the newest final one; "" for what there isn't.

    Without final releases, of those that there are.
    """
    versions = product.finals if len(product.finals) > 1 else tuple(release.version for release in product.releases)
    if not versions:
        return "", ""
    newest = versions[0]
    lower = [version for version in versions if version.series < newest.series]
    if lower:
        return [version for version in lower if version.series == lower[0].series][-1].label, newest.label
    return (versions[-1].label, newest.label) if len(versions) > 1 else ("", newest.label)


def first_product(products: Sequence[CatalogueProduct]) -> CatalogueProduct | None:
    """The one to begin with: of those with an upgrade to make, the one with the most passages."""
    ranked = sorted(products, key=lambda product: (len(product.releases) < 2, -product.passages, product.name))
    return ranked[0] if ranked else None


def _dropdowns(product: CatalogueProduct, *, start: str | None = None, end: str | None = None) -> Chosen:
    """The releases, newest first; a value that is typed needn't be among them."""
    choices = [release.version.label for release in product.releases]
    low, high = default_range(product)
    return gr.Dropdown(choices, value=start or low or None), gr.Dropdown(choices, value=end or high or None)


def _said(upgrade: Upgrade, items: list[UpgradeItem]) -> str:
    where = f" in {counted(len(upgrade.releases), 'release')}"
    kinds = counted_changes(_counts(items))
    said = f"{counted(len(items), 'change')} to mind{where}: {kinds}." if kinds else "Nothing to mind in these notes."
    fixes = counted(len(upgrade.security), "security fix", "security fixes")
    return f"{said} {fixes} to gain." if upgrade.security else said


def _counts(items: Iterable[UpgradeItem]) -> tuple[tuple[Change, int], ...]:
    counts = Counter(item.change for item in items)
    return tuple((change, counts[change]) for change in CHANGE_WORDS)
