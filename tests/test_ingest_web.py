"""The network as relnotes uses it: limits, checked addresses, redirects; against a real local server."""

import ipaddress
import socket
import threading
from collections.abc import Iterator

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st
from notes_server import Answer, NotesServer, page, redirect, zeros

from ingest.sources.web import WebError, WebSettings
from ingest.sources.web.client import WebClient
from ingest.sources.web.connecting import find_proxy, is_public


@pytest.fixture
def server() -> Iterator[NotesServer]:
    with NotesServer() as running:
        yield running


def client(server: NotesServer, **settings: object) -> WebClient:
    return WebClient(WebSettings(allowed_hosts=(server.host,), **settings))  # type: ignore[arg-type]


def refusal(web: WebClient, url: str) -> str:
    with pytest.raises(WebError) as caught:
        web.get(url)
    assert "\n" not in str(caught.value)
    return str(caught.value)


PRIVATE = (
    "127.0.0.1 127.8.8.8 0.0.0.0 10.0.0.1 172.16.5.4 192.168.1.1 169.254.169.254 100.64.0.1 192.0.2.1 198.18.0.1 "
    "203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd12:3456::1 "
    "fec0::1 ff02::1 2001:db8::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 2002:7f00:1:: 64:ff9b::7f00:1 "
    "64:ff9b::a9fe:a9fe 64:ff9b:1::808:808 2001:0:4136:e378:8000:63bf:f7f7:f7f7 ::8.8.8.8"
)
PUBLIC = "93.184.216.34 2606:2800:220:1:248:1893:25c8:1946 64:ff9b::5db8:d822 2002:5db8:d822::"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        *((address, False) for address in (*PRIVATE.split(), "not an address", "")),
        *((address, True) for address in PUBLIC.split()),
    ],
)
def test_only_addresses_of_the_public_internet_are_public(address: str, expected: bool) -> None:
    assert is_public(address) is expected


@given(st.ip_addresses(v=4))
def test_an_address_is_as_public_as_its_mapped_form(address: ipaddress.IPv4Address) -> None:
    assert is_public(f"::ffff:{address}") is is_public(str(address))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]"]
)
def test_no_spelling_of_loopback_is_reached(server: NotesServer, host: str) -> None:
    server.pages["/"] = page("secret")
    refusal(WebClient(WebSettings()), f"http://{host}:{server.port}/")
    assert server.asked == []


def resolve(monkeypatch: pytest.MonkeyPatch, *answers: dict[str, str]) -> None:
    """Have names stand for these addresses, several in turn; the last answer holds from then on."""
    left = list(answers)

    def look_up(host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
        known = left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in known.get(host, host).split()]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


NOBODY = "192.0.0.9"  # Public, and nobody answers there.


