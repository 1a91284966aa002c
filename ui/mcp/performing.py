"""What each tool does: checked arguments in, JSON out, for readers who pay by the character: nothing twice, and nothing
that is empty. It brings in all that answers: imported at the first call. Fields may be added.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import chain, groupby
from typing import Any

from corpus.catalogue import CatalogueProduct, releases_out, stable_releases
from corpus.errors import UsageError
from corpus.index.stored import DocumentSummary
from corpus.model import Span
from corpus.plain_words import listed, one_line
from corpus.version_gaps import find_version_gaps
from retrieval.assistant import Assistant
from retrieval.blocks import Blocks, Run, Words, markdown_of, markdown_words
from retrieval.model import Answer, Candidate, Citation, RankedPassage, Status
from retrieval.products.known import find_product
from retrieval.quoting.candidates import candidate_words
from retrieval.quoting.links import quote_link
from retrieval.quoting.wording import shorten
from retrieval.reviews.model import ReviewedBump
from retrieval.search.hits import Hit
from retrieval.upgrades.model import SEVERITY, UpgradeItem
from ui.rendering.words import document_of

Json = dict[str, Any]

_CANDIDATES, _LISTED, _CHANGES_ON_A_PAGE, _CHANGES_OF_A_BUMP, _VERSIONS, _VERSIONS_OF_EACH = 5, 12, 40, 8, 20, 2
_TITLE_CHARACTERS, _FOUND_CHARACTERS, _LEAST_FOUND_CHARACTERS = 60, 175, 60
"""Of a title, of that and an address and what a hit says together, and of that at least: ten hits are 2,500."""
_CHANGE_CHARACTERS, _CLAIMED_CHARACTERS, _READ_CHARACTERS = 88, 220, 3_000  # What a reader needs to choose.
_LONGEST_LINE, _LONGEST_ENTRY = 300, 2_000  # An excerpt ends with a whole line, and holds a whole entry.
_TEXT_MARK = "#:~:"  # Behind it stand the words that a browser marks, which a text repeats.
_NUMBER = r"[0-9]{1,15}"
_ID = re.compile(rf"({_NUMBER})(?::({_NUMBER})(?:-({_NUMBER}))?)?")
_COMMAND = re.compile(r" If (?:one is known|it is one), look it up: `[^`]*`\.")


def search(assistant: Assistant, query: str, product: str | None, version: str | None, limit: int) -> Json:
    """Return the best passages, each with the item that answers best and its `id`: `12:1766`, document and place."""
    findings = assistant.find(assistant.understand(query, product=product, version=version), limit=limit)

    def found(hit: Hit) -> Json:
        passage, document = hit.passage, hit.passage.document
        best = next((one for one in findings.scored if one.passage is passage), None)
        heading = one_line(passage.heading[-1] if passage.heading else document.title)
        title = _title(document.product, str(passage.release or ""), heading)
        url = document.url or _address_of(document)
        room = max(_LEAST_FOUND_CHARACTERS, _FOUND_CHARACTERS - len(title) - len(url))
        return _told(
            id=f"{document.id}:{(best.item if best else passage).span.start}",
            title=title,
            url=url,
            date=_day(passage.date),
            words=candidate_words(findings, best, max_characters=room) if best else None,
        )

    return {"results": [found(hit) for hit in findings.outcome.hits[:limit]]}


def fetch(assistant: Assistant, wanted: str, characters: int) -> Json:
    """Return what stands at a place ("12:1766"), whole, and what follows up to so many characters; or so many from one
    place to another ("12:1766-2407"), or of a document's beginning ("12").

    Raises:
        UsageError: it is no id, or names no document or a place behind its end.
    """
    found = _ID.fullmatch(wanted)
    if found is None or (found[3] is not None and int(found[2]) >= int(found[3])):
        raise UsageError(f"Not an id: {wanted!r}. Take one from the results of `search`, like '12:1766' or '12'.")
    document = _document(assistant, int(found[1]))
    text = assistant.index.document_text(document.id)
    start = int(found[2] or 0)
    if start and start >= len(text):
        raise UsageError(
            f"The document has {len(text):,} characters, and the id names a place behind them. Search again: the "
            "document may have been ingested anew."
        )
    releases = [one for one in assistant.index.document_releases(document.id) if one.version]
    span, title = Span(start, min(int(found[3] or len(text)), len(text))), document.title
    if found[2] and not found[3]:
        whole = next((one.span for one in releases if one.span.start <= start < one.span.end), Span(0, len(text)))
        passages = assistant.index.document_passages(document.id, within=Span(whole.start, start + 1))[-1:]
        title = ": ".join(passages[0].heading[-1 if releases else -2 :] if passages else ()) or title
        own = chain(*assistant.index.load_entries(passages))
        entry = next((one.span for one in own if one.span.start <= start < one.span.end), Span(start, start + 1))
        # The entry whole, and what little stands before it in its passage.
        first = next((one.span.start for one in passages if start - one.span.start <= characters // 4), entry.start)
        characters = max(characters, min(entry.end - first, _LONGEST_ENTRY))
        span = whole if len(whole) <= characters else Span(first, whole.end)
    span = _cut_excerpt(text, span, most=characters)
    inside = [one for one in releases if one.span.meets(span)]
    only = inside[0] if len(inside) == 1 else None
    version = only.version.label if only and only.version else None if inside else document.version
    return {
        "id": wanted,
        "title": _title(document.product, version, one_line(title)),
        "text": span.slice(text),
        "url": (quote_link(document, text, span) or _address_of(document)).partition(_TEXT_MARK)[0],
        "metadata": _told(
            source=document.source,
            product=document.product,
            version=version,
            date=_day((only.date if only else None) or document.date),
            authority=document.authority,
            start=span.start,
            end=span.end,
            next=f"{document.id}:{span.end}-{min(len(text), span.end + characters)}" if span.end < len(text) else None,
        ),
    }


def _cut_excerpt(text: str, whole: Span, *, most: int) -> Span:
    """Return as much of the beginning of `whole` as fits, in whole lines where there are any."""
    if len(whole) <= most:
        return whole
    end = whole.start + most
    cut = (text.rfind(mark, max(whole.start, end - _LONGEST_LINE), end) + 1 for mark in "\n ")
    return Span(whole.start, next((place for place in cut if place > whole.start), end))


def ask(
    assistant: Assistant, question: str, history: Sequence[str], product: str | None, version: str | None, passages: int
) -> Json:
    """Return the answer, and the best of what else was found."""
    filters: dict[str, Any] = {"history": history, "product": product, "version": version}
    answer = assistant.ask(question, **filters, limit=passages, candidates=_CANDIDATES, listed=_LISTED)
    is_open = answer.status is Status.NOT_FOUND and any(one.is_about for one in answer.candidates)
    return _told(
        status="unsure" if is_open else answer.status,
        confidence=round(answer.confidence, 2),
        answer=markdown_of(_for_agents(assistant, answer)).rstrip(),
        citations=[
            _told(n=one.n, id=_place(one), url=url if url not in map(_address, answer.citations[:place]) else None)
            for place, one in enumerate(answer.citations)
            for url in [_address(one)]
        ],
        candidates=[{"id": _place(one), "line": one.line} for one in answer.candidates],
        passages=[{"id": _place(one), "text": one.text} for one in answer.passages],
        notes=answer.notes,
    )


def _for_agents(assistant: Assistant, answer: Answer) -> Blocks:
    """Return an answer's blocks without what candidates repeat, and with a call where a command or a source stands."""
    blocks, more = answer.blocks, answer.blocks.closing and answer.blocks.closing.more
    call = ""
    if more and more.upgrade:
        call = "changes_between product={} from={} to={}".format(*more.upgrade)
    elif more and (cited := document_of(more, answer.citations)):
        releases = assistant.index.document_releases(cited.document_id)
        span = next((one.span for one in releases if one.span.start <= cited.start < one.span.end), None)
        place = f"{cited.document_id}:{span.start}-{span.end}" if span else _place(cited)
        call = f"fetch id={place} characters={_READ_CHARACTERS}"
    if blocks.closing and more and call:
        blocks = replace(blocks, closing=replace(blocks.closing, more=replace(more, code=call)))
    if answer.candidates and not any(one.citations for one in blocks.statements):
        *runs, last = blocks.aside.runs or (Run(""),)
        aside = Words((*runs, replace(last, text=last.text.removesuffix("Nearest:").rstrip())))
        blocks = replace(blocks, statements=(), aside=aside)
    return blocks


