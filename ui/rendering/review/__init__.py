"""What a review looks like to people and to other tools: one file a format, each pure."""

from retrieval.reviews.model import Review
from ui.cli.review_choices import ReviewFormat

__all__ = ["ReviewFormat", "render_review"]


def render_review(review: Review, name: ReviewFormat) -> str:
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
