"""Gaits: walking styles as data, in readable files with names and units, packed into the table that `simbicon` reads.

A gait file (TOML) holds scalars, trunk curves and one channel for each DoF, written for the left foot standing: legs and
arms are called stance and swing, and right stance is the mirror image. `slope` entries say how a number changes with wanted
speed. The layout of the compiled table is `gait_table`; the law is `simbicon`; gaits are improved by `systems.gait_tuning`.
"""

from __future__ import annotations

import dataclasses
import importlib.resources
import json
import pathlib
import tomllib
from collections.abc import Mapping, Sequence

import numpy as np

from surefoot.characters import Character, character
from surefoot.controllers import simbicon as law
from surefoot.controllers.gait_table import CHANNEL, TRUNK, G, channel_first, row_width, trunk_first
from surefoot.errors import SurefootError, UnknownName, UnusableFile
from surefoot.files import file_mistake, written_whole
from surefoot.physics.law import Part

COMPARE = "compare it with 'surefoot show human/walk'"
"""The next move when a gait file cannot be used."""
UNITS = {"s": "s", "n": "N", "m": "m", "rad": "rad", "kp": "Nm/rad", "kd": "Nms/rad", "mps": "m/s", "radps": "rad/s"}
"""Unit that the last word of a name stands for, written behind each line of a gait file."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Channel:
    """The PD control of one DoF: gains, and the knots of its target over a step."""

    kp: float
    """Stiffness, Nm/rad; 0 where the world-frame terms act instead (hips, waist, neck, swing ankle)."""
    kd: float
    """Damping of the joint, Nms/rad."""
    knots_rad: tuple[float, ...]
    """Targets at phases 0 to 1; the swing leg's hip and ankle pitch are angles of thigh and foot in the world."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Gait:
    """A walking style for one character."""

    name: str
    """As in 'human/walk', without the character."""
    character: str
    """Name in the roster."""
    description: str
    """One line for lists."""
    command: str
    """The exact command that made it."""
    scalars: Mapping[str, float]
    """The head of the table (`gait_table.G`), knots excepted."""
    trunk: Mapping[str, tuple[float, ...]]
    """World curves of pelvis and torso, rad."""
    channels: Mapping[str, Channel]
    """By role: 'stance_knee_pitch', 'swing_hip_pitch', 'waist_yaw', ..."""
    slopes: Mapping[str, float] = dataclasses.field(default_factory=dict)
    """Place in the gait ('step_time_s', 'swing_hip_pitch.3') -> change for each m/s of wanted speed."""
    start: Mapping[str, float] = dataclasses.field(default_factory=dict)
    """A state on the gait's cycle, by name of the position or velocity ('left_hip_pitch', 'root_vx'): where walks begin."""

    @property
    def knots(self) -> int:
        """Knots of every curve."""
        return len(next(iter(self.channels.values())).knots_rad)

    def table(self) -> np.ndarray:
        """The two rows that the law reads, (2, width)."""
        who, knots = character(self.character), self.knots
        rows = np.zeros((2, row_width(who.dof_count, knots)))
        for name, value in self.scalars.items():
            rows[0, self.place(name)] = value
        rows[0, G.knots] = knots
        for i, curve in enumerate(TRUNK):
            rows[0, trunk_first(i, knots) : trunk_first(i, knots) + knots] = self.trunk[curve]
        for i, dof in enumerate(who.dof_names):
            channel, at = self.channels[role_of(dof)], channel_first(i, knots)
            rows[0, at + CHANNEL.kp], rows[0, at + CHANNEL.kd] = channel.kp, channel.kd
            rows[0, at + len(CHANNEL) : at + len(CHANNEL) + knots] = channel.knots_rad
        for name, value in self.slopes.items():
            rows[1, self.place(name)] = value
        return rows

    def place(self, path: str) -> int:
        """Column of a number: 'step_time_s', 'pelvis_yaw.2', 'swing_knee_pitch.3', 'stance_ankle_pitch.kp'."""
        name, _, index = path.partition(".")
        roles = [role_of(dof) for dof in character(self.character).dof_names]
        if name not in (*G._fields, *TRUNK, *roles):
            raise UnknownName("number", name, [*G._fields, *TRUNK, *roles], where=f"gait '{self.name}'")
        knots = [] if name in G._fields else [str(knot) for knot in range(self.knots)]
        inside = [*knots, *CHANNEL._fields] if name in roles else knots
        if index not in (inside or [""]):  # a knot beyond the last would be the next channel's stiffness
            raise UnknownName("knot", index, inside, where=f"'{name}' of gait '{self.name}'")
        if name in G._fields:
            return G._fields.index(name)
        if name in TRUNK:
            return trunk_first(TRUNK.index(name), self.knots) + int(index)
        at = channel_first(roles.index(name), self.knots)
        return at + CHANNEL._fields.index(index) if index in CHANNEL._fields else at + len(CHANNEL) + int(index)

    def changed(self, values: Mapping[str, float], **fields: object) -> Gait:
        """A copy with some numbers changed, by path; 'slope:PATH' sets the change with speed."""
        scalars, slopes = dict(self.scalars), dict(self.slopes)
        trunk = {name: list(curve) for name, curve in self.trunk.items()}
        channels = {name: [channel.kp, channel.kd, *channel.knots_rad] for name, channel in self.channels.items()}
        for path, value in values.items():
            self.place(path.removeprefix("slope:"))
            name, _, index = path.partition(".")
            if path.startswith("slope:"):
                slopes[path.removeprefix("slope:")] = float(value)
            elif name in trunk:
                trunk[name][int(index)] = float(value)
            elif name in channels:
                at = CHANNEL._fields.index(index) if index in CHANNEL._fields else len(CHANNEL) + int(index)
                channels[name][at] = float(value)
            else:
                scalars[name] = float(value)
        return dataclasses.replace(
            self,
            scalars=scalars,
            slopes=slopes,
            trunk={name: tuple(curve) for name, curve in trunk.items()},
            channels={name: Channel(kp=c[0], kd=c[1], knots_rad=tuple(c[2:])) for name, c in channels.items()},
            **fields,  # type: ignore[arg-type]
        )

    def walk(self, *, table: np.ndarray | None = None, index: int = 0, **parameters: float) -> Part:
        """The simbicon law with this gait; a larger `table` (stacked rows of several gaits) lets rows choose by parameter."""
        who = character(self.character)
        values = {"speed_mps": self.scalars["speed_mps"], **parameters}
        return law.simbicon.use(
            name="walk",
            character=index,
            wiring=simbicon_wiring(who),
            table=self.table() if table is None else table,
            memory_size=law.memory_size(who.dof_count),
            **values,
        )