def list_versions(assistant: Assistant, name: str | None, limit: int | None) -> Json:
    """Return what is indexed of a product, or of all of them.

    Raises:
        UsageError: there is no such product.
    """
    products = (find_product(assistant.catalogue(), name),) if name else assistant.catalogue()
    listed = [_versions(product, limit=limit or (_VERSIONS if name else _VERSIONS_OF_EACH)) for product in products]
    more = (
        {"product": listed[0]["name"], "limit": listed[0]["releases"]} if name and "older_versions" in listed[0] else {}
    )
    return {"products": listed, **({"next": _call("list_versions", more)} if more else {})}


def _versions(product: CatalogueProduct, *, limit: int) -> Json:
    releases = product.releases
    first = list(dict.fromkeys((*stable_releases(releases)[:1], *releases_out(releases)[:1])))
    shown = [*first, *(one for one in releases if one not in first)][: max(limit, len(first))]
    gaps = ", ".join(str(gap) for gap in find_version_gaps(one.version for one in releases))
    notes = ["These notes give no days."] if releases and not any(one.date for one in releases) else []
    notes += [f"Told by others alone: {listed([one.version.label for one in product.told])}."] * bool(product.told)
    return _told(
        name=product.name,
        aliases=product.aliases,
        releases=len(releases),
        versions=[_told(version=one.version.label, date=_day(one.date)) for one in shown],
        older_versions=len(releases) - len(shown) or None,
        notes=notes + [f"Not indexed: {gaps}."] * bool(gaps),
    )


