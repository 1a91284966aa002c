"""Archives made by hand, and a package index on a local server that lists them."""

import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Mapping

from notes_server import Answer, NotesServer


def tar_gz(files: Mapping[str, bytes | str | tarfile.TarInfo]) -> bytes:
    """A tar.gz; a value that is a TarInfo goes in as it is, without content."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in files.items():
            if isinstance(content, tarfile.TarInfo):
                archive.addfile(content)
                continue
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """A zip, deflated."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    """A link in a tar."""
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info


def bomb(megabytes: int) -> bytes:
    """A tar.gz of a few kilobytes for each megabyte of zeros that it unfolds to."""
    info = tarfile.TarInfo("x-1.0/data.bin")
    info.size = megabytes * 2**20
    return gzip.compress(info.tobuf()) + gzip.compress(bytes(2**20)) * megabytes + gzip.compress(bytes(1024))


class PackageIndex:
    """A simple repository on a server, in HTML (PEP 503) or JSON (PEP 691)."""

    def __init__(self, server: NotesServer, *, as_json: bool = False) -> None:
        self.server = server
        self.as_json = as_json
        self._files: dict[str, list[tuple[str, str, bool]]] = {}

    @property
    def url(self) -> str:
        return self.server.url("/simple")

    def put(self, name: str, filename: str, content: bytes, *, yanked: bool = False, sha256: str = "") -> None:
        """Add an archive to a package's page."""
        self.server.pages[f"/files/{filename}"] = Answer(content, headers={"Content-Type": "application/octet-stream"})
        seal = sha256 or hashlib.sha256(content).hexdigest()
        listed = self._files.setdefault(name, [])
        listed.append((filename, seal, yanked))
        self.server.pages[f"/simple/{name}/"] = self._json(listed) if self.as_json else self._html(listed)

    def _html(self, listed: list[tuple[str, str, bool]]) -> Answer:
        links = "".join(
            f'<a href="../../files/{name}#sha256={seal}"{" data-yanked=broken" if yanked else ""}>{name}</a><br/>\n'
            for name, seal, yanked in listed
        )
        return Answer(
            f"<!DOCTYPE html><html><body>{links}</body></html>".encode(), headers={"Content-Type": "text/html"}
        )

    def _json(self, listed: list[tuple[str, str, bool]]) -> Answer:
        files = [
            {"filename": name, "url": f"../../files/{name}", "hashes": {"sha256": seal}, "yanked": yanked}
            for name, seal, yanked in listed
        ]
        body = json.dumps({"meta": {"api-version": "1.0"}, "files": files})
        return Answer(body.encode(), headers={"Content-Type": "application/vnd.pypi.simple.v1+json"})
