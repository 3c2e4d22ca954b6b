# For boards with a 64-bit Arm processor: `cmake --preset aarch64`. On Debian: dpkg --add-architecture arm64, then
# apt-get install gcc-aarch64-linux-gnu libjansson-dev:arm64 libyaml-dev:arm64
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
# $REASSEMBLE_ARM64_ROOT: where the libraries were unpacked instead.
set(root $ENV{REASSEMBLE_ARM64_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${root}/usr/lib/aarch64-linux-gnu/pkgconfig:${root}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${root})
set(CMAKE_FIND_ROOT_PATH ${root}/usr/lib/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
