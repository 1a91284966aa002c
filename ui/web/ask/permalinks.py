"""The address of a question: what it was asked with, as the page's query string."""

from collections.abc import Iterable
from urllib.parse import urlencode

from retrieval.model import MAX_QUESTION_CHARACTERS, Facet
from ui.question_limits import MAX_FILTER_CHARACTERS
from ui.web.ask.conversation import MAX_HISTORY, Asking


def render_permalink(asking: Asking) -> str:
    """`/?q=…` with the filters, the earlier questions (`after`) and the facets that aren't read (`without`)."""
    pairs = [("q", asking.question)]
    pairs += [("product", asking.product)] if asking.product else []
    pairs += [("version", asking.version)] if asking.version else []
    pairs += [("without", facet.value) for facet in Facet if facet in asking.without]
    pairs += [("after", question) for question in asking.history]
    return f"/?{urlencode(pairs)}"


def parse_permalink(pairs: Iterable[tuple[str, str]]) -> Asking | None:
    """The question that a query string holds; None where it holds none, or one that is longer than it may be."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value.strip())
    question = next(iter(values.get("q", ())), "")
    filters = {name: next(iter(values.get(name, ())), "") for name in ("product", "version")}
    history = tuple(earlier for earlier in values.get("after", ()) if earlier)[-MAX_HISTORY:]
    longest = max(map(len, (question, *history)))
    if not question or longest > MAX_QUESTION_CHARACTERS or max(map(len, filters.values())) > MAX_FILTER_CHARACTERS:
        return None
    facets = {facet.value: facet for facet in Facet}
    return Asking(
        question,
        history=history,
        product=filters["product"] or None,
        version=filters["version"] or None,
        without=frozenset(facets[name] for name in values.get("without", ()) if name in facets),
    )
