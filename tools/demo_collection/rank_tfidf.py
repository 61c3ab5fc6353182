"""A ranker by the cosine of TF-IDF weights over words."""

import math
from collections import Counter

from .collect import Document
from .rank_fts import Ranker, Ranking
from .words import singular, telling, words

Weights = dict[str, float]


def tfidf(documents: list[Document]) -> Ranker:
    """Title and text in one bag of words, logarithmic frequency, documents of unit length."""
    bags = {each.id: Counter(map(singular, words(f"{each.title} {each.text}"))) for each in documents}
    spread = Counter(word for bag in bags.values() for word in bag)
    rarity = {word: math.log(len(bags) / count) for word, count in spread.items()}
    vectors = {doc: unit(bag, rarity) for doc, bag in bags.items()}

    def ranked(query: str) -> Ranking:
        wanted = unit(Counter(map(singular, telling(words(query)))), rarity)
        scores = ((doc, round(cosine(wanted, vector), 6)) for doc, vector in vectors.items())
        return sorted((row for row in scores if row[1] > 0), key=lambda row: (-row[1], row[0]))

    return ranked


def unit(bag: Counter[str], rarity: Weights) -> Weights:
    """The weights of a bag, scaled to length one."""
    raw = {word: (1 + math.log(count)) * rarity.get(word, 0.0) for word, count in bag.items()}
    length = math.sqrt(sum(weight * weight for weight in raw.values())) or 1.0
    return {word: weight / length for word, weight in raw.items()}


def cosine(query: Weights, document: Weights) -> float:
    """The product of two unit vectors."""
    return sum(weight * document.get(word, 0.0) for word, weight in query.items())
