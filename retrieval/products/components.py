"""Parts of a product with releases of their own: `tokio-util` beside `tokio`, Sidekiq Pro beside Sidekiq.

Documents in one product's folder may be the changelogs of several packages, each with its own numbers. What tells them
apart is their path: the file's name, or else the nearest folder's that is called by more than a kind of document.
"""

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache

from corpus.catalogue import CatalogueProduct
from corpus.lexicon import split_tokens

_WORD = re.compile(r"[a-z]{2,}")
_LONGEST_ENDING = 8
_GENERIC = frozenset(
    """index changelog changelogs change changes changed history news release released releases relnotes notes note
    whatsnew what new doc docs documentation source src site website content blog blogs post posts page pages
    versioned upgrade upgrades upgrading update updating migrate migration migrating guide guides readme package
    packages crates crate lib libs master main stable latest version versions archive old en the of in from to and
    for v latest breaking rc alpha beta pre older previous legacy""".split()
)
_OWN_RELEASES = 3
"""Documents with fewer releases that no other document of the product has aren't of a part with numbers of its own.
Chosen by hand, never fitted."""


def narrow_to_part(product: CatalogueProduct, question: str) -> CatalogueProduct:
    """Return the product with the releases of the part that the question names, or of the product itself where it names
    none; as it is where its documents are of no parts."""
    called = (product.name, *product.aliases)
    names = frozenset(word for name in called for word in _WORD.findall(name.casefold()))
    parts = {release: {_part_of(source, names) for source in release.sources} for release in product.releases}
    counts = Counter(part for found in parts.values() if frozenset() not in found for part in found)
    own = {part for part, count in counts.items() if count >= _OWN_RELEASES}
    if not own or all(found <= own for found in parts.values()):
        return product
    asked = set(split_tokens(question)) | set(_WORD.findall(question.casefold()))
    named = max((part for part in own if part <= asked), key=len, default=None)

    def belongs(source: str) -> bool:
        part = _part_of(source, names)
        return part == named if named else part not in own

    kept = (replace(release, sources=tuple(filter(belongs, release.sources))) for release in product.releases)
    releases = tuple(release for release in kept if release.sources)
    # Where hardly any release is the product's own, its notes are in parts, and not the product.
    return replace(product, releases=releases) if named or len(releases) >= _OWN_RELEASES else product


# A question asks for the parts of all of a product's releases, a few times.
@lru_cache(maxsize=4096)
def _part_of(source: str, names: frozenset[str]) -> frozenset[str]:
    """Return the words in a document's path that name a part of the product; none for the product's own documents."""
    stem, _, ending = source.casefold().rpartition(".")
    path = stem if ending.isalpha() and len(ending) <= _LONGEST_ENDING else source.casefold()
    for name in reversed(path.split("/")):
        if words := frozenset(_WORD.findall(name)) - _GENERIC:
            return words - names
    return frozenset()
