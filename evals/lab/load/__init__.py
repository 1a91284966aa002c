"""A real server under load, every answer checked."""
