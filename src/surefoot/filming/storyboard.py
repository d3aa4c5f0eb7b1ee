"""From shots to pictures: which pose, which camera, which arrows and words at each frame.

Needs the model for poses between recorded instants and for the size of a figure, and no OpenGL. The pictures are drawn by
`studio`.
"""

import dataclasses
import math

import mujoco
import numpy as np
from numpy.typing import NDArray

from surefoot.errors import UnknownName, WrongValue
from surefoot.filming.camera import Track, follow
from surefoot.filming.picture import ARROW_GAP_M, Arrow, Caption, Eye, Figure, Pane, Picture, arrow_length_m
from surefoot.filming.takes import Note, Push, Shot, Take

FADE_S = 0.45
"""An arrow stays that much longer than its push, fading: 0.2 s are five frames, too short to read a number."""
ALONE_REACH_M = 4.0
"""Half width of the shadowed square around one figure; a smaller one is sharper, but its rim speckles the ground in view."""

TRACK_HZ = 25.0
"""Instants a second at which the way of the camera is found."""
ANKLE_M = 0.1
"""No joint of a standing foot is higher than that over its sole."""
MANY = 3
"""A ball or a box is not followed when there is a character."""
STRIP = 0.085
"""Part of the height below a grid for its title and the clock."""
LABEL_ROOM = 1.12
"""Figures with labels over their heads need that much more height."""
CROWD = 4
"""From so many figures in one scene on, arrows carry no words of their own; from so many panes on, they are drawn coarser."""


def pictures(model: mujoco.MjModel, shot: Shot, *, fps: float, width: int, height: int) -> list[Picture]:
    """The frames of a shot."""
    count = max(1, round(shot.duration_s * fps))
    instants = shot.start_s + shot.speed / fps * np.arange(count, dtype=np.float64)
    return pictures_at(model, shot, instants, width=width, height=height)


def pictures_at(
    model: mujoco.MjModel, shot: Shot, instants_s: NDArray[np.float64], *, width: int, height: int, clock: bool = True
) -> list[Picture]:
    """One picture for each instant on the takes' clock."""
    for take in shot.takes:
        check(model, take)
    poses = [[pose(model, take, float(t)) for t in instants_s] for take in shot.takes]
    groups = [list(range(len(shot.takes)))] if shot.layout == "together" else [[i] for i in range(len(shot.takes))]
    several = len(groups) > 1
    boxes = grid(len(groups), width, height - (round(STRIP * height) if several else 0), shot.columns)
    panes = [
        _panes(model, shot, [shot.takes[i] for i in group], [poses[i] for i in group], instants_s, box)
        for group, box in zip(groups, boxes, strict=True)
    ]
    return [
        Picture(
            width=width,
            height=height,
            panes=tuple(column[k] for column in panes),
            captions=_over_all(shot, float(t), low=several) if clock else (),
            fine=len(groups) < CROWD,
        )
        for k, t in enumerate(instants_s)
    ]


def _over_all(shot: Shot, time_s: float, *, low: bool) -> tuple[Caption, ...]:
    """Title and clock; in a grid both stand in the strip below."""
    slow = "" if abs(shot.speed - 1.0) < 1e-6 else f"   {shot.speed:g} x speed"
    title = Caption(text=shot.title, place="bottom-left" if low else "top-left", emphasis=not low)
    return (title, Caption(text=f"{time_s:.2f} s{slow}", place="bottom-right"))


def check(model: mujoco.MjModel, take: Take) -> None:
    """Refuse a take that was not recorded with this model, or a push on a body that it lacks."""
    if take.qpos.shape[1] != model.nq:
        raise WrongValue(
            f"the take '{take.caption}' has {take.qpos.shape[1]} positions an instant and the scene has {model.nq}: "
            "film it with the scene it was recorded in"
        )
    names = [model.body(i).name for i in range(model.nbody)]
    for push in take.pushes:
        if push.body not in names:
            raise UnknownName("body", push.body, names[1:], where="the filmed scene")


