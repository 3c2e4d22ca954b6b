#!/bin/sh
# Traces workloads with the default front end and as machine code of a Bifrost GPU (docs/bifrost.md), and prints a CSV row for each
# launch: operations of all work-items, slots of tuples (empty ones included), loads, stores and atomics of both.
# Usage: scripts/compare_front_ends.sh PROGRAM GPU_ID WORKLOAD...   for example build/release/cli/reassemble g71 saxpy gemm-64
set -eu
program=$1 gpu=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "workload,launch,kernel,result,operations,machine_operations,machine_slots,accesses,machine_accesses"
for workload; do
  if ! "$program" trace --frontend bifrost --gpu-id "$gpu" "$workload" -o "$folder/machine" --quiet >/dev/null 2>"$folder/err"; then
    echo "$workload,,,\"$(sed 's/^reassemble: //; s/"/'"'"'/g; q' "$folder/err")\",,,,,"
    continue
  fi
  "$program" trace "$workload" -o "$folder/default" --quiet >/dev/null
  for trace in "$folder"/machine/*.rtrace; do
    "$program" info --json "$trace" >"$folder/machine.json"
    "$program" info --json "$folder/default/${trace##*/}" >"$folder/default.json"
    python3 - "$folder" <<'EOF'
import json, sys
default, machine = (json.load(open(f"{sys.argv[1]}/{name}.json"))["traces"][0] for name in ("default", "machine"))
accesses = lambda trace: sum(row["accesses"] for row in trace["traffic"])
operations = machine["work_item_instructions"]
print(machine["workload"], machine["launch"], machine["kernel"], "correct", default["work_item_instructions"], operations,
      operations + machine["operations"].get("move", 0), accesses(default), accesses(machine), sep=",")
EOF
  done
  rm -rf "$folder/machine" "$folder/default"
done
