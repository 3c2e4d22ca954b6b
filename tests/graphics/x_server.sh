#!/bin/sh
# The private X server ends, and its socket is gone, however the command that started it ends: at its program's end, by SIGINT, by SIGTERM,
# or killed. The program is ended, too.
# Usage: x_server.sh REASSEMBLE SCRATCH
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs.sh"
needs Xvfb
env --default-signal=INT true 2>/dev/null || { echo "skipped: env has no --default-signal"; exit 77; }
rm -rf "$2"
mkdir -p "$2"
cd "$2"
unset DISPLAY

gone() { # PROCESS
  state=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -c1)
  test -z "$state" || test "$state" = Z
}

wait_for() { # TRIES COMMAND...
  left=$1
  shift
  until "$@"; do
    left=$((left - 1))
    test $left -gt 0 || return 1
    sleep 0.1
  done
}

has_started() {
  server=$(pgrep -P "$command" Xvfb) && child=$(pgrep -P "$command" cat) && test -n "$server" && test -n "$child"
}

for signal in INT TERM KILL none; do
  rm -f gate
  mkfifo gate
  env --default-signal=INT "$1" trace -q --graphics --frames 1 -o . -- cat gate >out 2>err &
  command=$!
  wait_for 300 has_started || { echo "$signal: no server and program"; cat err; exit 1; }
  display=$(tr '\0' '\n' <"/proc/$child/environ" | sed -n 's/^DISPLAY=://p')
  test -S "/tmp/.X11-unix/X$display" || { echo "$signal: the display $display has no socket"; exit 1; }
  if test $signal = none; then echo >gate; else kill -$signal $command; fi
  wait $command && { echo "$signal: the exit code is 0"; exit 1; }
  wait_for 300 gone "$server" || { echo "$signal: the X server goes on"; exit 1; }
  wait_for 300 gone "$child" || { echo "$signal: the program goes on"; exit 1; }
  wait_for 100 test ! -e "/tmp/.X11-unix/X$display" || { echo "$signal: the socket of display $display is left"; exit 1; }
done
