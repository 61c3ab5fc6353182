"""Words of a text as the rankers see them."""

import re

from .places import TOOLS

STOP_WORDS = frozenset((TOOLS / "stop_words.txt").read_text(encoding="utf-8").split())
WORD = re.compile(r"[a-z]+|[0-9]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def words(text: str) -> list[str]:
    """Lower-case words; names are split at dots, underscores and inner capitals."""
    return WORD.findall(CAMEL.sub(" ", text).lower())


def query_words(text: str) -> list[str]:
    """The words of a query, names left whole, without the stop words."""
    return telling(re.findall(r"\w+", text.lower().replace("_", " ")))


def telling(found: list[str]) -> list[str]:
    """The words that are no stop words; all of them when nothing else is left."""
    return [word for word in found if word not in STOP_WORDS] or found


def singular(word: str) -> str:
    """A word without the ending of its plural or of its verb form."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
