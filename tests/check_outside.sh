#!/bin/sh
# check_outside.sh: the scripts that take other people's tests (outside/) say of a few tests of our own what is right,
# refused, wrong, missed, and a fault, and that less is right than was. Skipped without Python 3.
set -eu
command -v python3 >/dev/null || { echo "check_outside: no python3 here"; exit 77; }
# What reads the others' files is not of use to anybody else, so it is made here.
"${MAKE:-make}" -s ptx_entries >/dev/null || { echo "check_outside: ptx_entries does not build"; exit 1; }
outside=${srcdir:-.}/tests/outside
here=$outside/selftest
said=$(mktemp)
trap 'rm -f "$said"' EXIT
export builddir="$PWD" OUTSIDE_RECORDED="$here/recorded.txt"

# judge STATUS EXPECTED NAME...: the reasons may be worded anew, what stands before them may not.
judge() {
  status=$1 expected=$here/$2
  shift 2
  got=0
  python3 "$outside/check" --all $(for name; do echo "$name=$here/$name"; done) >"$said" || got=$?
  [ $got = "$status" ] || { cat "$said"; echo "check_outside: exit status $got, not $status"; exit 1; }
  sed -E 's/^([a-z-]+: [a-z]+ +[^:]*).*/\1/' "$said" | diff -u "$expected" -
}

judge 1 expected.txt zluda samples practice
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
export NVCC OUTSIDE_PROGRAMS="$here/programs/programs.txt"
if [ -x "$NVCC" ] && [ -e tests/outside/emulated_runtime.so ]; then judge 0 expected-programs.txt programs; fi
clang=${CLANG:-clang}
if "$clang" --print-targets 2>/dev/null | grep -q nvptx64; then judge 0 expected-opencl.txt oclgrind; fi
