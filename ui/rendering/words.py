"""What every form of an answer says alike: status, provenance, the sides of a conflict."""

import shlex
from collections.abc import Iterable, Sequence
from datetime import date

from retrieval.claims.model import Verdict
from retrieval.model import Answer, Citation, Conflict, Interpretation, Status
from retrieval.quoting.safe_text import safe
from ui.rendering.answer_text import Code

STATUS_WORDS = {Status.ANSWERED: "Answered", Status.PARTIAL: "Partly answered", Status.NOT_FOUND: "Not found"}
VERDICT_WORDS = {
    Verdict.SUPPORTED: "Supported",
    Verdict.CONTRADICTED: "Contradicted",
    Verdict.PARTLY: "Partly",
    Verdict.NOT_FOUND: "Not found",
}
_BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_UNPRINTABLE: dict[int, str] = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), *_BIDI), "\N{REPLACEMENT CHARACTER}")
_UNPRINTABLE |= {ord("\t"): "\t", ord("\n"): "\n", ord("\r"): ""}


def printable(text: str) -> str:
    """`text` with control characters replaced, so that no document can drive the screen; tabs and lines stay.

    Marks that turn the direction of what follows are among them: with those, a quote could be shown as another.
    """
    return text.translate(_UNPRINTABLE)


def counted(count: int, one: str, many: str | None = None) -> str:
    """`1 change`, `2 changes`, `0 changes`."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def joined(words: Sequence[str]) -> str:
    """`a, b and c`; "" for none."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def upgrade_told(code: Code) -> tuple[str, str, str] | None:
    """The product and the two releases of a command that lists an upgrade, where there is more; None for other code."""
    if not code.leads_on:
        return None
    try:
        command, act, *asked = shlex.split(code.text)
    except ValueError:
        return None
    return (asked[0], asked[1], asked[2]) if (command, act, len(asked)) == ("relnotes", "upgrade", 3) else None


def document_told(code: Code, citations: Iterable[Citation]) -> Citation | None:
    """The first citation of the document that code names as where there is more; None where there is none."""
    return next((cited for cited in citations if code.leads_on and cited.source == code.text), None)


def status_words(answer: Answer) -> str:
    """What is said of the status before the answer: nothing where it is answered, or says so itself."""
    words = STATUS_WORDS[answer.status]
    is_said = answer.status is Status.NOT_FOUND and answer.answer.lstrip().lower().startswith(words.lower())
    return "" if answer.status is Status.ANSWERED or is_said else words


def interpretation_line(interpretation: Interpretation) -> str:
    """What the question was understood as, on one line."""
    parts = [
        f"intent {interpretation.intent.replace('_', ' ')}",
        f"product {', '.join(interpretation.products)}" if interpretation.products else "any product",
        _version_words(interpretation.versions),
        f"symbols {', '.join(interpretation.symbols)}" if interpretation.symbols else "",
    ]
    return printable(" · ".join(part for part in parts if part))


def product_version(product: str, version: str | None) -> str:
    """`django 4.2`, or the product alone where no version is known."""
    return f"{product} {version}" if version else product


def provenance(product: str, version: str | None, *, released: date | None, authority: str) -> str:
    """`django 4.2 · 2023-04-03 · official`."""
    parts = [product_version(product, version), released.isoformat() if released else "undated", authority]
    return printable(" · ".join(parts))


def citation_provenance(citation: Citation) -> str:
    """Likewise, of a citation."""
    return provenance(citation.product, citation.version, released=citation.date, authority=citation.authority.value)


def speaker(citation: Citation) -> str:
    """Who says it: `Widget 2.0 released (official)`."""
    return f"{citation.title or citation.source} ({citation.authority.value})"


def conflict_sides(conflict: Conflict, citations: Iterable[Citation]) -> tuple[tuple[int, str], ...]:
    """Each side's number and who says it; no name where the number has no citation."""
    speakers = {cited.n: speaker(cited) for cited in citations}
    return tuple((n, speakers.get(n, "")) for n in conflict.citations)


def untold_conflicts(answer: Answer) -> tuple[Conflict, ...]:
    """The conflicts that the answer's own text doesn't tell: one that a language model worded may leave them out."""
    return tuple(conflict for conflict in answer.conflicts if safe(conflict.about) not in answer.answer)


def conflict_line(conflict: Conflict, citations: Iterable[Citation]) -> str:
    """What the sources disagree about, and who says what: `the date: [1] News (news) against [2] Notes (official)`."""
    sides = (f"[{n}] {name}".rstrip() for n, name in conflict_sides(conflict, citations))
    return printable(f"{conflict.about}: {' against '.join(sides)}")


def _version_words(versions: str | None) -> str:
    # A range says "version" itself: "2.8 < version ≤ 2.12".
    return f"version {versions}" if versions and "version" not in versions else versions or ""
