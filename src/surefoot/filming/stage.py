"""Light, sky and a ground whose scale can be read, added to a copy of a scene's specification.

`dress` changes only what is seen: no body, joint, contact or mass is touched, so positions recorded in the plain scene fit the
dressed model. Characters bring their own colours. What the camera does is in `camera`, the drawing itself in `painter`.
Settings were chosen by measuring what they cost in software OpenGL; the numbers stand beside them.
"""

import io
import math

import mujoco
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from surefoot.filming.lettering import font

PREFIX = "stage_"
"""Before every name that `dress` adds."""
FIELD_RAD = math.radians(26.0)
"""Vertical field of view: a long lens, so that limbs keep their proportions."""
SUN_DIRECTION = (-0.42, 0.58, -1.0)
"""From the front right of a character that faces +x, so that the side, front and three-quarter views are all lit."""
SHADOW_PIXELS = 1024
"""Side of the shadow map; 2048 doubled the cost of a frame in software OpenGL."""
TILE_PIXELS = 512
"""Pixels a metre of the ground; the tile that repeats is 2 m wide."""
LIGHT_SQUARE, DARK_SQUARE = (0.725, 0.730, 0.720), (0.665, 0.673, 0.668)
METRE_LINE, QUARTER_LINE = (0.835, 0.840, 0.830), 0.022
NUMBER_COLOUR = (0.40, 0.43, 0.46)
NUMBER_LANE_M = (0.55, 0.95)
"""The metre numbers lie on the ground to the left of the way: the side view then sees them behind the feet."""
SKY_TOP, SKY_LOW = (0.47, 0.60, 0.74), (0.90, 0.92, 0.93)
HAZE = (0.865, 0.885, 0.900)
METRES_AT_MOST = 200
"""Numbers beyond this many would cost more textures than they are worth."""


def dress(spec: mujoco.MjSpec, *, width: int = 960, height: int = 540, metres: tuple[float, float] | None = None) -> mujoco.MjSpec:
    """A copy of a scene with sky, sun and ground.

    Args:
      spec: the scene; it is left as it is.
      width: largest picture that will be drawn, in pixels.
      height: its height.
      metres: from where to where along x the ground is numbered; None leaves the numbers out.
    """
    staged = spec.copy()
    _see(staged, width, height)
    _light(staged)
    _sky(staged)
    tile = ground_tile()
    _floor(staged, tile)
    if metres is not None and _flat(staged):
        _number(staged, tile, metres)
    return staged


