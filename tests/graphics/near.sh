#!/bin/sh
# Checks that at least SHARE % of the pixels are within 1/255 of Vulkan's.
# Usage: near.sh OUTPUT_OF_DRAW SHARE
awk -v least="$2" '/pixels:/ { for (i = 1; i <= NF; i++) if ($i == "within") near = $(i - 2) }
  END { if (near < least) { print "found " near " % within 1/255, expected " least; exit 1 } }' "$1"
