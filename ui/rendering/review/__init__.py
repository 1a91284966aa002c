"""The output formats of a review, for people and for other tools; rendering is pure."""

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.reviews.model import Review


class ReviewFormat(StrEnum):
    """A format that `relnotes review` writes."""

    MARKDOWN = "markdown"
    JSON = "json"


def render_review(review: "Review", name: ReviewFormat) -> str:
    """Return the review in one format, without the final line end."""
    from ui.contract.upgrade import ReviewBody
    from ui.rendering.review import markdown

    match name:
        case ReviewFormat.MARKDOWN:
            return markdown.render_markdown(review).rstrip("\n")
        case ReviewFormat.JSON:
            return ReviewBody.model_validate(review).to_json()
