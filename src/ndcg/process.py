"""Whose process this is, and what it does while it waits."""

from __future__ import annotations

from collections.abc import Callable

OURS = False
"""Whether the process is the command's: then it may fork while it is young, and ends right after its work."""

MEANWHILE: list[Callable[[], object]] = []
"""What the command will need when the scan of a run is over, such as modules to load."""


def waiting() -> None:
    """Do what will be needed, once; called where Python is about to wait for the engine."""
    while MEANWHILE:
        MEANWHILE.pop()()
