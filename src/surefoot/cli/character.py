"""`surefoot character show NAME`: a character's tree of links, its masses, gains and limits; `--png` draws it.

The description is made in `surefoot.characters`; the picture is drawn by `surefoot.filming`. This module only lays out a page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import degrees
from pathlib import Path
from typing import TYPE_CHECKING

import tyro

from surefoot.cli.plain_data import plain, print_json
from surefoot.errors import WrongValue

if TYPE_CHECKING:
    from surefoot.characters import Character


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """Flags of `surefoot character show`."""

    name: tyro.conf.Positional[str]
    """A character that `surefoot list --kind characters` prints."""
    png: Path | None = None
    """Also draw it into this file."""
    json: bool = False
    """Print JSON for a program to read."""


def run(options: Options) -> None:
    """Print the character's page, and draw it when asked."""
    from surefoot.characters import roster  # on demand: the names are checked before anything is drawn

    if options.png is not None and options.png.suffix.lower() != ".png":
        # `--png ''` and `--png .` have no name to change
        better = options.png.with_suffix(".png") if options.png.name else Path(f"{options.name}.png")
        raise WrongValue(f"--png is '{options.png}': a picture's file ends in .png; write '{better}'")
    character = roster.character(options.name)
    if options.png is not None:
        draw(character, options.png)
    if options.json:
        print_json(character_data(character))
    else:
        print(character_page(character))
        if options.png is not None:
            print(f"\ndrawn into {options.png}")


def character_data(character: "Character") -> dict[str, object]:
    """The description and what is derived from it, as plain data."""
    return plain(character) | {
        "mass_kg": character.mass_kg,
        "dof_count": character.dof_count,
        "dof_count_with_root": character.dof_count + character.root_dof_count,
        "dof_names": list(character.dof_names),
    }


def character_page(character: "Character") -> str:
    """Head, tree of links, table of joints and list of feet, to read on a screen."""
    inner, outer = character.dof_count, character.root_dof_count
    dof = f"{inner + outer} DoF = {inner} + {outer} of the {character.root} root"
    head = [
        f"character {character.name}: {character.about}",
        f"  {character.mass_kg:.1f} kg, {character.height_m:.2f} m tall, {dof}",
    ]
    return "\n".join([*head, "", "links", *_tree(character), "", "joints", *_joint_table(character), "", "feet", *_feet(character)])


def _tree(character: "Character") -> Iterator[str]:
    """One line a link, indented below its parent, with its mass and the joint that hangs it there."""
    depths: dict[str, int] = {}
    for link in character.links:
        depths[link.name] = 0 if link.parent is None else depths[link.parent] + 1
    width = max(2 * depth + len(name) for name, depth in depths.items())
    for link in character.links:
        title = "  " * depths[link.name] + link.name
        hung = f"{character.root} root" if link.parent is None else "welded" if link.joint is None else f"joint {link.joint.name}"
        yield f"  {title:<{width}}  {link.mass_kg:7.3f} kg  {hung}"


def _joint_table(character: "Character") -> Iterator[str]:
    """One line a degree of freedom: limits, largest torque, gains of a customary PD servo, armature."""
    width = max(len(name) for name in character.dof_names)
    yield f"  {'':<{width}}  {'from':>6} {'to':>6} {'torque':>7} {'stiffness':>9} {'damping':>8} {'armature':>9}"
    yield f"  {'':<{width}}  {'deg':>6} {'deg':>6} {'Nm':>7} {'Nm/rad':>9} {'Nms/rad':>8} {'kgm2':>9}"
    for joint in character.joints:
        for place, name in enumerate(joint.dof_names):
            low, high = joint.limits_rad[place]
            yield (
                f"  {name:<{width}}  {degrees(low):6.0f} {degrees(high):6.0f} {joint.torque_limit_nm[place]:7.0f} "
                f"{joint.servo_stiffness_nm[place]:9.0f} {joint.servo_damping_nms[place]:8.1f} {joint.armature_kgm2[place]:9.3g}"
            )


def _feet(character: "Character") -> Iterator[str]:
    for foot in character.end_effectors:
        toe = f" and {foot.toe_link}" if foot.toe_link else ""
        yield f"  {foot.name}: {foot.link}{toe}, {len(foot.points)} contact points ({', '.join(point.role for point in foot.points)})"


def draw(character: "Character", path: Path) -> None:
    """Draw the character, standing, into a PNG file."""
    from surefoot.filming import gl, still  # on demand: drawing loads MuJoCo and looks for a GL
    from surefoot.physics.scene import build_scene

    gl.required()
    scene = build_scene(character)
    still(scene.spec, scene.standing()[0], path)
