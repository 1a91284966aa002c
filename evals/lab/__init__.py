"""What measures relnotes and tries to break it: `python -m evals.lab`. Not in the wheel."""
