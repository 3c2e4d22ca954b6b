#!/bin/sh
# CLBlast's tuners on a GPU that is not there, beside what they printed on the real one (datasets/figures/clblast-tuners.csv). A row for
# each kernel: its configurations, the mean error of their times (%), their rank correlation, how much longer than the fastest one the
# configuration takes there that the tuner chose here (%), how much longer the median one takes (%), and how far off the time is that the
# tuner reported for its choice (%).
# tune_kernels.sh REASSEMBLE ROOT GPU SCRATCH [TUNER...]
# GPU: h200 or h100. Exits with 77 without clblast-utils.
set -eu
reassemble=$1 root=$2 gpu=$3 scratch=$4
shift 4
command -v clblast_tuner_xgemv > /dev/null || { echo "clblast-utils is not installed"; exit 77; }
[ $# -gt 0 ] || set -- copy_fast copy_pad transpose_fast transpose_pad xaxpy xdot xger xgemv
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
for tuner; do
  case $tuner in
  xaxpy | xdot) sizes="-n 16777216" ;;
  *) sizes="-m 4096 -n 4096" ;;
  esac
  # shellcheck disable=SC2086 # two or four words
  "$reassemble" run --gpu "$gpu" --host-scale 0 --compute nothing -- "clblast_tuner_$tuner" $sizes -runs 1 > "$tuner.txt" 2>&1 ||
    { tail -n 3 "$tuner.txt"; exit 1; }
done
python3 - "$root/datasets/figures/clblast-tuners.csv" "$gpu" << 'END'
import csv, glob, json, sys

measured = {(row["kernel"], row["parameters"]): float(row[sys.argv[2] + "_ms"]) for row in csv.DictReader(open(sys.argv[1]))}

def ranks(values):
    order = sorted(values)
    return [(order.index(v) + len(order) - 1 - order[::-1].index(v)) / 2 for v in values]

def correlation(a, b):  # 0 where all are equal
    mean = (len(a) - 1) / 2
    spread = (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5
    return sum((x - mean) * (y - mean) for x, y in zip(a, b)) / spread if spread > 0 else 0

for name in sorted(glob.glob("*.json")):
    tuned = json.load(open(name))
    kernel = tuned["kernel_family"]
    pairs = []
    for result in tuned["results"]:
        parameters = " ".join(f"{k}={v}" for k, v in result["parameters"].items() if k != "PRECISION")
        if (kernel, parameters) in measured:
            pairs.append((measured[kernel, parameters], result["time"]))
    if len(pairs) < 5:
        continue
    there, here = [p[0] for p in pairs], [p[1] for p in pairs]
    chosen = min(pairs, key=lambda p: p[1])
    error = sum(abs(h / t - 1) for t, h in pairs) / len(pairs)
    print(f"row: tuner-{sys.argv[2]}-{kernel},{len(pairs)},{100 * error:.1f},{correlation(ranks(there), ranks(here)):.3f},"
          f"{100 * (chosen[0] / min(there) - 1):.1f},{100 * (sorted(there)[len(there) // 2] / min(there) - 1):.0f},{100 * (chosen[1] / chosen[0] - 1):+.1f}")
END
