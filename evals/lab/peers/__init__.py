"""Other libraries on our questions: each in its documented shape, graded by our measures.

They are an optional extra (`pip install 'relnotes[peers]'`) and nothing in the product imports this package.
Importing it loads none of them: an adapter does, when `load_peer` is asked for it.
"""
