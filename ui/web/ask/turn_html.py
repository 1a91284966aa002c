"""Render Ask as HTML: the turns of a conversation, the products that the index covers, and its age."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from urllib.parse import urlencode

from markupsafe import Markup

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.index.reader import IndexReader
from retrieval.model import Facet, Interpretation
from ui.rendering.answer_markdown import render_markdown
from ui.rendering.words import asks_for_words
from ui.web.ask.conversation import Answered, Asking, Failure, Seen
from ui.web.ask.layout import lay_out
from ui.web.ask.questions import newest_first, start_questions
from ui.web.html import render


@dataclass(frozen=True, slots=True)
class Chip:
    """One facet of a question as it was understood."""

    label: str
    text: str
    link: str = ""  # The address of the question as a click changes it; empty if the chip can't be clicked.
    is_off: bool = False  # The facet is ignored until a click.


def render_turn(number: int, asking: Asking, outcome: Answered | Failure, *, seen: Seen | None) -> Markup:
    """Return a turn as HTML; `number` is its position in the conversation, and `seen` goes into the link to it."""
    return render(
        "ask",
        "turn",
        number=number,
        asking=asking,
        found=outcome,
        layout=lay_out(outcome.answer) if isinstance(outcome, Answered) else None,
        seen=seen,
        link=f"{asking.address}&{urlencode({'seen': str(seen)})}" if seen else asking.address,
        chips=tuple(read_chips(asking, outcome.answer.interpretation)) if isinstance(outcome, Answered) else (),
        alone=replace(asking, history=()).address if asking.history else "",
        copied=render_markdown(outcome.answer) if isinstance(outcome, Answered) else "",
    )


def read_chips(asking: Asking, read: Interpretation) -> Iterator[Chip]:
    """Yield the chips of a question in the order product, version, names, intent."""

    def facet_chip(label: str, text: str, facet: Facet) -> Chip:
        # A click turns the facet off, or on again.
        link = replace(asking, without=asking.without ^ {facet}).address
        return Chip(label, text, link, is_off=facet in asking.without)

    unknown = f"{', '.join(read.unknown_products)} (no notes)" if read.unknown_products else ""
    product = ", ".join(read.products) or unknown
    for facet, filter_value, understood, unfiltered in (
        (Facet.PRODUCT, asking.product, product, replace(asking, product=None)),
        (Facet.VERSION, asking.version, read.versions_words, replace(asking, version=None)),
    ):
        if filter_value is not None:
            yield Chip(f"Only {facet.value}", understood or filter_value, unfiltered.address)
        elif facet in asking.without or understood:
            yield facet_chip(facet.value.capitalize(), "any" if facet in asking.without else understood, facet)
    if read.symbols:
        yield Chip("Names", ", ".join(read.symbols))
    wanted = "anything" if Facet.INTENT in asking.without else asks_for_words(read)
    if wanted:
        yield facet_chip("Looking for", wanted, Facet.INTENT)


def render_start_html(index: IndexReader, products: Sequence[CatalogueProduct]) -> Markup:
    """Return the start page: questions to begin with, products with their newest releases, and the index's date."""
    questions = start_questions(products)
    example = min(questions, key=len, default="")
    return render(
        "ask",
        "start",
        products=newest_first(products, today=date.today()),
        questions=[question for question in questions if question != example or len(questions) < 5],
        example=example,
        updated=datetime.fromisoformat(index.manifest.updated).astimezone().date(),
        names=[product.name for product in products],
    )


def render_ways_html(
    products: Sequence[CatalogueProduct], asking: Asking, read: Interpretation, questions: Sequence[str]
) -> Markup:
    """Return links to continue with after a question without an answer: without the version, in the newest release, and
    the products' pages; if it names no known product, `questions` instead of these."""
    named = [product for product in products if product.name in read.products]
    retries: list[tuple[str, str]] = []
    if named and read.versions:
        any_version = replace(asking, version=None)
        retries.append(("In any version", replace(any_version, without=any_version.without | {Facet.VERSION}).address))
        for label in [release.version.label for release in stable_releases(named[0].releases)[: len(named) == 1]]:
            retries.append((f"In the newest release, {label}", replace(any_version, version=label).address))
    offered = () if named else questions
    return render("ask", "ways_on", again=retries, questions=offered, products=named)
