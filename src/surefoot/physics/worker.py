"""What one thread owns: its copies of the models in the pool, one `MjData` each, and the tables of their addresses.

Rows are states and live in `batch`; workers are few and hold nothing that a row would miss.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import mujoco
import numpy as np

from surefoot.errors import UnknownName
from surefoot.physics import overrides as override_tools
from surefoot.physics.addresses import address_of, engine_addresses
from surefoot.physics.layout import BIAS_WIDTH, Cells, Worker
from surefoot.physics.overrides import Override
from surefoot.physics.scene import Scene, Slice

CHANNELS = ("qpos", "qvel", "qacc", "ctrl", "actuator_force", "actuator_biasprm", "sensordata", "xpos", "subtree_com", "xfrc_applied")
"""Arrays that can be recorded. A frame is one step: where everything was at its start, and what acted in it."""
LATE = frozenset({"qacc", "ctrl", "actuator_force", "actuator_biasprm", "sensordata", "xfrc_applied"})
"""Channels that are known at the end of the step."""
MUTED = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
    mujoco.mjtWarning.mjWARN_BADCTRL,
)
"""Warnings that say what the row's status says; MuJoCo writes the first of each kind into a file in the working folder."""


class ThreadModels:
    """Models and data of one thread, with the engine's view of them in `.worker`."""

    def __init__(self, scenes: Sequence[Scene], overrides: Sequence[Override]) -> None:
        self.models = [copy.copy(scene.model) for scene in scenes]
        self.datas = [mujoco.MjData(model) for model in self.models]
        for data in self.datas:
            for kind in MUTED:
                data.warning[kind].number = 1  # as if it had been said before
        pairs = list(zip(self.models, self.datas, strict=True))
        self.worker = Worker(
            engine=engine_addresses(),
            model=np.array([model._address for model in self.models], np.int64),
            data=np.array([data._address for data in self.datas], np.int64),
            gravity=np.array([address_of(model.opt.gravity) for model in self.models], np.int64),
            qvel=np.array([address_of(data.qvel) for data in self.datas], np.int64),
            sensors=np.array([address_of(data.sensordata) for data in self.datas], np.int64),
            forces=np.array([address_of(data.actuator_force) for data in self.datas], np.int64),
            applied=np.array([address_of(data.xfrc_applied) for data in self.datas], np.int64),
            cells=np.array(
                [[_cells(m, d, part) for part in scene.slices] for scene, (m, d) in zip(scenes, pairs, strict=True)],
                np.int64,
            ),
            overrides=np.array([override_tools.addresses(model, overrides) for model in self.models], np.int64),
            channels=np.zeros((len(scenes), 0), np.int64),
        )

    def recording(self, channels: Sequence[str]) -> Worker:
        """The engine's view with the addresses of the channels to record."""
        table = [
            [address_of(channel_array(data, model, name)) for name in channels] for model, data in zip(self.models, self.datas, strict=True)
        ]
        return self.worker._replace(channels=np.array(table, np.int64).reshape(len(self.models), len(channels)))


def channel_array(data: mujoco.MjData, model: mujoco.MjModel, name: str) -> np.ndarray:
    """The array a channel records."""
    if name not in CHANNELS:
        raise UnknownName("channel", name, CHANNELS)
    return model.actuator_biasprm if name == "actuator_biasprm" else getattr(data, name)


def _cells(model: mujoco.MjModel, data: mujoco.MjData, part: Slice) -> Cells:
    """Addresses of one character's ranges; every array is float64 and contiguous, rows of the given width."""

    def at(array: np.ndarray, first: int, width: int = 1) -> int:
        return address_of(array) + 8 * first * width

    return Cells(
        q=at(data.qpos, part.qpos),
        v=at(data.qvel, part.dof),
        axis=at(data.xaxis, part.joint, 3),
        anchor=at(data.xanchor, part.joint, 3),
        position=at(data.xpos, part.body, 3),
        rotation=at(data.xmat, part.body, 9),
        velocity=at(data.cvel, part.body, 6),
        centre=at(data.xipos, part.body, 3),
        weight=at(model.body_mass, part.body),
        com=at(data.subtree_com, part.body, 3),
        point=at(data.site_xpos, part.site, 3),
        load=at(data.sensordata, part.sensor),
        torque=at(data.actuator_force, part.actuator),
        wrench=at(data.xfrc_applied, part.body, 6),
        ctrl=at(data.ctrl, part.actuator),
        bias=at(model.actuator_biasprm, part.actuator, BIAS_WIDTH),
        inertia=at(model.body_inertia, part.body, 3),
        inertia_frame=at(data.ximat, part.body, 9),
        limit=at(model.actuator_forcerange, part.actuator, 2),
    )
