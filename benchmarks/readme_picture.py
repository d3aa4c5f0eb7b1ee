"""`python benchmarks/readme_picture.py`: the picture of the README, a human who is pushed to the left and walks on.

It is a contact sheet of one trial of the demo; nothing in it is drawn by hand. The demo itself is `surefoot.demo`.
"""

from __future__ import annotations

import pathlib

from surefoot.characters import character
from surefoot.controllers.gait import load_gait
from surefoot.demo import PUSH_S, PUSHED_AT_S, RECORD_HZ, simulate
from surefoot.demo_options import DemoOptions
from surefoot.filming import Push, Take, contact_sheet

TARGET = pathlib.Path(__file__).parents[1] / "docs" / "images" / "pushed.png"
NEWTONS = 120.0
TIMES_S = (1.95, 2.15, 2.4, 2.6, 2.8, 3.1)

if __name__ == "__main__":
    pushed = simulate(character("human"), load_gait("human/walk"), DemoOptions(push_n=NEWTONS, direction="left"))
    trial = int(pushed.stood.ravel().argmax())
    shown = Push(time_s=PUSHED_AT_S, duration_s=PUSH_S, force_n=(0.0, NEWTONS, 0.0), body="torso")
    take = Take(qpos=pushed.motion[trial], rate_hz=RECORD_HZ, pushes=(shown,))
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    contact_sheet(pushed.scene.spec, take, TARGET, times_s=TIMES_S, views=("front",), cell=(220, 330))
    print(TARGET, f"{pushed.stood.sum()} of {pushed.stood.size} stand {NEWTONS:g} N")
