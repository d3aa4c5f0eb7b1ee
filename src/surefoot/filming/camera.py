"""Where the camera stands: views by name, and a path that follows figures smoothly and keeps all of them in the picture.

The path is smoothed forwards and backwards in time (it knows the whole take), so the camera neither lags nor sways with the
steps. Nothing is drawn here; `storyboard` asks for one `Eye` a frame.
"""

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from surefoot.errors import UnknownName, WrongValue
from surefoot.filming.picture import Eye
from surefoot.filming.stage import FIELD_RAD

SMOOTHING_S = 0.45
"""Standard deviation of the low-pass along the way: about a step, so that neither steps nor pushes shake the picture."""
FIGURE_RADIUS_M = 0.42
"""Half the width that a figure of 1.8 m needs in the picture: stride and swinging arms."""
MARGIN = 1.13
"""Air around the figures."""
FALL_FOLLOWING = 0.4
"""Part of the root's rise and fall that the camera follows: a fall must look like one."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """A direction of sight, relative to the way the character walks."""

    azimuth_rad: float
    """0 looks along the way, from behind; pi/2 looks to the left, so the walk goes from left to right."""
    elevation_rad: float
    """Negative looks down."""


def _view(azimuth_deg: float, elevation_deg: float) -> View:
    return View(azimuth_rad=math.radians(azimuth_deg), elevation_rad=math.radians(elevation_deg))


VIEWS = {
    "side": _view(90, -7),
    "left-side": _view(-90, -7),
    "front": _view(180, -7),
    "back": _view(0, -8),
    "three-quarter": _view(128, -10),
    "overview": _view(118, -21),
    "top": _view(90, -82),
}
"""Every view by name."""


def view(name: str) -> View:
    """The view of that name; `three_quarter` and `three-quarter` are one."""
    plain = name.lower().strip().replace("_", "-").replace(" ", "-")
    if plain not in VIEWS:
        raise UnknownName("view", name, VIEWS)
    return VIEWS[plain]


def follow(
    roots_m: NDArray[np.float64],
    soles_m: NDArray[np.float64],
    *,
    rate_hz: float,
    view_name: str,
    heading_rad: float,
    height_m: float,
    aspect: float,
) -> tuple[Eye, ...]:
    """One eye for each instant, all at the same distance, that keeps the figures in the picture.

    Args:
      roots_m: (T, figures, 3): where each figure's root is.
      soles_m: (T, figures): height of its lowest body, which follows the ground up and down.
      rate_hz: instants a second.
      view_name: one of `VIEWS`.
      heading_rad: the way that views refer to.
      height_m: of a standing figure.
      aspect: width of the pane by its height.
    """
    if roots_m.ndim != 3 or not roots_m.size or soles_m.shape != roots_m.shape[:2]:
        raise WrongValue(f"a camera follows roots (T, figures, 3) and soles (T, figures), not {roots_m.shape} and {soles_m.shape}")
    middle = 0.5 * (roots_m.min(axis=1) + roots_m.max(axis=1))
    level = 0.5 * (soles_m.min(axis=1) + soles_m.max(axis=1))
    middle[:, 2] -= level
    smooth = gaussian_filter1d(np.column_stack([middle, level]), max(SMOOTHING_S * rate_hz, 1e-3), axis=0, mode="nearest")
    sink = smooth[:, 2] - float(np.median(middle[: max(1, int(rate_hz)), 2]))
    seen = view(view_name)
    eye = Eye(
        target_m=(0.0, 0.0, 0.0),
        distance_m=1.0,
        azimuth_rad=heading_rad + seen.azimuth_rad,
        elevation_rad=seen.elevation_rad,
        field_rad=FIELD_RAD,
    )
    track = np.column_stack([smooth[:, :2], smooth[:, 3] + 0.5 * height_m + FALL_FOLLOWING * np.minimum(sink, 0.0)])
    feet = np.concatenate([roots_m[..., :2], soles_m[..., None]], axis=2)
    # a fall lowers the camera, but must not let it come closer: the box of a standing figure keeps its place
    steady = np.column_stack([smooth[:, :2], smooth[:, 3]])
    aside_m, distance_m = _fit(feet - steady[:, None], eye, height_m, aspect)
    targets = (track + aside_m).tolist()
    return tuple(dataclasses.replace(eye, target_m=(at[0], at[1], at[2]), distance_m=distance_m) for at in targets)


def _fit(relative_m: NDArray[np.float64], eye: Eye, height_m: float, aspect: float) -> tuple[NDArray[np.float64], float]:
    """How far the target moves across the picture, and the smallest distance from which all boxes are seen.

    `relative_m` (T, figures, 3) are the feet, from the ground below the target. A box is FIGURE_RADIUS_M wide and as high as a
    standing figure, whether the figure stands or lies.
    With c = a r + b u on the picture's axes and tangent t, a corner p is inside when |p.r - a| <= t (d + p.f): so a lies
    between max(p.r - t p.f) - t d and min(p.r + t p.f) + t d, which meet at the smallest d.
    """
    radius = FIGURE_RADIUS_M * height_m / 1.8
    corners = [np.array([x, y, z]) for x in (-radius, radius) for y in (-radius, radius) for z in (0.0, height_m)]
    feet = relative_m - (0.0, 0.0, 0.5 * height_m)
    points = (feet[:, :, None] + np.array(corners)).reshape(len(feet), -1, 3)
    right, up, forward = eye.axes()
    depth, aside, distances = points @ forward, np.zeros(3), []
    for axis, tangent in ((right, aspect * math.tan(eye.field_rad / 2.0) / MARGIN), (up, math.tan(eye.field_rad / 2.0) / MARGIN)):
        # one wild instant (a figure flung away) must not make everybody tiny, hence quantiles over time
        high = float(np.quantile((points @ axis - tangent * depth).max(axis=1), 0.97))
        low = float(np.quantile((points @ axis + tangent * depth).min(axis=1), 0.03))
        aside += 0.5 * (high + low) * axis
        distances.append((high - low) / (2.0 * tangent))
    return aside, max(distances)