def ground_tile() -> NDArray[np.uint8]:
    """(1024, 1024, 3): two by two metres of checker, a line each quarter of a metre, a stronger one each metre."""
    pixels = 2 * TILE_PIXELS
    row, column = np.mgrid[0:pixels, 0:pixels]
    odd = (row // TILE_PIXELS + column // TILE_PIXELS) % 2 == 1
    tile = np.where(odd[..., None], DARK_SQUARE, LIGHT_SQUARE)
    tile[_near_line(row, column, TILE_PIXELS // 4, 1.5)] += QUARTER_LINE
    tile[_near_line(row, column, TILE_PIXELS, 3.5)] = METRE_LINE
    return np.clip(255.0 * tile, 0, 255).astype(np.uint8)


def _near_line(row: NDArray[np.int64], column: NDArray[np.int64], period: int, half_width: float) -> NDArray[np.bool_]:
    def near(index: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.minimum(index % period, period - index % period) < half_width

    return near(row) | near(column)


def _see(spec: mujoco.MjSpec, width: int, height: int) -> None:
    visual = spec.visual
    visual.global_.offwidth, visual.global_.offheight = width, height
    visual.global_.fovy = math.degrees(FIELD_RAD)
    visual.quality.shadowsize = SHADOW_PIXELS
    visual.quality.offsamples = 0  # edges are smoothed by drawing larger (`painter.OVERSIZE`), which costs less here
    # distances below are multiples of the extent, so make that a metre
    spec.stat.extent, spec.stat.center = 1.0, (0.0, 0.0, 1.0)
    visual.map.znear, visual.map.zfar = 0.1, 120.0
    visual.map.haze = 0.45


def _light(spec: mujoco.MjSpec) -> None:
    for light in list(spec.lights):
        spec.delete(light)
    headlight = spec.visual.headlight
    headlight.active = 1
    headlight.ambient, headlight.diffuse, headlight.specular = (0.44, 0.45, 0.47), (0.17, 0.17, 0.17), (0.0, 0.0, 0.0)
    spec.worldbody.add_light(
        name=PREFIX + "sun",
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=(0.0, 0.0, 5.0),
        dir=SUN_DIRECTION,
        castshadow=True,
        ambient=(0.0, 0.0, 0.0),
        diffuse=(0.50, 0.48, 0.44),
        specular=(0.14, 0.14, 0.13),
    )


def _sky(spec: mujoco.MjSpec) -> None:
    for texture in list(spec.textures):
        if texture.type == mujoco.mjtTexture.mjTEXTURE_SKYBOX:
            spec.delete(texture)
    spec.add_texture(
        name=PREFIX + "sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=SKY_TOP,
        rgb2=SKY_LOW,
        width=512,
        height=512,
    )
    spec.visual.rgba.haze = (*HAZE, 1.0)


def _floor(spec: mujoco.MjSpec, tile: NDArray[np.uint8]) -> None:
    # with texuniform one repeat spans 2 m, on planes and boxes alike (measured in tests/filming/test_stage.py)
    material = _paint(spec, "ground", tile, repeat=(1.0, 1.0), uniform=True)
    ground = [geom for geom in spec.worldbody.geoms if _is_ground(geom)]
    brightest = max((float(max(geom.rgba[:3])) for geom in ground), default=1.0)
    for geom in ground:
        shade = float(max(geom.rgba[:3])) / max(brightest, 1e-6)  # a strip tells its pieces apart by brightness
        geom.material, geom.rgba = material, (shade, shade, shade, 1.0)
        if geom.type == mujoco.mjtGeom.mjGEOM_PLANE:
            geom.size = (0.0, 0.0, 0.05)  # drawn to the horizon
    if not ground:
        spec.worldbody.add_geom(
            name=PREFIX + "floor",
            type=mujoco.mjtGeom.mjGEOM_PLANE,
            size=(0.0, 0.0, 0.05),
            material=material,
            contype=0,
            conaffinity=0,
        )


def _is_ground(geom: mujoco.MjsGeom) -> bool:
    """Planes, height fields, and whatever `surefoot.terrain` named `ground_<n>`."""
    return geom.type in (mujoco.mjtGeom.mjGEOM_PLANE, mujoco.mjtGeom.mjGEOM_HFIELD) or geom.name.startswith("ground_")


def _flat(spec: mujoco.MjSpec) -> bool:
    """Whether the ground is level at height 0, so that numbers can lie on it."""
    return all(
        geom.type == mujoco.mjtGeom.mjGEOM_PLANE
        and geom.alt.type == mujoco.mjtOrientation.mjORIENTATION_QUAT  # Euler angles stand beside the quaternion until compiled
        and np.allclose(geom.quat, (1, 0, 0, 0))
        and abs(geom.pos[2]) < 1e-6
        for geom in spec.worldbody.geoms
        if _is_ground(geom)
    )


def _number(spec: mujoco.MjSpec, tile: NDArray[np.uint8], metres: tuple[float, float]) -> None:
    """Paint `3 m` on the ground beside each metre line: patches of the same tile with the number drawn in.

    Textures have no transparency in MuJoCo's drawing, so each patch repeats the ground under it.
    """
    first, last = math.floor(min(metres)), math.ceil(max(metres))
    low, high = NUMBER_LANE_M
    for metre in range(first, min(last, first + METRES_AT_MOST) + 1):
        left, right = 0.04, 0.50
        patch = _cut(tile, metre + left, metre + right, low, high)
        _write(patch, f"{metre} m")
        material = _paint(spec, f"metre_{metre}", patch, repeat=(1.0, 1.0), uniform=False)
        spec.worldbody.add_geom(
            name=f"{PREFIX}metre_{metre}",
            type=mujoco.mjtGeom.mjGEOM_PLANE,
            pos=(metre + (left + right) / 2, (low + high) / 2, 0.0005),
            size=((right - left) / 2, (high - low) / 2, 0.01),
            material=material,
            contype=0,
            conaffinity=0,
        )


def _cut(tile: NDArray[np.uint8], x0: float, x1: float, y0: float, y1: float) -> NDArray[np.uint8]:
    """The part of the repeating tile under a rectangle of the ground, row 0 at y1."""
    columns = np.floor(np.arange(x0, x1, 1 / TILE_PIXELS) * TILE_PIXELS).astype(int) % len(tile)
    # MuJoCo lays the tile so that a light square has its corner at the origin on the side of negative y
    rows = np.floor(np.arange(y1, y0, -1 / TILE_PIXELS) * TILE_PIXELS + TILE_PIXELS).astype(int) % len(tile)
    return tile[rows][:, columns].copy()


def _write(patch: NDArray[np.uint8], words: str) -> None:
    """Letters stretched along y, as on a road: a camera at eye height sees the ground at a flat angle."""
    letters = Image.new("L", (patch.shape[1], patch.shape[1] // 2), 0)
    pen = ImageDraw.Draw(letters)
    pen.text((4, letters.height // 2), words, fill=255, font=font(int(letters.height * 0.62)), anchor="lm")
    cover = np.asarray(letters.resize((patch.shape[1], patch.shape[0])), dtype=np.float64)[..., None] / 255.0
    patch[:] = (patch * (1.0 - cover) + 255.0 * np.array(NUMBER_COLOUR) * cover).astype(np.uint8)


def _paint(spec: mujoco.MjSpec, name: str, pixels: NDArray[np.uint8], *, repeat: tuple[float, float], uniform: bool) -> str:
    """Add a material that shows these pixels; returns its name."""
    full, buffer = PREFIX + name, io.BytesIO()
    Image.fromarray(pixels).save(buffer, "png", compress_level=1)
    spec.assets[full + ".png"] = buffer.getvalue()
    spec.add_texture(name=full, type=mujoco.mjtTexture.mjTEXTURE_2D, file=full + ".png")
    material = spec.add_material(name=full, texrepeat=repeat, texuniform=uniform, specular=0.0, shininess=0.0)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = full
    return full
