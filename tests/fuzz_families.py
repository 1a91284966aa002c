"""For each fuzz target, families of hostile inputs of any size.

A family repeats a piece (unclosed brackets, backticks, tags, nested markers), counts through a pattern (a thousand
releases, link targets, hunks) or builds a bomb.
"""

from collections.abc import Iterator, Mapping

from fuzz_code_families import DEPENDENCIES, DIFF
from fuzz_document_families import DOCUMENT, PDF
from fuzz_file_families import FILES
from fuzz_growing import Family, repeated
from fuzz_pieces import ANY, MARKUP
from fuzz_request_families import REQUESTS
from fuzz_target import Target

_OTHERS: Mapping[str, Mapping[str, Family]] = {**FILES, **REQUESTS, "document:notes.pdf": PDF}


def families(target: Target) -> Iterator[tuple[str, Family]]:
    """The families of a target, by name; every one is a legal call of its check."""
    name = target.name
    yield from _OTHERS.get(name, {}).items()
    if name in ("container", "document:notes.pdf", "relnotes.toml", "ui-files") or name.startswith(
        ("http", "mcp", "slack")
    ):
        return
    pieces = dict.fromkeys((*ANY, *(sign for sign in target.signs if sign not in ("\ufeff",))))
    if name.startswith("document:"):
        yield from DOCUMENT.items()
        pieces |= dict.fromkeys(MARKUP)
    if name in ("words", "claims", "versions", "dates", "version-lines"):
        pieces |= dict.fromkeys(MARKUP)
        yield from (pair for pair in DOCUMENT.items() if "counted" in pair[0] or "nested" in pair[0])
    if name == "diff":
        yield from DIFF.items()
    if name.startswith("dependencies:"):
        yield from DEPENDENCIES.items()
    for piece in pieces:
        try:
            yield f"repeated {piece[:40]!r}", repeated(piece)
        except UnicodeEncodeError:
            continue
