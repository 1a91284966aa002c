"""Proxies of the environment, found as everywhere: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from corpus.errors import UsageError


def find_proxy(scheme: str, host: str, port: int, environment: Mapping[str, str]) -> str | None:
    """The proxy for an address; None where it is to be reached directly.

    Variables in lower case go first, as everywhere.

    Raises:
        UsageError: the proxy isn't reached by http or https.
    """
    stated = {name.upper(): value for name, value in environment.items()}
    stated |= {name.upper(): value for name, value in environment.items() if name.islower()}
    if any(_covers(entry, host, port) for entry in stated.get("NO_PROXY", "").split(",")):
        return None
    proxy = stated.get(f"{scheme.upper()}_PROXY") or stated.get("ALL_PROXY")
    if not proxy:
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if urlsplit(proxy).scheme not in ("http", "https"):
        raise UsageError(
            f"Cannot use the proxy that {scheme.upper()}_PROXY or ALL_PROXY names: only http and https proxies are "
            "understood. Set another one."
        )
    return proxy


def _covers(entry: str, host: str, port: int) -> bool:
    """Whether an entry of NO_PROXY names a host, the domain it lies in, or everything."""
    name, _, number = entry.strip().lower().partition(":")
    if name == "*":
        return True
    name = name.lstrip(".")
    return bool(name) and number in ("", str(port)) and (host == name or host.endswith(f".{name}"))
