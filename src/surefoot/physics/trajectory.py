"""What a batch recorded: plain arrays over rows and frames.

Written by `batch`, read by films, motions and the lab. It holds no model and opens no file.
"""

from __future__ import annotations

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Trajectory:
    """Recorded frames of a batch; a row that ended early has fewer frames than the others."""

    time_s: np.ndarray
    """(frames,) since the start of the recording."""
    channels: dict[str, np.ndarray]
    """Name of a MuJoCo array -> (rows, frames, width)."""
    count: np.ndarray
    """(rows,) frames that were written; those after are zeros."""

    @property
    def qpos(self) -> np.ndarray:
        """Positions (rows, frames, nq)."""
        return self.channels["qpos"]

    @property
    def qvel(self) -> np.ndarray:
        """Velocities (rows, frames, nv)."""
        return self.channels["qvel"]

    def row(self, row: int, channel: str = "qpos") -> np.ndarray:
        """The frames of one row that were written, (count, width)."""
        return self.channels[channel][row, : self.count[row]]