def test_a_name_that_is_public_at_first_and_private_later_gets_no_request(
    server: NotesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.pages["/"] = page("secret")
    resolve(monkeypatch, {"rebinding.example": NOBODY}, {"rebinding.example": "127.0.0.1"})
    web = WebClient(WebSettings(connect_seconds=0.2))
    assert "private or reserved" not in refusal(web, f"http://rebinding.example:{server.port}/")
    for scheme in ("http", "https"):
        assert "private or reserved" in refusal(web, f"{scheme}://rebinding.example:{server.port}/")
    assert server.asked == []


@pytest.mark.parametrize("addresses", [f"{NOBODY} 127.0.0.1", f"127.0.0.1 {NOBODY}"])
def test_a_private_address_among_public_ones_gets_no_request(
    server: NotesServer, monkeypatch: pytest.MonkeyPatch, addresses: str
) -> None:
    server.pages["/"] = page("mine")
    resolve(monkeypatch, {"mixed.example": addresses})
    url = f"http://mixed.example:{server.port}/"
    hint = refusal(WebClient(WebSettings(connect_seconds=0.2)), url).rpartition("RELNOTES_ALLOW_PRIVATE_HOSTS=")[2]
    assert (hint, server.asked) == (f"mixed.example:{server.port}", [])
    for allowed in (hint, "mixed.example"):
        web = WebClient(WebSettings(connect_seconds=0.2, allowed_hosts=(allowed,)))
        assert web.get(url).content == b"mine"


def test_the_hint_for_a_number_of_ipv6_is_taken_as_it_is_given() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        url = f"http://[::1]:{unused.getsockname()[1]}/"
    hint = refusal(WebClient(WebSettings()), url).rpartition("=")[2]
    assert hint == url[7:-1]
    assert "can't be reached" in refusal(WebClient(WebSettings(allowed_hosts=(hint,))), url)


def test_an_address_shared_with_a_neighbour_opens_no_other(
    server: NotesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.pages["/"] = page("beside")
    names = {"index.example": "127.0.0.1", "beside.example": "127.0.0.1", "elsewhere.example": "127.0.0.2"}
    resolve(monkeypatch, names)
    web = WebClient(WebSettings(neighbours=(f"index.example:{server.port}",)))
    assert web.get(f"http://beside.example:{server.port}/").content == b"beside"
    with socket.create_server(("127.0.0.2", server.port)), NotesServer() as other:
        for place in (f"elsewhere.example:{server.port}", f"beside.example:{other.port}"):
            assert "private or reserved" in refusal(web, f"http://{place}/")
        assert other.asked == []


def test_a_redirect_to_a_private_address_is_not_followed(server: NotesServer) -> None:
    with NotesServer() as inner:
        inner.pages["/secret"] = page("secret")
        server.pages["/notes"] = redirect(inner.url("/secret"))
        assert "'127.0.0.1' leads to a private or reserved address" in refusal(client(server), server.url("/notes"))
        assert inner.asked == []


def test_five_redirects_are_followed_and_a_sixth_is_not(server: NotesServer) -> None:
    for number in range(7):
        server.pages[f"/{number}"] = redirect(f"/{number + 1}", (301, 302, 303, 307, 308)[number % 5])
    server.pages["/7"] = page("at last")
    assert client(server).get(server.url("/2")).content == b"at last"
    assert client(server).get(server.url("/2")).url == server.url("/7")
    assert "redirects more than 5 times" in refusal(client(server), server.url("/1"))


def test_secrets_stay_with_the_first_host(server: NotesServer) -> None:
    with NotesServer() as other:
        other.pages["/b"] = page("b")
        server.pages["/a"] = redirect(other.url("/b"))
        web = WebClient(WebSettings(allowed_hosts=(server.host, other.host)))
        web.get(server.url("/a"), headers={"Authorization": "Bearer secret", "Accept": "text/plain"})
        assert server.asked[0].headers["authorization"] == "Bearer secret"
        assert "authorization" not in other.asked[0].headers
        assert other.asked[0].headers["accept"] == "text/plain"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param(zeros(64), "is over the limit of 32 MiB", id="a gzip bomb"),
        pytest.param(Answer(headers={"Content-Length": str(2**40)}), "over the limit of 32 MiB", id="a huge length"),
        pytest.param(Answer(b"\x1f\x8bnonsense", headers={"Content-Encoding": "gzip"}), "is sent damaged",
                     id="damaged gzip"),
        pytest.param(Answer(zeros(1).body[:-9], headers={"Content-Encoding": "gzip"}), "breaks off",
                     id="half of a gzip"),
        pytest.param(Answer(b"x", headers={"Content-Encoding": "br"}), "wasn't asked for", id="unasked encoding"),
        pytest.param(Answer(status=404), "404 Not Found; check the address", id="not found"),
        pytest.param(Answer(status=403), "403 Forbidden; it can't be read without leave", id="forbidden"),
        pytest.param(Answer(status=500), "500 Internal Server Error; try again later", id="server error"),
        pytest.param(Answer(status=304), "answers 304", id="unasked 304"),
        pytest.param(Answer(status=206, body=b"x"), "answers 206", id="a part"),
        pytest.param(Answer(status=429, headers={"Retry-After": "120"}), "asks to wait 120 s", id="too many requests"),
        pytest.param(Answer(status=799), "answers 799", id="no known status"),
        pytest.param(Answer(status=302), "redirects to nowhere", id="a redirect to nowhere"),
        *(
            pytest.param(redirect(place), "only http and https are followed", id=place)
            for place in ("file:///etc/passwd", "ftp://example.org/x", "gopher://x/", "javascript:1", "data:,x")
        ),
    ],
)  # fmt: skip
def test_what_is_no_good_answer_is_one_line(server: NotesServer, answer: Answer, message: str) -> None:
    server.pages["/a"] = answer
    assert message in refusal(client(server), server.url("/a"))


def test_a_server_that_drips_its_headers_is_given_up() -> None:
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                while not ended.wait(0.05):
                    try:
                        connection.sendall(b"X")
                    except OSError:
                        return

        threading.Thread(target=drip, daemon=True).start()
        host = f"127.0.0.1:{listening.getsockname()[1]}"
        message = refusal(WebClient(WebSettings(allowed_hosts=(host,), seconds=0.3)), f"http://{host}/")
        ended.set()
    assert "took longer than 0.3 s" in message


@pytest.mark.parametrize(("url", "message"), read_rows("ingest-an-address-that-is-none-is-one-line"))
def test_an_address_that_is_none_is_one_line(url: str, message: str) -> None:
    said = refusal(WebClient(WebSettings()), url)
    assert message in said
    assert "hush" not in said
    assert "not known" not in said


@pytest.mark.parametrize(("environment", "expected"), read_rows("ingest-the-proxy-of-the-environment-is-used"))
def test_the_proxy_of_the_environment_is_used(environment: dict[str, str], expected: str | None) -> None:
    assert find_proxy("https", "notes.example.org", 443, environment) == expected


def test_a_proxy_is_asked_for_the_whole_address_and_never_for_a_private_one(server: NotesServer) -> None:
    server.pages["http://notes.example/a"] = page("through the proxy")
    web = WebClient(WebSettings(environment={"HTTP_PROXY": f"http://me:pass@{server.host}"}))
    assert web.get("http://notes.example/a").content == b"through the proxy"
    assert server.asked[0].headers["proxy-authorization"].startswith("Basic ")
    for host in ("169.254.169.254", "localhost", "app.localhost", "127.1", "2130706433", "0x7f000001", "[::1]"):
        assert "private or reserved" in refusal(web, f"http://{host}/latest/meta-data")
    assert len(server.asked) == 1


def test_a_server_that_drips_is_given_up(server: NotesServer) -> None:
    server.pages["/a"] = Answer(b"x" * 1000, pause=0.05)
    assert "took longer than 0.3 s" in refusal(client(server, seconds=0.3), server.url("/a"))