def role_of(dof: str) -> str:
    """'stance_knee_pitch' for 'left_knee_pitch', 'swing_...' for 'right_...': gaits are written for left stance."""
    return dof.replace("left_", "stance_", 1).replace("right_", "swing_", 1)


def simbicon_wiring(who: Character) -> list[int]:
    """Bodies, joints and contact points of a character as the simbicon law wants them; -1 for what it lacks."""
    links, dofs = list(who.link_names), list(who.dof_names)

    def link(name: str, fallback: int = -1) -> int:
        return links.index(name) if name in links else fallback

    def joint(name: str) -> tuple[int, int]:
        found = [i for i, dof in enumerate(dofs) if dof.rsplit("_", 1)[0] == name]
        return (found[0], len(found)) if found else (-1, 0)

    def subtree(root: str) -> tuple[int, int]:
        if root not in links:
            return 0, 0
        members = {root}
        for part in who.links:
            if part.parent in members:
                members.add(part.name)
        first = links.index(root)
        return first, first + len(members)

    points, first = [], 0
    for effector in who.end_effectors:
        points += [first, first + len(effector.points)]
        first += len(effector.points)
    hip, ankle = joint("left_hip"), joint("left_ankle")
    wiring = [0, link("torso", 0), link("head"), *joint("waist"), *joint("neck")]
    wiring += [link("left_thigh"), link("right_thigh"), link("left_foot"), link("right_foot")]
    wiring += [hip[0], joint("right_hip")[0], hip[1], ankle[0], joint("right_ankle")[0], ankle[1]]
    wiring += [joint(name)[0] for name in ("left_shoulder", "right_shoulder", "left_elbow", "right_elbow")]
    wiring += [*subtree("torso"), *subtree("left_thigh"), *subtree("right_thigh"), *points]
    if len(wiring) != len(law.W):
        raise SurefootError(f"character '{who.name}' does not fit the simbicon law: it needs two feet, hips, knees and ankles")
    return [*wiring, *who.mirror.permutation.tolist(), *[int(sign) for sign in who.mirror.signs]]


# ---- files --------------------------------------------------------------------------------------------------------------


