"""Library: what is covered, and adding to it, bringing it up to date and removing."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, TypeAlias

import gradio as gr

from corpus.errors import IndexNotFound, RelnotesError
from corpus.model import Authority
from ui.http.guards import may
from ui.http.tokens import TokenScope
from ui.library.ingest_desk import IngestJob, IngestOutcome
from ui.library.requests import read_hints
from ui.library.uploads import MAX_UPLOAD_BYTES, MAX_UPLOADS
from ui.web.controls import QUIETLY, html_block
from ui.web.html import render
from ui.web.library.library_html import (
    LibraryView,
    load_library_view,
    render_coverage_table,
    render_document_table,
    render_outcome_html,
    render_progress_html,
    render_refusal_html,
)
from ui.web.services import PageServices, tell_trouble

_POLL_S = 0.25
_MAX_FORM_CHARACTERS = 16_384
_UPLOAD_JS = "async (_, ...rest) => [await window.relnotesLibrary.upload(), ...rest]"
_FOUND = "Found in the text"
_KINDS = [
    (_FOUND, ""),
    ("Official release notes", Authority.OFFICIAL.value),
    ("Other documents of the project", Authority.PROJECT.value),
    ("A digest of release notes", Authority.DIGEST.value),
    ("News", Authority.NEWS.value),
    ("An opinion", Authority.ANALYST.value),
    ("Not known", Authority.UNKNOWN.value),
]
Changes: TypeAlias = dict[Any, Any]
"""New values of controls; what isn't in it stays."""


def add_library_tab(services: PageServices, page: gr.Blocks) -> None:
    """Draw the tab into the open `with` block, and wire it."""
    _LibraryTab(services, page)


