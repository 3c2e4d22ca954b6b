#!/bin/sh
# CLBlast's tuner of Xgemm on a GeForce RTX 2080 Ti that is not there, beside what its configurations took on a real one: how much longer
# than the best the chosen one took there, and how far off the time is that the tuner reports for it; the mean error of all; and what
# the session took here. Required: 10 % for the first two, and 5 minutes of two processors for 200 configurations. The tuner's first part
# is run, with one configuration of FRACTION. tune_xgemm.sh REASSEMBLE BOARD.csv.zst SCRATCH [FRACTION]; exits with 77 without clblast-utils.
set -eu
reassemble=$1 board=$2 scratch=$3 fraction=${4:-2.89}
command -v clblast_tuner_xgemm > /dev/null || { echo "clblast-utils is not installed"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

# The line-buffered output tells when the first part has ended; the parts behind it try tens of thousands.
"$reassemble" run --gpu rtx-2080-ti-tuned --host-scale 0 --compute nothing -- \
  stdbuf -oL clblast_tuner_xgemm -m 4096 -n 4096 -k 4096 -runs 1 -fraction "$fraction" > session.txt 2> errors &
run=$!
until grep -q "Best parameters" session.txt 2> /dev/null || ! kill -0 $run 2> /dev/null; do sleep 1; done
kill $run 2> /dev/null || :
wait $run || :
times > times.txt

# key: MWG NWG KWG MDIMC NDIMC MDIMA NDIMB KWI VWM VWN STRM STRN SA SB
zstd -dcq "$board" | awk -F, 'NR > 1 { k = $1; for (i = 2; i <= 14; i++) k = k " " $i; print k "," $15 }' > measured.csv
awk -F'|' '/results match/ { n = split($4, p, " "); k = p[2]; for (i = 3; i <= 15; i++) k = k " " p[i]; split($8, t, " "); print k "," t[1] }' \
  session.txt > tuned.csv
awk -F, '
  NR == FNR { measured[$1] = $2; next }
  $1 in measured {
    m = measured[$1]; e = $2 / m - 1; sum += e < 0 ? -e : e; count++
    if (!best || m < best) best = m
    if (!reported || $2 < reported) { reported = $2; chosen = m }
  }
  END {
    if (!count) { print "no configuration is in the board"; exit 1 }
    printf "row: xgemm-tuner-choice,%.1f,%% longer than the best of %d configurations\n", 100 * (chosen / best - 1), count
    printf "row: xgemm-tuner-reported,%+.1f,%%\n", 100 * (reported / chosen - 1)
    printf "row: xgemm-tuner-mape,%.1f,%%\n", 100 * sum / count
    wrong = reported / chosen - 1
    exit chosen > 1.1 * best || wrong > 0.1 || wrong < -0.1
  }' measured.csv tuned.csv
