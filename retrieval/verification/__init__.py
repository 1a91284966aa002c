"""Whether a sentence of ours, or of a language model, says no more than its quotes."""
