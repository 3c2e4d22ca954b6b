#!/bin/sh
# Pictures of lines, points, indirect draws and textures of each kind, recorded from shapes.c on lavapipe, are drawn as Vulkan drew them. With SHAPES,
# the program, they are captured on this machine as well (needs Mesa and Xvfb).
# Usage: shapes.sh REASSEMBLE ROOT SCRATCH [SHAPES]
set -eu
program=$1 root=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
for need in spirv-val spirv-opt; do
  command -v $need >/dev/null || { echo "skipped: no $need (Debian: spirv-tools)"; exit 77; }
done
if [ $# -gt 3 ]; then
  ls /usr/share/vulkan/icd.d/*lvp* >/dev/null 2>&1 || { echo "skipped: no lavapipe (Debian: mesa-vulkan-drivers)"; exit 77; }
  command -v Xvfb >/dev/null || { echo "skipped: no Xvfb (packages.txt, [graphics])"; exit 77; }
fi
rm -rf "$scratch"
mkdir -p "$scratch"
for word in lines points indirect flat cube volume array compare fetch; do
  frame=$root/datasets/graphics/$word.rframe
  if [ $# -gt 3 ]; then
    "$program" trace -q --each-draw --frames 1 -o "$scratch/$word" -- "$4" $word >/dev/null
    frame=$scratch/$word/frame-1.rframe
  fi
  "$program" draw --no-trace "$frame" -o "$scratch/$word" >"$scratch/drawn"
  # Texels beside the edges of a cube and the levels of a fetch differ by a rounding.
  case $word in cube) least=98.5 ;; fetch) least=99 ;; *) least=100 ;; esac
  sh "$here/near.sh" "$scratch/drawn" $least || { echo "$word:"; cat "$scratch/drawn"; exit 1; }
done
