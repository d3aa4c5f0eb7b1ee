"""The simbicon law against a second one in NumPy, written from Yin et al. 2007 and the walking recipe, not from its code.

It finds bodies and joints by name, takes the gait's numbers from its description instead of the packed table, turns bodies
with SciPy's rotations, curves with SciPy's Hermite splines, and puts a world torque T on a joint by MuJoCo's Jacobians: the
joint torques are (J_child - J_parent)' T, and what carries a limb against gravity is the sum of J_com' m g.
"""

from collections.abc import Mapping

import mujoco
import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation

from surefoot.characters import Character, character
from surefoot.controllers import gait as gaits
from surefoot.controllers.gait import Gait
from surefoot.physics.batch import SimBatch
from surefoot.physics.scene import build_scene

STEPS = 200
UP = np.array([0.0, 0.0, 1.0])


def smooth(x: float) -> float:
    x = float(np.clip(x, 0.0, 1.0))
    return 3 * x**2 - 2 * x**3


def catmull_rom(knots: np.ndarray, phase: float) -> float:
    """Uniform Catmull-Rom through the knots at phases 0 to 1, the ends held."""
    places = np.linspace(0.0, 1.0, len(knots))
    return float(CubicHermiteSpline(places, knots, np.gradient(knots, places))(np.clip(phase, 0.0, 1.0)))


def pitch(rotation: np.ndarray, forward: np.ndarray) -> float:
    return float(np.arctan2(rotation[:, 2] @ forward, rotation[:, 2] @ UP))


