#!/bin/sh
# A recording of a GL program by apitrace, played by its own player, has the frame that the program itself has.
# Usage: recorded.sh REASSEMBLE SHAPES SCRATCH
set -eu
program=$1 shapes=$2 scratch=$3
ls /usr/share/vulkan/icd.d/*lvp* >/dev/null 2>&1 || { echo "skipped: no lavapipe (Debian: mesa-vulkan-drivers)"; exit 77; }
for need in Xvfb spirv-val spirv-opt apitrace eglretrace; do
  command -v $need >/dev/null || { echo "skipped: no $need (Debian: xvfb spirv-tools apitrace)"; exit 77; }
done
rm -rf "$scratch"
mkdir -p "$scratch"
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch"
xvfb-run -a apitrace trace --api egl -o flat.trace "$shapes" flat >log 2>&1
"$program" trace -q --graphics --frames 1 -o recorded -- eglretrace --headless flat.trace >captured
grep -q 'frame-1.rframe *1 *1 *1 *0' captured || { cat captured; exit 1; }
"$program" draw --no-trace recorded/frame-1.rframe -o recorded >drawn
sh "$here/near.sh" drawn 100
