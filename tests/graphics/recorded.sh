#!/bin/sh
# A recording of a GL program by apitrace, played by its own player, has the frame that the program itself has.
# Usage: recorded.sh REASSEMBLE SHAPES SCRATCH
set -eu
program=$1 shapes=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs.sh"
needs lavapipe Xvfb spirv-val spirv-opt apitrace eglretrace
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
# xvfb-run may choose a display that another server takes at the same time.
tries=5
until xvfb-run -a apitrace trace --api egl -o flat.trace "$shapes" flat >log 2>&1; do
  tries=$((tries - 1))
  test $tries -gt 0 || { cat log; exit 1; }
done
"$program" trace -q --graphics --frames 1 -o recorded -- eglretrace --headless flat.trace >captured
grep -q 'frame-1.rframe *1 *1 *1 *0' captured || { cat captured; exit 1; }
"$program" draw --no-trace recorded/frame-1.rframe -o recorded >drawn
sh "$here/near.sh" drawn 100
