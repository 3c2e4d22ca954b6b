#!/bin/sh
# Compares the two front ends on the launches of workloads (docs/bifrost.md): operations of each class, accesses, and cycles predicted
# for a HiKey-960's G71. A CSV row for each launch goes to standard output, and a table of ratios to standard error.
# Usage: scripts/compare_front_ends.sh PROGRAM FOLDER   FOLDER/WORKLOAD/*.rtrace are the traces of machine code that
# scripts/bifrost_suite.sh left, for example build/release/cli/reassemble /tmp/suite/g71
set -eu
program=$(realpath "$1") folder=$(realpath "$2")
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export REASSEMBLE_DATA="$root"
for machine in "$folder"/*/*.rtrace; do
  case ${machine##*/} in gemm-variants-*) name=gemm-variants/$(basename "${machine%.rtrace}" | sed 's/.*-//') ;;
    *) name=$(basename "$(dirname "$machine")") ;; esac
  default=$scratch/${machine##*/}
  [ -e "$default" ] || "$program" trace --no-check "$name" -o "$scratch" --quiet >/dev/null || continue
  echo "$machine $default"
done >"$scratch/pairs"
python3 - "$program" "$root/datasets/bifrost/g71-machine-code.yaml" "$scratch/pairs" <<'EOF'
import json, math, subprocess, sys
program, machine_gpu, pairs = sys.argv[1:]
CLASSES = {"float": ("float_add", "float_mul", "float_fma", "float_div", "float_cmp", "math"),
           "integer": ("int_add", "int_mul", "int_div", "int_logic", "int_shift", "int_cmp"),
           "convert": ("convert", "extend"), "select": ("select", "shuffle"), "address": ("address",), "query": ("query",),
           "branch": ("branch",), "barrier": ("barrier",), "move": ("move",)}
def ask(*words):
    return json.loads(subprocess.run([program, *words], check=True, capture_output=True).stdout)
def counts(trace, gpu):
    t = ask("info", "--json", trace)["traces"][0]
    out = {name: sum(t["operations"].get(c, 0) for c in classes) for name, classes in CLASSES.items()}
    out["accesses"] = sum(row["accesses"] for row in t["traffic"])
    out["access bytes"] = sum(row["bytes"] for row in t["traffic"])
    out["cycles"] = round(ask("simulate", "--json", "--gpu", gpu, trace)["kernels"][0]["cycles"])
    return t, out
rows = []
for line in open(pairs):
    machine, default = line.split()
    head, m = counts(machine, machine_gpu)
    _, d = counts(default, "mali-g71-mp8")
    rows.append((head, d, m))
names = list(rows[0][1])
print("workload,launch,kernel," + ",".join(f"{n},machine {n}" for n in names))
for head, d, m in rows:
    print(head["workload"], head["launch"], head["kernel"], *(v for n in names for v in (d[n], m[n])), sep=",")
print(f"{'':14}{'default':>16}{'machine code':>16}{'ratio of sums':>14}{'geometric':>10}{'launches':>9}", file=sys.stderr)
for n in names:
    d, m = (sum(row[i][n] for row in rows) for i in (1, 2))
    both = [row[2][n] / row[1][n] for row in rows if row[1][n] and row[2][n]]
    mean = math.exp(sum(map(math.log, both)) / len(both)) if both else float("nan")
    print(f"{n:14}{d:16,}{m:16,}{m / d if d else float('nan'):14.2f}{mean:10.2f}{len(both):9}", file=sys.stderr)
EOF
