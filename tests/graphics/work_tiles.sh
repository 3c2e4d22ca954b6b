#!/bin/sh
# Two studies of tiles that are tied to cores, as docs/graphics.md has them beside the published ones: the size of work tiles, with the
# choice of it by the time of an earlier frame (Emerald, ISCA 2019, section 6), and texture caches that two raster units share, by quad
# map (parallel tile rendering). Cycles are those of the fragments of all passes. A nightly measurement: minutes a program.
#
# The caches and the numbers of cores are those of the papers, the rest is the Mali-G71.
# Usage: work_tiles.sh REASSEMBLE FRAME:LATER... (folders that `reassemble draw` wrote for two frames of a program)
set -eu
program=$1
shift
emerald="cores=6,texture_cache_bytes=49152,texture_cache_ways=24,l2_bytes=2097152"
private="cores=8,texture_cache_bytes=8192,texture_cache_ways=2,l2_bytes=2097152"
shared="$private,texture_cache_cores=2"

# Prints the cycles of the fragments of the last design, and the misses of its texture caches.
replay() { # FRAME OPTION...
  frame=$1
  shift
  "$program" frame "$frame" --gpu "$(dirname "$0")/plain_g71.yaml" -q --json --order rows "$@" | tr ',' '\n' | tr -d ' {}[]"' |
    awk -F: '$1 == "gpu" { counts = cycles = misses = 0 } $1 == "passes" { counts = 1 } counts && $1 == "fragment_cycles" { cycles += $2 }
      $1 == "cache" { texture = $2 == "texture" } texture && $1 == "misses" { misses = $2 } END { printf "%.0f %.0f", cycles, misses }'
}

for pair in "$@"; do
  frame=${pair%:*} later=${pair#*:}
  printf '%s\n  work tiles of 1 to 10 tiles of 8 pixels, cycles:' "$frame"
  for size in 1 2 3 4 5 6 7 8 9 10; do
    now=$(replay "$frame" --tile 8 --work-tile $size --set $emerald)
    then=$(replay "$later" --tile 8 --work-tile $size --set $emerald)
    printf ' %s' "${now% *}"
    echo "$now $then" >>"${TMPDIR:-/tmp}/work_tiles.$$"
  done
  # Dynamic: ten frames to try all sizes, then a hundred with the size that was best then.
  awk '{ cycles[NR] = $1; later[NR] = $3; sum += $3; misses[NR] = $2 }
    END { best = worst = 1
      for (i = 1; i <= NR; i++) { if (cycles[i] < cycles[best]) best = i; if (cycles[i] > cycles[worst]) worst = i }
      dynamic = (100 * later[best] + sum) / 110
      printf "\n  most over least: +%.0f %%, best: %d; misses of 1 and of 10: %d, %d\n", 100 * (cycles[worst] / cycles[best] - 1), best, misses[1], misses[10]
      printf "  a later frame, dynamic over 1 and over 10: %.3f, %.3f; cycles by size:", later[1] / dynamic, later[10] / dynamic
      for (i = 1; i <= NR; i++) printf " %d", later[i]
      printf "; dynamic: %d\n", dynamic }' "${TMPDIR:-/tmp}/work_tiles.$$"
  rm "${TMPDIR:-/tmp}/work_tiles.$$"
  echo "  two raster units of four cores, tiles of 32 pixels, by quad map: cycles and misses of eight texture caches, and of four:"
  for map in whole fine lines blocks columns quadrants; do
    printf '    %s: %s, %s\n' $map "$(replay "$frame" --tile 32 --raster-units 2 --work-tile 1 --quad-map $map --set $private)" \
      "$(replay "$frame" --tile 32 --raster-units 2 --work-tile 1 --quad-map $map --set $shared)"
  done
done
