"""The skin of the human: what is drawn, one or a few lofts a link, in the colours of its side.

Left is warm, right is cool, the trunk neutral, so that sides are told apart at a glance; face, hair and shoes give the
direction. All lengths are for the left side of a figure of 1.78 m. Nothing here weighs or touches: see `human`.
"""

from math import pi, sqrt

from surefoot.characters.shapes import Colour, Quaternion, Section, Shape, Vector, ellipsoid, loft, mirrored, scaled

FORWARD: Quaternion = (sqrt(0.5), 0.0, sqrt(0.5), 0.0)
"""Lays a loft along x: its z axis points forward and its x axis down."""
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
        return (loft(_limb(UPPER_ARM, (0.0, 0.028, -0.300)), colour=strong),)
    if part == "forearm":
        forearm = loft(_limb(FOREARM, (0.012, 0.018, -0.262)), colour=soft)
        return (forearm,) if wrists else (forearm, *_hand((0.012, 0.018, -0.262)))
    if part == "hand":
        return _hand((0.0, 0.0, 0.0))
    if part == "thigh":
        return (loft(_limb(THIGH, (0, 0, -0.436)), colour=strong),)
    if part == "shank":
        return (loft(_limb(SHANK, (0, 0, -0.438)), colour=soft),)
    if part == "foot":
        return (
            loft(SHOE, rotation=FORWARD, colour=strong),
            loft(SHOE_SOLE, rotation=FORWARD, colour=SOLE),
        )
    return (
        loft(TOE_CAP, rotation=FORWARD, colour=strong),
        loft(TOE_SOLE, rotation=FORWARD, colour=SOLE),
    )


def _ring(height: float, depth: float, width: float, x: float = 0.0, y: float = 0.0, square: float = 2.0, bulge: float = 1.0) -> Section:
    return Section(
        height_m=height, half_depth_m=depth, half_width_m=width, shift_m=(x, y), squareness=square, bulge=bulge
    )


PELVIS = (
    _ring(-0.075, 0.080, 0.105, -0.005, 0, 2.6, 0.4),
    _ring(-0.02, 0.108, 0.158, -0.010, 0, 2.5),
    _ring(0.05, 0.110, 0.162, -0.010, 0, 2.4),
    _ring(0.11, 0.102, 0.146, -0.005, 0, 2.3),
    _ring(0.155, 0.096, 0.138, 0.0, 0, 2.3, 0.3),
)
TORSO = (
    _ring(-0.015, 0.094, 0.136, 0.0, 0, 2.3, 0.5),
    _ring(0.06, 0.096, 0.136, 0.002, 0, 2.3),
    _ring(0.15, 0.108, 0.153, 0.004, 0, 2.4),
    _ring(0.24, 0.120, 0.170, 0.006, 0, 2.5),
    _ring(0.300, 0.112, 0.178, 0.002, 0, 2.5),
    _ring(0.345, 0.088, 0.160, -0.006, 0, 2.3),
    _ring(0.372, 0.070, 0.110, -0.010, 0, 2.1),
    _ring(0.398, 0.060, 0.068, -0.008, 0, 2.0, 0.3),
)
UPPER_ARM = (  # at fractions of the way to the elbow
    _ring(0.00, 0.056, 0.054, 0, 0),
    _ring(0.25, 0.055, 0.052, 0.002, 0.002),
    _ring(0.55, 0.048, 0.045, 0.004, 0),
    _ring(0.85, 0.040, 0.040, 0, 0),
    _ring(1.00, 0.040, 0.040, 0, 0, bulge=0.9),
)
FOREARM = (
    _ring(0.00, 0.039, 0.039),
    _ring(0.22, 0.043, 0.041, 0.002, 0.002),
    _ring(0.60, 0.034, 0.032),
    _ring(1.00, 0.027, 0.024, bulge=0.6),
)
THIGH = (
    _ring(0.00, 0.088, 0.080, 0.0, 0.004, 2.1, 0.6),
    _ring(0.25, 0.086, 0.078, 0.004, 0.002),
    _ring(0.60, 0.070, 0.064, 0.006, 0.0),
    _ring(0.88, 0.056, 0.053, 0.002, 0.0),
    _ring(1.00, 0.055, 0.052, 0.002, 0.0),
)
SHANK = (
    _ring(0.00, 0.054, 0.050, 0.002),
    _ring(0.10, 0.052, 0.049, -0.001),
    _ring(0.30, 0.056, 0.052, -0.010, 0.002),
    _ring(0.60, 0.045, 0.042, -0.006),
    _ring(0.88, 0.035, 0.033, 0.0),
    _ring(1.00, 0.036, 0.034, 0.0, bulge=0.5),
)
# Lofts along x: the height of a ring is forward, its depth is vertical, its x shift is downward.
SHOE = (
    _ring(-0.050, 0.034, 0.028, 0.030, 0.0, 2.4, 0.6),
    _ring(-0.025, 0.052, 0.035, 0.012, 0.0, 2.4),
    _ring(0.015, 0.056, 0.038, 0.008, 0.0, 2.3),
    _ring(0.055, 0.044, 0.041, 0.020, 0.002, 2.3),
    _ring(0.095, 0.031, 0.046, 0.034, 0.004, 2.4),
    _ring(0.128, 0.026, 0.048, 0.040, 0.005, 2.5, 0.3),
)
SHOE_SOLE = (
    _ring(-0.054, 0.009, 0.029, 0.069, 0.0, 3.0),
    _ring(-0.030, 0.009, 0.037, 0.069, 0.0, 3.0),
    _ring(0.030, 0.009, 0.038, 0.069, 0.002, 3.0),
    _ring(0.090, 0.009, 0.049, 0.069, 0.004, 3.0),
    _ring(0.122, 0.009, 0.051, 0.069, 0.005, 3.0, 0.5),
)
TOE_CAP = (
    _ring(0.000, 0.026, 0.047, -0.014, 0.001, 2.5, 0.3),
    _ring(0.030, 0.023, 0.045, -0.011, -0.001, 2.4),
    _ring(0.052, 0.018, 0.036, -0.007, -0.005, 2.3, 0.7),
)
TOE_SOLE = (
    _ring(0.002, 0.009, 0.050, 0.015, 0.001, 3.0, 0.5),
    _ring(0.034, 0.009, 0.048, 0.015, -0.002, 3.0),
    _ring(0.056, 0.008, 0.036, 0.015, -0.006, 2.6, 1.6),
)


