"""What each tool does: checked arguments in, JSON out, for readers who pay by the character: nothing twice, and nothing
that is empty. It brings in all that answers: imported at the first call. Fields may be added.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain, groupby
from typing import Any

from corpus.catalogue import CatalogueProduct, releases_out, stable_releases
from corpus.errors import UsageError
from corpus.index.reader import IndexReader
from corpus.index.stored import DocumentSummary, StoredPassage
from corpus.model import Release, Span
from corpus.plain_words import listed, one_line
from corpus.version_gaps import find_version_gaps
from corpus.versions import Version, VersionConstraint
from retrieval.answers.missing import count_items
from retrieval.assistant import Assistant
from retrieval.blocks import Blocks, Run, Words, markdown_of, markdown_words
from retrieval.model import Answer, Candidate, Citation, RankedPassage, Status
from retrieval.products.known import find_product
from retrieval.quoting.links import quote_link
from retrieval.quoting.wording import render_quote, shorten
from retrieval.reviews.model import ReviewedBump
from retrieval.search.hits import Hit
from retrieval.upgrades.model import SEVERITY, UpgradeItem
from ui.rendering.words import document_of

Json = dict[str, Any]

_CANDIDATES, _LISTED, _CHANGES_ON_A_PAGE, _CHANGES_OF_A_BUMP, _VERSIONS, _VERSIONS_OF_EACH = 5, 12, 25, 8, 20, 2
_TITLE_CHARACTERS, _FOUND_CHARACTERS, _LEAST_FOUND_CHARACTERS, _BEFORE_CHARACTERS = 60, 175, 60, 50
"""Of a title, of that and an address and what a hit says together, and of that at least: ten hits are 2,500; and
of what is before searched words."""
_CHANGE_CHARACTERS, _CLAIMED_CHARACTERS, _READ_CHARACTERS = 88, 220, 3_000  # What a reader needs to choose.
_LONGEST_LINE, _LONGEST_ENTRY, _LEAST_CONFIDENCE, _SURE = 300, 2_000, 0.3, 0.95  # Answered; with nothing beside it.
_TEXT_MARK = "#:~:"  # Behind it stand the words that a browser marks, which a text repeats.
_NUMBER = r"[0-9]{1,15}"
_ID = re.compile(rf"({_NUMBER})(?::({_NUMBER})(?:-({_NUMBER}))?)?")
_COMMAND = re.compile(r" If (?:one is known|it is one), look it up: `[^`]*`\.")


def search(
    assistant: Assistant, query: str, product: str | None, version: str | None, limit: int, *, newest_first: bool
) -> Json:
    """Return the best passages, each with the words and `id` of its best item: `12:1766` begins at offset 1766 of
    document 12."""
    findings = assistant.find(assistant.understand(query, product=product, version=version), limit=limit)

    def found(hit: Hit) -> Json:
        passage, document = hit.passage, hit.passage.document
        best = next((item for item in findings.scored if item.passage is passage), None)
        title, url = _title_of(passage), document.url or _address_of(document)
        room = max(_LEAST_FOUND_CHARACTERS, _FOUND_CHARACTERS - len(title) - len(url))
        words = render_quote(best.quote, findings.text_of(best), max_characters=room) if best else ()
        return _filled(
            id=f"{document.id}:{(best.item if best else passage).span.start}",
            title=title,
            url=url,
            date=_day(passage.date),
            words=": ".join(filter(None, words)),
        )

    hits = [*findings.outcome.hits[:limit]]
    if newest_first:
        hits.sort(key=lambda hit: _age(hit.passage), reverse=True)
    return {"results": [*map(found, hits)]}


def search_exact(assistant: Assistant, words: str, product: str | None, version: str | None, limit: int) -> Json:
    """Return the newest entries that hold `words` as they are written, whatever their case: each cut round them, with
    the number of all such entries and of the sentences looked through.

    Raises:
        UsageError: an unknown product, or a malformed version filter.
    """
    index, query = assistant.index, assistant.understand(words, product=product, version=version)
    names = query.products if product else [known.name for known in assistant.catalogue()]
    holding = _holding(index, re.escape(words.strip()), names, query.constraint if query.version_filtered else None)
    places = sorted(holding, key=lambda place: _age(place[0]), reverse=True)
    results = [
        _filled(
            id=f"{passage.document.id}:{span.start}",
            title=_title_of(passage),
            date=_day(passage.date),
            words=_line_round(index.text_of(passage), span, start),
        )
        for passage, span, start in places[:limit]
    ]
    return {"results": results, "found": len(places), "looked_through": count_items(index, names)}


def _holding(
    index: IndexReader, literal: str, products: Sequence[str], versions: VersionConstraint | None
) -> Iterator[tuple[StoredPassage, Span, int]]:
    """Yield the entries that hold a string, and where; of what is in no entry, like a heading, the rest of its line."""
    for document in index.documents:
        text, reached = index.document_text(document.id), 0
        is_read = document.product in products and re.search(literal, text, re.IGNORECASE)
        passages = index.document_passages(document.id) if is_read else ()
        for passage, entries in zip(passages, index.load_entries(passages), strict=True):
            is_asked = versions is None or (passage.release and versions.contains(passage.release))
            for match in re.finditer(literal, passage.span.slice(text), re.IGNORECASE) if is_asked else ():
                if (start := passage.span.start + match.start()) >= reached:
                    line = Span(start, text.find("\n", start, passage.span.end) + 1 or passage.span.end)
                    span = next((e.span for e in entries if e.span.start <= start < e.span.end), line)
                    reached = span.end
                    yield passage, span, start


def _line_round(text: str, span: Span, start: int) -> str:
    """Return the words of a range round a place in it, on one line, the first and last whole."""
    first = max(span.start, text.rfind(" ", 0, max(0, start - _BEFORE_CHARACTERS)) + 1)
    words = shorten(one_line(text[first : span.end]), max_characters=_FOUND_CHARACTERS)
    return f"… {words}" if first > span.start else words


def _age(passage: StoredPassage) -> tuple[object, ...]:
    """Return the key that sorts passages by product, and each one's from old to new."""
    return passage.document.product, passage.release is not None, passage.release, passage.date or date.min


