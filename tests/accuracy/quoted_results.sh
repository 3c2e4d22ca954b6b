#!/bin/sh
# Pages quote measurements; tests/accuracy/results.csv and tests/bench/results.csv hold them. A line of a page with
# "<!-- result: NAME NAME ... -->" has to contain the value of each row NAME; commas between thousands do not count.
# Fails when a value is missing, when no row has the name, when two rows have it, or when no page quotes anything.
# Usage: quoted_results.sh ROOT
set -eu
cd "$1"
# shellcheck disable=SC2046 # names of pages have no spaces
awk '
  function wrong(text) { print FILENAME ":" FNR ": " text; bad = 1 }
  function holds(line, value,    rest, at, before, after) {
    for (rest = line; (at = index(rest, value)) > 0; rest = substr(rest, at + 1)) {
      before = at > 1 ? substr(rest, at - 1, 1) : ""
      after = substr(rest, at + length(value))
      if (before !~ /[0-9.]/ && after !~ /^[.]?[0-9]/) return 1
    }
    return 0
  }
  FILENAME ~ /[.]csv$/ {
    split($0, field, ",")
    if (FNR == 1) next
    if (field[1] in value) wrong("two rows are named " field[1])
    value[field[1]] = field[2]
    next
  }
  {
    plain = line = $0
    while (match(plain, /[0-9],[0-9][0-9][0-9]/)) plain = substr(plain, 1, RSTART) substr(plain, RSTART + 2)
    while (match(line, /<!-- result: [^>]*-->/)) {
      names = substr(line, RSTART + 13, RLENGTH - 16)
      line = substr(line, RSTART + RLENGTH)
      count = split(names, name, " ")
      for (i = 1; i <= count; i++) {
        quotes++
        if (!(name[i] in value)) wrong("no row of results.csv is named " name[i])
        else if (!holds(plain, value[name[i]])) wrong("quotes " name[i] ", but does not contain its value " value[name[i]])
      }
    }
  }
  END {
    if (quotes == 0) { print "no page quotes a result"; bad = 1 }
    print quotes + 0 " quotes"
    exit bad
  }' tests/accuracy/results.csv tests/bench/results.csv README.md $(find docs -name '*.md' | sort)
