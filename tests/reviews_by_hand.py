"""A review whose every text tries to break out of its format."""

from dataclasses import replace

from page_answers import CITATION

from corpus.dependencies.model import Ecosystem
from corpus.model import Change, Kind, Span
from retrieval.blocks import words_of
from retrieval.model import Citation
from retrieval.reviews.model import Bump, Review, ReviewedBump, ReviewedSymbol, Unknown
from retrieval.upgrades.model import UpgradeItem, Usage

HOSTILE = (
    "```\n</details>\n<script>window.owned = true</script>\n::error file=x::pwned\n##[error]pwned\n"
    "# Heading\n> @octocat #42 octo/repo#7 GH-9 [x](javascript:alert(1)) ![i](https://evil.example/i.png)\n"
    "\x1b[31mred\x1b[0m \x00 \u202eabc\u2066 \u2028 %0A::warning::x\r\n````\n| a | b |\n$x$ &lt; {0} \\[y\\] [^1]: z"
)
"""Fences, tags, workflow commands, mentions, links, controls, escapes and placeholders."""


def citation(
    quote: str, *, heading: tuple[str, ...] = (), version: str | None = "2.0", url: str | None = None
) -> Citation:
    """A citation of made-up notes."""
    start, end = 10, 10 + len(quote)
    of_notes = replace(CITATION, source="widget/changes.md", title="Widget release notes", product="Widget", url=url)
    told = replace(of_notes, document_id=1, start=start, end=end, telling=Span(start, end))
    return replace(told, quote=quote, version=version, heading=heading)


HOSTILE_REVIEW = Review(
    bumps=(
        ReviewedBump(
            bump=Bump(HOSTILE, Ecosystem.PYPI, "1", "2", "a b/ü:,%[x](y).txt", 1),
            product=HOSTILE,
            start="1",
            end=f"2{HOSTILE}",
            items=tuple(
                UpgradeItem(
                    kind,
                    Change.BREAKS,
                    words_of(f"{kind.value} {HOSTILE}"),
                    (HOSTILE,),
                    citation(
                        f"{kind.value}\n{HOSTILE}",
                        heading=(HOSTILE, HOSTILE),
                        version=HOSTILE,
                        url="https://evil.example/a)<b>\"'`\n|\u202e@x]",
                    ),
                    repeated_in=(HOSTILE,),
                    usages=(Usage(HOSTILE, HOSTILE, 5),) if kind is Kind.REMOVAL else (),
                )
                for kind in (Kind.REMOVAL, Kind.BREAKING, Kind.DEPRECATION)
            ),
            security=(
                UpgradeItem(
                    Kind.SECURITY, Change.SECURITY, words_of(HOSTILE), (), citation(HOSTILE, url="javascript:alert(1)")
                ),
            ),
            missing_releases=(HOSTILE,),
            notes=(HOSTILE,),
        ),
    ),
    symbols=(ReviewedSymbol(HOSTILE, HOSTILE, HOSTILE, 7, (citation(HOSTILE, heading=(HOSTILE,)),)),),
    unknown=(Unknown(HOSTILE, HOSTILE),),
    elapsed_ms=1.0,
)
