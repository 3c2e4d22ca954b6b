#!/bin/sh
# `params --check` passes on the GPUs that ship, fails where a rate is wrong, and says of which figure that is so.
# Usage: physics.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$program" params --check --quiet >all || { grep ' off ' all >&2; exit 1; }
for gpu in $("$program" list gpus | awk 'NR > 1 && NF {print $1}'); do
  grep -q "^$gpu  .*fma" all || { echo "$gpu was not checked" >&2; exit 1; }
done

# Named as the GPU that ships, so that its public figures apply.
fails() { # base, parameter, wrong value, micro-kernel
  printf 'schema: reassemble.gpu/1\nname: %s\nbase: %s\nparameters: {%s: {value: %s, source: "wrong on purpose"}}\n' \
    "$1" "$1" "$2" "$3" >wrong.yaml
  "$program" params --check --quiet --gpu "$1" "$4" >right || { echo "$1, $4: off as it ships" >&2; exit 1; }
  status=0
  "$program" params --check --quiet --gpu wrong.yaml "$4" >table 2>errors || status=$?
  if [ $status != 1 ] || ! grep -q "^$1  *$4 .* off " table || ! grep -q 'off by more than 25 %' errors; then
    echo "$2: $3: exit $status: $(cat table errors)" >&2
    exit 1
  fi
}

fails rtx-2080-ti arith_cycles 4 fma
fails rtx-2080-ti arith_cycles 1 fadd
fails rtx-3090 dram_bytes_per_cycle 300 dram_load
fails rtx-3090 dram_bytes_per_cycle 1000 dram_store
fails rtx-2080-ti l1_hit_cycles 50 l1_chase
fails rtx-2080-ti l1_miss_cycles 250 l2_chase
fails rtx-2080-ti l2_atomic_rounds_per_cycle 4 atomic_one
fails mali-g78-mp14 cores 20 fma

status=0
"$program" params --check --quiet --gpu rtx-3090 sqrt 2>errors || status=$?
[ $status = 2 ] && grep -q 'part of no micro-kernel' errors || { echo "unknown kernel: exit $status" >&2; exit 1; }
