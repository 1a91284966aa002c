"""The generations of one index on Milvus, from one manifest to the next.

A generation is written before the manifest names it, and the one before is kept until the commit after, for readers
that are still on it. All others of the same index are dropped: older ones, and what writers that died have left.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.errors import RelnotesError
from corpus.index.layout import Manifest
from corpus.index.stored import PassageTable
from corpus.stores.choice import StoreChoice
from corpus.stores.milvus.address import MilvusAddress
from corpus.stores.milvus.collections import new_name
from corpus.stores.milvus.term_table import TermTable
from corpus.stores.milvus.writing import MilvusWriter


@dataclass(frozen=True, slots=True)
class Generation:
    """A state of an index on a server; `str()` of it is how a manifest remembers the one before."""

    address: MilvusAddress
    name: str

    @classmethod
    def of(cls, manifest: Manifest) -> "Generation | None":
        """The one that a manifest names; None for an embedded one."""
        address = StoreChoice.parse(manifest.store).milvus
        return None if address is None else cls(address, manifest.store_generation)

    @classmethod
    def before(cls, manifest: Manifest) -> "Generation | None":
        """The one before it, where that was on a server."""
        address, _, name = manifest.store_before.partition(" ")
        return cls(MilvusAddress.parse(address), name) if name else None

    def __str__(self) -> str:
        return f"{self.address} {self.name}"


def check_store(store: StoreChoice) -> None:
    """See that a store can be written to, before the work is done that would be.

    Raises:
        UsageError: its client isn't installed.
        StoreUnavailable: it doesn't answer, or is too old.
    """
    if store.milvus:
        MilvusWriter(store.milvus, is_stated=True).check()


def write_generation(
    address: MilvusAddress,
    *,
    previous: Manifest,
    is_stated: bool,
    table: PassageTable,
    matrices: Iterable[NDArray[np.float32]],
    tokens: Iterable[Sequence[str]],
    terms: TermTable,
) -> Generation:
    """Write the state after `previous` to `address`, beside what readers search.

    Raises:
        StoreUnavailable: the server doesn't take it.
    """
    known = [one for one in (Generation.of(previous), Generation.before(previous)) if one]
    writer = MilvusWriter(address, is_stated)
    # First, so that writers that die again and again don't fill the server.
    if kept := [one.name for one in known if one.address == address]:
        writer.sweep(keep=kept)
    name = new_name(previous.generation + 1, previous=known[0].name if known else "")
    writer.write(name, table=table, matrices=matrices, tokens=tokens, terms=terms, dimensions=previous.dimensions)
    return Generation(address, name)


def withdraw_generations(manifest: Manifest) -> None:
    """Drop all that the index of `manifest` keeps on the server that searches it, which nobody can open then.

    Raises:
        StoreUnavailable: the server doesn't answer.
    """
    if generation := Generation.of(manifest):
        MilvusWriter(generation.address).withdraw(generation.name)


def settle_generations(manifest: Manifest, *, previous: Manifest, is_stated: bool) -> None:
    """Let each server follow the manifest just committed: aliases name the new generation, old ones are dropped.

    A server that doesn't answer, or whose client is gone, is passed over: what is committed is served, and the next
    commit comes this way again.
    """
    now, before, oldest = Generation.of(manifest), Generation.of(previous), Generation.before(previous)
    known = [one for one in (now, before, oldest) if one]
    for address in dict.fromkeys(one.address for one in known):
        here = [one.name for one in known if one.address == address]
        kept = [one.name for one in (now, before) if one and one.address == address]
        writer = MilvusWriter(address, is_stated)
        with suppress(RelnotesError):
            if now and now.address == address:
                writer.publish(now.name)
            elif not kept:
                writer.withdraw(here[0])
            if kept:
                writer.sweep(keep=kept)
