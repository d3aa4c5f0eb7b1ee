"""Clips refuse nonsense, and resampling keeps the motion."""

import dataclasses

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from surefoot.errors import SurefootError
from surefoot.motions import Clip, resampled
from surefoot.motions.clip import unflipped


def spin(rate_hz: float = 30.0, seconds: float = 1.0) -> Clip:
    """One radian a second about z at the root, two at the only joint."""
    time_s = np.arange(round(rate_hz * seconds) + 1) / rate_hz
    quaternions = [Rotation.from_rotvec(np.outer(speed * time_s, [0, 0, 1])).as_quat(scalar_first=True) for speed in (1.0, 2.0)]
    return Clip(
        name="spin",
        time_s=time_s,
        root_position_m=np.outer(time_s, [1.3, 0.0, 0.0]),
        root_quaternion=quaternions[0],
        joint_names=("waist",),
        joint_quaternions=quaternions[1][:, None],
    )


def test_facts() -> None:
    clip = spin()
    assert clip.duration_s == 1.0
    assert clip.rate_hz == pytest.approx(30.0)
    assert clip.joint("waist").shape == (31, 4)
    with pytest.raises(SurefootError, match="no joint 'waste' in clip 'spin': did you mean 'waist'"):
        clip.joint("waste")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"root_position_m": np.zeros((3, 3))}, r"root_position_m of shape \(3, 3\): it must be \(31, 3\)"),
        ({"joint_names": ()}, r"joint_quaternions of shape \(31, 1, 4\): it must be \(31, 0, 4\)"),
        ({"root_quaternion": np.zeros((31, 4))}, "quaternions of length 0.000: normalise them"),
        ({"root_position_m": np.full((31, 3), np.nan)}, "not finite: cut or repair it first"),
        ({"time_s": np.zeros(31)}, "goes back in time at instant 1"),
    ],
)
def test_refusals(changes: dict[str, object], words: str) -> None:
    with pytest.raises(SurefootError, match=f"clip 'spin'.*{words}"):
        dataclasses.replace(spin(), **changes)  # type: ignore[arg-type]


def test_empty_and_double_names() -> None:
    none = {"time_s": np.zeros(0), "root_position_m": np.zeros((0, 3)), "root_quaternion": np.zeros((0, 4))}
    with pytest.raises(SurefootError, match="is empty"):
        Clip(name="spin", joint_names=(), joint_quaternions=np.zeros((0, 0, 4)), **none)
    with pytest.raises(SurefootError, match="names a joint twice"):
        dataclasses.replace(spin(), joint_names=("a", "a"), joint_quaternions=np.tile(spin().joint_quaternions, (1, 2, 1)))


@pytest.mark.parametrize("rate_hz", [10.0, 30.0, 60.0, 120.0])
def test_resampling_keeps_the_motion(rate_hz: float) -> None:
    clip = resampled(spin(), rate_hz)
    assert clip.rate_hz == pytest.approx(rate_hz)
    assert clip.duration_s == pytest.approx(1.0)
    assert np.allclose(clip.root_position_m[:, 0], 1.3 * clip.time_s)
    assert np.allclose(Rotation.from_quat(clip.joint("waist"), scalar_first=True).as_rotvec()[:, 2], 2.0 * clip.time_s)


def test_uneven_clips_are_brought_to_a_rate() -> None:
    clip = spin()
    uneven = dataclasses.replace(clip, time_s=clip.time_s**1.5)
    with pytest.raises(SurefootError, match=r"not evenly spaced in time: bring it to one rate with resampled\(clip, rate_hz\)"):
        _ = uneven.rate_hz
    assert resampled(uneven, 60.0).rate_hz == pytest.approx(60.0)


def test_one_pose() -> None:
    pose = resampled(spin(seconds=0.0), 30.0)
    assert len(pose.time_s) == 1
    assert pose.rate_hz == 1.0


@pytest.mark.parametrize("rate_hz", [0.0, -1.0, float("nan"), 1e9])
def test_absurd_rates(rate_hz: float) -> None:
    with pytest.raises(SurefootError, match="makes no clip"):
        resampled(spin(), rate_hz)


def test_unflipped_changes_signs_only() -> None:
    quaternions = spin().joint_quaternions.copy()
    quaternions[::3] *= -1.0
    mended = unflipped(quaternions)
    assert np.array_equal(np.abs(mended), np.abs(quaternions))
    assert (np.sum(mended[1:] * mended[:-1], axis=-1) > 0.0).all()
