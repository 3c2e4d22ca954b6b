#!/bin/sh
# Pages of real results in a headless Chromium: every plot is there, tables sort, marks answer the pointer, nothing reaches the
# console; light, dark, and as wide as a telephone. A kernel's name that is markup stays a text.
# Usage: in_browser.sh PROGRAM SOURCE FOLDER   (exit 77: there is no browser here)
set -eu
program=$1 source=$2 folder=$3
for browser in chromium-headless-shell chromium chromium-browser google-chrome none; do
  command -v "$browser" >/dev/null 2>&1 && break
done
for need in "$browser" node; do
  command -v "$need" >/dev/null 2>&1 || { echo "skipped: no Chromium or no Node.js (packages.txt, [browser])"; exit 77; }
done
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$program" validate --board hikey960-gemm-variants --json >accuracy.json
"$program" rank --gpu mali-g71-mp8 gemm-64 gemm-tiled-64 saxpy --json >rank.json
"$program" simulate --gpu mali-g71-mp8 gemm-64 saxpy --detail --json >detail.json
"$program" simulate --gpu mali-g71-mp8 gemm-64 --ablate --json >ablation.json
"$program" report accuracy.json rank.json detail.json ablation.json -o page.html
node "$source/tests/report/check_page.js" "$browser" page.html accuracy errors ranking causes cycle-stacks core-stacks-saxpy ablation

sed 's|"saxpy"|"</script><script>document.title=1</script><img src=x onerror=alert(1)>"|' detail.json >markup.json
"$program" report markup.json -o markup.html
node "$source/tests/report/check_page.js" "$browser" markup.html cycle-stacks
! grep -q '<img' markup.html
