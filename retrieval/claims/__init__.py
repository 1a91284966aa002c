"""Citation lookup: is a claim about a release true, and which passages say so."""
