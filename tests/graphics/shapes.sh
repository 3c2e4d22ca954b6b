#!/bin/sh
# Pictures of lines, points, indirect draws, textures of each kind, several samples, compressed blocks, compute shaders and stores, recorded from shapes.c on lavapipe, are drawn as Vulkan drew them. With SHAPES,
# the program, they are captured on this machine as well (needs Mesa and Xvfb).
# Usage: shapes.sh REASSEMBLE ROOT SCRATCH [SHAPES]
set -eu
program=$1 root=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs.sh"
needs spirv-val spirv-opt
[ $# -le 3 ] || needs lavapipe Xvfb
rm -rf "$scratch"
mkdir -p "$scratch"
for word in lines points indirect flat cube volume array compare fetch samples shaded early computed blocks edges stores sums bits clamped second smooth levels marked emitted divided distances chosen strokes stages; do
  frame=$root/datasets/graphics/$word.rframe
  if [ $# -gt 3 ]; then
    "$program" trace -q --each-draw --frames 1 -o "$scratch/$word" -- "$4" $word >/dev/null
    frame=$scratch/$word/frame-1.rframe
  fi
  "$program" draw --no-trace "$frame" -o "$scratch/$word" >"$scratch/drawn"
  # Texels beside the edges of a cube differ by a rounding.
  case $word in cube) least=98.5 ;; *) least=100 ;; esac
  sh "$here/near.sh" "$scratch/drawn" $least || { echo "$word:"; cat "$scratch/drawn"; exit 1; }
  # Each draw of these covers Vulkan's samples, which the frames hold. Two of chosen are left out.
  case $word in samples | shaded | sums | second | distances) draws=4 ;; stores | edges | early | smooth | levels) draws=2 ;; blocks | strokes) draws=5 ;; emitted) draws=6 ;; divided) draws=8 ;; bits | clamped | marked | stages) draws=3 ;; computed | chosen) draws=1 ;; *) continue ;; esac
  "$program" draw --each-draw --no-trace "$frame" -o "$scratch/$word" >"$scratch/drawn"
  grep -q "^$draws of $draws draws cover Vulkan's samples" "$scratch/drawn" || { echo "$word:"; cat "$scratch/drawn"; exit 1; }
done
# Launches of compute shaders are traces as those of kernels; the second has its size from a buffer.
"$program" draw "$root/datasets/graphics/computed.rframe" -o "$scratch/traces" >"$scratch/drawn"
grep -q '^dispatch-0 *2x4x1 *8x4x1' "$scratch/drawn" || { cat "$scratch/drawn"; exit 1; }
grep -q '^dispatch-1 *2x1x1 *8x1x1' "$scratch/drawn" || { cat "$scratch/drawn"; exit 1; }
for trace in dispatch-0 dispatch-1; do "$program" simulate -q --gpu mali-g71-mp8 "$scratch/traces/computed/$trace.rtrace" >/dev/null; done
# A geometry shader is a launch of its own, whose work is a part of that of the vertices of its pass.
"$program" draw --no-picture "$root/datasets/graphics/emitted.rframe" -o "$scratch/traces" >"$scratch/drawn"
grep -q '^draw-1 *5 *2 *40 ' "$scratch/drawn" || { cat "$scratch/drawn"; exit 1; }
vertex_cycles() { "$program" frame -q --json --gpu mali-g71-mp8 "$scratch/traces/emitted" | sed -n 's/^ *"vertex_cycles": *\([0-9]*\).*/\1/p' | tail -1; }
with=$(vertex_cycles)
rm "$scratch"/traces/emitted/draw-*.geometry.rtrace
without=$(vertex_cycles)
test "$with" -gt "$without" || { echo "cycles of vertices with geometry shaders $with, without $without"; exit 1; }
# Tessellation shaders are launches of their own, too: the number of points, and the work of the pass.
"$program" draw --no-picture "$root/datasets/graphics/divided.rframe" -o "$scratch/traces" >"$scratch/drawn"
grep -q '^draw-6 *6 *3 *192 ' "$scratch/drawn" || { cat "$scratch/drawn"; exit 1; }
frame_cycles() { "$program" frame -q --json --gpu mali-g71-mp8 "$scratch/traces/divided" | sed -n 's/^ *"vertex_cycles": *\([0-9]*\).*/\1/p' | tail -1; }
all=$(frame_cycles)
for stage in evaluation control; do
  rm "$scratch"/traces/divided/draw-*.$stage.rtrace
  rest=$(frame_cycles)
  test "$all" -gt "$rest" || { echo "cycles of vertices $all, without $stage $rest"; exit 1; }
  all=$rest
done
# A choice of viewports or of layers is named; where the target has no layers the choice has no effect.
"$program" draw --no-trace "$root/datasets/graphics/chosen.rframe" -o "$scratch/chosen" >"$scratch/drawn"
# Draws that are left out are not among those that are compared.
"$program" draw --each-draw --no-trace "$root/datasets/graphics/chosen.rframe" -o "$scratch/chosen" >"$scratch/compared"
sed '1,/not compared, because/d' "$scratch/compared" | grep -q '^draw-1 .* layer (gl_Layer) is not supported' || { cat "$scratch/compared"; exit 1; }
for line in 'draw-0 .* viewport (gl_ViewportIndex) is not supported' "draw-1 .* layer (gl_Layer) is not supported" 'draw-2 .* -'; do
  grep -q "^$line$" "$scratch/drawn" || { echo "no line '$line'"; cat "$scratch/drawn"; exit 1; }
done
