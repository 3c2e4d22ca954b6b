#!/bin/sh
# commands.sh PROGRAM SOURCE: every folder of cli that holds a command is in the list of the program's help, every command of
# the list has a help with its usage, the common options and examples, and the examples name commands that there are.
set -eu
program=$1 source=$2
words=$("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p')
for file in "$source"/cli/*/command_*.c; do
  word=${file##*/command_} word=${word%.c}
  [ "$(basename "$(dirname "$file")")" = "$word" ] || { echo "$file: not in the folder of its word"; exit 1; }
  echo "$words" | grep -qx "$word" || { echo "$word: has a folder and is not in the list of commands"; exit 1; }
done
for word in $words; do
  help=$("$program" "$word" --help)
  [ "$help" = "$("$program" help "$word")" ] || { echo "$word: help and --help differ"; exit 1; }
  for part in "Usage: reassemble $word " "--json" "--jobs" "--seed" "--quiet" "Examples:" "  reassemble $word "; do
    echo "$help" | grep -qF -- "$part" || { echo "$word: its help does not say \"$part\""; exit 1; }
  done
  echo "$help" | sed -n '/^Examples:/,$p' | grep -oE 'reassemble [a-z]+' | while read -r _ other; do
    echo "$words" | grep -qx "$other" || { echo "$word: an example has the unknown command $other"; exit 1; }
  done
done
echo "$words" | wc -l
