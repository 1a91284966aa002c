"""What a review looks like to people and to other tools: one file a format, each pure."""

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.reviews.model import Review


class ReviewFormat(StrEnum):
    """A format that `relnotes review` writes."""

    MARKDOWN = "markdown"
    JSON = "json"
    RDJSONL = "rdjsonl"
    SARIF = "sarif"
    GITHUB = "github"


def render_review(review: "Review", name: ReviewFormat) -> str:
    """The review in one format, without the final line end; empty for line formats where nothing is found."""
    match name:
        case ReviewFormat.MARKDOWN:
            from ui.rendering.review.markdown import render_markdown

            return render_markdown(review).rstrip("\n")
        case ReviewFormat.JSON:
            from ui.contract.upgrade import ReviewBody

            return ReviewBody.model_validate(review).to_json()
        case ReviewFormat.RDJSONL:
            from ui.rendering.review.lines import render_rdjsonl

            return render_rdjsonl(review)
        case ReviewFormat.SARIF:
            from ui.rendering.review.sarif import render_sarif

            return render_sarif(review)
        case ReviewFormat.GITHUB:
            from ui.rendering.review.lines import render_github

            return render_github(review)
