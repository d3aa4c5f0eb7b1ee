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
STANDING_RADIUS_M = 0.3
"""Half the width kept for a figure of 1.8 m even when it stands still."""
FLESH_M = 0.14
"""From the middles of bodies, which are what the camera knows, to the outside of hands, head and feet."""
SEEN = 0.98
"""Part of the time for which everything is seen: one wild instant (a figure flung away) must not make everybody tiny."""
MARGIN = 1.1
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


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Track:
    """What the camera follows, at even instants."""

    rate_hz: float
    """Instants a second."""
    roots_m: NDArray[np.float64]
    """(T, figures, 3): where each figure's root is."""
    soles_m: NDArray[np.float64]
    """(T, figures): height of each figure's lowest joint over its rest, which follows the ground up and down."""
    bodies_m: NDArray[np.float64]
    """(T, bodies, 3): middles of all bodies that must be seen."""

    def __post_init__(self) -> None:
        shape = self.roots_m.shape
        if self.roots_m.ndim != 3 or not self.roots_m.size or self.soles_m.shape != shape[:2] or len(self.bodies_m) != shape[0]:
            raise WrongValue(f"a camera follows roots (T, figures, 3), soles (T, figures) and bodies (T, n, 3), not {shape} and so on")


def follow(track: Track, *, view_name: str, heading_rad: float, height_m: float, aspect: float) -> tuple[Eye, ...]:
    """One eye for each instant, all at the same distance, that keeps the figures in the picture.

    Args:
      track: what is followed.
      view_name: one of `VIEWS`.
      heading_rad: the way that views refer to.
      height_m: of a standing figure, with the room that words over its head need.
      aspect: width of the pane by its height.
    """
    roots, soles = track.roots_m, track.soles_m
    middle = 0.5 * (roots.min(axis=1) + roots.max(axis=1))
    level = 0.5 * (soles.min(axis=1) + soles.max(axis=1))
    middle[:, 2] -= level
    sigma = max(SMOOTHING_S * track.rate_hz, 1e-3)
    smooth = gaussian_filter1d(np.column_stack([middle, level]), sigma, axis=0, mode="nearest")
    sink = smooth[:, 2] - float(np.median(middle[: max(1, int(track.rate_hz)), 2]))
    seen = view(view_name)
    eye = Eye(
        target_m=(0.0, 0.0, 0.0),
        distance_m=1.0,
        azimuth_rad=heading_rad + seen.azimuth_rad,
        elevation_rad=seen.elevation_rad,
        field_rad=FIELD_RAD,
    )
    target = np.column_stack([smooth[:, :2], smooth[:, 3] + 0.5 * height_m + FALL_FOLLOWING * np.minimum(sink, 0.0)])
    # the room of a standing figure is kept when it falls, or the camera would come closer
    ground = np.column_stack([smooth[:, :2], smooth[:, 3] + 0.5 * height_m])
    feet = np.concatenate([roots[..., :2], soles[..., None]], axis=2) - ground[:, None]
    aside, distance_m = _fit(feet, track.bodies_m - target[:, None], eye, height_m, aspect, sigma)
    targets = (target + aside).tolist()
    return tuple(dataclasses.replace(eye, target_m=(at[0], at[1], at[2]), distance_m=distance_m) for at in targets)


def _fit(
    feet_m: NDArray[np.float64], bodies_m: NDArray[np.float64], eye: Eye, height_m: float, aspect: float, sigma: float
) -> tuple[NDArray[np.float64], float]:
    """How the target moves across the picture (T, 3), and the smallest distance from which everything is seen.

    `feet_m` (T, figures, 3) and `bodies_m` (T, n, 3) are relative to the target; over each pair of feet stands the box of a
    standing figure. With c = a r + b u on the picture's axes and tangent t, a point p is inside when |p.r - a| <= t (d + p.f):
    so a lies between max(p.r - t p.f) - t d and min(p.r + t p.f) + t d, which meet at the smallest d. Sideways the target
    follows the middle of the two smoothly; up and down it stays, so that a fall is seen as one.
    """
    radius = STANDING_RADIUS_M * height_m / 1.8
    corners = np.array([[x, y, z] for x in (-radius, radius) for y in (-radius, radius) for z in (0.0, height_m)])
    boxes = (feet_m[:, :, None] + corners).reshape(len(feet_m), -1, 3)
    right, up, forward = eye.axes()
    aside, needed = np.zeros((len(feet_m), 3)), []
    for axis, tangent in ((right, aspect * math.tan(eye.field_rad / 2.0) / MARGIN), (up, math.tan(eye.field_rad / 2.0) / MARGIN)):
        high, low = (
            np.maximum(
                (sign * boxes @ axis - tangent * boxes @ forward).max(axis=1),
                (sign * bodies_m @ axis + FLESH_M - tangent * bodies_m @ forward).max(axis=1),
            )
            for sign in (1.0, -1.0)
        )
        if axis is right:
            middle = gaussian_filter1d(0.5 * (high - low), sigma, mode="nearest")
        else:
            middle = np.full(len(high), 0.5 * (np.quantile(high, SEEN) - np.quantile(low, SEEN)))
        aside += middle[:, None] * axis
        needed.append(np.quantile(np.maximum(high - middle, low + middle), SEEN) / tangent)
    return aside, float(max(needed))
