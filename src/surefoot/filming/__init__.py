"""Motion to pictures and films: light, sky, a ground whose scale can be read, cameras that follow, arrows for pushes.

Call `film`, `contact_sheet` or `still` with a scene's specification and recorded positions; `gl.choose()` tells before whether
this machine can draw and `gl.install_hint()` what is missing. No physics runs here and nothing here decides what is shown.
"""

from surefoot.filming.contact_sheet import contact_sheet, still
from surefoot.filming.film import Film, film
from surefoot.filming.takes import Note, Push, Shot, Take

__all__ = ["Film", "Note", "Push", "Shot", "Take", "contact_sheet", "film", "still"]
