"""The Quality tab: how good the answers are, measured."""
