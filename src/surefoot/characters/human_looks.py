"""The skin of the human: what is drawn, one or a few lofts a link, in the colours of its side.

Left is warm, right is cool, the trunk neutral, so that sides are told apart at a glance; face, hair and shoes give the
direction. All lengths are for the left side of a figure of 1.78 m. Nothing here weighs or touches: see `human`.
"""

from math import pi

from surefoot.characters.human_measures import ELBOW, SHANK_M, THIGH_M, WRIST
from surefoot.characters.shapes import FORWARD, Colour, Shape, Vector, between, ellipsoid, loft, mirrored, ring, scaled

SKIN: Colour = (0.86, 0.70, 0.60, 1.0)
HAIR: Colour = (0.24, 0.19, 0.17, 1.0)
EYE: Colour = (0.12, 0.13, 0.16, 1.0)
SHIRT: Colour = (0.90, 0.89, 0.86, 1.0)
SHORTS: Colour = (0.30, 0.32, 0.36, 1.0)
SOLE: Colour = (0.93, 0.92, 0.90, 1.0)
STRONG: dict[str, Colour] = {"left": (0.83, 0.36, 0.24, 1.0), "right": (0.15, 0.43, 0.56, 1.0)}
"""Sleeves, thighs, shoes."""
SOFT: dict[str, Colour] = {"left": (0.93, 0.60, 0.45, 1.0), "right": (0.42, 0.66, 0.75, 1.0)}
"""Forearms and shanks."""


def looks_of(part: str, side: str, size: float, wrists: bool) -> tuple[Shape, ...]:
    """Skins of one link: `part` without its side, `size` relative to 1.78 m, `wrists` when the hand is a link of its own."""
    shapes = _shapes(part, "left" if side == "middle" else side, wrists)
    if side == "right":
        shapes = tuple(mirrored(shape, shape.colour) for shape in shapes)
    return tuple(scaled(shape, size) for shape in shapes)


def _shapes(part: str, side: str, wrists: bool) -> tuple[Shape, ...]:
    strong, soft = STRONG[side], SOFT[side]
    if part == "pelvis":
        return (loft(PELVIS, colour=SHORTS),)
    if part == "torso":
        return (loft(TORSO, colour=SHIRT),)
    if part == "head":
        return _head()
    if part == "upper_arm":
        return (loft(between(UPPER_ARM, ELBOW), colour=strong),)
    if part == "forearm":
        forearm = loft(between(FOREARM, WRIST), colour=soft)
        return (forearm,) if wrists else (forearm, *_hand(WRIST))
    if part == "hand":
        return _hand((0.0, 0.0, 0.0))
    if part == "thigh":
        knee = (0.0, 0.0, -THIGH_M)
        return (loft(between(THIGH, knee), colour=strong), loft(between(TROUSER_LEG, knee), colour=SHORTS))
    if part == "shank":
        return (loft(between(SHANK, (0.0, 0.0, -SHANK_M)), colour=soft),)
    if part == "foot":
        return (
            loft(SHOE, rotation=FORWARD, colour=strong),
            loft(SHOE_SOLE, rotation=FORWARD, colour=SOLE),
        )
    return (
        loft(TOE_CAP, rotation=FORWARD, colour=strong),
        loft(TOE_SOLE, rotation=FORWARD, colour=SOLE),
    )