def _title_of(passage: StoredPassage) -> str:
    document = passage.document
    heading = one_line(passage.heading[-1] if passage.heading else document.title)
    return _title(document.product, str(passage.release or ""), heading)


def fetch(assistant: Assistant, wanted: str, characters: int) -> Json:
    """Return an excerpt of about `characters` from the whole entry at a place ("12:1766"), the text from one place to
    another ("12:1766-2407"), or a document's beginning ("12").

    Raises:
        UsageError: `wanted` is no id, or names no document or a place behind its end.
    """
    document, text, start, end = _read_id(assistant, wanted)
    releases = [release for release in assistant.index.document_releases(document.id) if release.version]
    span, title = Span(start, len(text) if end is None else end), ""
    if ":" in wanted and end is None:
        whole = next((r.span for r in releases if r.span.start <= start < r.span.end), Span(0, len(text)))
        passages = assistant.index.document_passages(document.id, within=Span(whole.start, start + 1))[-1:]
        title = ": ".join(passages[0].heading[-1 if releases else -2 :] if passages else ())
        entries = chain(*assistant.index.load_entries(passages))
        entry = next((e.span for e in entries if e.span.start <= start < e.span.end), Span(start, start + characters))
        characters = max(characters, min(len(entry), _LONGEST_ENTRY))
        span = Span(entry.start, whole.end)
    span = _cut_excerpt(text, span, most=characters)
    version, day = _release_in(span, document, releases)
    return {
        "id": wanted,
        "title": _title(document.product, version, one_line(title or document.title)),
        "text": span.slice(text),
        "url": (quote_link(document, text, span) or _address_of(document)).partition(_TEXT_MARK)[0],
        "metadata": _filled(
            source=document.source,
            product=document.product,
            version=version,
            date=_day(day or document.date),
            authority=document.authority,
            start=span.start,
            end=span.end,
            next=f"{document.id}:{span.end}-{min(len(text), span.end + characters)}" if span.end < len(text) else None,
        ),
    }


