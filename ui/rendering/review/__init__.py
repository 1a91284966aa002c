"""A review as Markdown for people, and its findings for `--fail-on`; rendering is pure."""
