"""Dependency files of ecosystems that `read_dependencies` doesn't read, told by their names."""

import re
from collections.abc import Sequence

from corpus.dependencies.model import Line

_TOOLS = (
    (r"build\.sbt", "sbt"),
    (r"(?:deps|project)\.(?:edn|clj)", "Clojure"),
    (r"chart\.(?:ya?ml|lock)", "Helm"),
    (r"global\.json", "NuGet"),
    (r"rebar\.(?:config|lock)", "Hex"),
    (r"rust-toolchain", "rustup"),
    (r"pubspec\.(?:yaml|lock)", "pub"),
    (r"package\.(?:swift|resolved)", "Swift packages"),
    (r"podfile(?:\.lock)?|[^/]+\.podspec|cartfile(?:\.resolved)?", "CocoaPods or Carthage"),
    (r"\.terraform\.lock\.hcl|\.terraform-version|[^/]+\.tf", "Terraform"),
    (r"deno\.(?:jsonc?|lock)|bun\.lockb", "Deno or Bun"),
    (r"conanfile\.(?:txt|py)|vcpkg\.json", "Conan or vcpkg"),
    (r"module\.bazel", "Bazel"),
    (r"flake\.lock", "Nix"),
    (r"stack\.ya?ml|[^/]+\.cabal|cabal\.project", "Cabal or Stack"),
    (r"cpanfile", "CPAN"),
    (r"\.ruby-version|\.go-version|\.java-version|\.php-version", "a version manager"),
)
_COMPILED = tuple((re.compile(rf"(?:.*/)?(?:{pattern})"), tool) for pattern, tool in _TOOLS)
_VERSION = re.compile(r"[0-9]")
_TERRAFORM_VERSION = re.compile(r"\bversion\b.*[0-9]|\brequired_version\b|[?&]ref=", re.IGNORECASE)


def unread_tool(path: str, changed: Sequence[Line]) -> str | None:
    """Whose dependency file this is, where none of it is read and a changed line may state a version; else None."""
    normal = path.replace("\\", "/").lower()
    tool = next((tool for pattern, tool in _COMPILED if pattern.fullmatch(normal)), None)
    # Most of a Terraform file isn't about versions.
    stated = _TERRAFORM_VERSION if normal.endswith(".tf") else _VERSION
    return tool if tool and any(stated.search(line.text) for line in changed) else None
