"""Fill in the numbers of the note."""

from collections import Counter
from string import Template

from .agreement import agreement
from .collect import Document
from .places import COLLECTION, TOOLS
from .queries import query_kinds, query_texts
from .runs import Run
from .since import age_of, since_of, since_table

Grades = dict[tuple[str, str], int]


def write_note(documents: list[Document], runs: dict[str, Run], grades: Grades) -> None:
    """The note with every count in it."""
    values = corpus_values(documents) | agreement_values() | states(runs, grades)
    values |= {f"judged_{name}": f"{share_judged(run, grades):.2f}" for name, run in runs.items()}
    values |= {"judged": str(len(grades)), "grades": listed(Counter(str(grade) for grade in grades.values()))}
    values |= {"queries": str(len(query_texts())), "query_kinds": listed(Counter(query_kinds()))}
    template = Template((TOOLS / "note.md").read_text(encoding="utf-8"))
    (COLLECTION / "README.md").write_text(template.substitute(values), encoding="utf-8", newline="\n")


def corpus_values(documents: list[Document]) -> dict[str, str]:
    """Counts of documents by kind and by age."""
    table = since_table()
    ages = Counter(age_of(since_of(each.id, each.module, table)) for each in documents)
    kinds = Counter(each.kind for each in documents)
    return {"documents": str(len(documents)), "kinds": listed(kinds)} | {age: str(count) for age, count in ages.items()}


def agreement_values() -> dict[str, str]:
    """The agreement of the two readings."""
    found = agreement()
    raw = f"{found.equal / found.pairs:.3f}"
    return {"pairs": str(found.pairs), "equal": str(found.equal), "raw": raw, "kappa": f"{found.kappa:.3f}"}


def states(runs: dict[str, Run], grades: Grades) -> dict[str, str]:
    """The queries that are empty, missing from a run or not judged."""
    best: dict[str, int] = {}
    for (query, _), grade in grades.items():
        best[query] = max(best.get(query, 0), grade)
    missing = [(query, name) for name, run in runs.items() for query, answers in run.items() if not answers]
    return {
        "empty": ", ".join(f"`{query}`" for query in sorted(best) if best[query] == 0),
        "missing": ", ".join(f"`{query}` from `{name}`" for query, name in missing),
        "unjudged": ", ".join(f"`{query}`" for query in query_texts() if query not in best),
    }


def share_judged(run: Run, grades: Grades) -> float:
    """The mean share of judged documents in the first ten, over judged queries with an answer."""
    judged_queries = {query for query, _ in grades}
    tops = [(query, answers[:10]) for query, answers in run.items() if answers and query in judged_queries]
    return sum(sum((query, doc) in grades for doc, _ in top) / len(top) for query, top in tops) / len(tops)


def listed(counts: Counter[str]) -> str:
    """Counts in words, by name."""
    return ", ".join(f"{name} {counts[name]}" for name in sorted(counts))