def changes(assistant: Assistant, name: str, start: str, end: str, kind: str | None, offset: int) -> Json:
    """Return the changes from number `offset` on, the gravest first.

    Raises:
        UsageError: an unknown product, a malformed version, or versions that aren't in order.
    """
    product = find_product(assistant.catalogue(), name)
    upgrade = assistant.upgrade(product.name, start, end)
    dates = {release.version: release.date for release in upgrade.releases}
    every = sorted(
        (*(item for release in upgrade.releases for item in release.items), *upgrade.security),
        key=lambda item: SEVERITY[item.change],
    )
    kept = [item for item in every if kind in (None, item.change, item.kind)]
    behind = offset + _CHANGES_ON_A_PAGE
    bounds = {"product": product.name, "from": upgrade.start, "to": upgrade.end}
    has_more = behind < len(kept)
    return {
        **bounds,
        "changes": len(kept),
        "counts": Counter(item.change for item in every),
        "releases": [
            _told(
                version=version, date=_day(dates.get(version or "")), kind=change, items=[*map(_change_line, grouped)]
            )
            for (change, version), grouped in groupby(
                kept[offset:behind], lambda one: (one.change, one.citation.version)
            )
        ],
        **_told(
            next_offset=behind if has_more else None,
            next=_call("changes_between", {**bounds, "offset": behind, **_told(kind=kind)}) if has_more else None,
            missing_releases=upgrade.missing_releases,
            notes=upgrade.notes,
        ),
    }


def _change_line(item: UpgradeItem) -> str:
    return f"{_place(item.citation)} {shorten(markdown_words(item.summary), max_characters=_CHANGE_CHARACTERS)}"


def review(assistant: Assistant, diff: str) -> Json:
    """Return what the notes say of the bumps and names of a diff.

    Raises:
        UsageError: the text isn't a diff, or is malformed.
    """
    found = assistant.review(diff)
    return {
        "bumps": [_bump(bump) for bump in found.bumps],
        **_told(
            symbols=[
                _told(symbol=one.symbol, product=one.product, file=one.file, line=one.line, says=says)
                for one in found.symbols
                if (says := [*map(_cited_line, one.citations[:1])])
            ],
            unknown=[f"{one.name}: {_COMMAND.sub('', one.reason)}" for one in found.unknown],
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
        **_told(
            items=[f"{item.change} {_change_line(item)}" for item in items[:_CHANGES_OF_A_BUMP]],
            next=_call("changes_between", call) if len(items) > _CHANGES_OF_A_BUMP else None,
            same_as=bump.same_as,
            notes=bump.notes,
        ),
    }


def cite(assistant: Assistant, text: str, product: str | None, version: str | None) -> Json:
    """Return a verdict on each claim of a text, with what decides.

    Raises:
        UsageError: an unknown product, or a malformed version filter.
    """
    checked = assistant.cite(text, product=product, version=version)
    claims = [
        _told(
            claim=one.claim.text,
            verdict=one.verdict,
            because=markdown_words(one.because),
            citations=[*map(_cited_line, one.citations)],
        )
        for one in checked.claims
    ]
    return {"claims": claims, **_told(notes=checked.notes)}


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


def _told(**fields: Any) -> Json:
    """Return the fields that say something."""
    return {name: value for name, value in fields.items() if value is not None and value not in ("", (), [])}


def _call(tool: str, arguments: Json) -> Json:
    return {"tool": tool, "arguments": arguments}


def _place(part: Citation | Candidate | RankedPassage) -> str:
    return f"{part.document_id}:{part.start}"


def _address_of(document: DocumentSummary) -> str:
    return f"relnotes://documents/{document.id}"


def _address(cited: Citation) -> str:
    """The address of a quote's original without the words that a browser marks in it, which the quote repeats."""
    return (cited.url or "").partition(_TEXT_MARK)[0]


def _day(day: date | None) -> str:
    return day.isoformat() if day else ""


def _title(product: str, version: str | None, words: str) -> str:
    name = f"{product} {version}" if version else product
    title = words if words.casefold().startswith(name.casefold()) else f"{name}: {words}" if words != version else name
    return shorten(title, max_characters=_TITLE_CHARACTERS)
