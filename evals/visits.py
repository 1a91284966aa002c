"""Visits what there is of an index once: `python -m evals.visits INDEX...` asks a server for each page of a product and
of a release, each product's last upgrade, and a review of each of our labelled diffs. Exit 1 where a page fails or
takes longer than a page may."""

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.errors import RelnotesError
from retrieval.assistant import Assistant

LIMIT_S = 30.0
"""The time that a page, an upgrade or a review may take."""
_START_S, _SLOWEST = 120.0, 5
_DIFFS = Path(__file__).parent / "questions" / "review-diffs.jsonl"


def main(arguments: list[str] | None = None) -> int:
    """Visit the pages over each index, print how many there were, their p95 and the slowest; 1 if one failed."""
    parser = argparse.ArgumentParser(description="Visit every product, release and last upgrade of indexes once.")
    parser.add_argument("index", nargs="+", help="a folder with an index")
    failed = 0
    for index in parser.parse_args(arguments).index:
        times = dict[str, float]()
        with serving(index) as client:
            for address, body in [*_pages(index), *_reviews()]:
                began = time.perf_counter()
                try:
                    response = client.post(address, json=body) if body else client.get(address)
                    fault = "" if response.is_success else str(response.status_code)
                except httpx.HTTPError as error:
                    fault = type(error).__name__
                times[f"{address} {len(times) if body else ''}"] = time.perf_counter() - began
                if fault:
                    failed += 1
                    print(f"{index}: {address}: {fault}")
        slowest = sorted(times.items(), key=lambda page: -page[1])
        print(f"{index}: {len(times):,} pages, p95 {slowest[len(times) // 20][1]:.2f} s; the slowest:")
        for address, seconds in slowest[:_SLOWEST]:
            print(f"  {seconds:6.2f} s  {address}")
    return int(failed > 0)


@contextmanager
def serving(index: str) -> Iterator[httpx.Client]:
    """Serve an index in a process of its own, and give a client of it.

    Raises:
        RelnotesError: the server isn't ready within two minutes.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = (sys.executable, "-m", "ui.cli", "serve", "--index", index, "--port", str(port))
    with subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:  # noqa: S603
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LIMIT_S, trust_env=False) as client:
                _wait(client)
                yield client
        finally:
            server.terminate()


def _wait(client: httpx.Client) -> None:
    until = time.monotonic() + _START_S
    while time.monotonic() < until:
        try:
            if client.get("/readyz").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    raise RelnotesError(f"The server wasn't ready within {_START_S:.0f} s.")


def _pages(index: str) -> Iterator[tuple[str, None]]:
    """Yield the addresses of each product, each of its releases, and its last upgrade."""
    with Assistant.open(index) as assistant:
        for product in assistant.catalogue():
            yield f"/p/{product.name}", None
            yield from ((f"/p/{product.name}/{release.version.label}", None) for release in product.releases)
            if bump := _last_upgrade(product):
                yield f"/upgrade?product={product.name}&from={bump[0]}&to={bump[1]}", None


def _last_upgrade(product: CatalogueProduct) -> tuple[str, str] | None:
    """Return the last two stable releases, older first; None if there are fewer."""
    labels = [release.version.label for release in sorted(stable_releases(product.releases), key=lambda r: r.version)]
    return (labels[-2], labels[-1]) if len(labels) > 1 else None


def _reviews() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the address of a review with each labelled diff."""
    for line in _DIFFS.read_text("utf-8").splitlines():
        yield "/v1/review", {"diff": json.loads(line)["diff"]}


if __name__ == "__main__":
    sys.exit(main())
