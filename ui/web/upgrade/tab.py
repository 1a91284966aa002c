"""Upgrade: what changes between two releases, and what of it somebody's code uses."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import gradio as gr

from corpus.catalogue import CatalogueProduct
from corpus.errors import RelnotesError, UsageError
from retrieval.assistant import Assistant
from retrieval.reviews.project_files import mark_used, releases_in_use
from retrieval.upgrades.bounds import find_product
from ui.question_limits import LONG_DIFF_CHARACTERS, MAX_FILTER_CHARACTERS
from ui.web.controls import QUIETLY, SHOWN, html_block
from ui.web.html import render, render_failure_html
from ui.web.services import PageServices, tell_trouble
from ui.web.surroundings import reads_around
from ui.web.upgrade.ranges import ExampleUpgrade, Range, default_range, fill_range
from ui.web.upgrade.sent_files import MAX_FILES, MAX_SENT_BYTES, SentFiles, parse_sent_files
from ui.web.upgrade.upgrade_html import render_upgrade_hint, render_upgrade_html

_PUT_INTO_ADDRESS = "(product, from, to) => relnotesAddress('upgrade', {product, from, to})"
_WITH_FILES = "(...form) => [...form.slice(0, -1), window.relnotesOwnFiles()]"
"""The files that the browser has read take the place of the last value of the form."""

Drawn: TypeAlias = tuple[Any, Any, Any, str]
"""The product, From and To, each as it shall be or `gr.skip()`, and the list."""


def add_upgrade_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    with gr.Row(elem_classes="rn-range", equal_height=False):
        product = gr.Dropdown([], label="Product", elem_id="rn-upgrade-product", min_width=280)
        start = gr.Dropdown([], label="From", allow_custom_value=True, elem_id="rn-upgrade-from", min_width=110)
        end = gr.Dropdown([], label="To", allow_custom_value=True, elem_id="rn-upgrade-to", min_width=110)
        show = gr.Button("Show changes", variant="primary", scale=0, min_width=160, elem_id="rn-upgrade-show")
    html_block(render("upgrade", "files", most=MAX_FILES, most_bytes=MAX_SENT_BYTES))
    files = gr.Textbox(visible=False, elem_id="rn-upgrade-files")
    result = html_block("", elem_id="rn-upgrade-result")
    example = ExampleUpgrade()

    async def list_changes(product: str | None, start: str | None, end: str | None, files: str | None) -> Drawn:
        form = Range((product or "").strip(), (start or "").strip(), (end or "").strip())
        is_long = len(files or "") > LONG_DIFF_CHARACTERS
        try:
            sent = parse_sent_files(files)
            return await services.ask(lambda assistant: _list(assistant, form, sent), is_long=is_long)
        except RelnotesError as error:
            return gr.skip(), gr.skip(), gr.skip(), render_failure_html(tell_trouble(error))

    async def offer_versions(name: str | None, files: str | None) -> tuple[gr.Dropdown, gr.Dropdown]:
        """The versions of the product that was chosen; from the one that files state of it, where they do."""

        def work(assistant: Assistant) -> tuple[gr.Dropdown, gr.Dropdown]:
            known = find_product(assistant.catalogue(), name or "")
            stated = releases_in_use(parse_sent_files(files).texts, [known])
            return _versions(known, fill_range(Range(known.name, *default_range(known)), stated).range)

        try:
            return await services.ask(work)
        except RelnotesError:
            return gr.Dropdown([], value=None), gr.Dropdown([], value=None)

    async def greet(request: gr.Request) -> Drawn:
        asked = {name: str(value) for name, value in request.query_params.items()}
        try:
            return await services.ask(lambda assistant: _open(assistant, asked, example))
        except RelnotesError as error:
            return gr.skip(), gr.skip(), gr.skip(), render_failure_html(tell_trouble(error))

    product.input(offer_versions, inputs=[product, files], outputs=[start, end], js=_WITH_FILES, **QUIETLY)
    show.click(
        list_changes,
        inputs=[product, start, end, files],
        outputs=[product, start, end, result],
        js=_WITH_FILES,
        # Files that come while a list is on its way are looked at after it.
        trigger_mode="always_last",
        show_progress_on=result,
        **SHOWN,
    ).then(None, inputs=[product, start, end], js=_PUT_INTO_ADDRESS, api_visibility="private")
    page.load(greet, outputs=[product, start, end, result], **QUIETLY)


def _open(assistant: Assistant, asked: Mapping[str, str], example: ExampleUpgrade) -> Drawn:
    """The form filled in, with the list that the address asks for; with an example where it names no upgrade."""
    products = assistant.catalogue()
    name = asked.get("product") if asked.get("tab") == "upgrade" else None
    if name is None:
        upgrade = example.of(assistant)
        if upgrade is None:
            return *_form(products, None), render_upgrade_hint()
        shown = render_upgrade_html(upgrade, reads_around(assistant.index), is_example=True)
        return *_form(products, Range(upgrade.product, upgrade.start, upgrade.end)), shown
    form = None
    try:
        known = find_product(products, name)
        low, high = default_range(known)
        form = Range(known.name, asked.get("from") or low, asked.get("to") or high)
        shown = _render(assistant, form)
    except RelnotesError as error:
        shown = render_failure_html(tell_trouble(error))
    return *_form(products, form), shown


def _list(assistant: Assistant, form: Range, sent: SentFiles) -> Drawn:
    """The list for a form, which files fill in that have just come."""
    products = assistant.catalogue()
    filled = fill_range(form, releases_in_use(sent.texts, products) if sent.are_new else ())
    shown = _render(assistant, filled.range, files=sent.texts, about=filled.told)
    if filled.range == form:
        return gr.skip(), gr.skip(), gr.skip(), shown
    return *_form(products, filled.range), shown


def _render(
    assistant: Assistant, form: Range, *, files: Mapping[str, str] | None = None, about: Sequence[str] = ()
) -> str:
    if not (form.product and form.start and form.end):
        raise UsageError("Pick a product and two of its versions first.")
    if max(map(len, (form.product, form.start, form.end))) > MAX_FILTER_CHARACTERS:
        raise UsageError(f"A product or version may have {MAX_FILTER_CHARACTERS} characters. Shorten it.")
    upgrade = assistant.upgrade(form.product, form.start, form.end)
    if files:
        upgrade = mark_used(upgrade, find_product(assistant.catalogue(), upgrade.product), files)
    return render_upgrade_html(upgrade, reads_around(assistant.index), about=about, with_files=bool(files))


def _form(products: Sequence[CatalogueProduct], form: Range | None) -> tuple[gr.Dropdown, gr.Dropdown, gr.Dropdown]:
    names = [product.name for product in products]
    known = next((product for product in products if form is not None and product.name == form.product), None)
    if form is None or known is None:
        return gr.Dropdown(names, value=None), gr.Dropdown([], value=None), gr.Dropdown([], value=None)
    return gr.Dropdown(names, value=known.name), *_versions(known, form)


def _versions(product: CatalogueProduct, form: Range) -> tuple[gr.Dropdown, gr.Dropdown]:
    """The releases, newest first; a value that is typed needn't be among them."""
    choices = [release.version.label for release in product.releases]
    return gr.Dropdown(choices, value=form.start or None), gr.Dropdown(choices, value=form.end or None)
