"""Measures how well `relnotes upgrade` and `relnotes review` list what a version bump breaks, against labels.
`python -m evals.upgrades` runs it."""
