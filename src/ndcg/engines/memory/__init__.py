"""The engine for plain dicts and lists: NumPy over the scores, Python only where documents matter."""

from .engine import MemoryEngine

__all__ = ["MemoryEngine"]
