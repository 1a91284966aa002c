"""The parts of GitHub's REST API that relnotes asks for, on a local server: pages, ETags, files, limits."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, urlsplit

from notes_server import Answer, Asked, NotesServer

API = "/api/v3"
COMMIT = "c" * 40


def release(
    tag: str, body: str, *, name: str | None = None, day: str = "2026-01-02", draft: bool = False
) -> dict[str, object]:
    """A release as GitHub tells it."""
    return {
        "tag_name": tag,
        "name": name,
        "body": body,
        "draft": draft,
        "prerelease": False,
        "html_url": f"https://github.com/acme/gizmo/releases/tag/{tag}",
        "created_at": f"{day}T10:00:00Z",
        "published_at": f"{day}T12:00:00Z",
        "assets": [],
    }


class GithubTwin:
    """One repository, acme/gizmo, with releases and files; put what it answers into a server's pages."""

    def __init__(self, server: NotesServer) -> None:
        self.server = server
        self.releases: list[dict[str, object]] = []
        self.files: dict[str, bytes] = {}
        self.per_page = 2
        server.pages.update(
            {
                f"{API}/repos/acme/gizmo/releases": self._releases,
                f"{API}/repos/acme/gizmo/commits/HEAD": lambda _: Answer(COMMIT.encode()),
                f"{API}/repos/acme/gizmo/commits/v1": lambda _: Answer(COMMIT.encode()),
            }
        )

    def put_files(self, files: Mapping[str, str]) -> None:
        """The files of the repository's commit."""
        base = f"{API}/repos/acme/gizmo/contents"
        for path in [path for path in self.server.pages if path.startswith(base)]:
            del self.server.pages[path]
        folders: dict[str, list[dict[str, object]]] = {"": []}
        for path, text in files.items():
            folder, _, _ = path.rpartition("/")
            folders.setdefault(folder, []).append(
                {
                    "path": path,
                    "type": "file",
                    "sha": hashlib.sha1(text.encode()).hexdigest(),
                    "size": len(text.encode()),
                    "html_url": f"https://github.com/acme/gizmo/blob/main/{path}",
                }
            )
            self.server.pages[f"{base}/{path}"] = Answer(text.encode())
        for folder, entries in folders.items():
            self.server.pages[f"{base}/{folder}".rstrip("/")] = _json(entries)

    def _releases(self, asked: Asked) -> Answer:
        query = parse_qs(urlsplit(asked.path).query)
        page = int(query.get("page", ["1"])[0])
        first = (page - 1) * self.per_page
        shown = self.releases[first : first + self.per_page]
        headers = {}
        if first + self.per_page < len(self.releases):
            url = self.server.url(f"{API}/repos/acme/gizmo/releases?per_page=100&page={page + 1}")
            headers["Link"] = f'<{url}>; rel="next", <{url}>; rel="last"'
        return _json(shown, headers)


def rate_limit(reset: int) -> Answer:
    """What GitHub says to whoever asked too often."""
    body = json.dumps({"message": "API rate limit exceeded"}).encode()
    return Answer(body, 403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)})


def _json(found: Sequence[object], headers: Mapping[str, str] | None = None) -> Answer:
    body = json.dumps(found).encode()
    etag = f'W/"{hashlib.sha1(body).hexdigest()}"'
    return Answer(body, headers={"Content-Type": "application/json", **(headers or {})}, etag=etag)
