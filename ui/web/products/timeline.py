"""The releases of a product as a picture: how many changes each brings, and how many of them break or mend a hole."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from markupsafe import Markup

from corpus.catalogue import CatalogueProduct
from corpus.index.reader import IndexReader
from corpus.model import Kind
from corpus.stores.protocol import PassageFilter
from corpus.versions import Version
from ui.web.html import render

_BREAKING = frozenset({Kind.BREAKING, Kind.REMOVAL})
_SMALL_BARS, _BARS = 34, 24
"""What has room on a card and on a page; of more releases the newest are shown."""


@dataclass(frozen=True, slots=True)
class ReleaseCounts:
    """What the notes of one release hold: all entries, and those of them that break something or mend a hole."""

    version: Version
    date: date | None
    entries: int
    breaking: int
    security: int


def release_counts(index: IndexReader, product: CatalogueProduct) -> tuple[ReleaseCounts, ...]:
    """The counts of each release of a product, oldest first; nothing of a release without entries."""
    table = index.passages
    positions = PassageFilter(index.product_places((product.name,)), None).positions(table)
    positions = positions[~table.boilerplate[positions]]
    entries = np.diff(table.item_offsets)[positions]
    versions, kinds = table.version_codes[positions], table.kind_codes[positions]
    size = len(table.distinct_versions)

    def count(wanted: frozenset[Kind]) -> list[int]:
        codes = [code for code, kind in enumerate(Kind) if kind in wanted]
        chosen = np.isin(kinds, codes)
        return [int(total) for total in np.bincount(versions[chosen], entries[chosen], minlength=size)]

    every, breaking, security = count(frozenset(Kind)), count(_BREAKING), count(frozenset({Kind.SECURITY}))
    codes = {version: code for code, version in enumerate(table.distinct_versions) if version is not None}
    return tuple(
        ReleaseCounts(release.version, release.date, every[code], breaking[code], security[code])
        for release in reversed(product.releases)
        if (code := codes.get(release.version)) is not None and every[code]
    )


def render_bars(counts: Sequence[ReleaseCounts]) -> Markup:
    """The releases as small bars, newest at the right, without words: what stands beside them tells the product."""
    return render("products", "bars", bars=counts[-_SMALL_BARS:], most=_SMALL_BARS)


def render_timeline(product: str, counts: Sequence[ReleaseCounts], *, shown: Container[Version | None]) -> Markup:
    """The releases as bars that lead to their pages, with the table behind them; `shown` are those at hand."""
    return render("products", "timeline", product=product, bars=counts[-_BARS:], counts=counts[::-1], shown=shown)
