"""Draws pictures with MuJoCo's own OpenGL drawing: several panes and several figures in one frame, sun, haze, push arrows.

It must run in a process whose MUJOCO_GL was set before mujoco was imported; `studio` starts such processes and this module is
what they use. It knows nothing of time, files or takes.
"""

import math
from types import TracebackType

import mujoco
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from surefoot.filming.lettering import clear_of, letter, letter_at
from surefoot.filming.picture import ARROW_GAP_M, Arrow, Eye, Pane, Picture, arrow_length_m

GEOMS_AT_MOST = 20_000
ARROW_COLOUR = (0.93, 0.33, 0.10)
ARROW_WIDTH_M = 0.022
SUN_DISTANCE_M = 6.0
OVERSIZE, OVERSIZE_COARSE = 1.5, 1.25
"""Frames are drawn that much larger and averaged. At 1.5 it smooths edges, shadows and texture for 70 ms of processor time a
frame of 960 x 540 in software OpenGL, where four samples a pixel cost 85 ms and smooth edges only."""
BETWEEN_PANES = (28, 33, 40)
Point = tuple[float, float, float]
Words = tuple[Pane, str, Point, Point | None]
"""A pane, what is written in it, the point of the scene where it is written, and the tip of the arrow that it belongs to."""


class Painter:
    """An OpenGL context with one model in it."""

    def __init__(self, model: mujoco.MjModel, width: int, height: int) -> None:
        self._model, self._data, self._oversize = model, mujoco.MjData(model), OVERSIZE
        wide, high = round(width * OVERSIZE), round(height * OVERSIZE)
        model.vis.global_.offwidth, model.vis.global_.offheight = wide, high
        self._window = mujoco.GLContext(wide, high)
        self._window.make_current()
        self._shadow_pixels = model.vis.quality.shadowsize
        self._contexts: dict[int, mujoco.MjrContext] = {}
        self._context = self._context_with(self._shadow_pixels)
        self._scene = mujoco.MjvScene(model, maxgeom=GEOMS_AT_MOST)
        self._option, self._perturb, self._camera = mujoco.MjvOption(), mujoco.MjvPerturb(), mujoco.MjvCamera()
        self._option.sitegroup[:] = 0  # sites are where sensors sit, not something to see
        flags = self._scene.flags
        flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = 0
        flags[mujoco.mjtRndFlag.mjRND_HAZE] = 1
        flags[mujoco.mjtRndFlag.mjRND_SHADOW] = 1

    def paint(self, picture: Picture) -> NDArray[np.uint8]:
        """(height, width, 3): the picture's pixels, first row at the top."""
        words: list[Words] = []
        self._oversize = OVERSIZE if picture.fine else OVERSIZE_COARSE
        self._context = self._context_with(self._shadow_pixels // (1 if picture.fine else 2))
        for pane in picture.panes:
            words += self._draw(pane, picture.height)
        pixels = _between_panes(self._read(picture.width, picture.height), picture.panes)
        for pane, text, point, tip in words:
            box = (pane.left, pane.top, pane.width, pane.height)
            if (at := pane.eye.project(point, pane.width, pane.height)) is not None:
                seen_tip = pane.eye.project(tip, pane.width, pane.height) if tip else None
                across = clear_of(at[0], seen_tip[0], pane.height) if seen_tip else at[0]
                letter_at(pixels, text, pane.left + across, pane.top + at[1], box)
        for pane in picture.panes:
            letter(pixels, pane.captions, pane.left, pane.top, pane.width, pane.height)
        letter(pixels, picture.captions, 0, 0, picture.width, picture.height)
        return pixels

    def _context_with(self, shadow_pixels: int) -> mujoco.MjrContext:
        """The drawing context with a shadow map of that size, made on first use."""
        if shadow_pixels not in self._contexts:
            self._model.vis.quality.shadowsize = shadow_pixels
            context = mujoco.MjrContext(self._model, mujoco.mjtFontScale.mjFONTSCALE_100)
            self._contexts[shadow_pixels] = context
        context = self._contexts[shadow_pixels]
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
        return context

    def _draw(self, pane: Pane, height: int) -> list["Words"]:
        """Draw one pane into the buffer; returns the words that belong to points of the scene."""
        self._look(pane.eye)
        words: list[Words] = []
        for number, figure in enumerate(pane.figures):
            self._data.qpos[:] = figure.qpos
            mujoco.mj_kinematics(self._model, self._data)
            mujoco.mj_comPos(self._model, self._data)
            mujoco.mj_camlight(self._model, self._data)  # else the sun has no direction
            first = self._pose(number == 0)
            self._shift(first, figure.offset_m, figure.opacity)
            offset = np.array([*figure.offset_m, 0.0])
            for arrow in pane.arrows:
                if arrow.figure == number:
                    tail, tip = self._arrow(arrow, offset)
                    if arrow.words:
                        words.append((pane, f"{np.linalg.norm(arrow.force_n):.0f} N", tail, tip))
            if figure.label:
                words.append((pane, figure.label, self._above(offset), None))
        self._shine(pane)
        corners = np.array([pane.left, height - pane.top - pane.height, pane.left + pane.width, height - pane.top])
        left, bottom, right, top = (int(x) for x in np.rint(corners * self._oversize))
        mujoco.mjr_render(mujoco.MjrRect(left, bottom, right - left, top - bottom), self._scene, self._context)
        return words

    def _read(self, width: int, height: int) -> NDArray[np.uint8]:
        """The drawn buffer, upright and averaged down to the size of the picture."""
        wide, high = round(width * self._oversize), round(height * self._oversize)
        drawn = np.empty((high, wide, 3), dtype=np.uint8)
        mujoco.mjr_readPixels(drawn, None, mujoco.MjrRect(0, 0, wide, high), self._context)
        if (wide, high) == (width, height):
            return np.ascontiguousarray(drawn[::-1])
        return np.array(Image.fromarray(drawn[::-1]).resize((width, height), Image.Resampling.BOX))

    def _look(self, eye: Eye) -> None:
        camera = self._camera
        camera.type = mujoco.mjtCamera.mjCAMERA_FREE
        camera.lookat[:] = eye.target_m
        camera.distance = eye.distance_m
        camera.azimuth, camera.elevation = math.degrees(eye.azimuth_rad), math.degrees(eye.elevation_rad)
        self._model.vis.global_.fovy = math.degrees(eye.field_rad)

    def _pose(self, alone: bool) -> int:
        """Put the posed bodies into the scene, with the ground when they are the first; returns where they begin."""
        model, data, scene = self._model, self._data, self._scene
        if alone:
            everything = mujoco.mjtCatBit.mjCAT_ALL.value
            mujoco.mjv_updateScene(model, data, self._option, self._perturb, self._camera, everything, scene)
            return 0
        first = scene.ngeom
        mujoco.mjv_addGeoms(model, data, self._option, self._perturb, mujoco.mjtCatBit.mjCAT_DYNAMIC.value, scene)
        return first

    def _shift(self, first: int, offset_m: tuple[float, float], opacity: float) -> None:
        if offset_m == (0.0, 0.0) and opacity >= 1.0:
            return
        for geom in self._scene.geoms[first : self._scene.ngeom]:
            if geom.category == mujoco.mjtCatBit.mjCAT_DYNAMIC:
                geom.pos[:2] += offset_m
                geom.rgba[3] *= opacity

    def _arrow(self, arrow: Arrow, offset: NDArray[np.float64]) -> tuple[Point, Point]:
        """Add an arrow whose tip rests on the pushed body; returns where its words stand, and its tip."""
        force = np.asarray(arrow.force_n)
        size = float(np.linalg.norm(force))
        direction = force / size if size > 0.0 else np.array([1.0, 0.0, 0.0])
        body = mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_BODY, arrow.body)
        tip = self._data.xipos[body] + offset - ARROW_GAP_M * direction
        tail = tip - arrow_length_m(size) * direction
        scene = self._scene
        if scene.ngeom < scene.maxgeom:
            geom = scene.geoms[scene.ngeom]
            kind, colour = mujoco.mjtGeom.mjGEOM_ARROW, np.array([*ARROW_COLOUR, arrow.opacity], dtype=np.float32)
            mujoco.mjv_initGeom(geom, kind, np.zeros(3), np.zeros(3), np.zeros(9), colour)
            mujoco.mjv_connector(geom, kind, ARROW_WIDTH_M, tail, tip)
            geom.size[2] *= 2.0  # MuJoCo 4.0 draws an arrow half as long as its connector makes it
            geom.emission, geom.category = 0.35, mujoco.mjtCatBit.mjCAT_DECOR
            scene.ngeom += 1
        x, y, z = tail
        return (float(x), float(y), float(z) + 2.0 * ARROW_WIDTH_M), (float(tip[0]), float(tip[1]), float(tip[2]))

    def _above(self, offset: NDArray[np.float64]) -> Point:
        """Over the highest body of the figure that was posed last."""
        highest = int(np.argmax(self._data.xipos[1:, 2])) + 1
        x, y, z = self._data.xipos[highest] + offset
        return float(x), float(y), float(z) + 0.24

    def _shine(self, pane: Pane) -> None:
        """Let the sun stand over what is looked at: its shadows reach only so far."""
        self._context.shadowClip = pane.shadow_reach_m
        for light in self._scene.lights[: self._scene.nlight]:
            if light.castshadow:
                light.pos[:] = np.asarray(pane.eye.target_m) - SUN_DISTANCE_M * light.dir

    def close(self) -> None:
        """Free the context now: left to the end of the interpreter, OSMesa complains on standard error."""
        for context in self._contexts.values():
            context.free()
        self._window.free()

    def __enter__(self) -> "Painter":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _between_panes(pixels: NDArray[np.uint8], panes: tuple[Pane, ...]) -> NDArray[np.uint8]:
    """Paint over what no pane covers: the buffer still holds an earlier picture there."""
    if len(panes) > 1:
        bare = np.ones(pixels.shape[:2], dtype=bool)
        for pane in panes:
            bare[pane.top : pane.top + pane.height, pane.left : pane.left + pane.width] = False
        pixels[bare] = BETWEEN_PANES
    return pixels
