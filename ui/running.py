"""`relnotes serve`: the API, MCP and the page in one process, until SIGTERM or Ctrl-C."""

import os
import signal
import sys
from collections.abc import Callable

from ingest.web_addresses import bracketed
from ui.server.binding import check_binding, listen
from ui.settings import Settings

_GRACE_S = 5  # Seconds that open requests get at shutdown.
_KEEP_ALIVE_S = 75
"""Longer than clients and load balancers keep connections, because closing first would cut off their next request."""
_MAX_HEADER_BYTES = 32 * 1024
_MAX_CONNECTIONS = 512  # Half of the usual limit of open files; a page uses two to six.


def run_server(settings: Settings, *, announce: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Serve until a signal, then end the process; `announce` is called with the address once requests are answered.

    If there is no index, `warn` is called, and questions are refused until there is one.

    Raises:
        UsageError: the address isn't loopback and has no token or a short one, or the model's settings are wrong.
        ModelError: the model is missing, altered or can't be loaded.
        RelnotesError: the address can't be listened on.
    """
    check_binding(settings.host, token=settings.token)
    listener = listen(settings.host, settings.port)
    # Gradio reads this at import; its default would write outside our directories.
    os.environ.setdefault("GRADIO_TEMP_DIR", str(settings.cache_dir / "page"))

    import uvicorn

    from ui.assembly import AnnouncedServer, assemble
    from ui.log import start_logging

    served = assemble(settings)
    start_logging(log_questions=settings.log_questions)
    config = uvicorn.Config(
        served.app,
        http="h11",
        ws="none",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        h11_max_incomplete_event_size=_MAX_HEADER_BYTES,
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_GRACE_S,
    )
    # uvicorn raises the signal again after shutdown; SIGTERM must exit with status 0.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: sys.exit(128 + number if number == signal.SIGINT else 0))
    address = f"http://{bracketed(settings.host)}:{listener.getsockname()[1]}"
    server = AnnouncedServer(config, served, announce=lambda: announce(address), warn=warn)
    status: object = 0
    try:
        server.run(sockets=[listener])
    except SystemExit as error:
        status = error.code
    finally:
        served.workers.close()
        served.assistants.close()
    if server.failure is not None:
        raise server.failure
    # A normal exit would tear down the model under threads that still load or use it, and the process would abort.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else 1)
