"""Review of a diff: the release-note passages that matter to its reviewers."""