def _read_id(assistant: Assistant, wanted: str) -> tuple[DocumentSummary, str, int, int | None]:
    """Return an id's document with its text, and the ends of its range; the end is None if it has none."""
    place = _ID.fullmatch(wanted)
    if place is None or (place[3] is not None and int(place[2]) >= int(place[3])):
        raise UsageError(f"Not an id: {wanted!r}. Take one from the results of `search`, like '12:1766' or '12'.")
    document = _document(assistant, int(place[1]))
    text = assistant.index.document_text(document.id)
    start = int(place[2] or 0)
    if start and start >= len(text):
        raise UsageError(
            f"The document has {len(text):,} characters, and the id names a place behind them. Search again: the "
            "document may have been ingested anew."
        )
    return document, text, start, min(int(place[3]), len(text)) if place[3] else None


def _release_in(span: Span, document: DocumentSummary, releases: Sequence[Release]) -> tuple[str | None, date | None]:
    """Return version and day of the one release in a range; None if there are several, the document's if none."""
    match [release for release in releases if release.span.meets(span)]:
        case []:
            return document.version, None
        case [Release(version=Version() as version, date=day)]:
            return version.label, day
    return None, None


def _cut_excerpt(text: str, whole: Span, *, most: int) -> Span:
    """Return at most the first `most` characters of `whole`, cut at the last end of a line, else of a word, if near."""
    if len(whole) <= most:
        return whole
    end = whole.start + most
    cut = (text.rfind(mark, max(whole.start, end - _LONGEST_LINE), end) + 1 for mark in "\n ")
    return Span(whole.start, next((place for place in cut if place > whole.start), end))


def ask(
    assistant: Assistant, question: str, history: Sequence[str], product: str | None, version: str | None, passages: int
) -> Json:
    """Return the answer with its citations, and as candidates the best items that it doesn't cite."""
    filters: dict[str, Any] = {"history": history, "product": product, "version": version}
    answer = assistant.ask(question, **filters, limit=passages, candidates=_CANDIDATES, listed=_LISTED)
    is_found = any(candidate.is_about for candidate in answer.candidates)
    is_open = is_found if answer.status is Status.NOT_FOUND else answer.confidence < _LEAST_CONFIDENCE
    return _filled(
        status="unsure" if is_open else answer.status,
        confidence=round(answer.confidence, 2),
        answer=markdown_of(_for_agents(assistant, answer)).rstrip(),
        citations=[
            _filled(n=c.n, id=_place(c), url=url if url not in map(_address, answer.citations[:place]) else None)
            for place, c in enumerate(answer.citations)
            for url in [_address(c)]
        ],
        candidates=[
            {"id": _place(c), "line": c.line} for c in answer.candidates if is_open or answer.confidence < _SURE
        ],
        passages=[{"id": _place(passage), "text": passage.text} for passage in answer.passages],
        notes=answer.notes,
    )


