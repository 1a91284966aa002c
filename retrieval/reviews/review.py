"""A diff in, a review out: its bumps with what their ranges bring, its symbols with what the notes say of them."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count

from corpus.index.reader import IndexReader
from retrieval.code_usage import CodeUsage
from retrieval.reviews.bumps import find_bumps, find_unread, find_unreadable
from retrieval.reviews.diff import Diff
from retrieval.reviews.folding import NamedBump, fold_locks
from retrieval.reviews.model import Bump, Review, ReviewedBump, Unknown
from retrieval.reviews.products import ProductNames
from retrieval.reviews.ranges import RangeReader, client_of_server, without_notes
from retrieval.reviews.symbols import ranges_of, review_symbols, used_in_diff
from retrieval.reviews.touched import find_touched


def review_diff(
    diff: Diff, index: IndexReader, *, code: CodeUsage | None = None, texts: Mapping[str, str] | None = None
) -> Review:
    """What the release notes in `index` say of a diff.

    A dependency without notes, or without two versions, is listed as unknown once, with the reason.

    Args:
        diff: as `read_diff` gives it.
        index: whose notes are looked up.
        code: what the repository uses; with what the diff itself adds, it ranks the items.
        texts: whole texts of the diff's files by path, where they are at hand: their imports tell whose a symbol is.
    """
    started = time.perf_counter()
    touched = find_touched(diff.files, texts=texts)
    names = ProductNames(index.products)
    named: list[NamedBump] = []
    unknown: list[Unknown] = [*find_unreadable(diff), *find_unread(diff)]
    for bump in find_bumps(diff):
        product = names.product_of(bump)
        if product is not None:
            named.append(NamedBump(bump, product))
        else:
            unknown.append(client_of_server(bump) if names.is_client_of_server(bump) else without_notes(bump))
    reader = RangeReader(index, [*([code] if code else []), used_in_diff(touched)])
    bumps: list[ReviewedBump] = []
    without_range: list[tuple[Bump, Unknown]] = []
    for one in fold_locks(named):
        told = reader.review(one)
        if isinstance(told, ReviewedBump):
            bumps.append(told)
        else:
            without_range.append((one.bump, told))
    reviewed = {one.bump.name.casefold() for one in bumps}
    unknown += [told for bump, told in without_range if bump.name.casefold() not in reviewed]
    numbers = count(1)
    symbols = review_symbols(touched, diff.files, index, ranges_of(bumps))
    return Review(
        bumps=tuple(_numbered(bump, numbers) for bump in bumps),
        symbols=tuple(
            replace(one, citations=tuple(replace(citation, n=next(numbers)) for citation in one.citations))
            for one in symbols
        ),
        unknown=_once(unknown),
        elapsed_ms=1000 * (time.perf_counter() - started),
    )


def _numbered(bump: ReviewedBump, numbers: Iterator[int]) -> ReviewedBump:
    """The bump with its citations counted on."""
    items, security = (
        tuple(replace(item, citation=replace(item.citation, n=next(numbers))) for item in listed)
        for listed in (bump.items, bump.security)
    )
    return replace(bump, items=items, security=security)


def _once(unknown: Iterable[Unknown]) -> tuple[Unknown, ...]:
    """Each name once, with the first reason."""
    return tuple({one.name.casefold(): one for one in reversed(tuple(unknown))}.values())[::-1]
