"""Trials of what must not break: faults, floods and hostile inputs, with their seeds, raw counts and commands."""