PELVIS = (
    ring(-0.075, 0.080, 0.105, -0.005, 0, 2.6, 0.4),
    ring(-0.02, 0.108, 0.158, -0.010, 0, 2.5),
    ring(0.05, 0.110, 0.162, -0.010, 0, 2.4),
    ring(0.11, 0.100, 0.143, -0.006, 0, 2.3),
    ring(0.155, 0.088, 0.128, 0.0, 0, 2.3, 0.3),
)
TORSO = (
    ring(-0.030, 0.104, 0.148, -0.002, 0, 2.3, 0.25),
    ring(0.05, 0.098, 0.139, 0.002, 0, 2.3),
    ring(0.15, 0.108, 0.153, 0.004, 0, 2.4),
    ring(0.23, 0.120, 0.168, 0.006, 0, 2.5),
    ring(0.290, 0.116, 0.182, 0.002, 0, 2.6),
    ring(0.332, 0.096, 0.192, -0.004, 0, 2.4),
    ring(0.360, 0.080, 0.160, -0.008, 0, 2.2),
    ring(0.378, 0.070, 0.110, -0.009, 0, 2.1),
    ring(0.398, 0.061, 0.070, -0.008, 0, 2.0, 0.3),
)
NECK_RINGS = (
    ring(-0.03, 0.055, 0.060, -0.006),
    ring(0.02, 0.052, 0.054, -0.002),
    ring(0.09, 0.052, 0.051, 0.008),
)
UPPER_ARM = (  # at fractions of the way to the elbow
    ring(0.00, 0.059, 0.054, 0, 0, bulge=0.85),
    ring(0.22, 0.057, 0.051, 0.002, 0.002),
    ring(0.55, 0.048, 0.044, 0.004, 0),
    ring(0.85, 0.040, 0.040, 0, 0),
    ring(1.00, 0.040, 0.040, 0, 0, bulge=0.9),
)
FOREARM = (
    ring(0.00, 0.035, 0.035),
    ring(0.22, 0.043, 0.041, 0.002, 0.002),
    ring(0.60, 0.034, 0.032),
    ring(1.00, 0.027, 0.024, bulge=0.6),
)
THIGH = (
    ring(0.20, 0.087, 0.079, 0.003, 0.002, 2.0, 0.2),
    ring(0.35, 0.082, 0.074, 0.005, 0.002),
    ring(0.60, 0.070, 0.064, 0.006, 0.0),
    ring(0.88, 0.056, 0.053, 0.002, 0.0),
    ring(1.00, 0.055, 0.052, 0.002, 0.0),
)
TROUSER_LEG = (
    ring(0.00, 0.093, 0.084, 0.0, 0.004, 2.1, 0.6),
    ring(0.20, 0.094, 0.086, 0.003, 0.003),
    ring(0.40, 0.091, 0.083, 0.005, 0.002, 2.0, 0.05),
)
SHANK = (
    ring(0.00, 0.048, 0.045, 0.001),
    ring(0.12, 0.050, 0.047, -0.003),
    ring(0.30, 0.056, 0.052, -0.010, 0.002),
    ring(0.60, 0.045, 0.042, -0.006),
    ring(0.88, 0.034, 0.032, 0.0),
    ring(1.00, 0.032, 0.029, 0.0, bulge=0.5),
)
# Lofts along x: the height of a ring is forward, its depth is vertical, its x shift is downward.
SHOE = (
    ring(-0.050, 0.034, 0.028, 0.030, 0.0, 2.4, 0.6),
    ring(-0.025, 0.052, 0.035, 0.012, 0.0, 2.4),
    ring(0.015, 0.056, 0.038, 0.008, 0.0, 2.3),
    ring(0.055, 0.044, 0.041, 0.020, 0.002, 2.3),
    ring(0.095, 0.031, 0.046, 0.034, 0.004, 2.4),
    ring(0.128, 0.026, 0.048, 0.040, 0.005, 2.5, 0.3),
)
SHOE_SOLE = (
    ring(-0.054, 0.009, 0.029, 0.069, 0.0, 3.0),
    ring(-0.030, 0.009, 0.037, 0.069, 0.0, 3.0),
    ring(0.030, 0.009, 0.038, 0.069, 0.002, 3.0),
    ring(0.090, 0.009, 0.049, 0.069, 0.004, 3.0),
    ring(0.122, 0.009, 0.051, 0.069, 0.005, 3.0, 0.5),
)
TOE_CAP = (
    ring(0.000, 0.026, 0.047, -0.014, 0.001, 2.5, 0.3),
    ring(0.030, 0.023, 0.045, -0.011, -0.001, 2.4),
    ring(0.052, 0.018, 0.036, -0.007, -0.005, 2.3, 0.7),
)
TOE_SOLE = (
    ring(0.002, 0.009, 0.050, 0.015, 0.001, 3.0, 0.5),
    ring(0.034, 0.009, 0.048, 0.015, -0.002, 3.0),
    ring(0.056, 0.008, 0.036, 0.015, -0.006, 2.6, 1.6),
)


def _head() -> tuple[Shape, ...]:
    """Neck, skull with chin, hair, eyes, nose."""
    neck = loft((ring(-0.03, 0.055, 0.060, -0.006), ring(0.02, 0.052, 0.054, -0.002), ring(0.09, 0.052, 0.051, 0.008)), colour=SKIN)
    skull = loft(
        (
            ring(0.040, 0.026, 0.026, 0.064, 0, 2.2, 0.5),
            ring(0.060, 0.056, 0.048, 0.043, 0, 2.3),
            ring(0.090, 0.076, 0.062, 0.028, 0, 2.3),
            ring(0.135, 0.090, 0.070, 0.018, 0, 2.2),
            ring(0.180, 0.095, 0.075, 0.012, 0, 2.1),
            ring(0.215, 0.086, 0.070, 0.010, 0, 2.1),
            ring(0.236, 0.062, 0.052, 0.006, 0, 2.0, 0.4),
        ),
        colour=SKIN,
    )
    hair = ellipsoid((-0.004, 0, 0.1845), (0.106, 0.084, 0.0915), pitch_rad=-0.30, tag="looks", colour=HAIR)
    eyes = tuple(ellipsoid((0.098, y, 0.146), (0.008, 0.010, 0.012), tag="looks", colour=EYE) for y in (-0.030, 0.030))
    nose = ellipsoid((0.107, 0, 0.122), (0.014, 0.011, 0.019), pitch_rad=-0.35, tag="looks", colour=SKIN)
    ears = tuple(ellipsoid((0.012, y, 0.135), (0.016, 0.008, 0.025), tag="looks", colour=SKIN) for y in (-0.073, 0.073))
    return (neck, skull, hair, *eyes, nose, *ears)


def _hand(wrist: Vector) -> tuple[Shape, ...]:
    """A relaxed hand: palm and fingers in one, and a thumb; the palm looks inwards."""
    x, y, z = wrist
    palm = loft(
        (
            ring(z + 0.005, 0.024, 0.019, x, y, 2.2, 0.6),
            ring(z - 0.045, 0.039, 0.017, x + 0.004, y, 2.6),
            ring(z - 0.095, 0.037, 0.015, x + 0.006, y - 0.004, 2.6),
            ring(z - 0.150, 0.027, 0.012, x + 0.006, y - 0.016, 2.4),
        ),
        colour=SKIN,
    )
    thumb = ellipsoid((x + 0.040, y - 0.010, z - 0.058), (0.012, 0.012, 0.036), pitch_rad=-pi / 7, tag="looks", colour=SKIN)
    return (palm, thumb)
