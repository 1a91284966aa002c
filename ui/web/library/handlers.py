"""What happens in the Library tab: documents are added, read again and listed."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, TypeAlias

import gradio as gr

from corpus.errors import IndexNotFound, RelnotesError
from ui.http.guards import may
from ui.http.tokens import TokenScope
from ui.library.ingest_desk import IngestJob, IngestOutcome
from ui.library.requests import read_hints
from ui.library.uploads import MAX_UPLOADS
from ui.web.library.ingest_html import render_outcome_html, render_progress_html, render_refusal_html
from ui.web.library.tables_html import LibraryView, render_coverage_table, render_document_table
from ui.web.library.view import load_library_view
from ui.web.services import PageServices
from ui.web.trouble import run_at_desk, tell_trouble

_POLL_S = 0.25
_MAX_FORM_CHARACTERS = 16_384
_READ_ONLY = (
    '<p class="rn-empty">Whoever has a token with the scope <code>write</code> can add documents here; yours may read '
    "them.</p>"
)
Told: TypeAlias = tuple[Any, Any, Any, Any, Any]
"""Progress, the button that cancels, the outcome, the coverage, the documents; gr.skip() leaves one as it is."""


class LibraryHandlers:
    """What the tab's events do: each tells how an ingest goes until it is done, then shows the index as it is."""

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

    async def show(self, request: gr.Request) -> AsyncIterator[Told]:
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
    ) -> AsyncIterator[Told]:
        """Files or what is at an address."""
        library = self._services.library
        uploaded, address, product, version, authority = (
            text or "" for text in (uploaded, address, product, version, authority)
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

    async def sync(self, request: gr.Request) -> AsyncIterator[Told]:
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

    async def _watch(self, job: IngestJob, request: gr.Request) -> AsyncIterator[Told]:
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

    async def _lists(self, outcome: IngestOutcome | None, request: gr.Request) -> Told:
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


def _only(*, progress: str | None = None, can_cancel: bool = False, outcome: str) -> Told:
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
