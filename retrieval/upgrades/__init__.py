"""The changes of an upgrade between two releases that break, remove, deprecate or require something."""
