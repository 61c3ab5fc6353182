"""`ndcg trec_eval`: trec_eval's own flags, and its output to the byte."""

from __future__ import annotations

import getopt
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ..counted import counted_noun
from ..errors import InputError, UsageError
from ..measures import trec_names
from .exits import Exit

SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
LONG = {
    "help": "-h",
    "version": "-v",
    "query_eval_wanted": "-q",
    "measure=": "-m",
    "complete_rel_info_wanted": "-c",
    "level_for_rel=": "-l",
    "nosummary": "-n",
    "Debug_level=": "-D",
    "Judged_docs_only": "-J",
    "Number_docs_in_coll=": "-N",
    "Max_retrieved_per_topic=": "-M",
    "Rel_info_format=": "-R",
    "Results_format=": "-T",
    "Output_old_results_format=": "-o",
    "Zscore=": "-Z",
    "version-of=": "--version-of",
    "debug": "--debug",
}
WHOLE = re.compile(r"[+-]?[0-9]{1,1000}")
LARGEST = 2**63 - 1
VERSIONS = {"9": 9, "9.0": 9, "9.0.8": 9, "10": 10, "10.0": 10}

USAGE = """usage: ndcg trec_eval [options] QRELS RUN

Prints what trec_eval prints, to the byte.

  -q            the values of every query too
  -n            no summary
  -c            average over all judged queries, missing ones counting 0
  -m NAME[.P]   a measure with its parameters, such as P.5,10 or ndcg.1=3,2=9; may be repeated
                nicknames: official (the default), all_trec, set
  -l N          the least grade that counts as relevant (default 1; nDCG has no level)
  -J            leave out documents without a judgment, and those with a negative grade
  -M N          only the first N documents of each query; the ideal stays as it is
  -N N          documents in the collection, for utility
  -Z FILE       distances from a mean, in standard deviations: lines of query, measure, mean, deviation
  -R qrels, -T trec_results   the formats of the two files; there is no other here
  -o            taken and without effect
  -h [-m NAME]  this help, and what a measure is
  -v            which version is reproduced
  --version-of V   9 (9.0.8, the default: scores in single precision) or 10 (10.0: a judged query
                without results ends it unless -c; lines that start with # are comments; RUN - is standard input)

Not here: preferences and judgment groups (-R prefs, qrels_prefs, qrels_jg), -D, yaap.
Grades and scores that are no numbers, and NaN, are errors; fractional grades are cut to whole numbers, with a warning.

Exit status, trec_eval's own: 0 done; 1 wrong usage, such as a measure that there is not; 2 wrong input or a wrong
parameter of a measure; 4 a document twice, or, in 10, a judged query without results; 7 no query in common.
"""