def _for_agents(assistant: Assistant, answer: Answer) -> Blocks:
    """Return an answer's blocks with a tool call in place of a command or source, without what candidates repeat."""
    blocks, more = answer.blocks, answer.blocks.closing and answer.blocks.closing.more
    call = ""
    if more and more.upgrade:
        call = "changes_between product={} from={} to={}".format(*more.upgrade)
    elif more and (cited := document_of(more, answer.citations)):
        releases = assistant.index.document_releases(cited.document_id)
        span = next((r.span for r in releases if r.span.start <= cited.start < r.span.end), None)
        place = f"{cited.document_id}:{span.start}-{span.end}" if span else _place(cited)
        call = f"fetch id={place} characters={_READ_CHARACTERS}"
    if blocks.closing and more and call:
        blocks = replace(blocks, closing=replace(blocks.closing, more=replace(more, code=call)))
    if answer.candidates and not any(statement.citations for statement in blocks.statements):
        *runs, last = blocks.aside.runs or (Run(""),)
        aside = Words((*runs, replace(last, text=last.text.removesuffix("Nearest:").rstrip())))
        blocks = replace(blocks, statements=(), aside=aside)
    return blocks


def list_versions(assistant: Assistant, name: str | None, limit: int | None) -> Json:
    """Return at most `limit` of the newest indexed releases of a product, or of each of all; by default fewer of each.

    Raises:
        UsageError: there is no such product.
    """
    products = (find_product(assistant.catalogue(), name),) if name else assistant.catalogue()
    listed = [_versions(product, limit=limit or (_VERSIONS if name else _VERSIONS_OF_EACH)) for product in products]
    if name and "older_versions" in listed[0]:
        more = {"product": listed[0]["name"], "limit": listed[0]["releases"]}
        return {"products": listed, "next": _call("list_versions", more)}
    return {"products": listed}


def _versions(product: CatalogueProduct, *, limit: int) -> Json:
    releases = product.releases
    first = list(dict.fromkeys((*stable_releases(releases)[:1], *releases_out(releases)[:1])))
    shown = [*first, *(release for release in releases if release not in first)][: max(limit, len(first))]
    gaps = ", ".join(str(gap) for gap in find_version_gaps(release.version for release in releases))
    notes = ["These notes give no days."] if releases and not any(release.date for release in releases) else []
    notes += [f"Told by others alone: {listed([r.version.label for r in product.hearsay])}."] * bool(product.hearsay)
    return _filled(
        name=product.name,
        aliases=product.aliases,
        releases=len(releases),
        versions=[_filled(version=release.version.label, date=_day(release.date)) for release in shown],
        older_versions=len(releases) - len(shown) or None,
        notes=notes + [f"Not indexed: {gaps}."] * bool(gaps),
    )


def changes(
    assistant: Assistant, name: str, start: str, end: str, kind: str | None, offset: int, *, every: bool = False
) -> Json:
    """Return the changes of one page from number `offset` on, only of a `kind` if given, the gravest first; if `every`,
    with fixes, features and housekeeping.

    Raises:
        UsageError: an unknown product, a malformed version, or versions that aren't in order.
    """
    product = find_product(assistant.catalogue(), name)
    upgrade = assistant.upgrade(product.name, start, end, every=every)
    dates = {release.version: release.date for release in upgrade.releases}
    items = sorted(
        (*(item for release in upgrade.releases for item in release.items), *upgrade.security, *upgrade.other),
        key=lambda item: SEVERITY[item.change],
    )
    kept = [item for item in items if kind in (None, item.change, item.kind)]
    behind = offset + _CHANGES_ON_A_PAGE
    bounds = {"product": product.name, "from": upgrade.start, "to": upgrade.end}
    has_more = behind < len(kept)
    return {
        **bounds,
        "changes": len(kept),
        "counts": Counter(item.change for item in items),
        "releases": [
            _filled(
                version=version, date=_day(dates.get(version or "")), kind=change, items=[*map(_change_line, grouped)]
            )
            for (change, version), grouped in groupby(
                kept[offset:behind], lambda item: (item.change, item.citation.version)
            )
        ],
        **_filled(
            next_offset=behind if has_more else None,
            next=_call("changes_between", {**bounds, "offset": behind, **_filled(kind=kind, all=every or None)})
            if has_more
            else None,
            missing_releases=upgrade.missing_releases,
            notes=upgrade.notes,
        ),
    }


