#!/bin/sh
# check_cuda_abi.sh: what lanescope believes of NVIDIA's driver and of NVRTC (src/device/cuda/driver.def, src/device/compile/nvrtc.def) is what their headers and libraries
# say: arguments, numbers, and the symbols themselves. Skipped without a CUDA Toolkit of version 13 or later.
set -eu
source=${srcdir:-.}
skip() { echo "check_cuda_abi: $1, so nothing to compare with"; exit 77; }

toolkit=
for dir in ${CUDA_HOME:+"$CUDA_HOME"} /usr/local/cuda; do
  [ -f "$dir/include/cuda.h" ] && [ -f "$dir/include/nvrtc.h" ] && { toolkit=$dir; break; }
done
[ "$toolkit" ] || skip "no cuda.h and nvrtc.h here"
version=$(sed -n 's/^#define CUDA_VERSION \([0-9]*\).*/\1/p' "$toolkit/include/cuda.h")
[ "$version" -ge 13000 ] || skip "the CUDA Toolkit here is $version, older than 13000"
compiler=
for name in ${CXX:-} g++ c++ clang++; do
  if command -v "$name" >/dev/null 2>&1; then compiler=$name; break; fi
done
[ "$compiler" ] || skip "no C++ compiler here"

"$compiler" -std=c++14 -fsyntax-only -isystem "$toolkit/include" -I"$source/src" "$source/tests/cuda_abi.cpp"

# has LIBRARY TABLE PATTERN: every symbol of the table that the pattern takes out of it is in the library.
has() {
  nm -D --defined-only "$1" | sed 's/.* //; s/@.*//' | sort -u >"$symbols"
  sed -n "$3" "$source/src/device/$2" | while read -r symbol; do
    grep -qx "$symbol" "$symbols" || echo "$2: $1 has no $symbol"
  done
}
symbols=$(mktemp)
trap 'rm -f "$symbols"' EXIT
missing=
driver=$toolkit/lib64/stubs/libcuda.so
nvrtc=$toolkit/lib64/libnvrtc.so
if ! command -v nm >/dev/null 2>&1; then
  echo "check_cuda_abi: no nm here, so symbols were not looked for"
else
  [ ! -f "$driver" ] || missing=$(has "$driver" cuda/driver.def 's/^DRIVER_CALL([^,]*, \([A-Za-z0-9_]*\),.*/\1/p')
  [ ! -f "$nvrtc" ] || missing=$missing$(has "$nvrtc" compile/nvrtc.def 's/^NVRTC_CALL([^,]*, \([A-Za-z0-9_]*\),.*/\1/p')
fi
[ -z "$missing" ] || { echo "$missing"; exit 1; }