class ByHand:
    """Yin et al. 2007 with a world-frame trunk: one instance for one walking character."""

    def __init__(self, who: Character, gait: Gait, model: mujoco.MjModel, asked: Mapping[str, float]) -> None:
        self.who, self.gait, self.model, self.asked = who, gait, model, asked
        self.dt = model.opt.timestep
        self.dv = asked["speed_mps"] - gait.scalars["speed_mps"]
        self.side = 1.0 if asked["first_side"] >= 0 else -1.0
        self.phase, self.since, self.heading = asked["first_phase"], 0.0, asked["heading_rad"]
        self.hip_from = self.foot_from = 0.0
        self.trunk = dict.fromkeys(gait.trunk, 0.0)
        self.trunk_from = dict(self.trunk)
        self.targets: dict[str, float] = {}
        self.targets_from: dict[str, float] = {}

    def sides(self) -> tuple[str, str]:
        """Stance and swing."""
        return ("left", "right") if self.side > 0 else ("right", "left")

    def number(self, name: str) -> float:
        return self.gait.scalars[name] + self.dv * self.gait.slopes.get(name, 0.0)

    def curve(self, name: str) -> float:
        """A curve's value at this phase; a gait is written for the left foot standing."""
        base = self.gait.trunk[name] if name in self.gait.trunk else self.gait.channels[name].knots_rad
        knots = [value + self.dv * self.gait.slopes.get(f"{name}.{i}", 0.0) for i, value in enumerate(base)]
        if self.gait.scalars["held"] > 0.5:
            return knots[int(np.clip(int(self.phase * len(knots)), 0, len(knots) - 1))]
        return catmull_rom(np.array(knots), self.phase)

    def far(self, speed: float) -> float:
        """What of a speed error is beyond swaying, with its sign."""
        return float(np.sign(speed)) * max(0.0, abs(speed) - self.gait.scalars["far_mps"])

    def role(self, dof: str) -> str:
        stance, swing = self.sides()
        return dof.replace(f"{stance}_", "stance_").replace(f"{swing}_", "swing_")

    # ---- what is seen ------------------------------------------------------------------------------------------------

    def body(self, name: str) -> np.ndarray:
        return self.data.body(name).xmat.reshape(3, 3)

    def spin(self, name: str) -> np.ndarray:
        jacobian = np.zeros((3, self.model.nv))
        mujoco.mj_jacBody(self.model, self.data, None, jacobian, self.model.body(name).id)
        return jacobian @ self.data.qvel

    def load(self, side: str) -> float:
        points = self.who.end_effector(f"{side}_foot").points
        return float(sum(self.data.sensor(point.name).data[0] for point in points))

    # ---- torques -----------------------------------------------------------------------------------------------------

    def on_joint(self, joint: str, torque: np.ndarray, share: float = 1.0) -> None:
        """A world torque on a link and its opposite on the parent link."""
        link = next(link for link in self.who.links if link.joint is not None and link.joint.name == joint)
        child, parent = np.zeros((2, 3, self.model.nv))
        mujoco.mj_jacBody(self.model, self.data, None, child, self.model.body(link.name).id)
        mujoco.mj_jacBody(self.model, self.data, None, parent, self.model.body(link.parent).id)
        for dof in self.who.joint(joint).dof_names:
            self.torque[dof] += share * float(torque @ (child - parent)[:, self.model.joint(dof).dofadr[0]])

    def turn(self, body: str, yaw: float, pitch_rad: float, roll: float, kp: float, kd: float) -> np.ndarray:
        """kp e - kd (w - w_wanted), e the sine of the angle to the wanted orientation times its axis."""
        wanted = Rotation.from_euler("ZYX", [self.heading + yaw, pitch_rad, roll]).as_matrix()
        off = wanted @ self.body(body).T
        error = 0.5 * np.array([off[2, 1] - off[1, 2], off[0, 2] - off[2, 0], off[1, 0] - off[0, 1]])
        return kp * error - kd * (self.spin(body) - self.turning * UP)

    def carrying(self, joint: str) -> np.ndarray:
        """World torque about a joint that holds the links beyond it against gravity."""
        link = next(link for link in self.who.links if link.joint is not None and link.joint.name == joint)
        members = {link.name}
        for each in self.who.links:
            if each.parent in members:
                members.add(each.name)
        place = self.data.joint(self.who.joint(joint).dof_names[0]).xanchor
        weight = -self.model.opt.gravity[2]
        return sum(
            np.cross(self.data.body(name).xipos - place, self.model.body(name).mass[0] * weight * UP) for name in members
        ) + np.zeros(3)

    def step(self, data: mujoco.MjData) -> np.ndarray:
        """Torques of one instant, in the order of the DoF."""
        self.data, g = data, self.gait.scalars
        if not self.targets:
            self.targets = {dof: float(data.joint(dof).qpos[0]) for dof in self.who.dof_names}
            self.targets_from = dict(self.targets)
        self.look()
        self.joints()
        balance = self.trunk_torques()
        balance = balance - self.swing_leg()
        stance, _ = self.sides()
        loaded = min(1.0, self.load(stance) / g["full_load_n"])
        self.on_joint(f"{stance}_hip", balance, loaded)
        self.torque[f"{stance}_ankle_pitch"] += loaded * self.number("ankle_cv") * self.v
        if f"{stance}_ankle_roll" in self.torque:
            sway = self.number("ankle_cdy") * (self.dy + self.side * g["rest_dy_m"]) + self.number("ankle_cvy") * self.vy
            self.torque[f"{stance}_ankle_roll"] -= loaded * sway
        if "left_shoulder_pitch" in self.torque:
            self.arms()
        return np.array([self.torque[dof] for dof in self.who.dof_names])

    def look(self) -> None:
        """Heading, landing, balance over the stance foot, phase."""
        data, g = self.data, self.gait.scalars
        most = g["turn_rate_radps"] * self.dt
        rest = (self.asked["heading_rad"] - self.heading + np.pi) % (2 * np.pi) - np.pi
        turn = float(np.clip(rest, -most, most))
        self.heading, self.turning = self.heading + turn, turn / self.dt
        ahead = self.body(self.who.links[0].name)[:, 0] * [1, 1, 0]
        facing = np.arctan2(ahead[1], ahead[0]) - self.trunk.get("pelvis_yaw", 0.0)
        self.forward, self.left = np.array([np.cos(facing), np.sin(facing), 0.0]), np.array([-np.sin(facing), np.cos(facing), 0.0])
        stance, swing = self.sides()
        landed = self.load(swing) > g["contact_n"] and self.phase >= g["earliest_phase"]
        if landed or (g["change_by_time"] > 0.5 and self.phase >= 1.0):
            self.side, self.phase, self.since = -self.side, 0.0, 0.0
            self.hip_from, self.foot_from = (
                pitch(self.body(f"{stance}_thigh"), self.forward),
                pitch(self.body(f"{stance}_foot"), self.forward),
            )
            self.trunk_from, self.targets_from = dict(self.trunk), dict(self.targets)
            stance, swing = self.sides()
        mujoco.mj_subtreeVel(self.model, data)
        root = self.model.body(self.who.links[0].name).id
        over = data.subtree_com[root] - data.joint(f"{stance}_ankle_pitch").xanchor
        velocity = data.subtree_linvel[root]
        self.d, self.dy = float(over @ self.forward), float(over @ self.left)
        self.v, self.vy = float(velocity @ self.forward) - self.asked["speed_mps"], float(velocity @ self.left)
        pendulum = np.sqrt(g["leg_m"] / -self.model.opt.gravity[2])
        reach = self.side * (self.dy + self.vy * pendulum)
        self.excess = max(0.0, reach - g["corridor_inside_m"])
        out = max(self.excess, g["corridor_outside_m"] - reach)
        self.phase += min(g["hurry_most"], 1.0 + g["hurry_per_m"] * out) * self.dt / self.number("step_time_s")
        self.since += self.dt
        self.blend = smooth(self.since / g["blend_s"])

    def joints(self) -> None:
        self.torque = {}
        for dof in self.who.dof_names:
            channel = self.gait.channels[self.role(dof)]
            sign = 1.0 if dof.endswith("_pitch") else self.side
            start = self.targets_from[dof]
            # written with the left side standing, so the roll of a right leg that swings has its own sign in the gait
            self.targets[dof] = start + self.blend * (sign * self.curve(self.role(dof)) - start)
            now = self.data.joint(dof)
            self.torque[dof] = channel.kp * (self.targets[dof] - now.qpos[0]) - channel.kd * now.qvel[0]

    def trunk_torques(self) -> np.ndarray:
        """Trunk in the world; returns what the stance hip owes: minus the torques that pelvis and waist take."""
        g = self.gait.scalars
        for name in self.trunk:
            sign = 1.0 if name.endswith("_pitch") else self.side
            self.trunk[name] = self.trunk_from[name] + self.blend * (sign * self.curve(name) - self.trunk_from[name])
        t = self.trunk
        pelvis = self.turn(self.who.links[0].name, t["pelvis_yaw"], t["pelvis_pitch"], t["pelvis_roll"], g["pelvis_kp"], g["pelvis_kd"])
        owed = -pelvis
        if "waist" in self.who.joint_names:
            torso = self.turn("torso", t["torso_yaw"], t["torso_pitch"], t["torso_roll"], g["torso_kp"], g["torso_kd"])
            torso = torso + self.carrying("waist")
            self.on_joint("waist", torso)
            owed = owed - torso
        if "neck" in self.who.joint_names:
            self.on_joint("neck", self.turn("head", 0.0, 0.0, 0.0, g["head_kp"], g["head_kd"]))
        return owed

    def swing_leg(self) -> np.ndarray:
        """Foot placement: theta = theta_0 + cd d + cv v (Yin et al. 2007, Eq. 1) in both planes; forward is negative pitch."""
        g, (_, swing) = self.gait.scalars, self.sides()
        late = smooth(self.phase / 0.6)
        forwards = late * (self.number("cd") * self.d + self.number("cv") * self.v + g["cv_far"] * self.far(self.v))
        swing_pitch = self.hip_from + self.blend * (self.curve("swing_hip_pitch") - self.hip_from) - forwards
        sideways = self.number("cdy") * (self.dy + self.side * g["rest_dy_m"]) + self.number("cvy") * self.vy
        sideways += g["cvy_far"] * self.far(self.vy)
        roll = late * sideways - self.side * self.number("hip_roll_rad")
        inwards = g["inner_rad"] + g["cross_rad"] * min(1.0, self.excess / 0.05)
        roll = self.side * min(self.side * roll, inwards)
        thigh = self.turn(f"{swing}_thigh", 0.0, swing_pitch, roll, g["hip_kp"], g["hip_kd"]) + self.carrying(f"{swing}_hip")
        share = min(1.0, self.since / max(g["ramp_s"], self.dt))
        self.on_joint(f"{swing}_hip", thigh, share)
        tread = self.foot_from + self.blend * (self.curve("swing_ankle_pitch") - self.foot_from)
        pressed = min(1.0, self.load(swing) / g["full_load_n"])
        kp = (1 - pressed) * g["foot_kp"] + pressed * g["push_off_kp"]
        self.on_joint(f"{swing}_ankle", self.turn(f"{swing}_foot", 0.0, tread, 0.0, kp, g["foot_kd"]))
        return share * thigh

    def arms(self) -> None:
        for side, other in (("left", "right"), ("right", "left")):
            swung = pitch(self.body(f"{other}_thigh"), self.forward)
            for dof, share in ((f"{side}_shoulder_pitch", "arm_swing"), (f"{side}_elbow_pitch", "elbow_swing")):
                self.torque[dof] += self.gait.channels[self.role(dof)].kp * self.gait.scalars[share] * swung