def _change_line(item: UpgradeItem) -> str:
    return f"{_place(item.citation)} {shorten(markdown_words(item.summary), max_characters=_CHANGE_CHARACTERS)}"


def review(assistant: Assistant, diff: str) -> Json:
    """Return the notes' entries on the bumps and names of a diff, and what couldn't be looked up.

    Raises:
        UsageError: the text isn't a diff, or is malformed.
    """
    result = assistant.review(diff)
    return {
        "bumps": [_bump(bump) for bump in result.bumps],
        **_filled(
            symbols=[
                _filled(symbol=name.symbol, product=name.product, file=name.file, line=name.line, says=says)
                for name in result.symbols
                if (says := [*map(_cited_line, name.citations[:1])])
            ],
            unknown=[f"{entry.name}: {_COMMAND.sub('', entry.reason)}" for entry in result.unknown],
        ),
    }


def _bump(bump: ReviewedBump) -> Json:
    items = sorted((*bump.items, *bump.security), key=lambda item: SEVERITY[item.change])
    bounds = {"product": bump.product, "from": bump.start, "to": bump.end}
    # A number that a file states is a release, where people may mean a line.
    call = bounds | {end: f"{bounds[end]}.0" for end in ("from", "to") if bounds[end].isdecimal()}
    return {
        **bounds,
        "file": bump.bump.file,
        "line": bump.bump.line,
        "changes": len(items),
        **_filled(
            items=[f"{item.change} {_change_line(item)}" for item in items[:_CHANGES_OF_A_BUMP]],
            next=_call("changes_between", call) if len(items) > _CHANGES_OF_A_BUMP else None,
            same_as=bump.same_as,
            notes=bump.notes,
        ),
    }


def cite(assistant: Assistant, text: str, product: str | None, version: str | None) -> Json:
    """Return a verdict on each claim of a text, with its reason and quotes.

    Raises:
        UsageError: an unknown product, or a malformed version filter.
    """
    checked = assistant.cite(text, product=product, version=version)
    claims = [
        _filled(
            claim=judged.claim.text,
            verdict=judged.verdict,
            because=markdown_words(judged.because),
            citations=[*map(_cited_line, judged.citations)],
        )
        for judged in checked.claims
    ]
    return {"claims": claims, **_filled(notes=checked.notes)}


def _cited_line(cited: Citation) -> Json:
    whose = " ".join(filter(None, (cited.product, cited.version)))
    day = f" ({cited.date.isoformat()})" if cited.date else ""
    said = shorten(one_line(cited.quote), max_characters=_CLAIMED_CHARACTERS)
    return {"id": _place(cited), "line": f"{whose}{day}: {said}"}


def _document(assistant: Assistant, number: int) -> DocumentSummary:
    for document in assistant.index.documents:
        if document.id == number:
            return document
    raise UsageError(
        f"There is no document {number} in the index; one that is ingested anew gets a new number. "
        "Search again, and fetch by the ids of the results."
    )


def _filled(**fields: Any) -> Json:
    """Return the fields without None and empty values."""
    return {name: value for name, value in fields.items() if value is not None and value not in ("", (), [])}


def _call(tool: str, arguments: Json) -> Json:
    return {"tool": tool, "arguments": arguments}


def _place(part: Citation | Candidate | RankedPassage) -> str:
    return f"{part.document_id}:{part.start}"


def _address_of(document: DocumentSummary) -> str:
    return f"relnotes://documents/{document.id}"


def _address(cited: Citation) -> str:
    """Return the address of a quote's original without the text that a browser marks in it; empty without one."""
    return (cited.url or "").partition(_TEXT_MARK)[0]


def _day(day: date | None) -> str:
    return day.isoformat() if day else ""


def _title(product: str, version: str | None, words: str) -> str:
    name = f"{product} {version}" if version else product
    title = words if words.casefold().startswith(name.casefold()) else f"{name}: {words}" if words != version else name
    return shorten(title, max_characters=_TITLE_CHARACTERS)
