#!/bin/sh
# Every line of README.md's block below "ranks their predicted times:" is printed by the command above it; "..." stands for others.
# Usage: own_kernels_block.sh PROGRAM ROOT
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
awk '/ranks their predicted times:$/ { below = 1 } below && /^```/ { if (inside) exit; inside = 1; next } inside && !/^[.][.][.]$/' "$2/README.md" >"$scratch/lines"
test -s "$scratch/lines" || { echo "README.md has no block below \"ranks their predicted times:\""; exit 1; }
cd "$scratch"
cp "$2/tests/pages/files/mine.cl" .
sed -n 's/^L="\(--global .*\)"$/\1/p' "$2/README.md" >launch
# shellcheck disable=SC2046 # the launch is several words
"$1" rank --gpu mali-g71-mp8 mine.cl $(cat launch) --quiet >printed
while IFS= read -r line; do
  grep -qxF -- "$line" printed || { echo "rank does not print: $line"; cat printed; exit 1; }
done <lines
