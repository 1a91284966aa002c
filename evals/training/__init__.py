"""Natural questions to learn from: near 3,300 over the notes of 39 projects, and where those notes come from.

`DATASHEET.md` tells how the set was made and what it is good for. `python -m evals.training.fetch` brings the documents
that ../shared lacks, `python -m evals.training.check` checks every line, `python -m evals.training.readers` and
`python -m evals.training.train` learn. What is measured on these questions is measured by folds of projects.
"""
