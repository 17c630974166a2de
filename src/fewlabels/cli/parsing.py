"""Arguments of a command: wrong ones end in one sentence that names what was probably meant."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from fewlabels import __version__
from fewlabels.cli.common import BAD_INPUT, Commands, complain
from fewlabels.spelling import meant

__all__ = ["Parser", "command"]


class Parser(argparse.ArgumentParser):
    """A parser that complains in one sentence."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        wanted: dict[str, Any] = {"allow_abbrev": False, "formatter_class": argparse.RawDescriptionHelpFormatter}
        super().__init__(*arguments, **(wanted | options))

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, what was probably meant, and where to read on; exit with code 2."""
        word = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if word is not None:
            near = meant(word[1], re.findall(r"[\w-]+", word[2]))
            known = f"did you mean {near}?" if near else f"choose from {word[2]}."
            message = f"{word[1]!r} is not known; {known}"
        message = message if message.endswith((".", "?")) else f"{message}."
        sys.exit(complain(f"{message} See {self.prog} --help.", BAD_INPUT))

    def parsed(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        """Parse all arguments; one that no command knows is compared with those that this command knows."""
        options, unknown = self.parse_known_args(arguments)
        if unknown:
            options.parser.refuse(unknown)
        return options

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """Refuse arguments, and name the option that the first was probably meant to be."""
        word = next((each for each in unknown if each.startswith("-")), unknown[0]).split("=")[0]
        if not word.startswith("-"):
            self.error(
                f"the argument {word} is one too many; a name with blanks in it, and a pattern such as 'parts/*.npy', "
                "need quotes around them"
            )
        near = meant(word, self._option_string_actions)
        self.error(f"the option {word} is not known{f'; did you mean {near}?' if near else ''}")


def command(commands: Commands, name: str, help: str, examples: Sequence[str], **options: Any) -> Parser:
    """Add a command that has the options of all, a description and some examples."""
    parser: Parser = commands.add_parser(
        name,
        help=help,
        description=f"{help[0].upper()}{help[1:]}.",
        epilog="\n  ".join(["examples:", *examples]),
        **options,
    )  # type: ignore[assignment]
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    parser.add_argument("--debug", action="store_true", help="show where an unexpected error comes from")
    parser.add_argument("-V", "--version", action="version", version=f"fewlabels {__version__}")
    parser.set_defaults(parser=parser)
    return parser
