"""SimBatch: the same bits whatever the threads, chunks, order of rows and cuts in time; snapshots, forks; what it refuses."""

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.characters import Character, character
from surefoot.controllers.gait import load_gait
from surefoot.controllers.pd import pd_of
from surefoot.controllers.walk_report import walk_meters
from surefoot.errors import SurefootError
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import motor_noise_of, push_of
from surefoot.physics.events import clock, fall_of
from surefoot.physics.law import Sight, law
from surefoot.physics.overrides import Override
from surefoot.physics.scene import Scene, build_scene
from surefoot.physics.worker import CHANNELS
from surefoot.terrain import Piece, Strip

Crowd = Callable[..., SimBatch]
SECONDS = 0.5


@law()
def echo(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Torque that remembers: half of the last one and a little more; contact loads too."""
    for j in range(s.q.size):
        out[0, j] = 0.5 * s.torque[j] - s.v[j] + 1e-3 * s.load[j % s.load.size] + 0.1
    return 0.0


def travelled(batch: SimBatch) -> tuple[str, bytes]:
    """Digest of the rows and bytes of all recorded channels after SECONDS."""
    path = batch.advance(SECONDS, record_hz=48, channels=CHANNELS)
    assert path is not None
    return batch.digest(), b"".join(path.channels[name].tobytes() for name in CHANNELS) + path.count.tobytes()


@pytest.mark.parametrize(
    "options",
    [{"threads": 1}, {"threads": 2}, {"threads": 3}, {"threads": 1, "chunk": 1}, {"threads": 2, "chunk": 7}, {"threads": 3, "chunk": 64}],
    ids=str,
)
def test_same_bits_for_any_threads_and_chunks(crowd: Crowd, options: dict) -> None:
    batch = crowd(**options)
    digest, recording = travelled(batch)
    reasons = batch.reasons()
    assert {None, "fall"} <= set(reasons), "the crowd is to hold rows that end early beside rows that go on"
    assert np.isfinite(batch.arrays.state).all()
    assert np.unique(batch.qpos[:, 9]).size == batch.rows, "every row is to be different"
    once = travelled(crowd(threads=1, chunk=70))
    assert digest == once[0]
    assert recording == once[1]


def test_same_bits_for_permuted_rows(crowd: Crowd) -> None:
    straight, shuffled = crowd(threads=1), crowd(threads=2, chunk=3)
    order = np.random.default_rng(1).permutation(straight.rows)
    shuffled.restore({name: array[order] for name, array in straight.snapshot().items()})
    straight.advance(SECONDS)
    shuffled.advance(SECONDS)
    for (name, a), b in zip(straight.arrays._asdict().items(), shuffled.arrays, strict=True):
        assert a[order].tobytes() == b.tobytes(), name


def test_same_bits_for_one_long_or_many_short_advances(crowd: Crowd) -> None:
    whole, cut = crowd(threads=1), crowd(threads=2)
    whole.advance(0.25)
    for _ in range(12):
        cut.advance(0.25 / 12)
    assert whole.digest() == cut.digest()


def test_last_torques_and_loads_belong_to_the_row(scene: Scene) -> None:
    """A law that reads the last torque gives the same bits in one thread as in three, and however time is cut."""
    digests = set()
    for threads, pieces in ((1, 1), (3, 1), (1, 10)):
        batch = SimBatch(scene, 9, [echo.use()], threads=threads)
        batch.qvel[:] = np.random.default_rng(2).standard_normal(batch.qvel.shape)
        for _ in range(pieces):
            batch.advance(20 / 240 / pieces)
        assert batch.running.all()
        digests.add(batch.digest())
    assert len(digests) == 1


def test_start_goes_on_in_the_background_and_gives_the_same_bits(crowd: Crowd) -> None:
    waited, background = crowd(20, threads=1), crowd(20, threads=2)
    waited.advance(SECONDS)
    pending = background.start(SECONDS)
    pending.result()
    assert pending.done()
    assert waited.digest() == background.digest()


def test_snapshot_and_restore_go_back_bit_for_bit(crowd: Crowd) -> None:
    batch = crowd(20)
    batch.advance(0.1)
    kept, before = batch.snapshot(), batch.digest()
    batch.advance(0.2)
    later = batch.digest()
    assert later != before
    batch.restore(kept)
    assert batch.digest() == before
    batch.advance(0.2)
    assert batch.digest() == later
    other = crowd(20, threads=1)
    other.restore(kept)
    other.advance(0.2)
    assert other.digest() == later, "a snapshot is to go on in another batch of the same parts"


def test_restore_refuses_another_shape(crowd: Crowd) -> None:
    with pytest.raises(SurefootError, match=r"snapshot holds '\w+' of shape \(4, .* this batch has \(5, "):
        crowd(5).restore(crowd(4).snapshot())


def test_children_of_a_fork_are_equal_without_noise(crowd: Crowd) -> None:
    batch = crowd(12)
    batch.parameter("motor_noise", "beta")[:] = 0.0
    batch.parameter("push", "random")[:] = 0.0
    batch.advance(0.05)
    keys = batch.arrays.key.copy()
    parents = np.array([1, 1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10])
    batch.fork(parents)
    assert (batch.arrays.key == keys).all()
    batch.advance(0.2)
    for i, row in enumerate(parents):
        first = int(np.flatnonzero(parents == row)[0])
        assert batch.arrays.state[i].tobytes() == batch.arrays.state[first].tobytes()
        assert batch.arrays.memory[i].tobytes() == batch.arrays.memory[first].tobytes()
    assert np.unique(batch.qpos[[0, 4, 7, 10], 9]).size == 4


def test_children_of_a_fork_differ_with_noise(crowd: Crowd) -> None:
    batch = crowd(12)
    batch.fork(np.full(12, 1))
    assert np.unique(batch.qpos[:, 9]).size == 1
    batch.advance(0.2)
    assert np.unique(batch.qpos[:, 9]).size == 12


@pytest.mark.parametrize("indices", [[0, 1], [0, 1, 2, 3], [0, 1, -1]])
def test_fork_refuses_rows_that_are_not_there(held: Crowd, indices: list[int]) -> None:
    with pytest.raises(SurefootError, match="fork needs 3 row numbers from 0 to 2"):
        held(3).fork(indices)


def test_two_seeds_give_other_noise_and_one_seed_the_same(scene: Scene, human: Character) -> None:
    def end(seed: int) -> str:
        noise = motor_noise_of(human, human.servo_stiffness_nm, beta=1.0)
        batch = SimBatch(scene, 3, [pd_of(human, 0.1 * np.ones(28)), noise], seed=seed)
        batch.advance(0.05)
        return batch.qpos.tobytes().hex()

    assert end(1) == end(1) != end(2)


def test_recording_is_what_stepping_shows(held: Crowd) -> None:
    """Frame i is the state at the start of step i, with what acted in that step."""
    batch, twin = held(2), held(2)
    for each in (batch, twin):
        each.qvel[:, 8] = 0.7
    path = batch.advance(10 / 240, record_hz=120, channels=("qpos", "qvel", "actuator_force", "sensordata"))
    assert path is not None
    assert path.qpos.shape == (2, 5, 35)
    assert path.time_s == pytest.approx(np.arange(5) / 120)
    assert (path.count == 5).all()
    for frame in range(5):
        assert (path.qpos[:, frame] == twin.qpos).all()
        assert (path.qvel[:, frame] == twin.qvel).all()
        twin.advance(1 / 240)
        assert (path.channels["actuator_force"][:, frame] == twin.arrays.torque).all()
        assert (path.channels["sensordata"][:, frame] == twin.arrays.sensors).all()
        twin.advance(1 / 240)
    assert batch.digest() == twin.digest(), "recording is to change nothing"


def test_a_row_that_ends_has_fewer_frames(held: Crowd, human: Character) -> None:
    batch = held(3, fall_of(human), endings=["fall"])
    batch.parameter("fall", "height_m")[1] = 9.0
    path = batch.advance(0.1, record_hz=240)
    assert path is not None
    assert path.count.tolist() == [24, 1, 24]
    assert path.row(1).shape == (1, 35)
    assert (path.qpos[1, 1:] == 0).all()
    assert batch.reasons() == [None, "fall", None]
    assert batch.time_s.tolist() == pytest.approx([0.1, 1 / 240, 0.1])


def test_weights_share_the_laws_outputs(scene: Scene, human: Character) -> None:
    """Half of one PD and half of another is the PD in the middle; a law of weight 0 gives nothing."""
    low, high = np.zeros(28), 0.2 * np.ones(28)
    blend = SimBatch(scene, 2, [pd_of(human, low, name="low"), pd_of(human, high, name="high")])
    blend.weight("low")[:] = [0.5, 1.0]
    blend.weight("high")[:] = [0.5, 0.0]
    middle = SimBatch(scene, 2, [pd_of(human, np.stack([0.1 * np.ones(28), low]))])
    middle.parameter("pd", "pose")[:] = [0, 1]
    for batch in (blend, middle):
        batch.advance(0.1)
    assert blend.qpos == pytest.approx(middle.qpos, abs=1e-9)


def test_memory_a_row(scene: Scene, human: Character) -> None:
    """100,000 walking humans with all meters take less than 10 KB a row."""
    rows = 100_000
    parts = [load_gait("human/walk").walk(), push_of(human), *walk_meters(human), fall_of(human)]
    batch = SimBatch(scene, rows, parts, endings=["fall"], threads=1)
    assert sum(array.nbytes for array in batch.arrays) / rows < 10_000


def test_rows_that_are_reset_start_anew(crowd: Crowd) -> None:
    batch, fresh = crowd(6), crowd(6)
    batch.advance(0.2)
    chosen = np.array([1, 4])
    batch.reset(chosen, qpos=fresh.qpos[chosen], qvel=fresh.qvel[chosen])
    fresh.advance(0.1)
    batch.arrays.status[[0, 2, 3, 5]] = 1
    batch.advance(0.1)
    for name in ("state", "memory", "sensors", "torque", "step"):
        assert getattr(batch.arrays, name)[chosen].tobytes() == getattr(fresh.arrays, name)[chosen].tobytes(), name


def test_advance_until_names_the_rows_in_which_it_happened(held: Crowd, human: Character) -> None:
    batch = held(4, clock.use(), fall_of(human), endings=["fall"])
    batch.parameter("clock", "at_s")[:] = [0.1, 0.2, 9.0, 0.3]
    batch.parameter("fall", "height_m")[3] = 9.0
    assert batch.advance_until("clock", 0.5).tolist() == [True, True, False, False]
    assert batch.time_s == pytest.approx([0.1, 0.2, 0.5, 1 / 240])
    assert batch.reasons() == [None, None, None, "fall"]
    assert batch.advance_until("clock", 0.1).tolist() == [False] * 4, "it happens once"
    batch.parameter("fall", "height_m")[0] = 9.0
    assert batch.advance_until("fall", 0.1).tolist() == [True] + 3 * [False], "an ending can be waited for; an old fall does not count"


def test_the_pool_must_have_scenes_of_one_shape(scene: Scene, biped: Scene) -> None:
    with pytest.raises(SurefootError, match="scenes in one batch must have equal shapes"):
        SimBatch([scene, biped], 2, [])


def test_overrides_of_a_pool_name_positions_that_all_scenes_have(scene: Scene, human: Character) -> None:
    strip = build_scene(human, ground=Strip(pieces=(Piece(start_m=-9, end_m=0, level_m=0.1), Piece(start_m=0, end_m=9, level_m=0.0))))
    with pytest.raises(SurefootError, match="an overridden array has other sizes in other scenes of this batch: name positions"):
        SimBatch([scene, strip], 2, [], overrides=[Override(array="pair_friction")])
    SimBatch([scene, strip], 2, [], overrides=[Override(array="pair_friction", index=(0, 1))])


def test_rows_choose_their_scene(human: Character) -> None:
    """Two bodies of different mass and height in one batch: each row moves as in a batch of its own scene."""
    light, heavy = build_scene(human), build_scene(character("human"), time_step_s=1 / 240)
    heavy.model.body_mass[:] *= 1.5
    heavy.model.opt.gravity[2] = -5.0
    mixed = SimBatch([light, heavy], 4, [pd_of(human)], overrides=[Override(array="body_mass", index=(1,))], threads=1)
    mixed.use_scenes([0, 1, 0, 1])
    assert mixed.override("body_mass")[:, 0] == pytest.approx(light.model.body_mass[1] * np.array([1, 1.5, 1, 1.5]))
    mixed.qvel[:, 9] = 1.0
    for index, own in enumerate((light, heavy)):
        alone = SimBatch(own, 2, [pd_of(human)], overrides=[Override(array="body_mass", index=(1,))])
        alone.qvel[:, 9] = 1.0
        alone.advance(0.2)
        if index == 0:
            mixed.advance(0.2)
        assert mixed.arrays.state[index::2].tobytes() == alone.arrays.state.tobytes()
    assert abs(mixed.qpos[0, 2] - mixed.qpos[1, 2]) > 1e-4


def test_rows_stand_on_the_ground_of_their_scene(human: Character) -> None:
    low, high = (build_scene(human, ground=Strip(pieces=(Piece(start_m=-9, end_m=9, level_m=level),))) for level in (0.0, 0.5))
    batch = SimBatch([low, high], 3, [pd_of(human)])
    batch.use_scenes(1, [2])
    assert batch.qpos[:, 2] - human.standing_height_m == pytest.approx([0.0, 0.0, 0.5])
    batch.advance(0.2)
    assert batch.arrays.sensors.sum(axis=1) == pytest.approx([human.mass_kg * 9.81] * 3, rel=0.2)
    with pytest.raises(SurefootError, match="no scene 2 in this batch: it has 2"):
        batch.use_scenes(2)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda b: b.parameter("pdd", "pose"), r"no part 'pdd' in this batch: did you mean 'pd'\?"),
        (lambda b: b.parameter("pd", "pos"), r"no parameter 'pos' in part 'pd': did you mean 'pose'\?"),
        (lambda b: b.recalled("fall", "since"), r"no memory cell 'since' in part 'fall': did you mean 'since_s'\?"),
        (lambda b: b.override("body_mass"), r"no override 'body_mass' in this batch"),
        (lambda b: b.advance(0.001), r"0.001 s is 0.240 physics steps"),
        (lambda b: b.advance(-0.1), r"-0.1 s is"),
        (lambda b: b.advance(0.1, record_hz=100), r"100 Hz does not divide the physics rate of 240 Hz"),
        (lambda b: b.advance(0.1, record_hz=60, channels=["qps"]), r"no channel 'qps': did you mean 'qpos'\?"),
        (lambda b: b.advance_until("fal", 1.0), r"no part 'fal' in this batch: did you mean 'fall'\?"),
        (lambda b: b.advance_until("pd", 1.0), r"'pd' is a law and never happens: name an event of this batch, .*'fall'"),
        (lambda b: b.as_completed("pd", 1.0), r"'pd' is a law and never happens"),
    ],
)
def test_texts_for_wrong_requests(held: Crowd, human: Character, wrong: Callable[[SimBatch], object], text: str) -> None:
    with pytest.raises(SurefootError, match=text):
        wrong(held(2, fall_of(human)))


def test_texts_for_wrong_parts(scene: Scene, human: Character) -> None:
    with pytest.raises(SurefootError, match=r"two parts of a batch share a name: give one of them name='\.\.\.'"):
        SimBatch(scene, 1, [pd_of(human), pd_of(human)])
    with pytest.raises(SurefootError, match="part 'pd' is for character 1: the scene has 1"):
        SimBatch(scene, 1, [pd_of(human, index=1)])
    with pytest.raises(SurefootError, match="'pd' is a law and never happens"):
        SimBatch(scene, 1, [pd_of(human), fall_of(human)], endings=["pd"])
    with pytest.raises(SurefootError, match="no part 'fal' in this batch"):
        SimBatch(scene, 1, [pd_of(human), fall_of(human)], endings=["fal"])
