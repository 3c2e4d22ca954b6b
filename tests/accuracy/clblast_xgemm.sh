#!/bin/sh
# CLBlast's own Xgemm, captured from a program that multiplies matrices, and the workload `xgemm`, this project's text of the
# same kernel, do the same work in each configuration: multiply-adds, barriers, and loads and stores of global and local memory are as
# many, these have as many bytes, and the order of the predicted times of the configurations is the same. CLBlast writes vectors element
# by element, so that VWM of its multiply-adds are one here. Accesses to private memory are the compiler's. Ends with 77, which means skipped, where CLBlast is not installed.
# Usage: clblast_xgemm.sh REASSEMBLE PROGRAM SCRATCH
set -eu
reassemble=$1
program=$2
rm -rf "$3"
mkdir -p "$3"
cd "$3"
size=128
depth=64

# counts TRACE ELEMENTS: multiply-adds in elements, barriers, and number and bytes of loads and stores of global and local memory
counts() {
  "$reassemble" info "$1" | awk -v elements="$2" '
    $1 == "float_fma" { fma = $2 * elements }
    $1 == "barriers" { barriers = $2 }
    ($1 == "global" || $1 == "local") && NF == 4 { accesses = accesses " " $1 " " $2 " " $3 " " $4 }
    END { print fma + 0, barriers + 0 accesses }'
}

# predicted TRACE: cycles on one GPU
predicted() { "$reassemble" simulate --gpu rtx-2080-ti "$1" --json --quiet | sed -n 's/.*"cycles": \([0-9.]*\).*/\1/p' | head -n 1; }

# compare NAME NAME=VALUE...: one configuration
compare() {
  name=$1
  shift
  code=0
  "$reassemble" trace --quiet -o "captured-$name" -- "$program" $size $depth GEMMK=0 KREG=1 "$@" >"$name.txt" 2>&1 || code=$?
  if grep -q 'CLBlast is not installed' "$name.txt"; then
    echo "skipped: CLBlast is not installed (Debian: libclblast1)"
    exit 77
  fi
  [ $code = 0 ] || { cat "$name.txt"; exit 1; }
  "$reassemble" trace --quiet -o "own-$name" "xgemm:M=$size,N=$size,K=$depth,$(echo "$@" | tr ' ' ,)" >/dev/null
  elements=$(echo "$@" | tr ' ' '\n' | sed -n 's/^VWM=//p')
  captured=$(counts captured-"$name"/*.rtrace 1)
  own=$(counts own-"$name"/*.rtrace "$elements")
  echo "$name: captured $captured, own $own"
  [ "$captured" = "$own" ] || wrong=1
  echo "$(predicted captured-"$name"/*.rtrace) $name" >>captured.txt
  echo "$(predicted own-"$name"/*.rtrace) $name" >>own.txt
}

wrong=0
compare plain KWG=16 KWI=2 MDIMA=8 MDIMC=8 MWG=32 NDIMB=8 NDIMC=8 NWG=32 SA=0 SB=0 STRM=0 STRN=0 VWM=2 VWN=2
compare tiles KWG=16 KWI=2 MDIMA=8 MDIMC=8 MWG=32 NDIMB=8 NDIMC=8 NWG=32 SA=1 SB=1 STRM=0 STRN=0 VWM=2 VWN=2
compare narrow KWG=16 KWI=2 MDIMA=8 MDIMC=8 MWG=16 NDIMB=8 NDIMC=8 NWG=16 SA=0 SB=0 STRM=1 STRN=1 VWM=1 VWN=1
compare wide KWG=16 KWI=2 MDIMA=8 MDIMC=8 MWG=64 NDIMB=8 NDIMC=8 NWG=64 SA=1 SB=0 STRM=1 STRN=0 VWM=4 VWN=4
sort -n captured.txt
sort -n own.txt
captured=$(sort -n captured.txt | sed 's/.* //' | tr '\n' ' ')
own=$(sort -n own.txt | sed 's/.* //' | tr '\n' ' ')
echo "fastest first: captured $captured, own $own"
[ "$captured" = "$own" ] || wrong=1
exit $wrong
