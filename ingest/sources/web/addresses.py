"""Which network addresses may be reached: public ones, and those of hosts that the user allowed.

A name is looked up once and the connection goes to the very address that was checked, so that a name server which
answers differently the second time gains nothing.
"""

import ipaddress
import socket
from collections.abc import Sequence

from ingest.sources.web.model import WebError

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_public(address: str) -> bool:
    """Whether a numeric address belongs to the public internet.

    No loopback, private, shared, link-local, site-local, multicast, reserved or unspecified one, and no IPv6 form of
    such an IPv4 address (mapped, 6to4, Teredo, NAT64).

    Source: the special-purpose address registries of IANA, as `ipaddress` has them.
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return all(_is_plainly_public(one) for one in (found, *_inside(found)))


def _is_plainly_public(address: _Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return True  # judged by the address inside
        if address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved and not address.is_unspecified


def _inside(address: _Address) -> tuple[ipaddress.IPv4Address, ...]:
    """The IPv4 addresses that an IPv6 address leads to."""
    if isinstance(address, ipaddress.IPv4Address):
        return ()
    embedded = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        embedded.append(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    return tuple(one for one in embedded if one is not None)


def is_allowed(host: str, port: int, allowed_hosts: Sequence[str]) -> bool:
    """Whether the user allowed a host by name, alone or with this port."""
    name = host.lower().strip("[]")
    bracketed = f"[{name}]" if ":" in name else name
    return bool({name, bracketed, f"{bracketed}:{port}"} & set(allowed_hosts))


def is_private_literal(host: str, port: int, allowed_hosts: Sequence[str]) -> bool:
    """Whether an address names a private place without any look-up: a numeric one in any spelling, or `localhost`."""
    if is_allowed(host, port, allowed_hosts):
        return False
    name = host.lower().strip("[]").rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        # The short and the hexadecimal spellings that resolvers understand: 127.1, 0x7f000001, 2130706433.
        numeric = name if ":" in name else socket.inet_ntoa(socket.inet_aton(name))
    except OSError:
        return False
    return not is_public(numeric)


def find_addresses(
    host: str, port: int, allowed_hosts: Sequence[str], neighbours: Sequence[str] = ()
) -> tuple[str, ...]:
    """The addresses of a host in the resolver's order, each once.

    Raises:
        WebError: it has none, or one of them isn't public, the host isn't allowed, and none of `neighbours` is there.
    """
    addresses = _look_up(host, port)
    private = {address for address in addresses if not is_public(address)}
    if private and not is_allowed(host, port, allowed_hosts):
        beside = {address for one in neighbours for address in _look_up(one, port)}
        if not private <= beside:
            raise private_error(host, port)
    return addresses


def _look_up(host: str, port: int) -> tuple[str, ...]:
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "not a host's name"
        raise WebError(f"{host!r} can't be found ({reason}); check the address and the network") from error
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def private_error(host: str, port: int) -> WebError:
    """What is said of a host that isn't public."""
    return WebError(
        f"{host!r} leads to a private or reserved address, where relnotes doesn't go unasked; if it is a server of "
        f"yours, set RELNOTES_ALLOW_PRIVATE_HOSTS={host}:{port}"
    )
