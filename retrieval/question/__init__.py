"""What a question asks for: its form, the act it asks about, whether it leans on the question before."""
