#!/usr/bin/env python3
"""How wide a prediction interval has to be by some measurements, and how many of others it then holds.

Usage: interval_coverage.py CALIBRATION.json [JUDGED.json [TUNED.json]]
All are printed by `reassemble validate --json`; kernels of the third, to which parameters were tuned, are left out of the first. The
interval of a prediction p is p / (1 + e) to p * (1 + e), 1 + e the quantile of the calibration's errors that split conformal prediction
takes for 95 % (tuner/conformal.h). Without a second document every second kernel of the first, in the order of the measurements, is judged by
the others, and these by them.
"""

import json
import math
import sys

LEVEL = 0.95


def errors(path):
    """Returns |ln(measured / predicted)| by kernel."""
    with open(path, encoding="utf-8") as file:
        kernels = sorted(json.load(file)["kernels"], key=lambda kernel: kernel["measured"])
    return {kernel["name"]: abs(math.log(kernel["measured"] / kernel["predicted"])) for kernel in kernels}


def half_width(found):
    """Returns ln(1 + e)."""
    return sorted(found)[min(math.ceil((len(found) + 1) * LEVEL), len(found)) - 1]


def held_by(found, judged):
    """Returns how many of the judged errors the interval from the found ones holds."""
    return sum(error <= half_width(found) for error in judged)


def main():
    calibration = errors(sys.argv[1])
    for path in sys.argv[3:]:
        calibration = {name: error for name, error in calibration.items() if name not in errors(path)}
    found = list(calibration.values())
    print(f"{len(found)} errors: prediction_error_ratio {math.expm1(half_width(found)):.3f}")
    if len(sys.argv) > 2:
        judged = list(errors(sys.argv[2]).values())
        held = held_by(found, judged)
    else:
        judged = found
        held = held_by(found[0::2], found[1::2]) + held_by(found[1::2], found[0::2])
    print(f"{held} of {len(judged)} lie in their interval: {100 * held / len(judged):.1f} %")


main()
