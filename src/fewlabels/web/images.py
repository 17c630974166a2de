"""Images of the points, by row number alone: files of one folder, or arrays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.web.png import png

__all__ = ["ArrayImages", "FolderImages", "Image", "Images"]

ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
MOST_BYTES = 64_000_000


@dataclass(frozen=True)
class Image:
    """The bytes of a file and their type, which the bytes themselves tell."""

    data: bytes
    kind: str


class Images(Protocol):
    """Where images come from."""

    def has(self, row: int) -> bool:
        """Tell whether a point should have an image."""
        ...

    def of(self, row: int) -> Image | None:
        """Return the image of a point, None where there is none that may be shown."""
        ...


class ArrayImages:
    """Images that are arrays: one per point, numbers of any range."""

    def __init__(self, pixels: Any, n_points: int) -> None:
        self._pixels: NDArray[Any] = np.asarray(pixels)
        if self._pixels.ndim not in (3, 4) or len(self._pixels) != n_points or self._pixels.dtype.kind not in "biuf":
            raise FewlabelsError(
                f"images of shape {self._pixels.shape} for {n_points} points; give points x height x width numbers."
            )
        low, high = (float(np.nan_to_num(f(self._pixels))) for f in (np.min, np.max))
        self._low, self._scale = low, 255.0 / (high - low) if high > low else 0.0

    def has(self, row: int) -> bool:
        """Every point has one."""
        return 0 <= row < len(self._pixels)

    def of(self, row: int) -> Image | None:
        """Return the image as PNG, the smallest number of all images black and the largest white."""
        pixels = self._pixels[row]
        if pixels.dtype != np.uint8:
            pixels = np.nan_to_num((pixels - self._low) * self._scale).clip(0, 255).astype(np.uint8)
        return Image(png(pixels), "image/png")


class FolderImages:
    """Files directly in one folder: those named by the points' ids, or as many as there are points in natural order.

    Only raster images are shown, as their first bytes tell, and only files that lie in the folder: no link leads out.
    """

    def __init__(self, folder: Path, ids: Sequence[Any] | None, n_points: int) -> None:
        if not folder.is_dir():
            raise FewlabelsError(f"{folder}: no such folder; --images needs the folder that the images lie in.")
        self._folder = folder.resolve()
        files = sorted((p for p in folder.iterdir() if p.suffix.lower() in ENDINGS), key=_natural)
        self._files = _placed(folder, files, ids, n_points)

    def has(self, row: int) -> bool:
        """Tell whether a file was found for a point."""
        return row in self._files

    def of(self, row: int) -> Image | None:
        """Return the file of a point, unless it lies elsewhere, is too large or is no raster image."""
        if row not in self._files:
            return None
        try:
            path = self._files[row].resolve(strict=True)
            if path.parent != self._folder or not path.is_file() or path.stat().st_size > MOST_BYTES:
                return None
            data = path.read_bytes()
        except OSError:
            return None
        kind = raster_type(data)
        return None if kind is None else Image(data, kind)


def raster_type(data: bytes) -> str | None:
    """Return the type of a raster image by its first bytes, None for anything else.

    Examples
    --------
    >>> raster_type(b"GIF89a..."), raster_type(b"<svg onload=alert(1)>")
    ('image/gif', None)
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return "image/bmp" if data.startswith(b"BM") else None


def _natural(path: Path) -> tuple[list[tuple[int, int, str]], str]:
    """Order names as people do: 2.png before 10.png."""
    parts = re.findall(r"\d+|\D+", path.name)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part.lower()) for part in parts], path.name


def _placed(folder: Path, files: list[Path], ids: Sequence[Any] | None, n_points: int) -> dict[int, Path]:
    named = [str(i) for i in (range(n_points) if ids is None else ids)]
    rows = {name.strip(): row for row, name in enumerate(named)}
    found = {rows[key]: path for path in files for key in (path.stem, path.name) if key in rows}
    if len(files) == n_points and (not found or (ids is None and len(found) < n_points)):
        return dict(enumerate(files))  # numbers from 1 on would be rows but for one; ids are no accident
    if not found:
        raise FewlabelsError(
            f"{folder}: none of its {len(files)} images is named by an id or row number, and there are {n_points} "
            f"points; name them so ({named[0]}.png), or give one image per point."
        )
    return found
