"""The entrances: command line, web page, HTTP API. Each turns a request into one call below.

What an answer says is decided below; how it looks is decided here.
"""
