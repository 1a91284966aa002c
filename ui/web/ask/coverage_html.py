"""What the index covers, and how old it is, in the words of the page."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from corpus.catalogue import CatalogueProduct
from retrieval.answers.coverage import describe_product
from ui.web.citation_cards import render_date
from ui.web.escaping import escape

_NAMED_PRODUCTS = 6


def render_coverage_html(products: Iterable[CatalogueProduct]) -> str:
    """One line on what the index covers: products with their versions."""
    known = tuple(products)
    if not known:
        return '<p class="rn-coverage">The index is empty. Add release notes with <code>relnotes ingest</code>.</p>'
    largest = _largest(known)
    named = ", ".join(f"{escape(product.name)}{_version_range(product)}" for product in largest)
    rest = len(known) - len(largest)
    documents = sum(product.documents for product in known)
    more = f" and {rest} more {'product' if rest == 1 else 'products'}" if rest else ""
    count = f"{documents} {'document' if documents == 1 else 'documents'}"
    return f'<p class="rn-coverage">Covers {named}{more} · {count}</p>'


def render_age_html(products: Sequence[CatalogueProduct], *, updated: str, today: date) -> str:
    """How old the notes are: the newest dated release, and the day of the last ingest (`updated`, ISO 8601).

    Empty for an empty index.
    """
    if not products:
        return ""
    dated = [(release.date, product, release) for product in products for release in product.releases if release.date]
    newest = max(dated, key=lambda one: (one[0], one[1].passages), default=None)
    parts = []
    if newest is not None:
        released, product, release = newest
        name = f"{escape(product.name)} " if len(products) > 1 else ""
        last = product.releases[0]
        when = f" of {render_date(released)}"
        if last.version > release.version:
            # Its notes don't say when it came out; the newest day that any do is told with the release it belongs to.
            when = f" (undated; {escape(release.version.label)} is of {render_date(released)})"
            release = last
        parts.append(f"Notes up to {name}{escape(release.version.label)}{when}")
    parts.append(f"index of {_day(datetime.fromisoformat(updated).astimezone().date(), today)}")
    line = "; ".join(parts)
    return f'<p class="rn-age">{line[0].upper()}{line[1:]}</p>'


def render_covered_html(products: Sequence[CatalogueProduct], *, asked: Sequence[str]) -> str:
    """What there is to ask about: products with their versions and the date of the newest; those `asked` about first.

    Empty for an empty index.
    """
    if not products:
        return ""
    wanted = set(asked)
    first = [product for product in products if product.name in wanted]
    shown = [*first, *_largest(product for product in products if product.name not in wanted)][:_NAMED_PRODUCTS]
    rows = "".join(
        f'<tr><th scope="row">{escape(product.name)}</th><td>{escape(describe_product(product))}</td>'
        f"<td>{render_date(_newest_date(product))}</td></tr>"
        for product in shown
    )
    rest = len(products) - len(shown)
    noun = "product" if rest == 1 else "products"
    more = f'<p>And {rest} more {noun}, all in the <a href="/?tab=library">Library</a>.</p>' if rest else ""
    return (
        '<section class="rn-covered"><h3>What the notes cover</h3><table><thead><tr><th scope="col">Product</th>'
        f'<th scope="col">Versions</th><th scope="col">Newest</th></tr></thead><tbody>{rows}</tbody></table>'
        f"{more}</section>"
    )


def _largest(products: Iterable[CatalogueProduct]) -> list[CatalogueProduct]:
    return sorted(products, key=lambda product: (-product.passages, product.name))[:_NAMED_PRODUCTS]


def _newest_date(product: CatalogueProduct) -> date | None:
    return max((release.date for release in product.releases if release.date), default=None)


def _day(day: date, today: date) -> str:
    days = (today - day).days
    if days in (0, 1):
        return f'<time datetime="{day.isoformat()}">{"yesterday" if days else "today"}</time>'
    return render_date(day)


def _version_range(product: CatalogueProduct) -> str:
    if not product.releases:
        return ""
    newest, oldest = product.releases[0].version.label, product.releases[-1].version.label
    return f"&nbsp;{escape(newest if newest == oldest else f'{oldest}–{newest}')}"
