#!/bin/sh
# Records datasets/graphics/scene.rframe again: assembles the scene's shaders and captures the only frame of its program. Needs the
# packages that packages.txt marks with [graphics].
# Usage: record.sh REASSEMBLE SCENE FOLDER (gets frame-1.rframe)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$3"
for stage in vert frag; do
  spirv-as --target-env vulkan1.0 "$here/scene.$stage.spvasm" -o "$3/scene.$stage.spv"
done
"$1" trace --graphics --each-draw --frames 1 -o "$3" -- "$2" "$3/scene.vert.spv" "$3/scene.frag.spv"
