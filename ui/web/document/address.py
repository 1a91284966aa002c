"""Where a document is shown, for whoever links to it."""

from corpus.model import Span

DOCUMENT_PATH = "/documents/{document_id}"


def document_address(document_id: int, span: Span | None = None) -> str:
    """The address of a document's page; with a range of its text, that range marked and scrolled to."""
    return f"/documents/{document_id}" + (f"?start={span.start}&end={span.end}#quote" if span else "")
