"""The engine for files and frames: DuckDB cuts each query's ranking to what the measures need."""

from .engine import LocalEngine

__all__ = ["LocalEngine"]