def _limb(rings: tuple[Section, ...], end: Vector) -> list[Section]:
    """Rings given at fractions of the way to the next joint, moved onto that line."""
    x, y, z = end
    return [
        _ring(
            s.height_m * z,
            s.half_depth_m,
            s.half_width_m,
            s.shift_m[0] + s.height_m * x,
            s.shift_m[1] + s.height_m * y,
            s.squareness,
            s.bulge,
        )
        for s in rings
    ]


def _head() -> tuple[Shape, ...]:
    """Neck, skull with chin, hair, eyes, nose."""
    neck = loft((_ring(-0.03, 0.056, 0.060, -0.004), _ring(0.03, 0.052, 0.052, 0.0), _ring(0.09, 0.052, 0.050, 0.006)), colour=SKIN)
    skull = loft(
        (
            _ring(0.056, 0.028, 0.026, 0.066, 0, 2.2, 0.4),
            _ring(0.075, 0.058, 0.046, 0.043, 0, 2.2),
            _ring(0.105, 0.076, 0.059, 0.028, 0, 2.2),
            _ring(0.145, 0.088, 0.067, 0.018, 0, 2.1),
            _ring(0.185, 0.092, 0.072, 0.013, 0, 2.1),
            _ring(0.225, 0.084, 0.067, 0.008, 0, 2.1),
            _ring(0.250, 0.062, 0.050, 0.004, 0, 2.0, 0.4),
        ),
        colour=SKIN,
    )
    hair = ellipsoid((-0.004, 0, 0.190), (0.098, 0.080, 0.0885), pitch_rad=-0.25, tag="looks", colour=HAIR)
    eyes = tuple(ellipsoid((0.100, y, 0.158), (0.009, 0.011, 0.012), tag="looks", colour=EYE) for y in (-0.029, 0.029))
    nose = ellipsoid((0.112, 0, 0.130), (0.016, 0.011, 0.022), pitch_rad=-0.35, tag="looks", colour=SKIN)
    return (neck, skull, hair, *eyes, nose)


def _hand(wrist: Vector) -> tuple[Shape, ...]:
    """A relaxed hand: palm and fingers in one, and a thumb; the palm looks inwards."""
    x, y, z = wrist
    palm = loft(
        (
            _ring(z + 0.005, 0.024, 0.019, x, y, 2.2, 0.6),
            _ring(z - 0.045, 0.039, 0.017, x + 0.004, y, 2.6),
            _ring(z - 0.095, 0.037, 0.015, x + 0.006, y - 0.004, 2.6),
            _ring(z - 0.150, 0.027, 0.012, x + 0.006, y - 0.016, 2.4),
        ),
        colour=SKIN,
    )
    thumb = ellipsoid((x + 0.040, y - 0.010, z - 0.058), (0.012, 0.012, 0.036), pitch_rad=-pi / 7, tag="looks", colour=SKIN)
    return (palm, thumb)
