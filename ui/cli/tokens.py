"""`relnotes token`."""

import json
from datetime import UTC, datetime
from typing import Annotated

import typer

from ui.cli.options import JsonOption, say


def token(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who will use it; stands in the server's log")],
    scope: Annotated[
        list[str] | None,
        typer.Option(metavar="S", help="read (default), write or admin, as docs/http.md tells; repeatable"),
    ] = None,
    days: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=36500, help="Expires after N days (default: never)")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a token for the HTTP API: print it once, and the lines for the server's tokens file.

    The server reads that file (env RELNOTES_TOKENS_FILE) again whenever it
    changes. It holds digests only; the token itself is stored nowhere.

    Examples:
      relnotes token ci --days 90
      relnotes token alice --scope read --scope write --json
    """
    from corpus.errors import UsageError
    from ui.http.tokens import TokenScope, mint_token

    known = {known.value for known in TokenScope}
    wanted = scope or [TokenScope.READ.value]
    if unknown := [word for word in wanted if word not in known]:
        raise UsageError(f"Unknown scope {unknown[0]!r}. Use {', '.join(TokenScope)}.")
    minted = mint_token(name, scopes=map(TokenScope, wanted), today=datetime.now(tz=UTC).date(), days=days)
    if as_json:
        typer.echo(json.dumps({"name": name, "token": minted.secret, "lines": minted.lines}))
        return
    say("The token, shown this once; give it to its user:")
    typer.echo(minted.secret)
    say("Add these lines to the server's RELNOTES_TOKENS_FILE:")
    typer.echo(f"\n{minted.lines}", nl=False)
