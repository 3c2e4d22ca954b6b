#!/bin/sh
# --plot draws stacks and fronts in text: of Unicode's blocks in a locale of UTF-8, else of ASCII, and changes nothing of JSON.
# Usage: text_plots.sh PROGRAM SOURCE FOLDER
set -eu
program=$1 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

fail() {
  echo "$*" >&2
  exit 1
}

simulate() { "$program" simulate --gpu mali-g71-mp8 saxpy reduction --quiet "$@"; }
LC_ALL=C simulate --plot >ascii
LC_ALL=C.UTF-8 simulate --plot >blocks
grep -q '^# issue ' ascii || fail "no legend: $(cat ascii)"
grep -q '^saxpy  *#[-=+%*ox@~:^suw.#]* [0-9]*$' ascii || fail "no bar: $(cat ascii)"
! LC_ALL=C grep -q '[^ -~]' ascii || fail "not ASCII: $(cat ascii)"
grep -q '^saxpy  *█' blocks || fail "no blocks: $(cat blocks)"
[ "$(awk '{ if (length($0) > most) most = length($0) } END { print (most <= 120) }' ascii)" = 1 ] || fail "too wide"

simulate --json >plain.json
simulate --json --plot >plotted.json
grep -v '"command"' plain.json >plain.rest # says --plot
grep -v '"command"' plotted.json | cmp plain.rest -

LC_ALL=C "$program" rank --gpu mali-g71-mp8 saxpy reduction --plot --quiet >ranked
[ "$(grep -c ' [#=+%*-][#=+%*ox@~:^suw.-]* [0-9]*$' ranked)" = 3 ] || fail "not three bars: $(cat ranked)"

printf 'schema: reassemble.sweep/1\nname: two\ngpu: mali-g71-mp8\nworkloads: [saxpy]\naxes: [{cores: [4, 8, 16]}]\n' >two.yaml
LC_ALL=C "$program" dse two.yaml --plot --quiet >swept
grep -q '^Speed-up over area (\* front, \. others, B base)$' swept || fail "no front: $(cat swept)"
[ "$(grep -c '^ *[0-9.]* |' swept)" = 18 ] || fail "not 18 rows: $(cat swept)"
