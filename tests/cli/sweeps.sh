#!/bin/bash
# One sweep, run in every way that must not matter: with other numbers of jobs, in shares that are merged, ended by kill -9 at
# random moments and resumed, ended by a full disk and resumed. Every way gives the bytes of the plain run. And journals of
# other runs are refused.
# Usage: sweeps.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
kills=20
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$program" trace saxpy reduction -o traces --quiet >/dev/null
# Designs of it are timed from recordings, and how well a latency is known is stated.
cat >"$folder/known.yaml" <<END
schema: reassemble.gpu/1
name: known
about: The G71 of the thesis with an interval
base: mali-g71-mp8-thesis
parameters:
  l1_miss_cycles: {value: 39, interval: [30, 48], source: "for this test"}
END

sweep() { # name, l2_miss_cycles...
  name=$1
  shift
  cat >"$name.yaml" <<END
schema: reassemble.sweep/1
name: $name
gpu: $folder/known.yaml
workloads: [traces/saxpy.rtrace, traces/reduction.0.rtrace, traces/reduction.1.rtrace]
axes:
  - cores: [2, 4, 8, 12]
  - execution_engines: {from: 1, to: 5, step: 1}
  - {l1_bytes: [8Ki, 16Ki], l1_ways: [2, 4]}
  - l2_miss_cycles: [$*]
variants:
  - {name: wide, warp_size: 8, line_bytes: 128}
constraints: ["cores * execution_engines <= 48"]
targets: [1.2]
END
}
sweep small x0.7, x1

fail() {
  echo "$*" >&2
  exit 1
}
run() { # folder, options...
  to=$1
  shift
  "$program" dse small.yaml -o "$to" --quiet "$@" >"$to.stdout"
}
same() { # folder: its results are the plain run's
  cmp plain/results.csv "$1/results.csv"
  cmp plain/designs.csv "$1/designs.csv"
  cmp plain/results.json "$1/results.json"
  cmp plain/impossible.csv "$1/impossible.csv"
}

run plain --jobs 2
grep -v '^All points: \|^Impossible: ' plain.stdout >plain.answers # which name the folder
grep -q '^Impossible: 4 points, with reasons in plain/impossible.csv$' plain.stdout || fail "impossible: $(tail -n 2 plain.stdout)"
test "$(wc -l <plain/impossible.csv)" -eq 5 || fail "impossible.csv: $(cat plain/impossible.csv)"
test "$(wc -l <plain/results.csv)" -eq "$((3 * $(wc -l <plain/designs.csv) - 2))" || fail "designs.csv: not a row per point"
head -n 1 plain/designs.csv | grep -q ',area,energy_ratio,geometric_mean,exact,pareto,' || fail "designs.csv: $(head -n 1 plain/designs.csv)"
test "$(grep -c ',true,true,' plain/designs.csv)" -gt 1 || fail "designs.csv: no exact design is on the front"
test "$(wc -l <plain/results.csv)" -gt 200 || fail "too few results: $(wc -l <plain/results.csv)"
grep -q '"interval_from": "parameters"' plain/results.json || fail "no intervals: the test tests nothing"
run alone --jobs 1
same alone
grep -v '^All points: \|^Impossible: ' alone.stdout | cmp plain.answers -

# Some results are approximate; those of the Pareto front, of targets and of one axis at a time never are; and what is called
# exact is what a run without approximations says.
run exact --exact
test "$(grep -c ',false,' exact/results.csv)" -eq 0 || fail "--exact has approximate results"
test "$(grep -c ',false,' plain/results.csv)" -gt 10 || fail "nothing is approximate: the test tests nothing"
grep ',true,' plain/results.csv | grep -Fxv -f exact/results.csv >differs.txt && fail "called exact but is not: $(cat differs.txt)"
awk '/"(pareto|targets)": \[/ { inside = 1 } inside && /"point":/ { gsub(/[^0-9]/, ""); print } /"points": \[/ { exit }' \
  plain/results.json | sort -u >reported.txt
test "$(wc -l <reported.txt)" -gt 5 || fail "few points are reported: $(cat reported.txt)"
while read -r point; do
  grep "^$point," plain/results.csv | grep ',false,' && fail "point $point is reported and approximate"
