"""How colours are seen: contrast of luminance, and difference for people with colour blindness."""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

from renderers.paint.theme import Rgb

Triple = tuple[float, float, float]

SIGHTS: dict[str, tuple[Triple, Triple, Triple]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What people see instead of linear red, green and blue (Machado, Oliveira and Fernandes, 2009, at
full severity)."""

_XYZ: tuple[Triple, Triple, Triple] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE = (0.95047, 1.0, 1.08883)
_FAR = 25.0**7


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio of two colours by WCAG 2.2, from 1 to 21."""
    lights = [_times(_XYZ, _linear(colour))[1] for colour in (one, other)]
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def difference(one: Rgb, other: Rgb, sight: str) -> float:
    """Return how different two colours look to people with this sight, as CIEDE2000."""
    return ciede2000(*(_lab(_times(SIGHTS[sight], _linear(colour))) for colour in (one, other)))


def ciede2000(one: Triple, other: Triple) -> float:
    """Return the CIEDE2000 difference of two colours in CIELAB (Sharma, Wu and Dalal, 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + _FAR))
    c1, c2 = hypot(a1 * stretch, b1), hypot(a2 * stretch, b2)
    h1 = degrees(atan2(b1, a1 * stretch)) % 360
    h2 = degrees(atan2(b2, a2 * stretch)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    # Opposite hues have two middles; the formula takes the one without a wrap.
    hue = (h1 + h2) / 2 if abs(h1 - h2) <= 180 else (h1 + h2 + 360) / 2 % 360
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    off = (light - 50) ** 2
    d_light = (l2 - l1) / (1 + 0.015 * off / sqrt(20 + off))
    d_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    d_hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    rotation = 2 * sqrt(chroma**7 / (chroma**7 + _FAR))
    rotation *= -sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(d_light**2 + d_chroma**2 + d_hue**2 + rotation * d_chroma * d_hue)


def _linear(colour: Rgb) -> Triple:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in colour)
    )
    return red, green, blue


def _times(rows: tuple[Triple, Triple, Triple], colour: Triple) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in rows)
    return x, y, z


def _lab(linear: Triple) -> Triple:
    red, green, blue = (min(max(part, 0), 1) for part in linear)
    x, y, z = (
        share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116
        for share in (v / w for v, w in zip(_times(_XYZ, (red, green, blue)), _WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
