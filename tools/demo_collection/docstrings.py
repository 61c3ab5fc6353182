"""Clean one docstring: one paragraph of plain text, cut at a word, or nothing if it says too little."""

import inspect
import re

LONGEST_TEXT = 480
LONGEST_SUMMARY = 110
SHORTEST = 12

SIGNATURE = re.compile(r"^[\w.]+\([^\n]*\)(\s*->[^\n]*)?\n\s*\n")
MACHINE = re.compile(r"0x[0-9a-f]{6,}|/root|/home/|/usr/lib/python|site-packages|object at ")


def cleaned(docstring: str | None) -> str | None:
    """The docstring with its lines tidied; None when it is too short or depends on the machine."""
    if not docstring:
        return None
    text = inspect.cleandoc(docstring).strip()
    text = SIGNATURE.sub("", text).strip()
    if len(text) < SHORTEST or MACHINE.search(text):
        return None
    return text


def summary_of(text: str) -> str:
    """The first sentence or line."""
    paragraph = " ".join(text.split("\n\n")[0].split())
    sentence = re.split(r"(?<=[a-z)`'\"])\.\s", paragraph, maxsplit=1)[0].rstrip(".")
    return cut(sentence, LONGEST_SUMMARY)


def flat(text: str) -> str:
    """The text on one line, cut."""
    return cut(" ".join(text.split()), LONGEST_TEXT)


def cut(text: str, longest: int) -> str:
    """The text up to the last whole word within the limit."""
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0] + " ..."
