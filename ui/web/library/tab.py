"""Library: what the index holds, and adding to it, reading again and removing."""

import gradio as gr

from corpus.model import Authority
from ui.library.uploads import MAX_UPLOAD_BYTES, MAX_UPLOADS
from ui.web.controls import QUIETLY, html_block
from ui.web.library.handlers import LibraryHandlers
from ui.web.services import PageServices

_UPLOAD_JS = "async (_, ...rest) => [await window.relnotesLibrary.upload(), ...rest]"
_FILES = (
    '<div class="rn-files"><label for="rn-files">Files</label>'
    f'<input type="file" id="rn-files" multiple data-most="{MAX_UPLOADS}" data-largest="{MAX_UPLOAD_BYTES}" '
    'aria-describedby="rn-files-help">'
    '<p id="rn-files-help">Markdown, reStructuredText, AsciiDoc, HTML, PDF or plain text, '
    f"{MAX_UPLOAD_BYTES // 2**20} MiB each, {MAX_UPLOADS} at once. A file of the same name for the same product "
    "replaces the one before. Of a list of dependencies, such as requirements.txt, package.json or a lock file, the "
    'notes of what it lists are fetched.</p><p id="rn-uploading" role="status"></p></div>'
)
_REMOVE = (
    '<dialog id="rn-remove" aria-labelledby="rn-remove-title"><h3 id="rn-remove-title">Remove a document</h3>'
    '<p id="rn-remove-what"></p><p id="rn-remove-fault" role="alert"></p><div class="rn-actions">'
    '<button type="button" data-remove-no>Keep it</button>'
    '<button type="button" class="rn-danger" data-remove-yes>Remove</button></div></dialog>'
)
_AUTHORITIES = [("As the text tells", ""), *((one.value.capitalize(), one.value) for one in Authority)]


def add_library_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    html_block('<h2 class="rn-section">Coverage</h2>')
    coverage = html_block('<p class="rn-empty">Loading…</p>', elem_id="rn-library-coverage")
    html_block('<h2 class="rn-section">Add documents</h2>')
    permission = html_block("", elem_id="rn-library-permission")
    files = html_block(_FILES)
    uploaded = gr.Textbox(visible=False)
    address = gr.Textbox(
        label="Or an address",
        placeholder="https://…, github:owner/name, pypi:name or npm:name",
        max_lines=1,
        elem_id="rn-address",
    )
    with gr.Row(elem_classes="rn-hints") as said:
        product = gr.Textbox(label="Product", placeholder="As the text tells", max_lines=1, elem_id="rn-add-product")
        version = gr.Textbox(label="Version", placeholder="As the text tells", max_lines=1, elem_id="rn-add-version")
        authority = gr.Dropdown(_AUTHORITIES, value="", label="Authority", elem_id="rn-add-authority")
    with gr.Row(elem_classes="rn-actions"):
        add = gr.Button("Add", variant="primary", scale=0, min_width=96, elem_id="rn-add")
        sync = gr.Button("Bring up to date", scale=0, min_width=96, elem_id="rn-sync")
        refresh = gr.Button("Reload the list", scale=0, min_width=96, elem_id="rn-refresh")
    progress = html_block("", elem_id="rn-ingest-progress")
    cancel = gr.Button("Cancel", visible=False, scale=0, min_width=96, elem_id="rn-cancel")
    outcome = html_block("", elem_id="rn-ingest-outcome")
    html_block('<h2 class="rn-section">Documents</h2>')
    documents = html_block("", elem_id="rn-library-documents")
    html_block(_REMOVE)

    tab = coverage.parent
    assert isinstance(tab, gr.Tab)
    handlers = LibraryHandlers(services)
    shared = QUIETLY | {"outputs": [progress, cancel, outcome, coverage, documents]}
    hints = [product, version, authority]
    add.click(handlers.add, inputs=[uploaded, address, *hints], js=_UPLOAD_JS, **shared)
    address.submit(handlers.add, inputs=[uploaded, address, *hints], js=_UPLOAD_JS, **shared)
    sync.click(handlers.sync, **shared)
    refresh.click(handlers.show, **shared)
    tab.select(handlers.show, **shared)
    cancel.click(handlers.cancel, **QUIETLY)
    page.load(handlers.permit, outputs=[permission, files, address, said, add, sync], **QUIETLY)