ASKED = [
    {"speed_mps": 1.25, "heading_rad": 0.0, "first_side": 1.0, "first_phase": 0.4},
    {"speed_mps": 0.9, "heading_rad": 0.0, "first_side": -1.0, "first_phase": 0.0},
    {"speed_mps": 1.6, "heading_rad": 0.0, "first_side": 1.0, "first_phase": 0.7},
]
FAR = {"far_mps": 0.1, "cv_far": 0.2, "cvy_far": 0.3}
"""Feedback on speeds far from what is wanted, felt in every run."""
SLOPES = {"step_time_s": -0.05, "cv": 0.1, "hip_roll_rad": 0.02, "swing_hip_pitch.3": -0.2, "pelvis_yaw.1": 0.05}
"""Changes with speed, so that they are compared even where the library's gait has none."""


def known(gait: Gait) -> set[str]:
    return set(gait.scalars) | set(gait.trunk) | set(gait.channels)


@pytest.mark.parametrize("name", gaits.names())
@pytest.mark.parametrize("row", range(len(ASKED)))
def test_torques_are_those_of_the_second_law(name: str, row: int) -> None:
    """Every torque of 200 steps, the second law with a memory of its own; in mid-walk the wanted heading changes."""
    gait = gaits.load_gait(name)
    who = character(gait.character)
    changes = {f"slope:{path}": value for path, value in SLOPES.items() if path.partition(".")[0] in known(gait)}
    gait = gait.changed(FAR | changes | {f"{role}.kp": 70.0 for role in gait.channels if role.startswith("swing_shoulder")})
    scene = build_scene(who)
    batch = SimBatch(scene, 1, [gait.walk(**ASKED[row])], threads=1)
    generator = np.random.default_rng(row)
    first = scene.slices[0]
    batch.qpos[0, first.qpos :] += 0.08 * generator.standard_normal(who.dof_count)
    batch.qvel[0] += 0.2 * generator.standard_normal(scene.model.nv)
    batch.qvel[0, 0] += 1.0
    asked = dict(ASKED[row])
    other = ByHand(who, gait, scene.model, asked)
    data = mujoco.MjData(scene.model)
    sides, limits = [], who.torque_limits_nm
    compared = []  # share of joints below their limit: a run is at its limits for a step or two
    for step in range(STEPS):
        if step == 60 and who.root == "free":
            asked["heading_rad"] = 0.4
            batch.parameter("walk", "heading_rad")[:] = 0.4
        data.qpos[:], data.qvel[:] = batch.qpos[0], batch.qvel[0]
        mujoco.mj_step1(scene.model, data)
        data.sensordata[:] = batch.arrays.sensors[0]
        wanted = other.step(data)
        path = batch.advance(scene.time_step_s, record_hz=1 / scene.time_step_s, channels=("ctrl", "actuator_biasprm"))
        assert path is not None
        bias = path.row(0, "actuator_biasprm")[0].reshape(who.dof_count, -1)
        q, v = data.qpos[first.qpos :], data.qvel[first.dof :]
        torque = path.row(0, "ctrl")[0] + bias[:, 1] * q + bias[:, 2] * v
        free = np.abs(wanted) < limits  # a torque beyond its limit is cut, slopes and all
        assert np.clip(torque, -limits, limits) == pytest.approx(np.clip(wanted, -limits, limits), abs=1e-6, rel=1e-8), f"step {step}"
        gains = np.array([[gait.channels[other.role(dof)].kp, gait.channels[other.role(dof)].kd] for dof in who.dof_names])
        assert -bias[free, 1:3] == pytest.approx(gains[free])
        compared.append(free.mean())
        sides.append(other.side)
        assert batch.recalled("walk", "side")[0] == other.side
        assert batch.recalled("walk", "phase")[0] == pytest.approx(other.phase)
    assert {-1.0, 1.0} == set(sides), "both feet are to stand in turn"
    assert np.mean(compared) > 0.5, "most torques are to be compared below their limits"
