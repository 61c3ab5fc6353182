"""The version of the package, without importing package metadata."""

__version__ = "0.1.0"
