"""The Library tab: what the index covers, and adding to it."""
