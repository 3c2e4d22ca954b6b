#!/bin/sh
# installed_example.sh BUILD CC REASSEMBLE SCRATCH FLAGS: the example builds outside of the tree, from what `cmake --install` leaves
# alone, and predicts what the program predicts. Nothing but the documented names can be linked.
set -eu
build=$1 cc=$2 reassemble=$3 scratch=$4 flags=$5
source=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$scratch"
mkdir -p "$scratch/outside"
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
# Moved after the installation: the .pc file must not hold the old place.
mv "$scratch/prefix" "$scratch/moved"
PKG_CONFIG_PATH=$(dirname "$(find "$scratch/moved" -name reassemble.pc)")
export PKG_CONFIG_PATH
cd "$scratch/outside"
cp "$(find "$scratch/moved" -name predict.c)" .
# shellcheck disable=SC2046,SC2086
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror $flags -o predict predict.c $(pkg-config --cflags --libs reassemble)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir reassemble)
export LD_LIBRARY_PATH
./predict "$source/tests/golden/gemm-4.rtrace" mali-g71-mp8 >out
"$reassemble" simulate --gpu mali-g71-mp8 "$source/tests/golden/gemm-4.rtrace" >table
cycles=$(awk '$1 == "cycles" { printf "%.0f", $2 }' out)
printed=$(awk 'NR == 2 { print $2 }' table)
[ "$cycles" = "$printed" ] || { echo "the example says $cycles cycles, the program $printed"; exit 1; }
[ "$(grep -c 'cores:' out)" = 5 ] || { echo "five core counts were expected"; cat out; exit 1; }

# The other example: a board of one measurement, of which the trace lies in the folder.
cp "$(find "$scratch/moved" -name tune.c)" .
# shellcheck disable=SC2046,SC2086
"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror $flags -o tune tune.c $(pkg-config --cflags --libs reassemble)
cat >board.json <<'BOARD'
{"schema": "reassemble.board/1", "name": "one", "board": "none", "gpu": "mali-g71-mp8", "clock_hz": 1000000000,
 "driver": "none", "statistic": "minimum of 1 run", "unit": "cycles", "source": "synthetic", "measurements": [
  {"name": "A", "workload": "gemm-4", "launch": 0, "description": "", "value": 400, "source": "none"}]}
BOARD
./tune board.json "$source/tests/golden" l1_miss >tuned
grep -q '^MAPE' tuned || { echo "no scores:"; cat tuned; exit 1; }
grep -q "before *$cycles," tuned || { echo "the start is not the prediction of $cycles cycles:"; cat tuned; exit 1; }

# Symbols: exactly those that the header declares.
nm -D --defined-only "$LD_LIBRARY_PATH/libreassemble.so" | awk '{ print $3 }' | grep -v '^__' | sort >symbols
grep -o 'reassemble_[a-z_]*(' "$(pkg-config --variable=includedir reassemble)/reassemble.h" | tr -d '(' | sort -u >declared
diff declared symbols || { echo "the header (<) and the library (>) differ"; exit 1; }

./predict no-such-file mali-g71-mp8 >/dev/null 2>message && { echo "a missing trace went through"; exit 1; }
grep -q 'no-such-file' message
