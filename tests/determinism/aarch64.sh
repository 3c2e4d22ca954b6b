#!/bin/sh
# The same predictions to the last bit on 64-bit Arm: aarch64.sh SOURCE FOLDER TRACER
# The replay, the tuner and the sweeps are built for this processor and for 64-bit Arm, and print what they predict for traces that
# TRACER (a built reassemble) makes. qemu runs the second. Libraries for Arm are fetched from the system's Debian mirror into
# FOLDER/root, where nothing else sees them; needs gcc-aarch64-linux-gnu and qemu-user-static (or qemu-user).
set -eu
source=$1 folder=$2 tracer=$(realpath "$3")
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
root=$folder/root
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || { echo "needs qemu-user-static" >&2; exit 1; }
command -v aarch64-linux-gnu-gcc >/dev/null || { echo "needs gcc-aarch64-linux-gnu" >&2; exit 1; }

fetch() { # into $root, with lists of packages of its own
  mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial" "$root/debs"
  : >"$root/apt/status"
  set -- -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$root/apt/lists" \
    -o Dir::Cache="$root/apt" -o Dir::State::status="$root/apt/status" -o APT::Sandbox::User=root
  apt-get "$@" update
  (cd "$root/debs" && apt-get "$@" download libjansson-dev libyaml-dev libgsl-dev libzstd-dev)
  for package in "$root"/debs/*.deb; do dpkg-deb -x "$package" "$root"; done
}
[ -e "$root/usr/lib/aarch64-linux-gnu/libgsl.a" ] || fetch

build() { # folder, options of CMake
  place=$1; shift
  cmake -S "$source" -B "$place" -G Ninja -DCMAKE_BUILD_TYPE=Release -DREASSEMBLE_REPLAY_ONLY=ON -DREASSEMBLE_OPENMP=OFF "$@" >"$place.log" 2>&1 &&
    cmake --build "$place" --target predict_bytes -- --quiet >>"$place.log" 2>&1 || { tail -20 "$place.log"; exit 1; }
}
build "$folder/native"
REASSEMBLE_ARM64_ROOT=$root; export REASSEMBLE_ARM64_ROOT
build "$folder/arm" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/aarch64-linux-gnu.cmake" -DCMAKE_EXE_LINKER_FLAGS="-static -L$root/usr/lib/aarch64-linux-gnu"

export REASSEMBLE_DATA="$source"
cd "$folder"
"$tracer" trace gemm-variants gemm-64 reduction atax-256-kernel1 bfs-16384 blackscholes-64 spmv-ell --quiet -o traces >/dev/null
set -- hikey960-gemm-variants arith,l1_miss mali-g71-mp8 mali-g31-mp2 nvidia-like-32 rtx-2080-ti -- traces/*.rtrace
native/tests/determinism/predict_bytes "$@" >native.txt
"$qemu" arm/tests/determinism/predict_bytes "$@" >arm.txt
cmp native.txt arm.txt || { diff native.txt arm.txt | head; exit 1; }
echo "64-bit Arm: the same $(wc -l <arm.txt) lines of predictions as $(uname -m), to the last bit"
