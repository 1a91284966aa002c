"""Parameters of an address that an endpoint doesn't know, or that come twice: told, rather than passed over."""

from collections import Counter
from collections.abc import Callable

from fastapi import Request
from fastapi.exceptions import RequestValidationError

_SHOWN_CHARACTERS = 60


def only_once(*names: str) -> Callable[[Request], None]:
    """A dependency that refuses any parameter but `names`, and each of these when it is given again.

    Raises:
        RequestValidationError: by the dependency, with a fault for each such parameter.
    """

    def check(request: Request) -> None:
        given = Counter(name for name, _ in request.query_params.multi_items())
        faults = [
            {
                "type": "unknown_parameter" if name not in names else "repeated_parameter",
                "loc": ("query", name[:_SHOWN_CHARACTERS]),
                "msg": f"Known are {', '.join(names)}" if name not in names else "Give it once",
            }
            for name, count in given.items()
            if name not in names or count > 1
        ]
        if faults:
            raise RequestValidationError(faults)

    return check