def names() -> tuple[str, ...]:
    """Gaits that come with the library, as 'character/gait'."""
    root = importlib.resources.files("surefoot.controllers") / "gaits"
    found = [
        f"{folder.name}/{file.name[:-5]}"
        for folder in root.iterdir()
        if folder.is_dir()
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    return tuple(sorted(found))


def load_gait(name: str) -> Gait:
    """A gait of the library ('human/walk') or from a file ('my/walk.toml')."""
    if name.endswith(".toml"):
        return read_gait(pathlib.Path(name))
    if name not in names():
        raise UnknownName("gait", name, names(), next_move="Or give the path of a gait file that ends in .toml.")
    return read_gait(pathlib.Path(str(importlib.resources.files("surefoot.controllers") / "gaits" / f"{name}.toml")))


def read_gait(path: pathlib.Path) -> Gait:
    """Read a gait file; one sentence says what is wrong with it."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise file_mistake(error, path) or error from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnusableFile(path, f"is not a gait file ({error})", next_move=COMPARE) from error
    try:
        gait = Gait(
            **{key: str(raw[key]) for key in ("name", "character", "description", "command")},
            scalars={key: float(value) for key, value in raw["scalars"].items()},
            trunk={key: tuple(map(float, value)) for key, value in raw["trunk"].items()},
            channels={
                key: Channel(kp=float(c["kp"]), kd=float(c["kd"]), knots_rad=tuple(map(float, c["knots_rad"])))
                for key, c in raw["channels"].items()
            },
            slopes={key: float(value) for key, value in raw.get("slopes", {}).items()},
            start={key: float(value) for key, value in raw.get("start", {}).items()},
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UnusableFile(path, f"lacks or misspells a field of a gait ({error})", next_move=COMPARE) from error
    _check(gait, path)
    return gait


def _check(gait: Gait, path: pathlib.Path) -> None:
    wanted = {role_of(dof) for dof in character(gait.character).dof_names}
    for kind, asked, existing in (
        ("scalar", set(gait.scalars), set(G._fields) - {"knots"}),
        ("trunk curve", set(gait.trunk), set(TRUNK)),
        ("channel", set(gait.channels), wanted),
    ):
        for name in sorted(asked - existing):
            raise UnknownName(kind, name, sorted(existing), where=f"gait file '{path.name}'")
        for name in sorted(existing - asked):
            raise UnusableFile(path, f"lacks the {kind} '{name}'")
    lengths = {len(c.knots_rad) for c in gait.channels.values()} | {len(c) for c in gait.trunk.values()}
    if len(lengths) != 1 or min(lengths) < 4:
        raise UnusableFile(path, f"has curves of {sorted(lengths)} knots: all need the same number, at least 4")
    for name in gait.slopes:
        gait.place(name)


def write_gait(gait: Gait, path: pathlib.Path) -> None:
    """Write a gait as TOML: one number or curve a line, with units, so that two gaits can be compared by diff."""

    def number(value: float) -> str:
        return f"{value:.6g}" if value else "0.0"

    def row(values: Sequence[float]) -> str:
        return "[" + ", ".join(number(value) for value in values) + "]"

    lines = [f"{key} = {_quoted(getattr(gait, key))}" for key in ("name", "character", "description", "command")]
    lines += ["", "[scalars]"]
    for name in G._fields:
        if name != "knots":
            unit = UNITS.get(name.rsplit("_", 1)[-1], "")
            lines.append(f"{name} = {number(gait.scalars[name])}" + (f"  # {unit}" if unit else ""))
    lines += ["", "[trunk]  # rad, at phases 0 to 1 of a step on the left foot"]
    lines += [f"{name} = {row(gait.trunk[name])}" for name in TRUNK]
    lines += ["", "[channels]  # kp in Nm/rad, kd in Nms/rad, knots in rad"]
    for name, channel in gait.channels.items():
        lines.append(f"{name} = {{ kp = {number(channel.kp)}, kd = {number(channel.kd)}, knots_rad = {row(channel.knots_rad)} }}")
    lines += ["", "[slopes]  # change for each m/s of wanted speed"]
    lines += [f'"{name}" = {number(value)}' for name, value in sorted(gait.slopes.items())]
    lines += ["", "[start]  # a state on the cycle, left foot standing: m, rad, m/s, rad/s"]
    lines += [f"{name} = {number(value)}" for name, value in gait.start.items()]
    with written_whole(path) as part:
        part.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # JSON's escapes are TOML's