@dataclass
class Options:
    """The command line, taken apart."""

    measures: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    values: dict[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    version: int = 9

    def number(self, option: str, default: int) -> int:
        """The whole number given with an option."""
        text = self.values.get(option)
        if text is None:
            return default
        if not WHOLE.fullmatch(text):
            raise UsageError(f"{option} takes a whole number, found {text!r}", code="usage")
        # What is beyond the range stands at its end, as C's atol has it.
        return max(-LARGEST, min(int(text), LARGEST))


def taken_apart(argv: Sequence[str]) -> Options:
    """Options and files in any order, as getopt takes them. Raises UsageError."""
    try:
        pairs, files = getopt.gnu_getopt(list(argv), SHORT, list(LONG))
    except getopt.GetoptError as error:
        raise UsageError(f"ndcg trec_eval: {error}", code="usage", hint="see ndcg trec_eval -h") from None
    found = Options(files=files)
    for name, value in pairs:
        option = next((LONG[key] for key in (name[2:], f"{name[2:]}=") if key in LONG), name)
        if option == "-m":
            found.measures.append(value)
        elif option == "--version-of":
            if value not in VERSIONS:
                raise UsageError(f"--version-of {value!r} is not known; choose from 9, 10", code="usage")
            found.version = VERSIONS[value]
        elif option in ("-l", "-M", "-N", "-R", "-T", "-Z", "-D"):
            found.values[option] = value
        else:
            found.flags.add(option)
    return found


class Illegal(UsageError):
    """A measure that there is not: exit status 1, as trec_eval's."""


def requested(measures: Sequence[str], version: int) -> dict[str, tuple[str, ...]]:
    """The measures by name, in the order of printing, with their parameters: those given first count."""
    marked: dict[str, tuple[str, ...]] = {}
    for text in measures or ("official",):
        name, dot, parameters = text.partition(".")
        if name in trec_names.ELSEWHERE or name.startswith("prefs_") or name.endswith("_avgjg"):
            raise Illegal(f"{name} reads preferences or judgment groups, which are not supported", code="not_here")
        if dot and not parameters:
            raise Illegal(f"{text!r} has a dot and no parameters", code="usage")
        if name in trec_names.NICKNAMES:
            for measure in trec_names.of_nickname(name, version):
                marked.setdefault(measure.name, ())
            continue
        if name not in trec_names.MEASURES:
            near = trec_names.split(text)
            hint = f"did you mean {near[0].name}.{','.join(near[1])}?" if near is not None else None
            raise Illegal(f"illegal measure {text!r}", code="unknown_measure", hint=hint)
        if trec_names.MEASURES[name].since > version:
            raise Illegal(f"trec_eval {version} has no measure {name}", code="usage", hint="try --version-of 10")
        if not marked.get(name):
            marked[name] = tuple(parameters.split(",")) if dot else ()
    return {name: marked[name] for name in trec_names.MEASURES if name in marked}


def run(argv: Sequence[str]) -> int:
    """Read, score, print. The exit status is trec_eval's: 0, 1 usage, 2 input, 4 repeats or no results, 7 no query."""
    try:
        options = taken_apart(argv)
        if "-h" in options.flags:
            return _help(options)
        if "-v" in options.flags:
            _say(f"trec_eval version {'9.0.8' if options.version == 9 else '10.0'}, reproduced by ndcg")
            return Exit.OK
        wanted = requested(options.measures, options.version)
        if len(options.files) != 2:
            raise UsageError(
                f"ndcg trec_eval takes judgments and a run, found {counted_noun(len(options.files), 'file')}",
                code="usage",
                hint="ndcg trec_eval [options] QRELS RUN",
            )
        _refuse_formats(options)
        return _evaluate(options, wanted)
    except UsageError as error:
        _say(f"ndcg trec_eval: {str(error).removeprefix('ndcg trec_eval: ')}")
        return 2 if error.code in ("cutoff", "parameter", "not_here_format") else 1
    except InputError as error:
        if error.code not in ("repeated_document", "conflicting_grades"):
            raise
        _say(f"ndcg trec_eval: {error}")
        return 4


def _refuse_formats(options: Options) -> None:
    for option, only in (("-R", "qrels"), ("-T", "trec_results")):
        if options.values.get(option, only) != only:
            raise UsageError(
                f"{option} {options.values[option]} is not supported; the only format here is {only}",
                code="not_here_format",
            )
    if "-D" in options.values:
        raise UsageError("-D (debug output) is not supported", code="not_here_format")


def _evaluate(options: Options, wanted: dict[str, tuple[str, ...]]) -> int:
    from ..compat.columns import columns_of
    from ..compat.trec_files import read_inputs, read_zscores
    from ..compat.trec_output import Asked, NoResults, printed

    version, flags = options.version, options.flags
    columns = [
        column
        for name, parameters in wanted.items()
        for column in columns_of(
            trec_names.MEASURES[name],
            parameters,
            version=version,
            level=options.number("-l", 1),
            documents_in_collection=options.number("-N", 0),
        )
    ]
    asked = Asked(
        version,
        per_query="-q" in flags,
        summary="-n" not in flags,
        complete="-c" in flags,
        judged_only="-J" in flags,
        deepest=options.number("-M", 0) if "-M" in options.values else None,
    )
    inputs = read_inputs(*options.files, comments=version >= 10, single=version < 10)
    zscores = read_zscores(options.values["-Z"]) if "-Z" in options.values else None
    if inputs.fractions:
        _say(
            f"ndcg trec_eval: {counted_noun(inputs.fractions, 'grade is', 'grades are')} not whole "
            "and cut to a whole number, as trec_eval cuts them"
        )
    if not inputs.present.any() and (version < 10 or asked.complete):
        _say("ndcg trec_eval: no query has both judgments and results")
        return 7
    try:
        _print(printed(inputs, columns, asked, zscores))
    except NoResults as error:
        _print(error.printed)
        _say(
            f"ndcg trec_eval: the judged query {error.query!r} has no results, which ends trec_eval 10; "
            "-c counts it as 0, --version-of 9 leaves it out"
        )
        return 4
    return Exit.OK


def _help(options: Options) -> int:
    from ..measures.registry import family_named

    _print(USAGE)
    for name in requested(options.measures, options.version) if options.measures else {}:
        family = trec_names.MEASURES[name].family
        _print(f"\n{name}\n")
        if family is not None:
            known = family_named(family)
            _print(f"    {known.title}: {known.formula}\n    {known.explanation}\n")
    return Exit.OK


def _print(text: str) -> None:
    from .output import write

    if text:
        write(text, None, machine=True)


def _say(message: str) -> None:
    encoding = sys.stderr.encoding or "utf-8"
    with suppress(OSError, ValueError):
        sys.stderr.write(message.encode(encoding, "backslashreplace").decode(encoding) + "\n")
