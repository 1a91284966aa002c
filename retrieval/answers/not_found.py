"""Answers that aren't found: the reason, the coverage of the index and the nearest statements; and the gaps of other
answers: parts of the question without proof, releases later than the notes."""

from collections.abc import Iterator
from dataclasses import replace

from corpus.catalogue import CatalogueProduct, releases_out, stable_releases
from corpus.lexicon import content_words, split_tokens
from corpus.plain_words import listed, one_line
from corpus.versions import VersionConstraint
from retrieval.answers.catalogue_releases import describe_absence, describe_coverage, describe_product
from retrieval.answers.changes import asked_range, asked_releases
from retrieval.answers.missing import begin_sentence, describe_missing, is_mentioned, missing_names
from retrieval.blocks import StatementBlock, join_words, words_of
from retrieval.model import Form, Status, Wanted
from retrieval.products.end_of_notes import end_of_notes, other_languages
from retrieval.question.subject import subject_weights
from retrieval.quoting.composing import NOT_FOUND, Draft, not_found, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item
from retrieval.quoting.quotes import ItemScore
from retrieval.upgrades.bounds import Bounds, missing_releases

_MOST_NAMED, _NEAREST_LISTED, _LINE_CHARACTERS = 3, 3, 180  # Products and words, passages, characters of one.
_LEAST_COSINE, _LEAST_COVERED = 0.35, 0.3
"""Least similarity and coverage of a nearest statement, because something is nearest even to made-up words, and a
product's name alone is in all its notes. Chosen by hand, never fitted."""
_READ = 5  # Most releases whose notes are checked for being English.
_MOST_PRODUCTS = 3  # With more products in a question, the end of their notes isn't mentioned.


def draft_not_found(findings: Findings) -> Draft:
    """Answer "Not found" with the known reason, the coverage, and the nearest statements."""
    query, parts = findings.query, list[str]()
    near = () if query.unknown_products else _nearest(findings)
    if not uncovered_release(findings):
        products = findings.products if query.products else ()
        covered = describe_coverage(findings.index, products=products, limit=_MOST_NAMED)
        parts = [*_missing_releases(findings), f"Covered: {covered}."]
    return not_found(_reason(findings), " ".join((*parts, *["Nearest:"] * bool(near))), nearest=near)


def _reason(findings: Findings) -> str:
    """Return the reason why there is no answer, to follow "Not found: "; empty if none is known."""
    query = findings.query
    if query.unknown_products:
        return f"no release notes of {' or '.join(query.unknown_products)} are in the library."
    if missing_release := uncovered_release(findings):
        return describe_absence(missing_release, query.constraint).replace("No", "no", 1)
    if missing := missing_names(findings):
        return describe_missing(findings, missing)
    return f"no passage found speaks of {' or '.join(absent)}." if (absent := _missing_references(findings)) else ""


def draft_chat(findings: Findings) -> Draft:
    """Answer small talk with a friendly sentence about what can be asked."""
    covered = describe_coverage(findings.index, products=findings.products, limit=_MOST_NAMED)
    lead = words_of(f"{NOT_FOUND}, but happy to tell what is new, breaks or was fixed.")
    return Draft(Status.NOT_FOUND, lead, aside=words_of(f"Ask me about {covered}."))


def draft_which_product(findings: Findings) -> Draft:
    """Ask which product is meant, and list the products."""
    query, why = findings.query, "the library has several products"
    if query.versions_open:
        why = f"the {query.versions_open} release is another one for each product"
    which = "Ask about one of them" if query.products else "The question names none: ask about one of them"
    return not_found(f"{why}.", f"{which}. Covered: {describe_coverage(findings.index, products=findings.products)}.")


def uncovered_release(findings: Findings) -> CatalogueProduct | None:
    """Return the one product asked about if no notes for the versions named are indexed; else None."""
    constraint, product = findings.query.constraint, findings.products[0] if len(findings.products) == 1 else None
    if constraint is None or product is None or not product.releases:
        return None
    return None if any(constraint.contains(release.version) for release in product.named) else product


def is_unanswerable(findings: Findings) -> bool:
    """Return whether a question has no words to search for, or no hit has any of the references that it names."""
    query = findings.query
    has_words = any(sum(map(str.isalpha, token)) > 1 for token in findings.outcome.tokens)
    if not (has_words and content_words(query.search_text)) and not (query.references or query.symbols):
        return True
    return bool(query.references) and len(_missing_references(findings)) == len(query.references)


def _missing_references(findings: Findings) -> list[str]:
    known = {reference for hit in findings.outcome.hits for reference in hit.passage.references}
    return [reference for reference in findings.query.references if reference not in known]


