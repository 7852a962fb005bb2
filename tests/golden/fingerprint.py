"""Short hashes of pictures and values."""

from __future__ import annotations

import hashlib
import json
from io import BytesIO
from typing import Any

from PIL import Image, ImageSequence

LENGTH = 16
"""Characters of a hash: enough to distinguish any two results."""


def of_picture(data: bytes) -> str:
    """Return a hash of the pixels, sizes and durations of all frames of a PNG or GIF."""
    digest = hashlib.sha256()
    with Image.open(BytesIO(data)) as image:
        for frame in ImageSequence.Iterator(image):
            digest.update(repr((frame.size, frame.info.get("duration"))).encode())
            digest.update(frame.convert("RGB").tobytes())
    return digest.hexdigest()[:LENGTH]


def of_value(value: Any) -> str:
    """Return a hash of a value that JSON can represent; floats are rounded to nine digits."""
    text = json.dumps(_rounded(value), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, dict):
        return {str(key): _rounded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(each) for each in value]
    return value
