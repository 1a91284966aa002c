"""A document as a page of its own, at `/documents/{id}`."""
