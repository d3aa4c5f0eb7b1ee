"""Compiled features of one character that MuJoCo does not hand out: heading frame, centre-of-mass velocity, momentum.

They read MuJoCo's arrays as the engine shows them (body velocities about the character's centre of mass).
Features that only one controller needs belong into that controller.
"""

from __future__ import annotations

import math

import numba
import numpy as np


@numba.njit
def heading_frame(rotation: np.ndarray, up: np.ndarray, frame: np.ndarray) -> None:
    """Fill frame (7,) with forward (3), left (3) and heading_rad from a root rotation (9,) and up (3,).

    Forward is the root's x axis made level; the heading is its angle from the world's x axis (made level), about up.
    """
    along = rotation[0] * up[0] + rotation[3] * up[1] + rotation[6] * up[2]
    fx, fy, fz = rotation[0] - along * up[0], rotation[3] - along * up[1], rotation[6] - along * up[2]
    size = math.sqrt(fx * fx + fy * fy + fz * fz)
    if size < 1e-9:  # the root looks straight up or down: its z axis then points backwards or forward
        turn = -1.0 if along > 0.0 else 1.0
        along = rotation[2] * up[0] + rotation[5] * up[1] + rotation[8] * up[2]
        fx, fy, fz = turn * (rotation[2] - along * up[0]), turn * (rotation[5] - along * up[1]), turn * (rotation[8] - along * up[2])
        size = math.sqrt(fx * fx + fy * fy + fz * fz)
    fx, fy, fz = fx / size, fy / size, fz / size
    frame[0], frame[1], frame[2] = fx, fy, fz
    frame[3] = up[1] * fz - up[2] * fy
    frame[4] = up[2] * fx - up[0] * fz
    frame[5] = up[0] * fy - up[1] * fx
    ex, ey, ez = 1.0 - up[0] * up[0], -up[0] * up[1], -up[0] * up[2]  # world x made level
    size = math.sqrt(ex * ex + ey * ey + ez * ez)
    ex, ey, ez = ex / size, ey / size, ez / size
    nx, ny, nz = up[1] * ez - up[2] * ey, up[2] * ex - up[0] * ez, up[0] * ey - up[1] * ex
    frame[6] = math.atan2(fx * nx + fy * ny + fz * nz, fx * ex + fy * ey + fz * ez)


@numba.njit
def centre_velocity(weight: np.ndarray, velocity: np.ndarray, centre: np.ndarray, com: np.ndarray, result: np.ndarray) -> float:
    """Velocity of the centre of mass into result (3,); returns the mass in kg.

    weight (b,), velocity (b, 6) as in `Sight.velocity`, centre (b, 3), com (3,).
    """
    mass, px, py, pz = 0.0, 0.0, 0.0, 0.0
    for b in range(weight.size):
        rx, ry, rz = centre[b, 0] - com[0], centre[b, 1] - com[1], centre[b, 2] - com[2]
        m = weight[b]
        mass += m
        px += m * (velocity[b, 3] + velocity[b, 1] * rz - velocity[b, 2] * ry)
        py += m * (velocity[b, 4] + velocity[b, 2] * rx - velocity[b, 0] * rz)
        pz += m * (velocity[b, 5] + velocity[b, 0] * ry - velocity[b, 1] * rx)
    result[0], result[1], result[2] = px / mass, py / mass, pz / mass
    return mass


@numba.njit
def angular_momentum(
    weight: np.ndarray,
    velocity: np.ndarray,
    centre: np.ndarray,
    com: np.ndarray,
    com_velocity: np.ndarray,
    inertia: np.ndarray,
    frame: np.ndarray,
    result: np.ndarray,
) -> None:
    """Angular momentum about the centre of mass into result (3,): sum of r x m (v - v_com) + R I R' w.

    inertia (b, 3) principal moments, frame (b, 9) world orientation of the principal axes.
    """
    result[0], result[1], result[2] = 0.0, 0.0, 0.0
    for b in range(weight.size):
        wx, wy, wz = velocity[b, 0], velocity[b, 1], velocity[b, 2]
        rx, ry, rz = centre[b, 0] - com[0], centre[b, 1] - com[1], centre[b, 2] - com[2]
        vx = velocity[b, 3] + wy * rz - wz * ry - com_velocity[0]
        vy = velocity[b, 4] + wz * rx - wx * rz - com_velocity[1]
        vz = velocity[b, 5] + wx * ry - wy * rx - com_velocity[2]
        m, f = weight[b], frame[b]
        result[0] += m * (ry * vz - rz * vy)
        result[1] += m * (rz * vx - rx * vz)
        result[2] += m * (rx * vy - ry * vx)
        for a in range(3):
            spin = inertia[b, a] * (f[a] * wx + f[3 + a] * wy + f[6 + a] * wz)
            result[0] += f[a] * spin
            result[1] += f[3 + a] * spin
            result[2] += f[6 + a] * spin


@numba.njit
def point_velocity(velocity: np.ndarray, com: np.ndarray, point: np.ndarray, result: np.ndarray) -> None:
    """Velocity (3,) of a world point fixed to a body, from its row of `Sight.velocity` and the centre of mass."""
    rx, ry, rz = point[0] - com[0], point[1] - com[1], point[2] - com[2]
    result[0] = velocity[3] + velocity[1] * rz - velocity[2] * ry
    result[1] = velocity[4] + velocity[2] * rx - velocity[0] * rz
    result[2] = velocity[5] + velocity[0] * ry - velocity[1] * rx
