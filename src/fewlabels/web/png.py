"""Pictures of grey or coloured pixels as PNG files, for data whose images are arrays."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError

__all__ = ["png"]

COLOUR_TYPES = {1: 0, 3: 2, 4: 6}
"""PNG's numbers for grey, RGB and RGBA."""


def png(pixels: NDArray[Any]) -> bytes:
    """Return bytes of shape (height, width) or (height, width, 1, 3 or 4) as a PNG file.

    Examples
    --------
    >>> png(np.zeros((2, 2), dtype=np.uint8))[1:4]
    b'PNG'
    """
    cube = pixels[:, :, None] if pixels.ndim == 2 else pixels
    if cube.ndim != 3 or cube.shape[2] not in COLOUR_TYPES or cube.dtype != np.uint8 or cube.size == 0:
        raise FewlabelsError(
            f"an image is {pixels.dtype} {pixels.shape}; give bytes, as height x width or height x width x 3."
        )
    height, width, depth = cube.shape
    rows = np.zeros((height, 1 + width * depth), dtype=np.uint8)
    rows[:, 1:] = cube.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, COLOUR_TYPES[depth], 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
