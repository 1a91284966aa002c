"""Upgrade: what breaks between two releases."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import gradio as gr

from corpus.catalogue import CatalogueProduct
from corpus.errors import RelnotesError
from retrieval.upgrades.bounds import find_product
from ui.question_limits import MAX_FILTER_CHARACTERS
from ui.web.ask.answer_html import render_failure_html
from ui.web.controls import QUIETLY, SHOWN, html_block
from ui.web.services import PageServices
from ui.web.surroundings import reads_around
from ui.web.trouble import run_at_desk, tell_trouble
from ui.web.upgrade.changes_html import render_upgrade_hint, render_upgrade_html
from ui.web.upgrade.choices import default_range, first_product, version_choices

"""Less than an answer's: there are hundreds of quotes."""
_PUT_INTO_ADDRESS = "(product, from, to) => relnotesAddress('upgrade', {product, from, to})"

Chosen: TypeAlias = tuple[gr.Dropdown, gr.Dropdown]
List: TypeAlias = Callable[[str | None, str | None, str | None], Coroutine[Any, Any, str]]


def add_upgrade_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    with gr.Row(elem_classes="rn-range", equal_height=False):
        product = gr.Dropdown([], label="Product", elem_id="rn-upgrade-product", min_width=280)
        start = gr.Dropdown([], label="From", allow_custom_value=True, elem_id="rn-upgrade-from", min_width=110)
        end = gr.Dropdown([], label="To", allow_custom_value=True, elem_id="rn-upgrade-to", min_width=110)
        show = gr.Button("Show changes", variant="primary", scale=0, min_width=160, elem_id="rn-upgrade-show")
    result = html_block("", elem_id="rn-upgrade-result")

    listed = _lister(services)
    product.input(_offer_versions(services), inputs=product, outputs=[start, end], **QUIETLY)
    show.click(listed, inputs=[product, start, end], outputs=result, **SHOWN).then(
        None, inputs=[product, start, end], js=_PUT_INTO_ADDRESS, api_visibility="private"
    )
    page.load(_greet(services, listed), outputs=[product, start, end, result], **QUIETLY)


def _lister(services: PageServices) -> List:
    async def list_changes(product: str | None, start: str | None, end: str | None) -> str:
        wanted = tuple((text or "").strip() for text in (product, start, end))
        if not all(wanted):
            return render_failure_html("Pick a product and two of its versions first.")
        if max(map(len, wanted)) > MAX_FILTER_CHARACTERS:
            return render_failure_html(f"A product or version may have {MAX_FILTER_CHARACTERS} characters. Shorten it.")

        def work() -> str:
            with services.assistants.borrow() as assistant:
                upgrade = assistant.upgrade(*wanted)
                known = find_product(assistant.catalogue(), upgrade.product)
                around = reads_around(assistant.index)
                return render_upgrade_html(upgrade, known, around)

        try:
            return await run_at_desk(services.desk, work)
        except RelnotesError as error:
            return render_failure_html(tell_trouble(error))

    return list_changes


def _offer_versions(services: PageServices) -> Callable[[str | None], Chosen]:
    def offer(name: str | None) -> Chosen:
        try:
            with services.assistants.borrow() as assistant:
                return _dropdowns(find_product(assistant.catalogue(), name or ""))
        except RelnotesError:
            return gr.Dropdown([], value=None), gr.Dropdown([], value=None)

    return offer


def _greet(
    services: PageServices, listed: List
) -> Callable[[gr.Request], Coroutine[Any, Any, tuple[gr.Dropdown, gr.Dropdown, gr.Dropdown, str]]]:
    async def greet(request: gr.Request) -> tuple[gr.Dropdown, gr.Dropdown, gr.Dropdown, str]:
        """Fill the form; for an address that names an upgrade, with it, and list it."""
        asked = request.query_params if request.query_params.get("tab") == "upgrade" else {}
        try:
            with services.assistants.borrow() as assistant:
                products = assistant.catalogue()
        except RelnotesError as error:
            empty = gr.Dropdown([], value=None)
            return empty, empty, empty, render_failure_html(tell_trouble(error))
        known = first_product(products)
        is_unknown = False
        if name := asked.get("product"):
            try:
                known = find_product(products, name)
            except RelnotesError:
                is_unknown = True
        names = [one.name for one in products]
        if known is None or is_unknown:
            shown = render_upgrade_hint(products) if not is_unknown else await listed(name, "0", "1")
            return gr.Dropdown(names, value=None), gr.Dropdown([]), gr.Dropdown([]), shown
        low, high = default_range(known)
        start, end = asked.get("from") or low, asked.get("to") or high
        shown = await listed(known.name, start, end) if asked.get("product") else render_upgrade_hint(products)
        return gr.Dropdown(names, value=known.name), *_dropdowns(known, start=start, end=end), shown

    return greet


def _dropdowns(product: CatalogueProduct, *, start: str | None = None, end: str | None = None) -> Chosen:
    choices = list(version_choices(product))
    low, high = default_range(product)
    # A value that is typed needn't be among the choices.
    return (
        gr.Dropdown(choices, value=start or low or None),
        gr.Dropdown(choices, value=end or high or None),
    )
