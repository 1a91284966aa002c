"""The Library: what the index covers, and adding to it."""
