"""Which symbols, command-line flags and environment variables a repository's code uses, and on which line."""

from retrieval.code_usage.code import CodeUsage, load_code, read_code
from retrieval.code_usage.model import Usage

__all__ = ["CodeUsage", "Usage", "load_code", "read_code"]
