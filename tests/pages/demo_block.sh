#!/bin/sh
# The block of README.md below "`./demo.sh` ends in:" is what ./demo.sh prints, to the byte.
# Usage: demo_block.sh PROGRAM ROOT
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
awk '/^`\.\/demo\.sh` ends in:/ { below = 1 } below && /^```/ { if (inside) exit; inside = 1; next } inside' "$2/README.md" \
  >"$scratch/README.md"
test -s "$scratch/README.md" || { echo "README.md has no block below \"\`./demo.sh\` ends in:\""; exit 1; }
"$2/demo.sh" "$1" >"$scratch/demo.sh"
cd "$scratch"
diff -u README.md demo.sh
