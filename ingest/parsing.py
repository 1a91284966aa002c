"""One document's bytes to its releases and passages."""

from corpus.errors import ModelError, SourceError
from corpus.model import Document, ParsedDocument
from corpus.repository_links import parse_repository_link
from ingest.encoding import ChangedSource
from ingest.passages.splitting import Embed, split_passages
from ingest.releases.structure import read_structure


def parse_document(changed: ChangedSource, *, embed: Embed) -> ParsedDocument:
    """Parse a document; nothing else is read than its bytes and what `changed` says of it.

    `embed` is asked only where a run of sentences has no structure; see `split_passages`.

    Raises:
        SourceError: it isn't a document, has no text, or a parser trips over it.
        ModelError: `embed` does.
    """
    try:
        return _parse(changed, embed=embed)
    except (SourceError, ModelError):
        raise
    except Exception as error:  # whatever a markup parser trips over, the other documents go on
        raise SourceError(f"can't be parsed ({type(error).__name__}: {error}); please report it") from error


def _parse(changed: ChangedSource, *, embed: Embed) -> ParsedDocument:
    source = changed.source
    structure = read_structure(source, changed.content)
    parsed, identity = structure.parsed, structure.identity
    return ParsedDocument(
        document=Document(
            root=source.root,
            source=source.name,
            title=identity.title,
            product=identity.product,
            aliases=identity.aliases,
            version=identity.version,
            date=identity.date,
            authority=identity.authority,
            url=_lasting(identity.url, changed.permalink),
            text=parsed.text,
            sha256=changed.sha256,
            media_type=parsed.media_type,
        ),
        releases=structure.releases,
        passages=split_passages(parsed, structure.releases, title=identity.title, embed=embed),
    )


def _lasting(url: str | None, permalink: str | None) -> str | None:
    """The told address, unless it is one of the repository's branches and the commit is known."""
    drifts = url is not None and (file := parse_repository_link(url)) is not None and file.commit is None
    return permalink or url if drifts or url is None else url
