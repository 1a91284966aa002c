"""The description of the HTTP API at `/openapi.json`: what FastAPI doesn't know by itself."""

from typing import Any

from fastapi import FastAPI

from ui.http.guards import needed_scope
from ui.http.problems import MEDIA_TYPE

_BEARER = "bearer"


class DescribedApi(FastAPI):
    """FastAPI that describes its problems as what they are, and who may call what."""

    def __init__(self, *, wants_token: bool, **about: Any) -> None:
        super().__init__(**about)
        self._wants_token = wants_token

    def openapi(self) -> dict[str, Any]:
        """Describe the API; built once."""
        if self.openapi_schema is not None:
            return self.openapi_schema
        description = super().openapi()
        description["components"]["securitySchemes"] = {
            _BEARER: {"type": "http", "scheme": "bearer", "description": "A token of the server, with its scopes"}
        }
        for path, operations in description["paths"].items():
            scope = needed_scope(path)
            for operation in operations.values():
                if scope is not None:
                    # Without tokens, which is on loopback only, one may be sent and isn't looked at.
                    operation["security"] = [{_BEARER: [scope.value]}] + ([] if self._wants_token else [{}])
                for status, response in tuple(operation["responses"].items()):
                    content = response.get("content", {})
                    if status == "422" and MEDIA_TYPE not in content:
                        # FastAPI supposes that any parameter can be refused for its form.
                        del operation["responses"][status]
                    if MEDIA_TYPE in content and "application/json" in content:
                        content[MEDIA_TYPE] = content.pop("application/json")
        return description