class _LibraryTab:
    """What adds to the index tells how an ingest goes until it is done, then shows the index as it is."""

    def __init__(self, services: PageServices, page: gr.Blocks) -> None:
        self._services = services
        html_block('<h2 class="rn-section">Coverage</h2>')
        self._coverage = html_block('<p class="rn-empty">Loading…</p>', elem_id="rn-library-coverage")
        html_block('<h2 class="rn-section">Add documents</h2>')
        self._permission = html_block("", elem_id="rn-library-permission")
        files = html_block(render("library", "files", most=MAX_UPLOADS, largest=MAX_UPLOAD_BYTES))
        uploaded = gr.Textbox(visible=False)
        address = gr.Textbox(
            label="Or an address",
            placeholder="https://…, github:owner/name, pypi:name or npm:name",
            max_lines=1,
            elem_id="rn-address",
        )
        hints = html_block(render("library", "hints"))
        told = {"placeholder": _FOUND, "max_lines": 1}
        with gr.Row(elem_classes="rn-hints") as said:
            product = gr.Textbox(label="Product", elem_id="rn-add-product", **told)
            version = gr.Textbox(label="Version", elem_id="rn-add-version", **told)
            authority = gr.Dropdown(_KINDS, value="", label="Kind", elem_id="rn-add-authority")
        with gr.Row(elem_classes="rn-actions"):
            add = gr.Button("Add", variant="primary", scale=0, min_width=96, elem_id="rn-add")
            sync = gr.Button("Bring up to date", scale=0, min_width=96, elem_id="rn-sync")
            refresh = gr.Button("Reload the list", scale=0, min_width=96, elem_id="rn-refresh")
        self._progress = html_block("", elem_id="rn-ingest-progress")
        self._cancel = gr.Button("Cancel", visible=False, scale=0, min_width=96, elem_id="rn-cancel")
        self._outcome = html_block("", elem_id="rn-ingest-outcome")
        html_block('<h2 class="rn-section">Documents</h2>')
        self._documents = html_block("", elem_id="rn-library-documents")
        html_block(render("library", "removing"))
        self._adding = (files, address, hints, said, add, sync)
        outputs = [self._progress, self._cancel, self._outcome, self._coverage, self._documents]
        form = [uploaded, address, product, version, authority]
        for trigger in (add.click, address.submit):
            trigger(self._add, inputs=form, js=_UPLOAD_JS, outputs=outputs, **QUIETLY)
        sync.click(self._sync, outputs=outputs, **QUIETLY)
        for trigger in (refresh.click, page.load):
            trigger(self._show, outputs=outputs, **QUIETLY)
        self._cancel.click(self._call_off, **QUIETLY)
        page.load(self._permit, outputs=[self._permission, *self._adding], **QUIETLY)

    def _permit(self, request: gr.Request) -> Changes:
        """What adds documents, for whoever may; for others, why it isn't there."""
        may_add = self._is_granted(request, TokenScope.WRITE)
        said = "" if may_add else render("library", "read_only")
        return {self._permission: said, **dict.fromkeys(self._adding, gr.update(visible=may_add))}

    async def _show(self, request: gr.Request) -> AsyncIterator[Changes]:
        """The lists, and what is being added at the moment, whoever started it."""
        # What came of adding may be gone again by now.
        yield {**await self._lists(None, request), self._outcome: ""}
        if (running := self._services.library.desk.running) is not None:
            async for changes in self._watch(running, request):
                yield changes

    async def _add(
        self,
        uploaded: str | None,
        address: str | None,
        product: str | None,
        version: str | None,
        authority: str | None,
        request: gr.Request,
    ) -> AsyncIterator[Changes]:
        """Files or what is at an address."""
        library = self._services.library
        form = tuple(text or "" for text in (uploaded, address, product, version, authority))
        keys, address = _keys(form[0]), form[1]
        try:
            self._demand(request, TokenScope.WRITE)
            if max(map(len, form)) > _MAX_FORM_CHARACTERS:
                raise RelnotesError("That is more than fits here. Shorten what you wrote.")
            hints = read_hints(*form[2:])
            if not (keys or address.strip()):
                raise RelnotesError("Choose files or write an address first.")
            if address.strip() and keys:
                raise RelnotesError("Add either the files or the address now, and the other after it.")
            job = library.add_files(keys, hints) if keys else library.add_address(address, hints)
        except RelnotesError as error:
            # The browser doesn't hold them any more either: they would only keep the places of others.
            sent = keys if self._is_granted(request, TokenScope.WRITE) else ()
            again = " Choose the files again." if library.uploads.discard(sent) else ""
            yield self._refused(f"{error}{again}")
            return
        async for changes in self._watch(job, request):
            yield changes

    async def _sync(self, request: gr.Request) -> AsyncIterator[Changes]:
        """Every uploaded file again."""
        try:
            self._demand(request, TokenScope.WRITE)
            job = self._services.library.sync()
        except RelnotesError as error:
            yield self._refused(str(error))
            return
        async for changes in self._watch(job, request):
            yield changes

    def _call_off(self, request: gr.Request) -> None:
        """Call the ingest off; without the scope, nothing happens."""
        running = self._services.library.desk.running
        if running is not None and self._is_granted(request, TokenScope.WRITE):
            running.cancel()

    async def _watch(self, job: IngestJob, request: gr.Request) -> AsyncIterator[Changes]:
        shown = None
        may_cancel = self._is_granted(request, TokenScope.WRITE)
        while (state := job.state).outcome is None:
            if state != shown:
                cancel = gr.Button(visible=may_cancel and not state.is_cancelled)
                yield {self._progress: render_progress_html(state), self._cancel: cancel, self._outcome: ""}
                shown = state
            await asyncio.sleep(_POLL_S)
        yield await self._lists(state.outcome, request)

    async def _lists(self, outcome: IngestOutcome | None, request: gr.Request) -> Changes:
        may_remove = self._is_granted(request, TokenScope.ADMIN)
        uploads = self._services.library.uploads

        def lists(view: LibraryView) -> Changes:
            return {
                self._outcome: gr.skip() if outcome is None else render_outcome_html(outcome, view),
                self._coverage: render_coverage_table(view),
                self._documents: render_document_table(view, may_remove=may_remove),
            }

        try:
            shown = await self._services.ask(lambda assistant: lists(load_library_view(assistant.index, uploads)))
        except IndexNotFound:
            shown = lists(load_library_view(None, uploads))
        except RelnotesError as error:
            shown = {self._coverage: render_refusal_html(tell_trouble(error)), self._documents: ""}
        return {self._progress: "", self._cancel: gr.Button(visible=False), **shown}

    def _refused(self, message: str) -> Changes:
        return {self._outcome: render_refusal_html(message), self._cancel: gr.Button(visible=False)}

    def _demand(self, request: gr.Request, needed: TokenScope) -> None:
        if not self._is_granted(request, needed):
            raise RelnotesError(f"You may read here, and change nothing: your token lacks the scope '{needed}'.")

    def _is_granted(self, request: gr.Request, needed: TokenScope) -> bool:
        return may(request.request.scope, needed, settings=self._services.settings)


def _keys(uploaded: str) -> tuple[str, ...]:
    """The keys of the files that the browser sent before; what isn't a list of them is none."""
    try:
        keys = json.loads(uploaded or "[]")
    except (ValueError, RecursionError):
        return ()
    return tuple(key for key in keys if isinstance(key, str))[:MAX_UPLOADS] if isinstance(keys, list) else ()
