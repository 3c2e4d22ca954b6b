#!/bin/bash
# Runs the commands of a page, the lines of its blocks ```sh, in their order and in a folder of their own; each has to succeed.
# `reassemble` is this build's, also as build/demo/cli/reassemble and build/release/cli/reassemble. A block ```yaml with a line
# "name: X" is the file X.yaml there, a block ```c that begins with "// X.cl" is X.cl; so are the files of tests/pages/files. Lines that commands_skipped.txt names are left out.
# Each line of a block ```text but "..." has to be among what the commands print.
# Sweeps of all quick workloads, which take minutes, have those with the tag cnn as well, but for `./test.sh nightly`.
# Usage: commands.sh PROGRAM ROOT SCRATCH PAGE [SKIPPED]
set -euo pipefail
program=$1 root=$2 scratch=$3 page=$4
skipped=${5:-$(cd "$(dirname "$0")" && pwd)/commands_skipped.txt}

rm -rf "$scratch"
mkdir -p "$scratch/bin" "$scratch/build/demo/cli" "$scratch/build/release/cli"
for place in bin build/demo/cli build/release/cli; do ln -s "$program" "$scratch/$place/reassemble"; done
for folder in configs datasets scripts; do ln -s "$root/$folder" "$scratch/$folder"; done
cp -r "$root/tests/pages/files/." "$scratch"
cd "$scratch"

awk '
  /^```(yaml|c)$/ { inside = 1; text = ""; name = ""; next }
  /^```/ { if (inside && name != "") printf "%s", text > name; inside = 0 }
  inside { text = text $0 "\n"; if ($1 == "name:") name = $2 ".yaml" }
  inside && $1 == "//" && $2 ~ /^[a-z_]+[.]cl:?$/ { name = $2; sub(/:$/, "", name) }' "$root/$page"

night=$(awk -v rounds="${REASSEMBLE_TEST_ROUNDS:-1}" 'BEGIN { print (rounds > 1 ? "yes" : "no") }')
[ "$night" = yes ] || find . -maxdepth 1 -name '*.yaml' -type f -exec sed -i 's/{tag: quick}/{tag: [quick, cnn]}/' {} +

# Rows "when  page  beginning of the line  reason": leaves out those of this page that are never run, or nightly and it is not.
echo "trap 'echo \"$page: failed: \$BASH_COMMAND\"' ERR" >commands
awk -v skipped="$skipped" -v page="$page" -v night="$night" '
  function is_left_out(line,    i) {
    for (i = 1; i <= rows; i++)
      if (index(line, begin[i]) == 1) { used[i]; return when[i] == "never" || night == "no" }
    return 0
  }
  BEGIN {
    while ((getline row < skipped) > 0)
      if (row !~ /^#/ && split(row, field, /  +/) >= 4 && field[2] == page) { when[++rows] = field[1]; begin[rows] = field[3] }
  }
  /^```/ { inside = /^```sh/; next }
  !inside { next }
  { line = line $0; if (sub(/\\$/, "", line)) next }
  { if (!is_left_out(line)) print line; line = "" }
  END {
    for (i = 1; i <= rows; i++) if (!(i in used)) {
      print page ": commands_skipped.txt names a line that is not there: " begin[i] > "/dev/stderr"
      missing = 1
    }
    exit missing
  }' "$root/$page" >>commands

export PATH="$scratch/bin:$PATH" REASSEMBLE_DATA="$root"
bash -e -o pipefail ./commands >output 2>&1 || { cat output; exit 1; }
awk '/^```text$/ { inside = 1; next } /^```/ { inside = 0 } inside && !/^[.][.][.]$/' "$root/$page" |
  while IFS= read -r line; do
    grep -qxF -- "$line" output || { echo "$page: no command prints: $line"; cat output; exit 1; }
  done
