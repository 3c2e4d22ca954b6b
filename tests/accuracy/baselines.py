#!/usr/bin/env python3
"""Prints one table of what a model has to beat on each board, as docs/accuracy.md has it, and compares it with results.csv.

Usage: baselines.py PROGRAM ROOT [BOARD...]
A board is a row of BOARDS, all of them without a name. What is learned is judged on measurements that were held out (each alone, or ten
groups where there are more than 40), with the best of several inputs; the model is as its GPU file is. "baseline-BOARD-PREDICTOR" in results.csv has the MAPE after one
scale, and "baseline-BOARD-PREDICTOR-spearman" the rank correlation. Exits with 1 where a row differs or is missing.
"""

import csv
import json
import os
import re
import subprocess
import sys

# name: the measurements, the GPU of the model, the board whose order is tried
BOARDS = {
    "hikey960": ("hikey960-gemm-variants", "mali-g71-mp8", None),
    "t860": ("mali-t860-gemm:test", "mali-t860-mp4", None),
    "2080-ti": ("rtx-2080-ti-xgemm:test=60", "rtx-2080-ti-tuned", "rtx-3090-xgemm:all"),
    "3090": ("rtx-3090-xgemm:test=60", "rtx-3090", "rtx-2080-ti-xgemm:all"),
}
# title in the documents of `reassemble baseline`: name here; the times of another board are "order"
PREDICTORS = {
    "constant": "constant",
    "work-item instructions": "instructions",
    "issue slots": "slots",
    "roofline": "roofline",
    "ridge regression": "ridge",
    "boosted trees": "trees",
    "the model, as its GPU file is": "model",
}
SCORES = ("mape_percent", "scaled_mape_percent", "spearman", "kendall", "first_choice_loss_percent", "best_of_ten_loss_percent")


def run(program, *arguments):
    """Returns the JSON document that the program prints."""
    done = subprocess.run([program, *arguments, "--json", "--quiet"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def determined(program, gpu):
    """Returns how many numbers the measurements determine, as the GPU's file says; "-" where it does not."""
    sources = subprocess.run([program, "params", "--gpu", gpu, "--sources"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.search(r"whose \d+ measurements determine ([0-9.]+ of \d+) numbers", sources)
    return found.group(1) if found else "-"


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def scores_of(row):
    """Returns the scores on held-out measurements where something was learned; a constant has no order."""
    scores = dict(row["held_out"] or row["in_sample"])
    if row["predictor"] == "constant":
        scores.update(dict.fromkeys(("spearman", "kendall", "first_choice_loss_percent", "best_of_ten_loss_percent")))
    return scores


def best_rows(document, other):
    """Returns the scores of each predictor; of a learner those with the inputs of least MAPE, which favours it."""
    found = {}
    for row in document["predictors"]:
        name = "order" if other and row["predictor"] == other.split(":")[0] else PREDICTORS.get(row["predictor"])
        scores = scores_of(row)
        if name and (name not in found or scores["mape_percent"] < found[name]["mape_percent"]):
            found[name] = scores
    return found


def rows_of(program, board):
    """Prints the head of a board's table and returns its rows."""
    points, gpu, other = BOARDS[board]
    order = ["--order-of", other] if other else []
    document = run(program, "baseline", "--board", points, "--gpu", gpu, *order)
    noise = document["noise_percent"]
    print(f"\n{document['board']}: {document['measurements']} measurements, noise {number(noise, 1)} %, "
          f"{determined(program, gpu)} tuned numbers of {gpu} are determined\n")
    print("| predictor | MAPE | after one scale | Spearman | Kendall | first choice loses | best of ten loses |")
    print("|---|---|---|---|---|---|---|")
    return best_rows(document, other).items()


def main():
    program, root = sys.argv[1:3]
    os.environ["REASSEMBLE_DATA"] = root
    with open(os.path.join(root, "tests/accuracy/results.csv"), encoding="utf-8") as file:
        kept = {row["name"]: row["value"] for row in csv.DictReader(file)}
    wrong = []
    for board in sys.argv[3:] or BOARDS:
        for name, scores in rows_of(program, board):
            digits = (1, 1, 3, 3, 1, 1)
            print(f"| {name} | " + " | ".join(number(scores[score], d) for score, d in zip(SCORES, digits)) + " |", flush=True)
            for row, value in ((f"baseline-{board}-{name}", number(scores["scaled_mape_percent"], 1)),
                               (f"baseline-{board}-{name}-spearman", number(scores["spearman"], 3))):
                if value != "-" and kept.get(row) != value:
                    wrong.append(f"{row}: {value} (kept: {kept.get(row, 'none')})")
    print("\n".join([""] + wrong))
    sys.exit(1 if wrong else 0)


main()
