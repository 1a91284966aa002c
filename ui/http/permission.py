"""What the token of a request lets it do, for what isn't told by the request's path."""

from starlette.types import Scope

from ui.http.tokens import TokenScope
from ui.settings import Settings


def may(request: Scope, needed: TokenScope, *, settings: Settings) -> bool:
    """Whether a request, as `TokenGuard` let it through, may do what needs this scope.

    Where the server takes no tokens, which is on loopback only, everybody may. Where it does, a request of which
    nothing is known may nothing.
    """
    if settings.token is None and settings.tokens_file is None:
        return True
    return needed in request.get("state", {}).get("token_scopes", frozenset())
