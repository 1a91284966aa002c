"""A document's own markup as blocks of runs, each with its range in the raw text."""
