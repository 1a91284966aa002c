"""The training set: 3,987 questions over the notes of 39 projects, written by language models; and the trainers.

`DATASHEET.md` explains how the set was made and what it is good for. `python -m evals.training.fetch` downloads the
documents that ../shared lacks, `python -m evals.training.check` checks the set, `python -m evals.training.readers` and
`python -m evals.training.train` fit the models. Figures on these questions are cross-validated by folds of projects.
"""
