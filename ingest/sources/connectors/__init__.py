"""Where release notes live beside files and folders: one module a kind of source, one function to fetch any of them."""

from ingest.sources.connectors.model import ConnectorSettings, Fetched, FetchedDocument, NoNotes, SourceGone, Unchanged
from ingest.sources.connectors.opening import Connectors

__all__ = ["ConnectorSettings", "Connectors", "Fetched", "FetchedDocument", "NoNotes", "SourceGone", "Unchanged"]
