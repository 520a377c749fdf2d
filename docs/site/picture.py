"""The picture of imports as SVG, without a background, in colors that are visible on white and on black."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docs.site.layout import BOX, HEIGHT, ROW, Place, laid_out

_COLORS = (
    *("#3a78c3", "#b9572a", "#35824b", "#8c56b5", "#94701f", "#b8436a"),
    *("#257f82", "#5b6bd0", "#4f7d1f", "#a8498f", "#a0503f", "#50749b"),
)
_NEUTRAL = "#6b7078"
"""The color of packages that no other package imports."""
_EDGE = 2
"""Space around the picture, and half of a line's width."""


def picture(rows: Sequence[Sequence[str]], imports: Iterable[tuple[str, str]]) -> str:
    """The packages in rows, with a line from each down to each package that it imports."""
    places = [place for row in laid_out(rows, imports) for place in row]
    colors = _colored([place for place in places if place.box])
    width = max(place.x + place.half for place in places) + 2 * _EDGE
    height = (len(rows) - 1) * ROW + HEIGHT + 2 * _EDGE
    lines = [_line(place, lower, colors[lower.package]) for place in places for lower in place.below]
    boxes = [_box(place, colors[place.package]) for place in places if place.box]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-_EDGE} {-_EDGE} {width:.0f} {height}" width="{width:.0f}"'
        ' role="img" font-family="ui-monospace, monospace" font-size="13">\n<title>Imports between packages</title>\n'
        + "".join([*lines, *boxes, "</svg>\n"])
    )


def _colored(boxes: Sequence[Place]) -> dict[str, str]:
    imported = [place.package for place in reversed(boxes) if place.above]
    chosen = {package: _COLORS[number % len(_COLORS)] for number, package in enumerate(imported)}
    return {place.package: chosen.get(place.package, _NEUTRAL) for place in boxes}


def _line(upper: Place, lower: Place, color: str) -> str:
    start = upper.row * ROW + (HEIGHT if upper.box else HEIGHT / 2)
    end = lower.row * ROW + (0 if lower.box else HEIGHT / 2)
    middle = (start + end) / 2
    way = f"M{upper.x:.0f} {start:.0f}C{upper.x:.0f} {middle:.0f} {lower.x:.0f} {middle:.0f} {lower.x:.0f} {end:.0f}"
    return f'<path d="{way}" fill="none" stroke="{color}" stroke-width="1.8"/>\n'


def _box(place: Place, color: str) -> str:
    left, top = place.x - place.half, place.row * ROW
    return (
        f'<rect x="{left:.0f}" y="{top}" width="{BOX}" height="{HEIGHT}" rx="5" fill="{color}"/>\n'
        f'<text x="{place.x:.0f}" y="{top + 22}" fill="#fff" text-anchor="middle">{place.package}</text>\n'
    )
