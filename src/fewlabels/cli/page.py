"""fewlabels page: label on a page that asks what helps most."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewlabels.cli.common import Commands
from fewlabels.cli.given import LABELS_HELP, add_graph_options, checked_method
from fewlabels.cli.parsing import command
from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.progress import say

if TYPE_CHECKING:
    from socket import socket

    from fewlabels.methods import Method
    from fewlabels.web.points import Points

__all__ = ["add_to", "run"]

LOCAL = ("127.0.0.1", "localhost")
DEMO = "digits.labels.jsonl"
"""The journal of the demo, in the folder where programs keep such things: it would be litter in the current one."""

EXAMPLES = (
    "fewlabels page --demo",
    "fewlabels page features.npy labels.csv --images folder/ --out result.csv",
    "fewlabels page table.parquet --text abstract --id paper",
)


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = command(commands, "page", "label on a page in the browser", EXAMPLES)
    parser.add_argument(
        "features", nargs="?", type=Path, metavar="FEATURES", help="one row per point: .npy, .npz, .csv or .parquet"
    )
    parser.add_argument(
        "labels", nargs="?", metavar="LABELS", help=f"labels to begin with, never changed: {LABELS_HELP}"
    )
    parser.add_argument("--demo", action="store_true", help="label 1,797 handwritten digits instead of FEATURES")
    parser.add_argument(
        "--images",
        type=Path,
        metavar="FOLDER",
        help="images of the points (.png, .jpg, .gif, .webp, .bmp): each file is named by the id of its point, or by "
        "its row number where there are no ids; or else there is one file per point, in the order of their names",
    )
    parser.add_argument(
        "--text", metavar="COLUMN", help="a column of FEATURES with text to show and search, no feature"
    )
    parser.add_argument("--id", metavar="COLUMN", help="the column of FEATURES with the ids")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="RESULT",
        help="where the page saves the result, at the latest when it ends: .csv, .parquet",
    )
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="where all actions are kept (default: FEATURES.labels.jsonl)"
    )
    add_graph_options(parser)
    parser.add_argument("--port", type=int, default=0, help="where to listen (default 0, any free port)")
    parser.add_argument("--host", default=LOCAL[0], metavar="ADDRESS", help="listen at another address than 127.0.0.1")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page in a browser")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Open the page and wait until it is ended."""
    from fewlabels.tabular import check_destination
    from fewlabels.web.serving import listening, need_the_extra, usual_port

    need_the_extra()
    if options.demo == (options.features is not None):
        raise FewlabelsError("give FEATURES to label, or --demo to try the page on handwritten digits.")
    method = checked_method(options)
    journal = options.journal or (_of_the_demo() if options.demo else _beside(options.features))
    inputs = [Path(each) for each in (options.features, options.labels) if each is not None]
    if options.out is not None:
        check_destination(options.out, (".csv", ".parquet"), inputs)
        if options.out.resolve() == journal.resolve():
            raise FewlabelsError(f"{options.out}: is the journal; choose another name for the result.")
    with listening(options.host, options.port, usual_port(journal)) as listener:
        return _run(options, method, journal, listener)


def _run(options: argparse.Namespace, method: Method, journal: Path, listener: socket) -> int:
    from fewlabels.web.exports import save_result
    from fewlabels.web.opening import opened
    from fewlabels.web.serving import Running
    from fewlabels.web.worker import Neighbourhood

    points, labels = _demo() if options.demo else _read(options)
    session, plan = opened(
        points,
        labels,
        method.with_features(points.X),
        journal,
        near=Neighbourhood(options.neighbors, options.metric, options.search),
        out=options.out,
    )
    if options.host not in LOCAL:
        warnings.warn(
            f"the page listens at {options.host}: whoever reaches that address and has the token can read the data.",
            FewlabelsWarning,
            stacklevel=1,
        )
    with _ended_by_signal() as ended:
        page = Running(session, plan, host=options.host, listener=listener, out=options.out)
        sys.stdout.write(f"{page.address}\n")
        sys.stdout.flush()
        say(f"all actions are kept in {journal}; end the page with Ctrl-C")
        if not options.no_browser:
            _browse(page.address)
        while not ended.wait(0.5):
            pass
        done = page.close()
        if options.out is not None and session.version:
            save_result(session, options.out)
            say(f"{options.out} has the result")
    if not done:
        # A solve cannot be interrupted; everything is on disk, so the process need not wait for it.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    return 0


@contextmanager
def _ended_by_signal() -> Iterator[threading.Event]:
    """Give an event that Ctrl-C and a request to terminate set inside the block."""
    ended, numbers = threading.Event(), (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: ended.set()) for number in numbers]
    try:
        yield ended
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _browse(address: str) -> None:
    import webbrowser

    try:
        webbrowser.open(address)
    except webbrowser.Error:
        say("no browser was found; open the address above in one")


def _read(options: argparse.Namespace) -> tuple[Points, dict[int, Any]]:
    from fewlabels.tabular import Asked, read_features, read_labels
    from fewlabels.web.images import FolderImages
    from fewlabels.web.points import Points

    say(f"reading {options.features}")
    column = None if options.labels is None or Path(options.labels).is_file() else options.labels
    file = read_features(options.features, column, shown=Asked(id=options.id, text=options.text, keep_text=True))
    labels: dict[int, Any] = {}
    if options.labels is not None:
        given = read_labels(options.labels, file)
        labels = dict(zip(given.rows.tolist(), given.labels.tolist(), strict=True))
    points = Points(
        title=options.features.name,
        X=file.X,
        ids=file.ids,
        text=None if options.text is None else file.text_columns[options.text],
        columns={name: cells for name, cells in file.text_columns.items() if name != options.text},
        feature_names=file.names,
        images=None if options.images is None else FolderImages(options.images, file.ids, file.n_points),
    )
    return points, labels


def _demo() -> tuple[Points, dict[int, Any]]:
    from sklearn.datasets import load_digits

    from fewlabels.web.images import ArrayImages
    from fewlabels.web.points import Points

    digits = load_digits()
    return Points("handwritten digits", digits.data, images=ArrayImages(digits.images, len(digits.data))), {}


def _of_the_demo() -> Path:
    from fewlabels.datasets import cache_folder

    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FewlabelsError(f"{folder}: cannot be made ({error.strerror}); name a file by --journal.") from None
    return folder / DEMO


def _beside(features: Path) -> Path:
    return features.with_name(f"{features.name}.labels.jsonl")
