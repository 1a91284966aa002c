"""How well `relnotes upgrade` and `relnotes review` list what a version bump breaks: hand-labelled truth and
figures. `python -m evals.upgrades` runs it."""
