"""The child process of `studio`: reads a model and pictures from standard input, writes raw frames to standard output.

Everything it reads was pickled by the process that started it. The drawing is done in `painter`.
"""

import pickle
import sys

from surefoot.filming.painter import Painter


def main() -> None:
    """Draw everything that the parent sent, then end."""
    model, width, height, pictures = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own parent process
    frames = sys.stdout.buffer
    with Painter(model, width, height) as painter:
        # the first frame of a context differs from later ones by a level in a few pixels (seen with Mesa), so draw it twice
        painter.paint(pictures[0])
        for picture in pictures:
            frames.write(painter.paint(picture).tobytes())
            frames.flush()


if __name__ == "__main__":
    main()
