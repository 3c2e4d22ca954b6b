#!/bin/sh
# CLBlast's tuner of Xgemm on a GeForce RTX 2080 Ti that is not there, beside what its configurations took on a real one. It tries a fixed
# set of 578 first, all of which the board has, and then a random part of 120,800 others, of which the board has 17,956. Printed for
# those that the board has: how much longer the best of them took there than the board's best one, which is the least that any GPU can
# reach with it; how much longer than the best of them the chosen one took; how far off the time is that the tuner reports for
# it; the mean error of all; and what a configuration took here.
# tune_xgemm.sh REASSEMBLE BOARD.csv.zst SCRATCH [FRACTION [PARTS [CHOICE [REPORTED]]]]
# FRACTION: one configuration of so many; "default": all of the first part, one of 512 of the second. PARTS: 1 or 2. CHOICE and
# REPORTED: what is required, % (10 and 10). Exits with 77 without clblast-utils.
set -eu
reassemble=$1 board=$2 scratch=$3 fraction=${4:-default} parts=${5:-2} choice=${6:-10} reported=${7:-10}
command -v clblast_tuner_xgemm > /dev/null || { echo "clblast-utils is not installed"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
[ "$fraction" = default ] && set -- || set -- -fraction "$fraction"

# The line-buffered output tells when a part has ended; those behind the second are of another kernel.
"$reassemble" run --gpu rtx-2080-ti-tuned --host-scale 0 --compute nothing -- \
  stdbuf -oL clblast_tuner_xgemm -m 4096 -n 4096 -k 4096 -runs 1 "$@" > session.txt 2> errors &
run=$!
until grep -q "^\* ($((parts + 1))/4)" session.txt 2> /dev/null || ! kill -0 $run 2> /dev/null; do sleep 1; done
kill $run 2> /dev/null || :
wait $run || :
times > times.txt

# key: MWG NWG KWG MDIMC NDIMC MDIMA NDIMB KWI VWM VWN STRM STRN SA SB
zstd -dcq "$board" | awk -F, 'NR > 1 { k = $1; for (i = 2; i <= 14; i++) k = k " " $i; print k "," $15 }' > measured.csv
awk -F'|' '/results match/ { n = split($4, p, " "); k = p[2]; for (i = 3; i <= 15; i++) k = k " " p[i]; split($8, t, " "); print k "," t[1] }' \
  session.txt > tuned.csv
awk -F, -v most_choice="$choice" -v most_reported="$reported" '
  FILENAME == "measured.csv" { measured[$1] = $2; if (!least || $2 < least) least = $2; next }
  FILENAME == "times.txt" { # of the children: 0m0.070s 0m0.120s
    if (FNR == 2) { split($0, word, " "); for (i = 1; i <= 2; i++) { split(word[i], part, "m"); seconds += 60 * part[1] + part[2] } }
    next
  }
  { tried++ }
  $1 in measured {
    m = measured[$1]; e = $2 / m - 1; sum += e < 0 ? -e : e; count++
    if (!best || m < best) best = m
    if (!fastest || $2 < fastest) { fastest = $2; chosen = m }
  }
  END {
    if (!count) { print "no configuration is in the board"; exit 1 }
    printf "%d configurations tried, %d of them in the board\n", tried, count
    printf "row: xgemm-tuner-tried,%.1f,%% longer than the best of the board is the best of those tried\n", 100 * (best / least - 1)
    printf "row: xgemm-tuner-choice,%.1f,%% longer than the best of %d configurations\n", 100 * (chosen / best - 1), count
    printf "row: xgemm-tuner-reported,%+.1f,%%\n", 100 * (fastest / chosen - 1)
    printf "row: xgemm-tuner-mape,%.1f,%%\n", 100 * sum / count
    printf "row: xgemm-tuner-configuration,%.1f,s of processor time\n", seconds / tried
    wrong = 100 * (fastest / chosen - 1)
    exit 100 * (chosen / best - 1) > most_choice || wrong > most_reported || wrong < -most_reported
  }' measured.csv times.txt tuned.csv
