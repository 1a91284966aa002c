"""The entrances: each turns a request into one call below, and decides how what is answered looks."""
