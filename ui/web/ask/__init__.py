"""The Ask tab: questions, answers and the conversation that they make."""
