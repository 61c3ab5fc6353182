"""Make the whole collection: PYTHONPATH=tools python -m demo_collection.build (Python 3.11, numpy)."""

from .collect import collected
from .judged import final_grades, first_readings, second_readings, settlements
from .note import write_note
from .queries import query_texts
from .runs import all_runs, write_runs
from .write import write_declared, write_documents, write_judgments, write_qrels


def main() -> None:
    """Write every file of the collection."""
    documents = collected()
    runs = all_runs(documents, query_texts())
    grades = final_grades()
    write_documents(documents)
    write_declared()
    write_runs(runs)
    write_judgments("judgments.csv", first_readings())
    write_judgments("judgments_second.csv", second_readings())
    write_judgments("judgments_agreed.csv", settlements())
    write_qrels(grades)
    write_note(documents, runs, grades)


if __name__ == "__main__":
    main()
