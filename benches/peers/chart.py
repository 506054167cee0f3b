"""A bar chart of a report, as SVG for light and dark pages."""

import html
import math
from typing import Any

WIDTH, LEFT, RIGHT, TOP, BAR, GAP = 860, 270, 90, 84, 14, 16
LIGHT, DARK = ["#1b6ca8", "#d1782c", "#5b8c3a"], ["#6cb4ee", "#f0a35e", "#9ccc78"]


def style() -> str:
    def colors(these: list[str]) -> str:
        return "".join(f".s{number} {{ fill: {color} }} " for number, color in enumerate(these))

    return (
        f"text {{ fill: #222; font: 13px sans-serif }} .small {{ font-size: 11px }} .line {{ stroke: #8884 }} {colors(LIGHT)}"
        f"@media (prefers-color-scheme: dark) {{ text {{ fill: #ddd }} {colors(DARK)}}}"
    )


def bars(report: dict[str, Any]) -> str:
    """Microseconds a point of each engine and sample, on a logarithmic scale."""
    samples, engines = report["samples"], report["engines"]
    values = [engine[sample]["us_a_point"] for engine in engines.values() for sample in samples]
    low, high = math.floor(math.log10(min(values)) - 0.3), math.ceil(math.log10(max(values)))
    group = BAR * len(samples) + GAP
    bottom = TOP + group * len(engines)

    def x(value: float) -> float:
        return LEFT + (math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    parts = ['<text x="12" y="24" font-weight="bold">Microseconds a point on one thread (shorter is faster; logarithmic)</text>']
    for number, sample in enumerate(samples):
        parts.append(f'<rect class="s{number}" x="{12 + 130 * number}" y="38" width="12" height="12"/>')
        parts.append(f'<text x="{30 + 130 * number}" y="49">{html.escape(sample)}</text>')
    for power in range(low, high + 1):
        at = x(10.0**power)
        parts.append(f'<line class="line" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP - 8}" y2="{bottom}"/>')
        parts.append(f'<text class="small" x="{at:.1f}" y="{TOP - 12}" text-anchor="middle">{10.0**power:g}</text>')
    for row, (name, engine) in enumerate(engines.items()):
        top = TOP + row * group
        middle = top + BAR * len(samples) / 2 + 5
        parts.append(f'<text x="{LEFT - 10}" y="{middle}" text-anchor="end">{html.escape(name)}</text>')
        for number, sample in enumerate(samples):
            value, y = engine[sample]["us_a_point"], top + BAR * number
            parts.append(f'<rect class="s{number}" x="{LEFT}" y="{y}" width="{x(value) - LEFT:.1f}" height="{BAR - 2}"/>')
            parts.append(f'<text class="small" x="{x(value) + 5:.1f}" y="{y + 10}">{value:.3g}</text>')
    foot = f"{report['date']}, {report['machine']}, load {report['load']:.1f}"
    parts.append(f'<text class="small" x="12" y="{bottom + 22}">{html.escape(foot)}</text>')
    height = bottom + 36
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}">\n<style>{style()}</style>\n'
        + "\n".join(parts) + "\n</svg>\n"
    )
