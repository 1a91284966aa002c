"""Questions to learn from, written by language models: 3,987 over the notes of 39 projects, and where those come from.

`DATASHEET.md` tells how the set was made and what it is good for. `python -m evals.training.fetch` brings the documents
that ../shared lacks, `python -m evals.training.check` checks the set, `python -m evals.training.readers` and
`python -m evals.training.train` learn. What is measured on these questions is measured by folds of projects.
"""
