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
from fewlabels.cli import bench, demo, features, label, page, paper, predict, suggest
from fewlabels.cli.common import BAD_INPUT, BROKEN, INTERRUPTED, complain
from fewlabels.cli.parsing import Parser
from fewlabels.errors import FewlabelsError, FewlabelsWarning, in_brief
from fewlabels.files import written_files
from fewlabels.progress import interrupts_kept, shown, was_interrupted

__all__ = ["COMMANDS", "run"]

COMMANDS = (label, suggest, predict, page, demo, bench, features, paper)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command; bad input ends in one sentence on standard error and exit code 2, never in a traceback."""
    options = _parser().parsed(arguments)
    options.command = shlex.join(["fewlabels", *(sys.argv[1:] if arguments is None else arguments)])
    with written_files() as written, interrupts_kept():
        try:
            with warnings.catch_warnings(), shown(not options.quiet):
                warnings.simplefilter("ignore")
                warnings.simplefilter("always", FewlabelsWarning)
                warnings.showwarning = _note
                return int(options.run(options))
        except FewlabelsError as error:
            return complain(str(error), BAD_INPUT)
        except KeyboardInterrupt:
            return _interrupted(written)
        except MemoryError:
            return complain("out of memory; use fewer points or features, or --search approximate.", BROKEN)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BROKEN
        except Exception as error:
            if was_interrupted():
                return _interrupted(written)
            return _unexpected(error, options)


def _interrupted(written: Sequence[object]) -> int:
    """Say what an interrupt left behind: the truth about every file."""
    done = ", ".join(dict.fromkeys(map(str, written)))
    return complain(
        f"interrupted; {done} {'was' if done.count(',') == 0 else 'were'} written before, and nothing else was changed."
        if done
        else "interrupted; no file was written or changed.",
        INTERRUPTED,
    )


def _unexpected(error: Exception, options: argparse.Namespace) -> int:
    if options.debug:
        traceback.print_exc()
    return complain(
        f"unexpected {type(error).__name__}: {in_brief(error)}; run again with --debug to see where.", BROKEN
    )


def _note(message: Warning | str, *_: object, **__: object) -> None:
    sys.stderr.write(f"note: {message}\n")


def _parser() -> Parser:
    parser = Parser(
        prog="fewlabels",
        description="Label a whole data set from a handful of labels.",
        epilog="examples:\n  fewlabels demo\n  fewlabels label features.npy labels.csv -o result.csv\n"
        "  fewlabels COMMAND --help",
    )
    parser.add_argument("-V", "--version", action="version", version=f"fewlabels {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for each in COMMANDS:
        each.add_to(commands)
    return parser
