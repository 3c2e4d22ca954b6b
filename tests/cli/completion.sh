#!/bin/bash
# completion.sh PROGRAM: the script for bash completes commands, options, GPUs and values; every command has a manual page with
# all of its options, and a script for each shell.
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$program" "$folder/reassemble"
PATH=$folder:$PATH

eval "$("$program" completion bash)"

# complete WORD...: what the last word may become.
complete_words() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _reassemble || true
  printf '%s\n' "${COMPREPLY[@]}"
}
# expect WANTED WORD...
expect() {
  local wanted=$1
  shift
  complete_words "$@" >"$folder/offered"
  grep -qxF -- "$wanted" "$folder/offered" || { echo "$*: does not offer $wanted"; exit 1; }
}
expect rank reassemble ra
expect --gpu reassemble rank --gp
expect --sweep-local reassemble rank --sw
expect mali-g71-mp8 reassemble rank --gpu mali-g7
expect hikey960-gemm-variants reassemble tune --board hi
expect none reassemble trace --undefined-reads n
expect gemm-64 reassemble simulate gemm-6
if complete_words reassemble rank --ou | grep -q .; then echo "rank has no --output"; exit 1; fi

for word in $("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p'); do
  "$program" completion man "$word" >"$folder/page"
  for part in "^.TH REASSEMBLE" "^.SH NAME" "^.SH SYNOPSIS" "^.SH DESCRIPTION" "^.SH EXAMPLES" "^.SH OPTIONS" "^.SH EXIT STATUS"; do
    grep -q "$part" "$folder/page" || { echo "$word: its manual page has no $part"; exit 1; }
  done
  "$program" "$word" --help | sed -n '/^Options:/,/^$/s/.*--\([a-z-]*\).*/\1/p' | sort -u | while read -r option; do
    grep -qF -- "\\-\\-${option//-/\\-}" "$folder/page" || { echo "$word: its manual page lacks --$option"; exit 1; }
  done
done
"$program" completion fish >"$folder/page"
grep -q "seen_subcommand_from rank' -l gpu -s g -r" "$folder/page"
"$program" completion zsh >"$folder/page"
head -1 "$folder/page" | grep -qx '#compdef reassemble'
