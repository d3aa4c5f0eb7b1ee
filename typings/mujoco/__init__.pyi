# MuJoCo's compiled modules come without types; to pyright every name of theirs is Any.
from typing import Any

def __getattr__(name: str) -> Any: ...
