#!/bin/sh
# Four studies of executed frames on the Mali-G71 MP8, as docs/graphics.md has them, three beside published ones: the size of tiles, a
# second raster unit, the traffic with memory over the size of L2 and the number of cores, and tiles against immediate mode. The
# figures are those of the passes, in which draws overlap. A nightly measurement: minutes a frame.
# Usage: studies.sh REASSEMBLE FRAME... (FRAME: a folder that `reassemble draw` wrote)
set -eu
program=$1
shift

# Prints the cycles of all fragments, and the bytes from and to memory: of the last design, because --set adds one to that of --gpu.
replay() { # FRAME OPTION...
  frame=$1
  shift
  "$program" frame "$frame" --gpu "$(dirname "$0")/plain_g71.yaml" -q --json "$@" | tr ',' '\n' | tr -d ' {}[]"' |
    awk -F: '$1 == "gpu" { counts = cycles = bytes = 0 } $1 == "passes" { counts = 1 } counts && $1 == "fragment_cycles" { cycles += $2 } counts && $1 == "dram_bytes" { bytes += $2 }
      END { printf "%.0f %.0f", cycles, bytes }'
}

cycles() { replay "$@" | cut -d' ' -f1; }

for frame in "$@"; do
  printf '%s\n  cycles of the fragments by side of the tile:' "$frame"
  for side in 4 8 16 32 64 128; do printf ' %s: %s' $side "$(cycles "$frame" --tile $side)"; done
  one=$(cycles "$frame" --tile 32 --set cores=4)
  wide=$(cycles "$frame" --tile 32 --set cores=8)
  two=$(cycles "$frame" --tile 32 --set cores=8 --raster-units 2)
  printf '\n  twice the cores behind one raster unit: %s, behind two: %s\n' "$(echo "$one $wide" | awk '{printf "%.2f", $1 / $2}')" \
    "$(echo "$one $two" | awk '{printf "%.2f", $1 / $2}')"
  printf '  tiles of 16 pixels: %s cycles and bytes, immediate mode: %s\n' "$(replay "$frame")" "$(replay "$frame" --immediate)"
  printf '  MiB with memory by L2 (columns) and cores (rows):\n%14s' ''
  for kib in 64 256 1024 4096; do printf '%9s' "${kib}K"; done
  for cores in 1 4 16; do
    printf '\n%14s' $cores
    for kib in 64 256 1024 4096; do
      replay "$frame" --set cores=$cores,l2_bytes=$((kib * 1024)) | awk '{printf "%9.2f", $2 / 1048576}'
    done
  done
  printf '\n'
done
