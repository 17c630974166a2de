"""Parse the arguments, run the command, and end every failure in one sentence."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import traceback
import warnings
from collections.abc import Sequence

from fewlabels import __version__
from fewlabels.cli import bench, demo, features, label, page, paper
from fewlabels.cli.common import BAD_INPUT, BROKEN, INTERRUPTED, complain
from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.progress import interrupts_kept, shown

__all__ = ["COMMANDS", "main"]

COMMANDS = (label, page, demo, bench, features, paper)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; bad input ends in one sentence on standard error and exit code 2, never in a traceback."""
    options = _parser().parse_args(arguments)
    options.command = shlex.join(["fewlabels", *(sys.argv[1:] if arguments is None else arguments)])
    try:
        with warnings.catch_warnings(), interrupts_kept(), shown(not options.quiet):
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", FewlabelsWarning)
            warnings.showwarning = _note
            return int(options.run(options))
    except FewlabelsError as error:
        return complain(str(error), BAD_INPUT)
    except KeyboardInterrupt:
        return complain("interrupted; no file was written or changed.", INTERRUPTED)
    except MemoryError:
        return complain("out of memory; use fewer points or features, or --search approximate.", BROKEN)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN
    except Exception as error:
        if options.debug:
            traceback.print_exc()
        return complain(f"unexpected {type(error).__name__}: {error}; run again with --debug to see where.", BROKEN)


def _note(message: Warning | str, *_: object, **__: object) -> None:
    sys.stderr.write(f"note: {message}\n")


def _parser() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--quiet", action="store_true", help="show no progress")
    shared.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
    parser = argparse.ArgumentParser(
        prog="fewlabels", description="Label a whole data set from a handful of labels.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"fewlabels {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands, shared)
    return parser
