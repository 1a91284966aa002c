"""Upgrade: what breaks between two releases."""
