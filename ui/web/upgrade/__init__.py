"""The Upgrade tab: what breaks between two releases."""
