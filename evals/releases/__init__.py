"""Measures whether ingest reads releases as people do: labelled releases and passages are compared with a fresh reading
of the documents. `python -m evals.releases` runs it."""
