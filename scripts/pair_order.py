#!/usr/bin/env python3
"""How often two predictions are in the wrong order, by how far they are apart.

Usage: pair_order.py VALIDATION.json [TUNED.json]
Both are printed by `reassemble validate --json`; kernels of the second, to which parameters were tuned, are left out of the first.
"""

import itertools
import json
import sys

BANDS = (0, 0.05, 0.1, 0.2, 0.5, float("inf"))


def kernels(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["kernels"]


def apart(a, b):
    """Returns by which part of the smaller one the larger prediction exceeds it."""
    low, high = sorted((a["predicted"], b["predicted"]))
    return high / low - 1


def is_wrong(a, b):
    return (a["measured"] - b["measured"]) * (a["predicted"] - b["predicted"]) < 0


def main():
    tuned = {kernel["name"] for path in sys.argv[2:] for kernel in kernels(path)}
    judged = [kernel for kernel in kernels(sys.argv[1]) if kernel["name"] not in tuned]
    pairs = [(apart(a, b), is_wrong(a, b)) for a, b in itertools.combinations(judged, 2)]
    print(f"{len(judged)} predictions, {len(pairs)} pairs")
    for low, high in zip(BANDS, BANDS[1:]):
        wrong = [is_wrong_ for distance, is_wrong_ in pairs if low <= distance < high]
        if wrong:
            print(f"{100 * low:3.0f} % to {100 * high:3.0f} % apart: {len(wrong):5} pairs, {100 * sum(wrong) / len(wrong):4.1f} % in the wrong order")


main()
