"""The functions of reassemble.h, with the types that ctypes needs."""

from __future__ import annotations

import ctypes as c
import os

VISIT_PARAMETER = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p)
VISIT_VALUE = c.CFUNCTYPE(c.c_int, c.c_char_p, c.c_double, c.c_char_p, c.c_char_p, c.c_void_p)
VISIT_LINE = c.CFUNCTYPE(c.c_int, c.c_uint32, c.c_char_p, c.c_double, c.c_void_p)
VISIT_TUNED = c.CFUNCTYPE(c.c_int, c.c_char_p, c.c_char_p, c.c_double, c.c_double, c.c_double, c.c_double, c.c_void_p)
VISIT_KERNEL = c.CFUNCTYPE(c.c_int, c.c_char_p, c.c_double, c.c_double, c.c_double, c.c_void_p)
VISIT_DESIGN = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p)
FIND_TRACE = c.CFUNCTYPE(c.c_void_p, c.c_char_p, c.c_uint32, c.c_void_p)


class CError(c.Structure):
    _fields_ = [("kind", c.c_int32), ("line", c.c_uint32), ("column", c.c_uint32), ("file", c.c_char * 512),
                ("key", c.c_char * 128), ("message", c.c_char * 4096)]


class CLaunch(c.Structure):
    _fields_ = [("kernel", c.c_char_p), ("workload", c.c_char_p), ("source_file", c.c_char_p),
                ("global_size", c.c_uint64 * 3), ("local_size", c.c_uint32 * 3), ("registers", c.c_uint32),
                ("local_bytes", c.c_uint32), ("private_bytes", c.c_uint32), ("work_groups", c.c_uint64)]


class CParameter(c.Structure):
    _fields_ = [("name", c.c_char_p), ("unit", c.c_char_p), ("meaning", c.c_char_p), ("source", c.c_char_p),
                ("choices", c.POINTER(c.c_char_p)), ("value", c.c_double), ("minimum", c.c_double),
                ("maximum", c.c_double)]


class CTuningRequest(c.Structure):
    _fields_ = [("board", c.c_char_p), ("gpu", c.c_char_p), ("parameters", c.c_char_p), ("objective", c.c_char_p),
                ("method", c.c_char_p), ("evaluations", c.c_uint64), ("starts", c.c_uint64), ("tolerance", c.c_double),
                ("penalty_percent", c.c_double), ("seed", c.c_uint64), ("jobs", c.c_int32), ("trace", FIND_TRACE),
                ("user", c.c_void_p)]


class CWorkload(c.Structure):
    _fields_ = [("name", c.c_char_p), ("traces", c.POINTER(c.c_void_p)), ("count", c.c_uint64)]


class CSweepRequest(c.Structure):
    _fields_ = [("sweep", c.c_char_p), ("workloads", c.POINTER(CWorkload)), ("workload_count", c.c_uint64),
                ("jobs", c.c_int32), ("exact", c.c_int32)]


class CDesign(c.Structure):
    _fields_ = [("point", c.c_uint64), ("name", c.c_char_p), ("objective", c.c_double), ("area", c.c_double),
                ("energy_ratio", c.c_double), ("cycles", c.POINTER(c.c_double)), ("time_ns", c.POINTER(c.c_double)),
                ("speedups", c.POINTER(c.c_double)), ("exact", c.c_int32)]


class Error(Exception):
    """What the library or the program refuses, or cannot do.

    `file`, `line`, `column` and `key` say where, as far as that is known; `is_input` is true where a file, name or value is wrong.
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0, key: str = "",
                 is_input: bool = False) -> None:
        place = ":".join(str(part) for part in (file, line, column) if part)
        super().__init__(": ".join(part for part in (place, key, message) if part))
        self.message, self.file, self.line, self.column, self.key = message, file, line, column, key
        self.is_input = is_input


def text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


def path_bytes(name: str | os.PathLike[str]) -> bytes:
    return os.fsencode(name)


POINTER, TEXT, OUT = c.c_void_p, c.c_char_p, c.POINTER(c.c_void_p)
ERROR = c.POINTER(CError)
FUNCTIONS = {
    "version": (TEXT, []),
    "trace_open": (c.c_int, [TEXT, OUT, ERROR]),
    "trace_free": (None, [POINTER]),
    "trace_launch": (None, [POINTER, c.POINTER(CLaunch)]),
    "gpu_load": (c.c_int, [TEXT, OUT, ERROR]),
    "gpu_copy": (c.c_int, [POINTER, OUT, ERROR]),
    "gpu_free": (None, [POINTER]),
    "gpu_name": (TEXT, [POINTER]),
    "gpu_set": (c.c_int, [POINTER, TEXT, c.c_double, ERROR]),
    "gpu_get": (c.c_int, [POINTER, TEXT, c.POINTER(c.c_double), ERROR]),
    "gpu_each": (c.c_int, [POINTER, VISIT_PARAMETER, POINTER]),
    "simulate": (c.c_int, [POINTER, POINTER, OUT, ERROR]),
    "result_free": (None, [POINTER]),
    "result_each": (c.c_int, [POINTER, VISIT_VALUE, POINTER]),
    "result_each_line": (c.c_int, [POINTER, VISIT_LINE, POINTER]),
    "tune": (c.c_int, [c.POINTER(CTuningRequest), OUT, ERROR]),
    "tuning_free": (None, [POINTER]),
    "tuning_get": (c.c_int, [POINTER, TEXT, c.POINTER(c.c_double), ERROR]),
    "tuning_each_parameter": (c.c_int, [POINTER, VISIT_TUNED, POINTER]),
    "tuning_each_kernel": (c.c_int, [POINTER, VISIT_KERNEL, POINTER]),
    "tuning_gpu": (c.c_int, [POINTER, OUT, ERROR]),
    "sweep_run": (c.c_int, [c.POINTER(CSweepRequest), OUT, ERROR]),
    "sweep_free": (None, [POINTER]),
    "sweep_each": (c.c_int, [POINTER, VISIT_DESIGN, POINTER]),
}


def load() -> c.CDLL:
    """The library that $REASSEMBLE_LIBRARY names, else the installed one."""
    name = os.environ.get("REASSEMBLE_LIBRARY", "libreassemble.so.0")
    try:
        library = c.CDLL(name)
    except OSError as reason:
        raise ImportError(f"{name} cannot be loaded ({reason}); install reassemble and run ldconfig, or set "
                          "REASSEMBLE_LIBRARY to the file") from reason
    for function, (result, arguments) in FUNCTIONS.items():
        entry = getattr(library, "reassemble_" + function)
        entry.restype, entry.argtypes = result, arguments
    return library


LIBRARY = load()


def version() -> str:
    """Version of the library, "major.minor.patch"."""
    return text(LIBRARY.reassemble_version())


def call(function: str, *arguments: object) -> None:
    """Calls a function that returns 0 or -1 and takes the error last."""
    error = CError()
    if getattr(LIBRARY, "reassemble_" + function)(*arguments, c.byref(error)) != 0:
        raise Error(text(error.message), text(error.file), error.line, error.column, text(error.key), error.kind == 1)


def make(function: str, *arguments: object) -> c.c_void_p:
    """Calls a function that stores a new object before the error."""
    out = c.c_void_p()
    call(function, *arguments, c.byref(out))
    return out
