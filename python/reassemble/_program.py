"""The program `reassemble`, for what the library does not do: emulation and measuring."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from reassemble._library import Error
from reassemble._objects import Trace

_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []  # removed when Python ends


def program(*arguments: str) -> dict[str, Any]:
    """Runs `reassemble ARGUMENTS --json --quiet` and returns its document. $REASSEMBLE_PROGRAM names another program."""
    name = os.environ.get("REASSEMBLE_PROGRAM", "reassemble")
    if "--" in arguments:
        at = arguments.index("--")
        words = [*arguments[:at], "--json", "--quiet", *arguments[at:]]
    else:
        words = [*arguments, "--json", "--quiet"]
    try:
        run = subprocess.run([name, *words], capture_output=True, text=True, check=False)
    except FileNotFoundError as reason:
        raise Error(f"the program {name} was not found; install reassemble, or set REASSEMBLE_PROGRAM") from reason
    try:
        document = json.loads(run.stdout) if run.stdout.strip() else {}
    except json.JSONDecodeError as reason:
        raise Error(f"{name} {' '.join(words)}: printed no JSON: {run.stderr.strip()}") from reason
    if run.returncode != 0:
        raise _error_of(run, document)
    return document


def _error_of(run: subprocess.CompletedProcess[str], document: dict[str, Any]) -> Error:
    try:
        found = json.loads(run.stderr) if run.stderr.strip() else document
    except json.JSONDecodeError:
        found = {}
    found = found.get("error", found) if isinstance(found, dict) else {}
    if not isinstance(found, dict) or "message" not in found:
        return Error(run.stderr.strip() or f"exit code {run.returncode}", is_input=run.returncode == 2)
    return Error(str(found["message"]), str(found.get("file") or ""), int(found.get("line") or 0),
                 int(found.get("column") or 0), str(found.get("key") or ""), run.returncode == 2)


def trace(*workloads: str | os.PathLike[str], folder: str | os.PathLike[str] | None = None,
          options: tuple[str, ...] = ()) -> dict[str, Trace]:
    """Emulates workloads (names or files) or a kernel file with its `options`, and returns their traces by name.

    Without a `folder` the traces lie in a temporary one, until Python ends.
    """
    if folder is None:
        _FOLDERS.append(tempfile.TemporaryDirectory(prefix="reassemble-"))
        folder = _FOLDERS[-1].name
    document = program("trace", *(os.fspath(w) for w in workloads), *options, "--output", os.fspath(folder))
    found: dict[str, Trace] = {}
    for entry in document["traces"]:
        path = Path(entry["file"])
        found[path.stem] = Trace(path)
    return found


def measure_devices() -> list[dict[str, Any]]:
    """The OpenCL devices of this machine."""
    return list(program("measure", "--devices").get("devices", []))
