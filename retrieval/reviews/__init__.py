"""A diff in, the release-note passages that matter to its review out."""
