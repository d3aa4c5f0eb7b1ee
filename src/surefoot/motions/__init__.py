"""Motion as data: clips, skeletons, and the files they come from and go to.

A `Clip` says how joints turn over time, a `Skeleton` where they sit; `clip_of` makes a clip out of simulated positions, `write_bvh`
and `read_bvh` are the door to animation programs. Physics is in `surefoot.physics`, pictures are in `surefoot.filming`.
"""

from surefoot.motions.bvh import write_bvh
from surefoot.motions.bvh_reader import read_bvh
from surefoot.motions.clip import Clip, resampled
from surefoot.motions.from_trajectory import clip_of
from surefoot.motions.skeleton import Bone, Skeleton, forward, skeleton_of

__all__ = ["Bone", "Clip", "Skeleton", "clip_of", "forward", "read_bvh", "resampled", "skeleton_of", "write_bvh"]
