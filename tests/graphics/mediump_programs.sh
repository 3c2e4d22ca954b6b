#!/bin/sh
# Captures the second frame of scenes of glmark2-es2, whose fragment shaders have mediump floats, with both values of --mediump, draws and
# replays it, and prints what docs/graphics.md tabulates: the share of float operations on elements of vectors that are on halves, how
# well the picture agrees with Vulkan's, and the cycles of the fragments of all draws, each alone, and of the frame on a GPU. Fails where
# less than 99.9 % of a picture is within 1/255 of Vulkan's in the same format. A nightly measurement: it needs Mesa, Xvfb and glmark2-es2, and takes a minute.
# Usage: mediump_programs.sh REASSEMBLE SCRATCH [SCENE...]
set -eu
program=$1 scratch=$2 gpu=mali-g71-mp8
shift 2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs.sh"
needs lavapipe Xvfb spirv-val spirv-opt glmark2-es2
[ $# -gt 0 ] || set -- bump function:fragment-steps=50 conditionals:fragment-steps=50 refract
mkdir -p "$scratch"

# Prints the share of halves among the float operations of all fragment shaders: additions, products, divisions, comparisons, functions.
share_of_halves() { # FOLDER
  for trace in "$1"/draw-*.fragment.rtrace; do "$program" info --blocks --isa bifrost "$trace"; done |
    awk '/^block .* executed/ { for (i = 1; i < NF; i++) if ($i == "executed") times = $(i + 1) }
      $1 ~ /^(float_add|float_mul|float_fma|float_div|float_cmp|math)$/ && ($2 == "f16" || $2 == "f32") && $4 !~ /^(read_image|negation)/ {
        all += times * $3; if ($2 == "f16") halves += times * $3 }
      END { printf "%.1f", all ? 100 * halves / all : 0 }'
}

for scene in "$@"; do
  name=${scene%%:*}
  for format in float half; do
    folder=$scratch/$name-$format
    rm -rf "$folder"
    "$program" trace -q --mediump "$format" --frames 2 --timeout 300 -o "$folder" -- glmark2-es2 -s 400x300 -b "$scene" >"$folder.log" 2>&1 ||
      { cat "$folder.log"; exit 1; }
    "$program" draw --no-picture "$folder/frame-2.rframe" -o "$folder" >"$folder/drawn"
    "$program" frame -q --gpu "$gpu" "$folder/frame-2" >"$folder/replayed"
    sh "$here/near.sh" "$folder/drawn" 99.9 || { echo "$scene with mediump as $format"; exit 1; }
    picture=$(awk '/pixels:/ { print $3 " % equal, " $8 " % within 1/255" }' "$folder/drawn")
    # The first table has draws in rows of 13 numbers, the cycles of their fragments in the third.
    fragments=$(awk '/^draw/ { in_draws = 1; next } !NF { in_draws = 0 } in_draws { sum += $3 } END { print sum }' "$folder/replayed")
    frame=$(awk -v gpu="$gpu:" '$1 == gpu { print $2 }' "$folder/replayed")
    echo "$name, $format: $(share_of_halves "$folder/frame-2") % halves; $picture; fragments $fragments cycles, frame $frame"
  done
done
