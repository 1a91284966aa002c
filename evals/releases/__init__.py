"""Whether ingest reads releases as people do: hand-checked releases and passages, scored against a fresh reading of the
documents. `python -m evals.releases` runs it."""
