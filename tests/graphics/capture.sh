#!/bin/sh
# The scene, captured on this machine's lavapipe, has the passes and draws of the shipped frame, and its picture is drawn as closely.
# Usage: capture.sh REASSEMBLE SCENE SCRATCH
set -eu
ls /usr/share/vulkan/icd.d/*lvp* >/dev/null 2>&1 || { echo "skipped: no lavapipe (Debian: mesa-vulkan-drivers)"; exit 77; }
for need in Xvfb spirv-as spirv-val spirv-opt; do
  command -v $need >/dev/null || { echo "skipped: no $need (packages.txt, [graphics])"; exit 77; }
done
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$3"
sh "$here/record.sh" "$1" "$2" "$3" | tail -1 | grep -q 'frame-1.rframe *1 *1 *2 *0'
"$1" draw --no-trace "$3/frame-1.rframe" -o "$3" >"$3/drawn"
sh "$here/near.sh" "$3/drawn" 99
"$1" draw --each-draw --no-trace "$3/frame-1.rframe" -o "$3" >"$3/drawn"
grep -q "^2 of 2 draws cover Vulkan's samples" "$3/drawn" || { cat "$3/drawn"; exit 1; }
