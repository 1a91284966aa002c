"""Library: what the index holds, and adding to it, reading again and removing."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import gradio as gr
from gradio.context import Context

from corpus.errors import IndexNotFound, RelnotesError
from corpus.model import Authority
from ui.ingest_desk import IngestJob, IngestOutcome
from ui.library_requests import read_hints
from ui.permission import may
from ui.tokens import TokenScope
from ui.uploads import MAX_UPLOAD_BYTES, MAX_UPLOADS
from ui.web.controls import html_block
from ui.web.ingest_html import render_outcome_html, render_progress_html, render_refusal_html
from ui.web.library_html import LibraryView, render_coverage_table, render_document_table
from ui.web.library_view import load_library_view
from ui.web.services import PageServices
from ui.web.trouble import run_at_desk, tell_trouble, typed_text

_POLL_S = 0.25
_MAX_FORM_CHARACTERS = 16_384
_UPLOAD_JS = "async (_, ...rest) => [await window.relnotesLibrary.upload(), ...rest]"
_FILES = (
    '<div class="rn-files"><label for="rn-files">Files</label>'
    f'<input type="file" id="rn-files" multiple data-most="{MAX_UPLOADS}" data-largest="{MAX_UPLOAD_BYTES}" '
    'aria-describedby="rn-files-help">'
    '<p id="rn-files-help">Markdown, reStructuredText, AsciiDoc, HTML, PDF or plain text, '
    f"{MAX_UPLOAD_BYTES // 2**20} MiB each, {MAX_UPLOADS} at once. A file of the same name for the same product "
    'replaces the one before.</p><p id="rn-uploading" role="status"></p></div>'
)
_REMOVE = (
    '<dialog id="rn-remove" aria-labelledby="rn-remove-title"><h3 id="rn-remove-title">Remove a document</h3>'
    '<p id="rn-remove-what"></p><p id="rn-remove-fault" role="alert"></p><div class="rn-actions">'
    '<button type="button" data-remove-no>Keep it</button>'
    '<button type="button" class="rn-danger" data-remove-yes>Remove</button></div></dialog>'
)
_READ_ONLY = (
    '<p class="rn-empty">Whoever has a token with the scope <code>write</code> can add documents here; yours may read '
    "them.</p>"
)
_AUTHORITIES = [("As the text tells", ""), *((one.value.capitalize(), one.value) for one in Authority)]


def add_library_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    tab = Context.block
    assert isinstance(tab, gr.Tab)
    html_block('<h2 class="rn-section">Coverage</h2>')
    coverage = html_block('<p class="rn-empty">Loading…</p>', elem_id="rn-library-coverage")
    html_block('<h2 class="rn-section">Add documents</h2>')
    permission = html_block("", elem_id="rn-library-permission")
    files = html_block(_FILES)
    uploaded = gr.Textbox(visible=False)
    address = gr.Textbox(
        label="Or an address", placeholder="https://… or github:owner/name", max_lines=1, elem_id="rn-address"
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

    tell = _Teller(services)
    told: dict[str, Any] = {
        "outputs": [progress, cancel, outcome, coverage, documents],
        "api_visibility": "private",
        "concurrency_limit": None,
        "show_progress": "hidden",
    }
    hints = [product, version, authority]
    add.click(tell.add, inputs=[uploaded, address, *hints], js=_UPLOAD_JS, **told)
    address.submit(tell.add, inputs=[uploaded, address, *hints], js=_UPLOAD_JS, **told)
    sync.click(tell.sync, **told)
    refresh.click(tell.show, **told)
    tab.select(tell.show, **told)
    cancel.click(tell.cancel, api_visibility="private", concurrency_limit=None, show_progress="hidden")
    page.load(
        tell.permit,
        outputs=[permission, files, address, said, add, sync],
        api_visibility="private",
        concurrency_limit=None,
        show_progress="hidden",
    )


_Told = tuple[Any, Any, Any, Any, Any]
"""Progress, the button that cancels, the outcome, the coverage, the documents; gr.skip() leaves one as it is."""


class _Teller:
    """The handlers: each tells how it goes until the ingest is done, then shows the index as it is."""

    def __init__(self, services: PageServices) -> None:
        self._services = services

    def permit(self, request: gr.Request) -> tuple[str, gr.HTML, gr.Textbox, gr.Row, gr.Button, gr.Button]:
        """What adds documents, for whoever may; for others, why it isn't there."""
        may_add = self._is_granted(request, TokenScope.WRITE)
        return (
            "" if may_add else _READ_ONLY,
            gr.HTML(visible=may_add),
            gr.Textbox(visible=may_add),
            gr.Row(visible=may_add),
            gr.Button(visible=may_add),
            gr.Button(visible=may_add),
        )

    async def show(self, request: gr.Request) -> AsyncIterator[_Told]:
        """The lists, and the ingest that is under way, whoever started it."""
        yield await self._lists(None, request)
        if (running := self._services.library.desk.running) is not None:
            async for told in self._watch(running, request):
                yield told

    async def add(
        self,
        uploaded: str | None,
        address: str | None,
        product: str | None,
        version: str | None,
        authority: str | None,
        request: gr.Request,
    ) -> AsyncIterator[_Told]:
        """Files or what is at an address."""
        library = self._services.library
        uploaded, address, product, version, authority = map(
            typed_text, (uploaded, address, product, version, authority)
        )
        try:
            self._demand(request, TokenScope.WRITE)
            if max(map(len, (uploaded, address, product, version, authority))) > _MAX_FORM_CHARACTERS:
                raise _refused("That is more than the form takes.")
            hints = read_hints(product, version, authority)
            keys = _keys(uploaded)
            if not (keys or address.strip()):
                raise _refused("Choose files or give an address first.")
            if address.strip() and keys:
                raise _refused("Add either files or an address, one at a time.")
            job = library.add_files(keys, hints) if keys else library.add_address(address, hints)
        except RelnotesError as error:
            # The browser has let go of them too: they would only keep the places of others.
            sent = _keys(uploaded) if self._is_granted(request, TokenScope.WRITE) else ()
            again = " Choose the files again." if library.uploads.discard(sent) else ""
            yield _only(outcome=render_refusal_html(f"{error}{again}"))
            return
        async for told in self._watch(job, request):
            yield told

    async def sync(self, request: gr.Request) -> AsyncIterator[_Told]:
        """Every uploaded file again."""
        try:
            self._demand(request, TokenScope.WRITE)
            job = self._services.library.sync()
        except RelnotesError as error:
            yield _only(outcome=render_refusal_html(str(error)))
            return
        async for told in self._watch(job, request):
            yield told

    def cancel(self, request: gr.Request) -> None:
        """Call the ingest off; without the scope, nothing happens."""
        running = self._services.library.desk.running
        if running is not None and self._is_granted(request, TokenScope.WRITE):
            running.cancel()

    async def _watch(self, job: IngestJob, request: gr.Request) -> AsyncIterator[_Told]:
        shown = None
        may_cancel = self._is_granted(request, TokenScope.WRITE)
        while (state := job.state).outcome is None:
            if state != shown:
                yield _only(
                    progress=render_progress_html(state), can_cancel=may_cancel and not state.is_cancelled, outcome=""
                )
                shown = state
            await asyncio.sleep(_POLL_S)
        yield await self._lists(state.outcome, request)

    async def _lists(self, outcome: IngestOutcome | None, request: gr.Request) -> _Told:
        may_remove = self._is_granted(request, TokenScope.ADMIN)

        def render(view: LibraryView) -> tuple[str, str, str]:
            told = gr.skip() if outcome is None else render_outcome_html(outcome, view)
            return told, render_coverage_table(view), render_document_table(view, may_remove=may_remove)

        def work() -> tuple[str, str, str]:
            with self._services.assistants.borrow() as assistant:
                return render(load_library_view(assistant.index, self._services.library.uploads))

        try:
            told, coverage, documents = await run_at_desk(self._services.desk, work)
        except IndexNotFound:
            told, coverage, documents = render(load_library_view(None, self._services.library.uploads))
        except RelnotesError as error:
            told, coverage, documents = gr.skip(), render_refusal_html(tell_trouble(error)), ""
        return "", gr.Button(visible=False), told, coverage, documents

    def _demand(self, request: gr.Request, needed: TokenScope) -> None:
        if not self._is_granted(request, needed):
            raise _refused(f"This token lacks the scope '{needed}': it may read, and change nothing.")

    def _is_granted(self, request: gr.Request, needed: TokenScope) -> bool:
        return may(request.request.scope, needed, settings=self._services.settings)


def _only(*, progress: str | None = None, can_cancel: bool = False, outcome: str) -> _Told:
    return (
        gr.skip() if progress is None else progress,
        gr.Button(visible=can_cancel),
        outcome,
        gr.skip(),
        gr.skip(),
    )


def _keys(uploaded: str) -> tuple[str, ...]:
    """The keys of the files that the browser sent before; what isn't a list of them is none."""
    try:
        keys = json.loads(uploaded or "[]")
    except (ValueError, RecursionError):
        return ()
    return tuple(key for key in keys if isinstance(key, str))[:MAX_UPLOADS] if isinstance(keys, list) else ()


def _refused(message: str) -> RelnotesError:
    return RelnotesError(message)
