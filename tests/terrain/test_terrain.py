"""Ground: what policies see is what physics touches; courses are seeded; mistakes are answered."""

from itertools import pairwise

import mujoco
import numpy as np
import pytest

from surefoot.errors import SurefootError
from surefoot.terrain import Ball, Ground, Obstacles, Piece, Plane, Slope, Strip, random_strip

SKY_M = 60.0
GROUNDS: dict[str, Ground] = {
    "plane": Plane(),
    "uphill": Slope(climb_rad=0.2),
    "downhill": Slope(climb_rad=-0.35),
    "strip": random_strip(np.random.default_rng(7), difficulty=1.0, obstacle_count=40),
    "gaps": random_strip(np.random.default_rng(8), difficulty=0.6, obstacle_count=40, obstacles=Obstacles(kinds=("gap",))),
    "hand-made": Strip(pieces=(Piece(start_m=-3, end_m=1, level_m=0), Piece(start_m=1.5, end_m=30, level_m=0.4)), floor_m=-1.0),
}
EVERY = pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)


def compiled(ground: Ground) -> tuple[mujoco.MjModel, mujoco.MjData]:
    spec = mujoco.MjSpec()
    ground.add_to(spec)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


@EVERY
def test_height_agrees_with_rays_from_above(ground: Ground) -> None:
    model, data = compiled(ground)
    generator = np.random.default_rng(1)
    places = np.stack([generator.uniform(-8, 80, 3000), generator.uniform(-2.5, 2.5, 3000)], axis=1)
    hit = np.zeros((1, 1), dtype=np.int32)
    down = np.array([[0.0], [0.0], [-1.0]])
    met = [SKY_M - mujoco.mj_ray(model, data, np.array([[x], [y], [SKY_M]]), down, None, 1, -1, hit) for x, y in places]
    np.testing.assert_allclose(ground.height(places[:, 0], places[:, 1]), met, atol=1e-9)


@EVERY
def test_height_broadcasts(ground: Ground) -> None:
    ahead, across = np.linspace(0, 5, 6)[:, None], np.array([-0.5, 0.5, 1.0])
    grid = ground.height(ahead, across)
    assert grid.shape == (6, 3)
    assert grid[4, 1] == ground.height(4.0, 0.5)
    assert grid.dtype == np.float64


@EVERY
def test_geoms_are_named_and_touch_nothing_by_themselves(ground: Ground) -> None:
    model, _ = compiled(ground)
    assert [model.geom(i).name for i in range(model.ngeom)] == [f"ground_{i}" for i in range(model.ngeom)]
    assert not model.geom_contype.any()
    assert not model.geom_conaffinity.any()


def test_uphill_goes_up_ahead() -> None:
    assert Slope(climb_rad=0.1).height(1.0, 0.0) == pytest.approx(np.tan(0.1))


def test_a_seed_is_a_course() -> None:
    one, same, other = (random_strip(np.random.default_rng(seed), difficulty=0.5) for seed in (3, 3, 4))
    assert one == same
    assert one != other


def test_difficulty_zero_is_level() -> None:
    ground = random_strip(np.random.default_rng(3), difficulty=0.0)
    np.testing.assert_array_equal(ground.height(np.linspace(-4.9, ground.end_m, 1000), 0.0), 0.0)


def test_obstacles_keep_their_sizes() -> None:
    sizes = Obstacles(longest_gap_m=0.5, highest_step_m=0.1, highest_wall_m=0.3, wall_length_m=0.15, apart_m=(1.0, 2.0))
    pieces = random_strip(np.random.default_rng(5), difficulty=0.8, obstacle_count=200, obstacles=sizes).pieces
    gaps = [after.start_m - before.end_m for before, after in pairwise(pieces)]
    assert min(gap for gap in gaps if gap > 1e-9) >= 0.4 * 0.5
    assert max(gaps) <= 0.8 * 0.5 + 1e-9
    walls = [piece for piece in pieces if piece.end_m - piece.start_m < 0.5]
    rises = [after.level_m - before.level_m for before, after in pairwise(pieces)]
    assert max(rises) <= 0.8 * 0.3 + 1e-9
    assert len(walls) > 20
    assert all(1.0 - 1e-9 <= piece.end_m - piece.start_m <= 2.0 + 1e-9 for piece in pieces[1:] if piece not in walls)


def test_harder_is_the_same_course_with_larger_obstacles() -> None:
    """Sizes scale and shift no later draw, so a curriculum meets the same order of obstacles."""
    steps = Obstacles(kinds=("step",))
    easy, hard = (random_strip(np.random.default_rng(9), difficulty=d, obstacles=steps).pieces for d in (0.25, 1.0))
    np.testing.assert_allclose([4 * piece.level_m for piece in easy], [piece.level_m for piece in hard], atol=1e-12)


def test_a_foot_on_a_box_stands_where_the_height_says() -> None:
    ground = Strip(pieces=(Piece(start_m=-1, end_m=1, level_m=0.3),))
    spec = mujoco.MjSpec()
    ground.add_to(spec)
    ball = Ball(radius_m=0.1, mass_kg=2.0, position_m=(0.2, 0.0, 0.45))
    ball.add_to(spec)
    spec.add_pair(geomname1="ball", geomname2="ground_1")
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=1000)
    assert data.body("ball").xpos[2] == pytest.approx(ground.height(0.2, 0.0) + 0.1, abs=0.002)


def test_ball_is_a_uniform_ball() -> None:
    spec = mujoco.MjSpec()
    Ball(name="medicine_ball", mass_kg=7.0, radius_m=0.15).add_to(spec)
    model = spec.compile()
    assert model.body("medicine_ball").mass[0] == 7.0
    np.testing.assert_allclose(model.body("medicine_ball").inertia, 0.4 * 7.0 * 0.15**2)
    assert model.nv == 6


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Slope(climb_rad=2.0), "climb_rad is 2.0: a slope is less steep than a wall"),
        (lambda: Ball(mass_kg=0.0), "mass_kg of ball 'ball' is 0.0: it must be above 0"),
        (lambda: Strip(pieces=()), "a strip needs at least one piece"),
        (lambda: Strip(pieces=(Piece(start_m=1, end_m=0, level_m=0),)), "has no length"),
        (lambda: Strip(pieces=(Piece(start_m=0, end_m=1, level_m=-3),)), "not above the floor"),
        (
            lambda: Strip(pieces=(Piece(start_m=0, end_m=2, level_m=0), Piece(start_m=1, end_m=3, level_m=0))),
            "two pieces overlap at x = 1 m",
        ),
        (lambda: random_strip(np.random.default_rng(0), difficulty=1.5), "difficulty is 1.5: it lies between 0"),
        (lambda: random_strip(np.random.default_rng(0), difficulty=0.5, obstacle_count=-1), "obstacle_count is -1"),
        (lambda: Obstacles(kinds=("gaps",)), "no obstacle 'gaps': did you mean 'gap'?"),  # type: ignore[arg-type]
        (lambda: Obstacles(apart_m=(3.0, 1.0)), "give the shortest stretch"),
    ],
)
def test_mistakes_are_answered(make: object, words: str) -> None:
    with pytest.raises(SurefootError) as caught:
        make()  # type: ignore[operator]
    assert words in str(caught.value)
