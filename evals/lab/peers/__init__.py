"""Other libraries beside relnotes: one class each, whatever is measured of them.

They are an optional extra (`pip install 'relnotes[peers]'`), best in an environment of its own, and nothing in the
product imports this package. Importing it loads none of them.
"""
