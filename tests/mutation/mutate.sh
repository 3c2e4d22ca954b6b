#!/bin/sh
# Shows that the tests find mistakes: applies each row of mutations.txt to a copy of the tree, builds the copy and runs the named tests.
# Writes results.csv (mutation, file, the tests that fail, or "the build", date and commit), all of it when every row was tried. Exit code 1
# when a mutation is found by none.
# Usage: tests/mutation/mutate.sh [NAME...]   (the rows with these names; all when none is given; about five minutes of a processor)
set -eu
cd "$(dirname "$0")/../.."
here=$PWD/tests/mutation
tree=$PWD/build/mutation/tree
build=$tree/build/dev
log=$PWD/build/mutation/build.log
results=$PWD/build/mutation/results.csv
jobs=$(nproc)
stamp="$(date -u +%Y-%m-%d),$(git rev-parse --short HEAD)"

sh "$here/apply.sh" .
mkdir -p "$tree"
find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -r {} + # files that have moved
git ls-files -z | xargs -0 cp -p --parents -t "$tree"
rm -rf "$build/include-roots" # links to folders that have moved
# The copy is no checkout: what lists the files of the project takes those that are there.
configure() { (cd "$tree" && GIT_DIR=/dev/null cmake --preset dev >/dev/null); }
configure

# The programs that a test runs: its own, and reassemble for everything that is no test of functions.
targets() { # pattern of tests
  GIT_DIR=/dev/null ctest --test-dir "$build" -N -R "$1" | sed -n 's/^ *Test *#[0-9]*: //p' | while read -r test; do
    claim=${test#*/}
    case $test in
      unit/* | golden/*) echo "test_$claim" ;;
      property/* | accuracy/* | cli/json_of_*) echo "test_$claim reassemble" ;;
      structure/* | pages/names_exist | cli/include_direction) ;;
      *) echo reassemble ;;
    esac
  done | tr ' ' '\n' | sort -u
}

found_by() { # pattern of tests: the tests that fail, or the build; nothing when all is well
  wanted=$(targets "$1")
  # shellcheck disable=SC2086 # a list of names
  if ! { configure && { [ -z "$wanted" ] || cmake --build "$build" -j "$jobs" --target $wanted -- --quiet; }; } >"$log" 2>&1; then
    echo "the build"
    return
  fi
  (cd "$build" && GIT_DIR=/dev/null ctest -R "$1" -j "$jobs" --timeout 600 2>/dev/null) | sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .*\*\*\*.*/\1/p' |
    sort | head -n 3 | paste -s -d ' '
}

missed=0
echo "mutation,file,found_by,date,commit" >"$results"
rows=$(grep -v '^#' "$here/mutations.txt" | sed 's/   */\t/g')
tab=$(printf '\t')
while IFS=$tab read -r name file substitution tests; do
  case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
  cp -p "$tree/$file" "$tree/$file.kept"
  sed -i "$substitution" "$tree/$file"
  found=$(found_by "$tests" </dev/null)
  mv "$tree/$file.kept" "$tree/$file"
  touch "$tree/$file"
  [ -n "$found" ] || missed=$((missed + 1))
  echo "$name,$file,${found:-nothing},$stamp" | tee -a "$results"
done <<ROWS
$rows
ROWS
[ $# -gt 0 ] || cp "$results" "$here/results.csv"
echo "$missed mutations are found by no test"
[ "$missed" = 0 ]
