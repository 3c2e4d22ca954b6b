#!/bin/sh
# Builds the Debian package on a fresh system of a release, installs it on another one, and does there what a user would: the commands
# of the three tutorials, the tests of the Python module, the example of the library. No test: it needs root, debootstrap, the
# network and 4 GB below FOLDER, where the two systems (RELEASE-build, RELEASE-clean) stay and are used again.
# Usage: package_on_release.sh RELEASE FOLDER [MIRROR]     (run in the source tree; RELEASE: bookworm, trixie; MIRROR: else
# debootstrap's own)
set -eu
release=$1 folder=$(realpath "$2") mirror=${3:-}
source=$(git rev-parse --show-toplevel)

# Makes the system and copies the committed tree to /root/source of it.
make_system() { # NAME
  root=$folder/$1
  [ -x "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"}
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
  rm -rf "$root/root/source"
  git clone -q "$source" "$root/root/source"
}
inside() { chroot "$folder/$1" env DEBIAN_FRONTEND=noninteractive sh -euc "cd /root/source; $2"; }

make_system "$release-build"
inside "$release-build" '. scripts/packages.sh
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends dpkg-dev file >/dev/null
  need_packages run
  cmake --preset package >/root/log && cmake --build --preset package --target package >>/root/log'
make_system "$release-clean"
cp "$folder/$release-build"/root/source/build/package/*.deb "$folder/$release-clean/root/source"
inside "$release-clean" 'apt-get update -qq
  apt-get install -y -qq ./reassemble_*.deb gcc pkg-config >/dev/null
  mkdir -p /root/installed
  for part in configs datasets; do ln -sfn /usr/share/reassemble/$part /root/installed/$part; done
  for part in docs tests scripts; do ln -sfn /root/source/$part /root/installed/$part; done
  for tutorial in programmer architect researcher; do
    bash tests/pages/commands.sh /usr/bin/reassemble /root/installed /root/try docs/tutorial-$tutorial.md
  done
  python3 --version
  (cd / && python3 /root/source/tests/python/test_module.py /root/source)
  cc -o /root/predict /usr/share/doc/reassemble/example/predict.c $(pkg-config --cflags --libs reassemble)
  reassemble trace gemm-64 -o /root/traces
  /root/predict /root/traces/gemm-64.rtrace mali-g71-mp8
  apt-get remove -y -qq reassemble >/dev/null
  test ! -e /usr/bin/reassemble'
echo "$release: the package installs, works and goes"