done <reported.txt
refused_early() {
  "$program" dse small.yaml -o plain --quiet --resume --exact >/dev/null 2>error.txt && return 1
  grep -q 'whether all is exact' error.txt
}
refused_early || fail "a journal with approximate results was taken for an exact one: $(cat error.txt)"

for share in 1 2 3; do run share$share --shard $share/3 --jobs $((share % 2 + 1)); done
"$program" dse merge share2 share1 share3 -o merged --quiet >/dev/null
same merged
code=0
"$program" dse merge share1 share3 -o partly --quiet 2>error.txt || code=$?
test $code -eq 1 && grep -q 'results are missing' error.txt || fail "merge without a share: exit $code, $(cat error.txt)"

# The job array of docs/sweeps.md, with a scheduler that does its tasks one after another and the third one twice.
mkdir -p array/bin
ln -s "$program" array/bin/reassemble
ln -s ../traces array/traces
cp small.yaml array/more-cores.yaml
printf '#!/bin/sh\nexec "$@"\n' >array/bin/srun
chmod +x array/bin/srun
sed -n '/^#!\/bin\/bash$/,/^```$/p' "$REASSEMBLE_DATA/docs/sweeps.md" | sed '$d' >array/job.sh
grep -q '^#SBATCH --array=1-8 ' array/job.sh || fail "no job array in docs/sweeps.md: $(cat array/job.sh)"
for task in 1 2 3 4 5 6 7 8 3; do
  (cd array && PATH=$PWD/bin:$PATH SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=1 bash job.sh >/dev/null)
done
(cd array && "$program" dse merge share? -o ../from_array --quiet >/dev/null)
same from_array

# kill -9 at random moments of the whole run, again and again. What is there then is resumed; a run that gets to its end is
# compared, and the next one starts anew. How long a run takes changes with what else the machine does: where one came to its
# end the next are killed earlier, where one had nothing done, later.
begin=$EPOCHREALTIME
run timed --jobs 1
end=$EPOCHREALTIME
same timed
length_us=$((${end/./} - ${begin/./}))
lengths() {
  sort -u lengths.txt | wc -l
}
: >lengths.txt
RANDOM=1
hits=0
for attempt in $(seq 1000); do
  test $hits -lt $kills || test "$(lengths)" -lt 6 || break
  "$program" dse small.yaml -o killed --quiet --resume --jobs $((RANDOM % 2 + 1)) >/dev/null 2>killed.err &
  process=$!
  delay_us=$((RANDOM % 1000 * length_us / 1000))
  sleep "$((delay_us / 1000000)).$(printf %06d $((delay_us % 1000000)))"
  kill -9 $process 2>/dev/null || true
  code=0
  wait $process || code=$?
  test ! -e killed/results.csv || cmp plain/results.csv killed/results.csv
  if test $code -eq 137; then
    hits=$((hits + 1))
    length=$(cat killed/journal killed/intervals.journal 2>/dev/null | wc -c)
    echo "$length" >>lengths.txt
    test "$length" -gt 0 || length_us=$((length_us * 5 / 4))
  else
    test $code -eq 0 || fail "attempt $attempt: exit $code, $(cat killed.err)"
    same killed
    rm -rf killed
    length_us=$((length_us * 4 / 5))
  fi
done
test $hits -ge $kills || fail "$hits of $attempt runs were killed, expected $kills"
test "$(lengths)" -ge 6 || fail "all kills hit at the same moments: $(sort lengths.txt | uniq -c)"
run killed --resume
same killed

# Whatever byte the journal ends at, resuming gives the same; a damaged line counts as missing.
bytes=$(wc -c <plain/journal)
for cut in 0 1 17 $((bytes / 3)) $((bytes / 2)) $((bytes - 1)); do
  rm -rf cut && mkdir cut
  head -c $cut plain/journal >cut/journal
  run cut --resume
  same cut
done
sed '40s/exact/exacd/' plain/journal >cut/journal
run cut --resume
same cut

# The same of the journal of the intervals.
for cut in 0 17 $(($(wc -c <plain/intervals.journal) / 2)); do
  cp plain/journal cut/journal
  head -c $cut plain/intervals.journal >cut/intervals.journal
  run cut --resume
  same cut
done

