#!/bin/sh
# `report --svg` writes a well-formed SVG file for each plot, with colours instead of the page's variables; names of kernels stay
# within the folder; what is replaced is said; without Node.js the message says what to install.
# Usage: plot_files.sh PROGRAM SOURCE FOLDER   (exit 77: there is no Node.js or jsdom here)
set -eu
program=$1 source=$2 folder=$3
export NODE_PATH=/usr/share/nodejs
node -e 'require("jsdom")' 2>/dev/null || { echo "skipped: no Node.js or no jsdom (packages.txt)"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

fail() {
  echo "$*" >&2
  exit 1
}

"$program" validate --board hikey960-gemm-variants --json --quiet >accuracy.json
"$program" simulate --gpu mali-g71-mp8 saxpy --detail --json --quiet | sed 's|"saxpy"|"../../a<b>\&amp; \\"c"|' >detail.json
"$program" report accuracy.json detail.json --svg made/plots >output
grep -q "^made/plots: 6 plots$" output || fail "$(cat output)"
names=$(cd made/plots && echo *)
[ "$names" = "accuracy.svg core-stacks-.._.._a_b__amp___c.svg cycle-stacks.svg errors.svg lines-.._.._a_b__amp___c.svg occupancy-.._.._a_b__amp___c.svg" ] ||
  fail "files: $names"

cat >check.js <<'JS'
const {JSDOM} = require("jsdom");
for (const file of process.argv.slice(2)) {
  const text = require("fs").readFileSync(file, "utf8");
  const {document} = new JSDOM(text, {contentType: "image/svg+xml"}).window; // throws where it is not well-formed
  const marks = document.querySelectorAll("rect, circle, path").length;
  if (document.documentElement.tagName !== "svg" || marks < 5) throw new Error(`${file}: ${marks} marks`);
  if (/var\(|NaN|undefined/.test(text)) throw new Error(`${file}: a variable or a place that is no number`);
  if (!/style="fill: *#[0-9a-f]{6}/.test(text) && !file.includes("occupancy")) throw new Error(`${file}: no colours`);
}
JS
node check.js made/plots/*.svg
grep -q 'viewBox="0 0 760 ' made/plots/accuracy.svg || fail "the plot has not the width of a file"

"$program" report accuracy.json --svg made/plots >output 2>errors
grep -q "^reassemble: made/plots: replaced, from an earlier run$" errors || fail "replaced: $(cat errors)"

mkdir empty
if PATH=$folder/empty "$program" report accuracy.json --svg other >output 2>errors; then
  fail "draws without Node.js"
fi
grep -q "apt-get install nodejs node-jsdom" errors || fail "missing: $(cat errors)"
[ ! -e other ] || fail "a folder was made for nothing"
