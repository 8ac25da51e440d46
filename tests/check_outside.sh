#!/bin/sh
# check_outside.sh: the scripts that take other people's tests (outside/) say of a few tests of our own what is right,
# refused, wrong, and a fault, and that less is right than was. Skipped without Python 3.
set -eu
command -v python3 >/dev/null || { echo "check_outside: no python3 here"; exit 77; }
outside=${srcdir:-.}/tests/outside
here=$outside/selftest
said=$(mktemp)
trap 'rm -f "$said"' EXIT
export builddir="$PWD" OUTSIDE_RECORDED="$here/recorded.txt"
status=0
python3 "$outside/check" --all "zluda=$here/zluda" "samples=$here/samples" >"$said" || status=$?
[ $status = 1 ] || { cat "$said"; echo "check_outside: exit status $status, not 1"; exit 1; }
# The reasons may be worded anew: what stands before them may not.
sed -E 's/^([a-z-]+: [a-z]+ +[^:]*).*/\1/' "$said" | diff -u "$here/expected.txt" -
