"""The only way to the network: `ingest.sources.web.client.WebClient` gets what the user named, and nothing else.

Limits on bytes, time, redirects and unfolding hold for every answer, and no name leads to a private address unless the
user allowed its host.
"""

from ingest.sources.web.model import Validators, WebAnswer, WebError, WebSettings

__all__ = ["Validators", "WebAnswer", "WebError", "WebSettings"]
