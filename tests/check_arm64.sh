#!/bin/sh
# check_arm64.sh: the emulator gives the same bits on arm64: its tests, cross-compiled and run under qemu-user.
#
#   ARM64_ROOT=DIR [ARM64_BUILD=DIR] tests/check_arm64.sh [TEST...]
#
# ARM64_ROOT has arm64's headers and libraries below usr/: packages of a Debian, unpacked. They come without being root:
#
#   apt-get -o APT::Architectures::=arm64 update    (with directories of its own for lists and cache, if need be)
#   for p in libzstd libcunit1 libncurses liblua5.4 libsqlite3; do apt-get download $p-dev:arm64; done, and the libraries
#   for deb in *.deb; do dpkg -x $deb DIR; done
#
# ARM64_BUILD is kept for the next time; ARM64_CC is the compiler, if it is to be "ccache aarch64-linux-gnu-gcc". Not
# part of make check. 77, "skipped", where something of this is missing.
set -eu
cd "$(dirname "$0")/.."
skip() { echo "check_arm64: $1" >&2; exit 77; }

host=aarch64-linux-gnu
root=${ARM64_ROOT:-}
command -v $host-gcc >/dev/null || skip "no $host-gcc"
command -v qemu-aarch64 >/dev/null || skip 'no qemu-aarch64'
git rev-parse 2>/dev/null || skip 'no git tree'
command -v autoreconf >/dev/null || skip 'no autoconf'
[ -n "$root" ] && [ -e "$root/usr/include/zstd.h" ] || skip 'ARM64_ROOT names no directory with usr/include/zstd.h'
[ -e "$root/usr/include/CUnit/CUnit.h" ] || skip 'ARM64_ROOT has no CUnit'
libs=$root/usr/lib/$host

build=${ARM64_BUILD:-}
if [ -z "$build" ]; then
  build=$(mktemp -d)
  trap 'rm -rf "$build"' EXIT
fi
mkdir -p "$build"
git ls-files -z | xargs -0 cp -p --parents -t "$build"
cd "$build"
[ -e configure ] && [ configure -nt configure.ac ] || autoreconf -fi >/dev/null
[ -e Makefile ] && [ Makefile -nt configure ] ||
  PKG_CONFIG_LIBDIR=$libs/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root ./configure --host=$host CC="${ARM64_CC:-$host-gcc}" \
    CPPFLAGS="-I$root/usr/include -I$root/usr/include/$host" LDFLAGS="-L$libs -Wl,-rpath-link,$libs" >/dev/null

[ $# -gt 0 ] || set -- alu approximations carry vectors matrices sim_lanes
status=0
for test; do
  make -s "tests/unit/sim/test_$test"
  echo "check_arm64: $test"
  srcdir=. qemu-aarch64 -L /usr/$host -E LD_LIBRARY_PATH="$libs" "tests/unit/sim/test_$test" || status=1
done
exit $status
