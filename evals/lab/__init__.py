"""Trials that measure relnotes or try to break it: `python -m evals.lab`. Not in the wheel."""
