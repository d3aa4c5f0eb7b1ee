"""The bridge between compiled Python and MuJoCo's C library: function addresses, array views and calls by address.

Only public things are used: the shared library's exported functions, and the addresses of the arrays that MuJoCo's
Python bindings expose as NumPy views (these never move while an `MjData` lives; contact and constraint arrays do, and are not used).
No struct offsets, so nothing here depends on one MuJoCo version. What runs between the calls is in `engine`.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import pathlib
from collections.abc import Callable
from typing import Any

import llvmlite.ir as ir
import mujoco
import numba
import numpy as np
from numba import carray, types  # type: ignore[attr-defined] - not in its __all__
from numba.core import cgutils, config
from numba.extending import intrinsic

ENGINE_FUNCTIONS = ("mj_step1", "mj_step2", "mj_setState", "mj_getState", "mj_setConst")
"""C functions the compiled loop calls, in the order of the address table."""


@functools.cache
def engine_addresses() -> np.ndarray:
    """Addresses of `ENGINE_FUNCTIONS`, shape (5,), int64."""
    return np.array([function_address(name) for name in ENGINE_FUNCTIONS], dtype=np.int64)


def function_address(name: str) -> int:
    """Address of a function that MuJoCo's library exports."""
    folder = pathlib.Path(mujoco.__file__).parent
    names = sorted(p for p in folder.iterdir() if "mujoco" in p.name and p.suffix != ".py" and _is_library(p.name))
    library = ctypes.CDLL(str(names[0]))
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0


def _is_library(name: str) -> bool:
    return name.startswith(("libmujoco", "mujoco")) and any(tag in name for tag in (".so", ".dylib", ".dll"))


def address_of(array: np.ndarray) -> int:
    """Address of the first element of an array that outlives the call."""
    return int(array.ctypes.data)


@functools.cache
def use_package_cache() -> pathlib.Path:
    """Point numba's disk cache to a folder named after the hash of all compiled sources.

    Numba notices a change in the file of a compiled function, not in the helpers that it inlines from other files;
    a folder for each state of the sources closes that hole, and works when the package folder is read-only.
    """
    root = pathlib.Path(__file__).resolve().parents[1]
    digest = hashlib.sha256(numba.__version__.encode())
    for folder in ("geometry", "physics", "controllers"):
        for source in sorted((root / folder).rglob("*.py")):
            digest.update(source.read_bytes())
    path = cache_root() / digest.hexdigest()[:16]
    path.mkdir(parents=True, exist_ok=True)
    config.CACHE_DIR = str(path)  # type: ignore[attr-defined] - set by name when numba starts
    return path


def cache_root() -> pathlib.Path:
    """Folder of compiled code: `SUREFOOT_CACHE`, or the user's cache folder."""
    asked = os.environ.get("SUREFOOT_CACHE")
    if asked:
        return pathlib.Path(asked)
    home = os.environ.get("XDG_CACHE_HOME")
    return (pathlib.Path(home) if home else pathlib.Path.home() / ".cache") / "surefoot" / "compiled"


def _named(function: Callable[..., Any]) -> Callable[..., Any]:
    """numba's intrinsic, typed by what compiled code passes and not by numba's own first argument."""
    return intrinsic(function)


@_named
def pointer(typingctx, address):
    """int64 -> void pointer, for `numba.carray`."""
    sig = types.voidptr(types.int64)

    def codegen(context, builder, signature, args):
        return builder.inttoptr(args[0], cgutils.voidptr_t)

    return sig, codegen


def _c_call(restype: ir.Type | None, argtypes: tuple[str, ...]):
    """Code generator of a C call whose arguments are pointers given as int64 ('p') or 32-bit integers ('i')."""

    def codegen(context, builder, signature, args):
        kinds = [cgutils.voidptr_t if a == "p" else ir.IntType(32) for a in argtypes]
        function_type = ir.FunctionType(restype or ir.VoidType(), kinds)
        function = builder.inttoptr(args[0], function_type.as_pointer())
        values = [
            builder.inttoptr(value, cgutils.voidptr_t) if a == "p" else builder.trunc(value, ir.IntType(32))
            for value, a in zip(args[1:], argtypes, strict=True)
        ]
        builder.call(function, values)
        return context.get_dummy_value()

    return codegen


@_named
def call_mj(typingctx, address, model, data):
    """void f(const mjModel*, mjData*)."""
    return types.none(types.int64, types.int64, types.int64), _c_call(None, ("p", "p"))


@_named
def call_mj_state(typingctx, address, model, data, state, parts):
    """void f(const mjModel*, mjData*, mjtNum* state, int parts): mj_setState and mj_getState."""
    return types.none(*[types.int64] * 5), _c_call(None, ("p", "p", "p", "i"))


@_named
def call_part(typingctx, address, arguments):
    """Call a compiled law, disturbance, meter or event at `address` with the members of the tuple `arguments`.

    The function at `address` is the C wrapper that numba makes for each compiled function; it takes numba's own
    structs by value and returns a float64.
    """
    members = tuple(arguments)
    sig = types.float64(types.int64, arguments)

    def codegen(context, builder, signature, args):
        address_value, tuple_value = args
        values = [builder.extract_value(tuple_value, i) for i in range(len(members))]
        function_type = ir.FunctionType(ir.DoubleType(), [value.type for value in values])
        function = builder.inttoptr(address_value, function_type.as_pointer())
        return builder.call(function, values)

    return sig, codegen


def vector(address: int, n: int) -> np.ndarray:
    """View of n float64 at an address; compiled only."""
    return carray(pointer(address), (n,), np.float64)


def matrix(address: int, n: int, k: int) -> np.ndarray:
    """View of n x k float64 at an address; compiled only."""
    return carray(pointer(address), (n, k), np.float64)


vector = numba.njit(inline="always")(vector)
matrix = numba.njit(inline="always")(matrix)
