#!/bin/sh
# Draws a frame of each program that is installed, and prints what docs/graphics.md tabulates: draws, those that are left out, and how well
# the picture agrees with Vulkan's, and of the draws that do not agree by themselves each. A nightly measurement: it needs Mesa, Xvfb and the programs (Debian: mesa-utils vulkan-tools glmark2-es2-x11
# extremetuxracer neverball openarena armagetronad chromium-bsu gltron billard-gl briquolo trackballs stormbaancoureur blobby xscreensaver-gl
# xscreensaver-gl-extra gl-117 criticalmass teeworlds torus-trooper rrootage endless-sky hyperrogue crack-attack libsdl2-tests openuniverse
# kitty openscad libopencsg-example projectm-sdl gtk-4-examples openscenegraph-examples), and takes some minutes.
# Usage: programs.sh REASSEMBLE SCRATCH [NAME...]
set -eu
program=$1 scratch=$2
shift 2
names=$*
mkdir -p "$scratch"

measure() { # NAME FRAME COMMAND...
  name=$1 frame=$2
  shift 2
  case " $names " in *" $name "* | "  ") ;; *) return 0 ;; esac
  command -v "$1" >/dev/null || { echo "$name: $1 is not installed"; return 0; }
  rm -rf "${scratch:?}/$name"
  if ! "$program" trace -q --graphics --each-draw --frames "$frame" --timeout 500 -o "$scratch/$name" -- "$@" >"$scratch/$name.log" 2>&1; then
    echo "$name: $(grep '^reassemble' "$scratch/$name.log" | tail -1)"
    return 0
  fi
  for each in "" --each-draw; do
    # shellcheck disable=SC2086 # no word, or one
    "$program" draw --no-trace $each "$scratch/$name/frame-$frame.rframe" -o "$scratch/$name" >"$scratch/$name/drawn$each" 2>&1 || true
  done
  awk -v name="$name" -v frame="$frame" '/^draw-/ { draws++; if (/not supported|not bound|no texels|more than/) out++ }
    /pixels:/ { printf "%-22s frame %-4d %4d draws, %d left out: %s\n", name, frame, draws, out, $0; found = 1 }
    END { if (!found) print name ": no picture" }' "$scratch/$name/drawn"
  sed -n '/ draws cover Vulkan/,$p' "$scratch/$name/drawn--each-draw"
}

measure glxgears 10 glxgears
measure es2gears 10 es2gears_x11
measure vkcube 10 vkcube
for scene in build texture shading bump:bump-render=high-poly effect2d desktop buffer conditionals function loop shadow pulsar jellyfish ideas \
  refract terrain; do
  measure "glmark2-${scene%%:*}" 10 glmark2-es2 -s 400x300 -b "$scene:duration=100"
done
measure extremetuxracer 60 /usr/games/etr
measure neverball 60 /usr/games/neverball
measure armagetronad 60 /usr/games/armagetronad
measure chromium-bsu 60 /usr/games/chromium-bsu
measure gltron 60 /usr/games/gltron
measure billard-gl 40 /usr/games/billard-gl
measure vkcubepp 10 vkcubepp
measure briquolo 40 /usr/games/briquolo
measure trackballs 40 /usr/games/trackballs
measure stormbaancoureur 40 /usr/games/stormbaancoureur
measure blobby 40 /usr/games/blobby
for saver in flurry pipes polyhedra gears bouncingcow mirrorblob pulsar hypertorus glplanet; do
  measure "xscreensaver-$saver" 5 "/usr/libexec/xscreensaver/$saver"
done
for saver in voronoi lament skytentacles sphereeversion discoball splodesic; do
  measure "xscreensaver-$saver" 5 "/usr/libexec/xscreensaver/$saver"
done
for game in gl-117:60 critter:40 teeworlds:40 torus-trooper:40 rrootage:40 endless-sky:20 hyperrogue:20; do
  measure "${game%:*}" "${game#*:}" "/usr/games/${game%:*}"
done
measure crack-attack 40 /usr/games/crack-attack --solo
measure testgles2 10 /usr/libexec/installed-tests/SDL2/testgles2
measure openuniverse 10 openuniverse
measure kitty 8 kitty --config NONE
measure openscad 5 openscad
measure opencsgexample 5 opencsgexample
measure projectMSDL 10 projectMSDL
measure osgtessellationshaders 5 osgtessellationshaders
measure osggeometryshaders 5 osggeometryshaders
measure gtk4-demo 8 gtk4-demo --run=shadertoy
measure openarena 60 /usr/games/openarena +set r_mode 3 +set r_fullscreen 0 +map oa_dm1
