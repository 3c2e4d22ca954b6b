#!/bin/sh
# Runs workloads as machine code of a Bifrost GPU (docs/bifrost.md) and prints a CSV row for each: how many clauses its kernels
# have, whether our listing of every clause is the driver's, and whether all buffers are those of PoCL. Recordings and traces stay
# in FOLDER/GPU_ID/WORKLOAD.
# Usage: scripts/bifrost_suite.sh BUILD GPU_ID FOLDER [WORKLOAD...]   for example build/release g52 /tmp/suite saxpy
# Without workloads: one of each kernel of the suite. Needs tools/bifrost-setup, PoCL, and the build's tests.
set -eu
build=$(realpath "$1") gpu=$2
mkdir -p "$3/$2"
folder=$(realpath "$3/$2")
root=$(cd "$(dirname "$0")/.." && pwd)
shift 3
export REASSEMBLE_DATA="$root" POCL_CACHE_DIR="$folder/pocl-cache"
[ $# -gt 0 ] || set -- $(sed -n "s/^  - //p" "$root/datasets/bifrost/suite.yaml")

compare() { # cache, workload file, name
  MESA_SHADER_CACHE_DIR="$1" "$build/tests/opencl/opencl_compare" "$root/$2.yaml" "$gpu" "$folder/$3" \
    >"$folder/$3.out" 2>"$folder/$3.err"
}

# The driver's own functions are compiled once, for a kernel that is none of the suite's: one that is in a cache is not listed,
# so each workload gets a fresh copy.
if [ ! -d "$folder/cache" ]; then
  compare "$folder/new-cache" datasets/bifrost/workloads/reverse first || { cat "$folder/first.err" >&2; exit 1; }
  mv "$folder/new-cache" "$folder/cache"
fi
echo "gpu,workload,clauses,listing,buffers"
for path; do
  workload=$(echo "$path" | tr / -)
  rm -rf "$folder/copy" "$folder/$workload"
  cp -r "$folder/cache" "$folder/copy"
  if compare "$folder/copy" "configs/workloads/$path" "$workload"; then
    buffers=$(sed -n 's/.*; \(.*\) of \(.*\) buffers.*/\1 of \2 equal to the bit/p' "$folder/$workload.out")
  else
    buffers="\"$(grep -m1 . "$folder/$workload.err" | tail -1 | sed 's/^reassemble: //; s/^error: //; s/"/'"'"'/g')\""
  fi
  clauses=0 listing=none
  mkdir -p "$folder/listed"
  ln -sfn "$folder/$workload" "$folder/listed/it"
  if ls "$folder/$workload"/*.rbifrost >"$folder/recordings" 2>/dev/null; then
    listing=differs
    REASSEMBLE_BIFROST_RECORDINGS="$folder/listed" "$build/tests/bifrost/test_listings_equal_the_drivers" \
      >"$folder/$workload.listing" 2>&1 && listing=equal
    clauses=$(sed -n 's/.* recordings, \([0-9]*\) clauses.*/\1/p' "$folder/$workload.listing")
  fi
  echo "$gpu,$workload,${clauses:-0},$listing,$buffers"
done
