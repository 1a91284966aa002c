"""OpenVINO without its telemetry."""

import sys
from typing import Any


def import_openvino() -> Any:
    """Import OpenVINO so that it reports to nobody; every import of it in this project goes through here.

    Merely importing it would make a client id in the user's home and send an event to a statistics service.
    """
    # None makes an import fail as if the package weren't installed; OpenVINO then goes on with a stub of its own.
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    import openvino

    return openvino