def pose(model: mujoco.MjModel, take: Take, time_s: float) -> NDArray[np.float64]:
    """(nq,): positions at an instant, between recorded ones along the shortest rotation; held before and after the take."""
    place = min(max(time_s * take.rate_hz, 0.0), len(take.qpos) - 1.0)
    before = min(int(place), len(take.qpos) - 1)
    part = place - before
    found = np.array(take.qpos[before], dtype=np.float64)
    if part < 1e-6 or before + 1 >= len(take.qpos):
        return found
    change = np.empty(model.nv)
    mujoco.mj_differentiatePos(model, change, 1.0, found, np.asarray(take.qpos[before + 1], dtype=np.float64))
    mujoco.mj_integratePos(model, found, change, part)
    return found


def grid(count: int, width: int, height: int, columns: int | None = None) -> list[tuple[int, int, int, int]]:
    """(left, top, width, height) of each pane, row by row, with a line of 2 pixels between them."""
    columns = min(count, columns or math.ceil(math.sqrt(count)))
    rows = math.ceil(count / columns)
    gap = 2 if count > 1 else 0
    wide, high = (width - gap * (columns - 1)) // columns, (height - gap * (rows - 1)) // rows
    return [((wide + gap) * (i % columns), (high + gap) * (i // columns), wide, high) for i in range(count)]


def standing_height_m(model: mujoco.MjModel, qpos: NDArray[np.float64]) -> float:
    """From the ground below to the top of the highest visible geom of moving bodies, at least 0.3 m."""
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    moving = [g for g in range(model.ngeom) if model.geom_bodyid[g] > 0 and model.geom_group[g] <= 2]
    if not moving:
        return 0.3
    tops, bottoms = [], []
    for g in moving:
        turn = data.geom_xmat[g].reshape(3, 3)
        middle = data.geom_xpos[g, 2] + turn[2] @ model.geom_aabb[g, :3]
        half = np.abs(turn[2]) @ model.geom_aabb[g, 3:]
        tops.append(middle + half)
        bottoms.append(middle - half)
    return max(0.3, float(max(tops) - min(bottoms)))


def _panes(
    model: mujoco.MjModel,
    shot: Shot,
    takes: list[Take],
    poses: list[list[NDArray[np.float64]]],
    instants_s: NDArray[np.float64],
    box: tuple[int, int, int, int],
) -> list[Pane]:
    """The same pane at each instant."""
    left, top, width, height = box
    several = len(takes) > 1
    worded = several or shot.layout == "grid"
    first_s = float(instants_s.min())
    track = _track(model, takes, first_s, float(instants_s.max()))
    path = follow(
        track,
        view_name=shot.view,
        heading_rad=shot.heading_rad,
        height_m=max(standing_height_m(model, take.qpos[0]) for take in takes) * (LABEL_ROOM if worded else 1.0),
        aspect=width / height,
    )
    eyes = [_eye_at(path, (float(t) - first_s) * TRACK_HZ) for t in instants_s]
    roots = track.roots_m
    reach_m = ALONE_REACH_M + float(np.abs(roots - roots.mean(axis=1, keepdims=True))[..., :2].max())
    return [
        Pane(
            left=left,
            top=top,
            width=width,
            height=height,
            eye=eyes[k],
            figures=tuple(
                Figure(qpos=each[k], offset_m=take.offset_m, opacity=take.opacity, label=_label(take, float(t)) if several else "")
                for take, each in zip(takes, poses, strict=True)
            ),
            arrows=tuple(a for i, take in enumerate(takes) for a in _arrows(i, take, float(t), words=len(takes) < CROWD)),
            captions=() if several else _captions(takes[0], float(t), below=bool(shot.title) and shot.layout == "together"),
            shadow_reach_m=reach_m,
        )
        for k, t in enumerate(instants_s)
    ]


def _track(model: mujoco.MjModel, takes: list[Take], start_s: float, stop_s: float) -> Track:
    """What the camera follows, at TRACK_HZ whatever the frames are: a contact sheet has few, slow motion many."""
    data, trees = mujoco.MjData(model), _trees(model)
    moving = [body for tree in trees for body in tree]
    instants = start_s + np.arange(round((stop_s - start_s) * TRACK_HZ) + 2) / TRACK_HZ
    roots, soles, bodies = [], [], []
    for take in takes:
        offset = np.array([*take.offset_m, 0.0])
        places = np.empty((len(instants), model.nbody, 6))
        for k, t in enumerate(instants):
            data.qpos[:] = pose(model, take, float(t))
            mujoco.mj_kinematics(model, data)
            places[k, :, :3], places[k, :, 3:] = data.xpos, data.xipos
        roots.append(places[:, [tree[0] for tree in trees], :3] + offset)
        low = np.stack([places[:, tree, 2].min(axis=1) for tree in trees], axis=1)
        # the lowest joint is an ankle or a toe, a little over the sole
        soles.append(low - np.clip(low[0], 0.0, ANKLE_M))
        bodies.append(places[:, moving, 3:] + offset)
        bodies += [_tails(model, places[..., 3:] + offset, push, instants) for push in take.pushes]
    joined = (np.concatenate(parts, axis=1) for parts in (roots, soles, bodies))
    roots_m, soles_m, bodies_m = joined
    return Track(rate_hz=TRACK_HZ, roots_m=roots_m, soles_m=soles_m, bodies_m=bodies_m)


def _tails(model: mujoco.MjModel, middles_m: NDArray[np.float64], push: Push, instants_s: NDArray[np.float64]) -> NDArray[np.float64]:
    """(T, 1, 3): where the arrow of a push begins while it is drawn; else the body, which is followed anyway."""
    force = np.array(push.force_n)
    size = float(np.linalg.norm(force))
    back = -(ARROW_GAP_M + arrow_length_m(size)) * force / max(size, 1e-9)
    drawn = np.array([_visible(push, float(t)) > 0.0 for t in instants_s])
    return (middles_m[:, model.body(push.body).id] + drawn[:, None] * back)[:, None]


def _eye_at(path: tuple[Eye, ...], place: float) -> Eye:
    """The eye between two neighbours of the path."""
    before = min(max(int(place), 0), len(path) - 2)
    first, second = np.array(path[before].target_m), np.array(path[before + 1].target_m)
    x, y, z = (first + (place - before) * (second - first)).tolist()
    return dataclasses.replace(path[before], target_m=(x, y, z))


def _trees(model: mujoco.MjModel) -> list[list[int]]:
    """Bodies of each character, root first: trees of at least MANY bodies, or all moving ones where there is no such tree."""
    trees: dict[int, list[int]] = {}
    for body in range(1, model.nbody):
        if model.body_weldid[body] > 0:
            trees.setdefault(int(model.body_rootid[body]), []).append(body)
    return [tree for tree in trees.values() if len(tree) >= MANY] or list(trees.values()) or [[0]]


def _arrows(figure: int, take: Take, time_s: float, *, words: bool) -> list[Arrow]:
    found = []
    for push in take.pushes:
        opacity = _visible(push, time_s)
        if opacity > 0.0:
            found.append(Arrow(figure=figure, body=push.body, force_n=push.force_n, opacity=opacity, words=words))
    return found


def _visible(push: Push, time_s: float) -> float:
    since = time_s - push.time_s
    if since < 0.0:
        return 0.0
    return 1.0 if since <= push.duration_s else max(0.0, 1.0 - (since - push.duration_s) / FADE_S)


def _said(notes: tuple[Note, ...], time_s: float) -> list[str]:
    return [note.text for note in notes if note.time_s <= time_s <= note.time_s + note.duration_s]


def _label(take: Take, time_s: float) -> str:
    return "\n".join(line for line in (take.caption, *_said(take.notes, time_s)) if line)


def _captions(take: Take, time_s: float, *, below: bool) -> tuple[Caption, ...]:
    """The take's line and notes; at the bottom when a title has the top."""
    place = "bottom-left" if below else "top-left"
    return tuple(Caption(text=text, place=place) for text in (take.caption, *_said(take.notes, time_s)) if text)