# A disk with room for a part of the journal.
code=0
(trap '' XFSZ && ulimit -f 24 && exec "$program" dse small.yaml -o full --quiet) >/dev/null 2>error.txt || code=$?
test $code -eq 1 && grep -q 'cannot write the journal' error.txt || fail "full disk: exit $code, $(cat error.txt)"
run full --resume
same full
code=0
cp plain/results.csv kept.csv
(trap '' XFSZ && ulimit -f 24 && exec "$program" dse small.yaml -o full --quiet --resume) >/dev/null 2>error.txt || code=$?
test $code -eq 1 && grep -q 'cannot write the file' error.txt || fail "full disk at the end: exit $code, $(cat error.txt)"
cmp kept.csv full/results.csv
test -z "$(find full -name '*.tmp-*')" || fail "left behind: $(ls full)"

refused() { # text, options...
  text=$1
  shift
  code=0
  "$program" dse "$@" --quiet >/dev/null 2>error.txt || code=$?
  test $code -eq 2 && grep -q -e "$text" error.txt || fail "expected exit 2 and \"$text\": exit $code, $(cat error.txt)"
}
refused 'holds results of a run already' small.yaml -o plain
sweep other x0.7, x1
refused 'journal is of another run: the sweep differs' other.yaml -o plain --resume
cp small.yaml kept.yaml
sweep small x0.8, x1
refused 'the text of the sweep.s file' small.yaml -o plain --resume
mv kept.yaml small.yaml
cp traces/saxpy.rtrace kept.rtrace
"$program" trace gemm-64 -o traces --quiet >/dev/null
mv traces/gemm-64.rtrace traces/saxpy.rtrace
refused 'the workloads, or what their traces hold' small.yaml -o plain --resume
mv kept.rtrace traces/saxpy.rtrace
mkdir forged
head -n 1 plain/journal >forged/journal
line=$(sed -n 2p plain/journal | cut -c18- | sed 's/exact 0x1/exact 0x1.8/')
echo "0000000000000000 $line" >>forged/journal # no valid checksum: ignored
run forged --resume
same forged

"$program" dse small.yaml --plan --quiet >plan.txt
grep -q '82 points: the base, 1 variants, 80 by grid' plan.txt || fail "plan: $(cat plan.txt)"
grep -q '4 impossible, 1 duplicates, 77 distinct designs' plan.txt || fail "plan: $(cat plan.txt)"
grep -q "231 results" plan.txt || fail "plan: $(cat plan.txt)"

# References: our own numbers agree with us wholly, their inverses not at all.
reference() { # name, awk expression of the speed-up $4
  cat >$1.yaml <<END
schema: reassemble.sweep/1
name: $1
gpu: mali-g71-mp8-thesis
workloads: [traces/reduction.0.rtrace]
axes:
  - cores: [1, 2, 4]
reference: $1.json
END
  echo '{"schema": "reassemble.reference/1", "name": "r", "about": "", "source": "this test", "groups":' >$1.json
  awk -F, "BEGIN { printf \"[{\\\"name\\\": \\\"g\\\", \\\"about\\\": \\\"\\\", \\\"rows\\\": [\" }
    /,reduction/ && NR > 2 { printf \"%s{\\\"point\\\": \\\"%s\\\", \\\"value\\\": %.17g}\", n++ ? \", \" : \"\", \$2, $2 }
    END { print \"]}]}\" }" cores/results.csv >>$1.json
}
cat >cores.yaml <<END
schema: reassemble.sweep/1
name: cores
gpu: mali-g71-mp8-thesis
workloads: [traces/reduction.0.rtrace]
axes:
  - cores: [1, 2, 4]
END
"$program" dse cores.yaml -o cores --quiet >/dev/null
column=$(head -n 1 cores/results.csv | tr , '\n' | grep -n '^speedup$' | cut -d: -f1)
reference agrees "\$$column"
reference inverse "1 / \$$column"
"$program" dse agrees.yaml -o agrees --quiet >agrees.txt
grep -q '^all  *3  *1.000  *[+-]0.0  *0.0$' agrees.txt || fail "reference: $(cat agrees.txt)"
"$program" dse inverse.yaml -o inverse --quiet >inverse.txt
grep -q '^all  *3  *-1.000 ' inverse.txt || fail "reference: $(cat inverse.txt)"
