"""The bones of a self-contained page: style, script and small building blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files

from fewlabels.report.style import sheet
from fewlabels.report.surroundings import surroundings
from fewlabels.report.text import escape

__all__ = ["bar", "cards", "document", "section", "table"]


def document(title: str, *, lead: str, parts: Iterable[str], command: str = "") -> str:
    """Return a whole page; nothing in it is loaded from elsewhere. `command` makes it again."""
    again = f"<p>Again: <code>{escape(command)}</code></p>" if command else ""
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{sheet()}{_kept('page.css')}</style></head><body><main>"
        f"<h1>{escape(title)}</h1><p class='lead'>{escape(lead)}</p>{''.join(parts)}"
        f"<footer>{again}<p>Made with {escape(surroundings())}.</p></footer></main>"
        f"<script>{_kept('page.js')}</script></body></html>\n"
    )


def section(title: str, note: str, body: str) -> str:
    """Return a titled box; `body` is markup, the rest is text."""
    said = f"<p class='note'>{escape(note)}</p>" if note else ""
    return f"<section><h2>{escape(title)}</h2>{said}{body}</section>"


def cards(facts: Sequence[tuple[str, str]]) -> str:
    """Return a row of (figure, what it is)."""
    boxes = "".join(
        f"<div class='card'><b>{escape(figure)}</b><span>{escape(what)}</span></div>" for figure, what in facts
    )
    return f"<div class='cards'>{boxes}</div>"


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Sequence[int] = (),
    drawn: Sequence[int] = (),
    best: int = -1,
) -> str:
    """Return a table; cells are markup, so escape text before.

    Columns in `numbers` are aligned right, those in `drawn` hold bars.
    """
    kinds = dict.fromkeys(numbers, " class='number'") | dict.fromkeys(drawn, " class='drawn'")

    def cell(tag: str, place: int, content: str) -> str:
        return f"<{tag}{kinds.get(place, '')}>{content}</{tag}>"

    head = "".join(cell("th", i, escape(name)) for i, name in enumerate(heads))
    body = "".join(
        ("<tr class='best'>" if r == best else "<tr>") + "".join(cell("td", i, c) for i, c in enumerate(row)) + "</tr>"
        for r, row in enumerate(rows)
    )
    return f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def bar(share: float, colour: str = "accent") -> str:
    """Return a bar for a cell of a table, as long as the share of its width; `colour` is a class of the style sheet."""
    if not share:
        return ""
    return f"<i class='bar {colour}' style='width:{100 * share:.1f}%'></i>"


def _kept(name: str) -> str:
    return files("fewlabels.report").joinpath(name).read_text(encoding="utf-8")
