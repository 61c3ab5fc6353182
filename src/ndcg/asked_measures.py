"""The measures that a call asks for, under the conventions given to the call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .errors import UsageError
from .measures.conventions import CONVENTIONS
from .measures.measure import Measure, unknown_option
from .measures.registry import as_measures

DEFAULT_MEASURE = "nDCG@10"
"""What is computed where no measure is asked for."""


def one_measure(function: Callable[..., object], measure: object, conventions: Mapping[str, object]) -> Measure:
    """The one measure of a call to `function`, with the conventions given to the call."""
    refuse_unknown(function, conventions)
    measures = apply_conventions(as_measures(measure), conventions)
    if len(measures) != 1:
        raise UsageError(
            f"{function.__name__} takes one measure, found {', '.join(map(str, measures))}", code="several_measures"
        )
    return measures[0]


def apply_conventions(measures: tuple[Measure, ...], conventions: Mapping[str, object]) -> tuple[Measure, ...]:
    """All measures under the conventions given to the call; one that no measure takes is an error."""
    for name in conventions:
        if not any(name in measure.family.conventions for measure in measures):
            raise UsageError(
                f"none of {', '.join(map(str, measures))} takes the convention {name!r}",
                code="unused_convention",
            )
    return tuple(dict.fromkeys(measure.with_conventions(conventions) for measure in measures))


def refuse_unknown(function: Callable[..., object], conventions: Iterable[str]) -> None:
    """Raise ArgumentError for a keyword of a call to `function` that is no convention."""
    for name in conventions:
        if name not in CONVENTIONS:
            raise unknown_option(function.__name__, name, [*keyword_names(function), *CONVENTIONS])


def keyword_names(function: Callable[..., object]) -> list[str]:
    """The keywords that a function names itself."""
    import inspect

    parameters = inspect.signature(function).parameters.values()
    return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


def refuse_without_pool(measures: Iterable[Measure], pool: bool, hint: str = "declare it with candidates=") -> None:
    """Raise UsageError for the first measure whose ideal comes from a candidate pool that there is not."""
    needing = next((measure for measure in measures if measure.conventions["ideal"] == "candidates"), None)
    if needing is not None and not pool:
        raise UsageError(
            f"{needing} takes its ideal from the candidate pool, and none was given", code="no_pool", hint=hint
        )
