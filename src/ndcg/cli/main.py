"""The entry point: find the command, run it, turn errors into messages and exit statuses."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from .. import process
from ..errors import NdcgError, UsageError, choose, unreadable
from ..version import __version__
from .exits import MEANING, Exit

COMMANDS = {
    "evaluate": "score runs against judgments, with every denominator",
    "explain": "one query, rank by rank: what it gains, what it misses, what would help most",
    "check": "what is odd in the data, and how much it could move the score",
    "compare": "runs against a baseline: difference, interval, test, and what is behind it",
    "power": "how many queries? the difference that this test set can show, and what more would",
    "bounds": "how far unjudged documents could move each score, exactly, and which verdicts survive",
    "judge-next": "which documents to judge next, with what each could change; a sheet for judges",
    "judge-merge": "filled sheets and the judgments become new judgments, never silently overwritten",
    "agreement": "how far judges agree: kappa by pair of judges, Krippendorff's alpha, by grade",
    "fuse": "several runs become one: reciprocal ranks, sums of normalised scores, weights",
    "tune": "the weight of a hybrid of two runs, and what it is worth on held-out queries",
    "dialects": "the same data under every known tool's conventions, and which convention moves it",
    "measures": "what can be measured, when each measure fits and when another fits better",
    "convert": "judgments and runs from one format to another, with nothing lost in silence",
    "trec_eval": "trec_eval's own flags, and its output to the byte",
    "demo": "score a bundled test collection and walk through the output",
}
"""Each command is the module of this package with its name, a hyphen being an underscore."""


def usage() -> str:
    """The help of the command as a whole."""
    commands = "\n".join(f"  {name:<12}{sentence}" for name, sentence in COMMANDS.items())
    exits = "\n".join(f"  {code:>3}  {meaning}" for code, meaning in MEANING.items())
    return f"""usage: ndcg COMMAND ...

Scores rankings with nDCG@k and says what the score was computed under.

commands:
{commands}

  ndcg COMMAND --help says more about each; --debug shows the traceback of an error.

examples:
  ndcg demo
  ndcg evaluate judgments.qrels bm25.run -m nDCG@10
  ndcg explain judgments.qrels bm25.run q7
  ndcg measures nDCG

exit status:
{exits}
  ndcg trec_eval has the exit statuses of trec_eval instead: ndcg trec_eval -h
"""


def entry() -> NoReturn:
    """The process of the command: start, run, and leave without taking the interpreter apart piece by piece."""
    # Start-up counts: a program that runs once gains nothing from looking for cycles, and nothing here
    # multiplies matrices, so NumPy need not start threads for it.
    gc.disable()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    process.OURS = True
    code = main()
    atexit._run_exitfuncs()  # temporary files go
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = Exit.BROKEN_PIPE
    except OSError as error:
        _say(f"ndcg: {error}")
        code = Exit.ERROR
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    try:
        return int(_run(arguments))
    except NdcgError as error:
        _trace(debug)
        from .wording import in_words_of

        message = str(in_words_of(_command(arguments), error))
        _say(message if message.startswith("ndcg ") else f"ndcg: {message}")
        return Exit.ERROR
    except SystemExit as leaving:
        # argparse leaves this way after --help.
        return leaving.code if isinstance(leaving.code, int) else Exit.OK
    except KeyboardInterrupt:
        _say("ndcg: interrupted")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # Python would complain once more while it closes standard output.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.BROKEN_PIPE
    except OSError as error:
        _trace(debug)
        _say(f"ndcg: {unreadable(error) if isinstance(error, FileNotFoundError) and error.filename else error}")
        return Exit.ERROR
    except Exception as error:
        _trace(debug)
        _say(
            f"ndcg: unexpected {type(error).__name__}: {error}; this is a fault of ndcg: please report it with the "
            "output of the same command and --debug"
        )
        return Exit.ERROR


def _trace(debug: bool) -> None:
    """The traceback of the error that is being handled, where it was asked for."""
    if debug:
        import traceback

        _say(traceback.format_exc().rstrip())


def _command(arguments: Sequence[str]) -> str | None:
    """The command that was asked for."""
    return next((argument for argument in arguments if argument != "--debug"), None)


def _run(arguments: list[str]) -> int:
    command = _command(arguments)
    if command in ("-h", "--help", "help"):
        sys.stdout.write(usage())
        return Exit.OK
    if command == "--version":
        sys.stdout.write(f"ndcg {__version__}\n")
        return Exit.OK
    if command is None:
        raise UsageError("no command was given", code="usage", hint="ndcg --help lists them; ndcg demo is a start")
    if command not in COMMANDS:
        if command.startswith("-"):
            raise UsageError(f"unknown option {command}", code="unknown_option", hint="see ndcg --help")
        raise choose("command", command, list(COMMANDS))
    rest = list(arguments)
    rest.remove(command)
    run = import_module(f".{command.replace('-', '_')}", __package__).run
    return int(run(rest))


def _say(message: str) -> None:
    """One message on standard error; characters that it cannot show become escapes."""
    encoding = sys.stderr.encoding or "utf-8"
    with suppress(OSError, ValueError):
        sys.stderr.write(message.encode(encoding, "backslashreplace").decode(encoding) + "\n")
