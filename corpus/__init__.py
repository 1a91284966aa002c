"""What release notes are, and how they are kept."""
