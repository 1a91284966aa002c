"""The entrances: each turns a request into a call of the layers below, and renders the result."""
