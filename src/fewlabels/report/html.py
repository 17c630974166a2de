"""The bones of a self-contained page: escaping, style and small building blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from fewlabels.report.style import PAGE

__all__ = ["cards", "document", "escape", "section", "table"]

PALETTE = ":root { " + " ".join(f"--{name}: {colour};" for name, colour in PAGE.items()) + " }"
STYLE = """
* { box-sizing: border-box; }
body { margin: 0; background: var(--tint); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1040px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 6px; } h2 { font-size: 20px; margin: 0 0 4px; }
p { margin: 0 0 12px; } .lead { color: var(--soft); font-size: 18px; margin-bottom: 22px; }
.note { color: var(--soft); font-size: 14px; margin-bottom: 14px; }
section { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 20px 22px;
  margin: 0 0 18px; }
.cards { display: flex; flex-wrap: wrap; gap: 12px; margin: 0 0 18px; }
.card { flex: 1 1 150px; background: var(--paper); border: 1px solid var(--line); border-radius: 10px;
  padding: 14px 18px; }
.card b { display: block; font-size: 26px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.card span { color: var(--soft); font-size: 14px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--soft); font-weight: 600; font-size: 14px; }
th, td { padding: 6px 10px 6px 0; border-bottom: 1px solid var(--line); } tr:last-child td { border-bottom: 0; }
td.number, th.number { text-align: right; } tr.best td { font-weight: 700; }
.bar { display: inline-block; height: 12px; margin-left: 14px; border-radius: 3px; vertical-align: middle; }
.bar { max-width: 100%; } @media (max-width: 640px) { .bar { display: none; } }
.swatch { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 7px;
  vertical-align: -1px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 8px 0 0; font-size: 14px; }
.images { display: flex; flex-wrap: wrap; gap: 14px; } figure { margin: 0; text-align: center; font-size: 13px; }
figure img { width: 72px; height: 72px; image-rendering: pixelated; border: 1px solid var(--line); border-radius: 6px;
  display: block; margin-bottom: 3px; }
.wrong { color: var(--wrong); font-weight: 600; } .right { color: var(--right); }
svg { width: 100%; height: auto; display: block; } svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
footer { color: var(--soft); font-size: 13px; }
"""


def document(title: str, *, lead: str, parts: Iterable[str], foot: str) -> str:
    """Return a whole page; nothing in it is loaded from elsewhere."""
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{PALETTE}{STYLE}</style></head><body><main>"
        f"<h1>{escape(title)}</h1><p class='lead'>{escape(lead)}</p>{''.join(parts)}"
        f"<footer>{escape(foot)}</footer></main></body></html>\n"
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


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = (), best: int = -1) -> str:
    """Return a table; cells are markup, so escape text before; columns in `numbers` are aligned right."""

    def cell(tag: str, place: int, content: str) -> str:
        return f"<{tag}{' class=number' if place in numbers else ''}>{content}</{tag}>"

    head = "".join(cell("th", i, escape(name)) for i, name in enumerate(heads))
    body = "".join(
        f"<tr{' class=best' if r == best else ''}>" + "".join(cell("td", i, c) for i, c in enumerate(row)) + "</tr>"
        for r, row in enumerate(rows)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