def _nearest(findings: Findings) -> tuple[StatementBlock, ...]:
    """Return the likeliest statement of each nearest passage that is similar enough and has the question's subject."""
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    seen, distinct = set[int](), dict[str, ItemScore]()
    for scored in findings.fitting:
        words, position = findings.words_of(scored), scored.passage.position
        is_about = subject.coverage(frozenset(split_tokens(words))) >= _LEAST_COVERED
        if is_about and scored.hit.cosine >= _LEAST_COSINE and position not in seen:
            distinct.setdefault(one_line(words).casefold(), scored)
            seen.add(position)
    texts = [(first, findings.text_of(first)) for first in list(distinct.values())[:_NEAREST_LISTED]]
    quotes = [(quote_item(first, text, room=_LINE_CHARACTERS), text) for first, text in texts]
    statements = (statement_of(quote, text, max_characters=_LINE_CHARACTERS) for quote, text in quotes)
    return tuple(StatementBlock(statement.labelled, speaker=statement.speaker) for statement in statements)


def mark_partial(findings: Findings, draft: Draft) -> Draft:
    """Return the draft; as partial, with the missing parts named, if releases, products or symbols aren't covered."""
    query = findings.query
    if draft.status is not Status.ANSWERED or not draft.statements:
        return draft
    missing = [*_missing_releases(findings)]
    if len(query.products) > 1:
        quoted = {quote.passage.document.product for statement in draft.statements for quote in statement.quotes}
        absent = [product for product in findings.products if product.name not in quoted]
        missing += [f"Nothing found about {product.name} ({describe_product(product)})." for product in absent]
    symbols = tuple(symbol for symbol in query.symbols if not is_mentioned(findings, symbol))
    if symbols and len(symbols) < len(query.symbols):
        missing.append(begin_sentence(describe_missing(findings, symbols)))
    ahead, after = (missing, []) if draft.leads_on or not draft.lead else ([], missing)
    lead, aside = join_words((*ahead, draft.lead)), join_words((draft.aside, *after))
    return replace(draft, status=Status.PARTIAL, lead=lead, aside=aside) if missing else draft


def _missing_releases(findings: Findings) -> Iterator[str]:
    """Yield a sentence for each release asked for (or end of a range) that isn't indexed, if another one is."""
    constraint = findings.query.constraint
    if constraint is None or len(findings.products) != 1 or findings.query.versions_named_as:
        return
    (product,) = findings.products
    ends = (constraint.high,) if constraint.high is not None and constraint.includes_high else ()
    constraints = map(VersionConstraint.exactly, constraint.versions or ends)
    named = [release.version for release in product.named]
    if any(map(constraint.contains, named)):
        yield from (describe_absence(product, exact) for exact in constraints if not any(map(exact.contains, named)))


def note_coverage(draft: Draft, findings: Findings) -> Draft:
    """Return the draft with notes about coverage, for `_MOST_PRODUCTS` products at most: where a product's notes end,
    if later releases could change the answer; notes in other languages; and releases without notes in a range."""
    query, constraint = findings.query, findings.query.constraint
    if len(query.products) > _MOST_PRODUCTS or query.form is Form.CHAT:
        return draft
    notes: list[str] = []
    for product in findings.index.products_named(query.products):
        if not product.releases:
            continue
        is_about_newest = draft.status is Status.NOT_FOUND or query.wanted in (Wanted.NEWEST, Wanted.IS_NEWEST)
        if constraint is not None and query.versions_named_as and not is_about_newest:
            is_about_newest = constraint.contains(stable_releases(product.releases)[0].version)
        elif constraint is not None and not is_about_newest:
            high = max(constraint.versions, default=constraint.high)
            is_about_newest = high is None or high > releases_out(product.releases)[0].version
        if is_about_newest:
            notes += end_of_notes(product, findings.index)
        if draft.status is Status.NOT_FOUND or query.form.traits.is_news or query.form is Form.SECURITY:
            versions = {release.version for release in asked_releases(findings, product)[:_READ]}
            positions = findings.index.release_positions(product.name, versions.__contains__)
            notes += other_languages(findings.index.load_passages(positions), findings.index)
        if query.form.traits.is_news and constraint and constraint.high and (ends := asked_range(query, product)):
            indexed = {release.version for release in product.releases}
            if absent := missing_releases(Bounds.between(product, *ends), indexed):
                notes.append(f"No notes of {product.name} {listed(absent)} are in the library.")
    return replace(draft, notes=(*draft.notes, *notes))
