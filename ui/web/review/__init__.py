"""Review: a diff or a text's claims beside the notes."""
