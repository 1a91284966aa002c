"""The library's view of an index, read from its tables."""

from datetime import UTC, datetime

from corpus.index.tables import TableReader
from ui.library.uploads import Uploads
from ui.web.library.tables_html import LibraryView, document_versions


def load_library_view(index: TableReader | None, uploads: Uploads) -> LibraryView:
    """What there is in `index`; nothing where there is none yet."""
    today = datetime.now(UTC).date()
    if index is None:
        return LibraryView((), (), {}, {}, frozenset(), today)
    documents = index.documents
    releases = {one.id: index.document_releases(one.id) for one in documents}
    versions = {one.id: sorted({each.version for each in releases[one.id] if each.version}) for one in documents}
    days = {one.id: max((each.date for each in releases[one.id] if each.date), default=one.date) for one in documents}
    return LibraryView(
        products=index.products,
        documents=documents,
        versions={one.id: document_versions(tuple(map(str, versions[one.id])), one.version) for one in documents},
        dates={document_id: day for document_id, day in days.items() if day},
        uploaded=frozenset(one.id for one in documents if uploads.holds(one.root)),
        today=today,
    )
