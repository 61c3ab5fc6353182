"""Exit statuses of all commands."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What the exit status says. Shells add 128 to the number of a signal."""

    OK = 0
    ERROR = 2
    INTERRUPTED = 130
    BROKEN_PIPE = 141


MEANING = {
    Exit.OK: "done",
    Exit.ERROR: "wrong input or usage; the message on standard error says what and where",
    Exit.INTERRUPTED: "interrupted from the keyboard",
    Exit.BROKEN_PIPE: "the reader of the output went away",
}
