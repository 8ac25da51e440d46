#!/bin/sh
# check_orphans.sh: every file of the tree has its line in Makefile.am, in the code map, and its companions.
set -eu
cd "${srcdir:-.}"
status=0
complain() { echo "check_orphans: $1" >&2; status=1; }
named() { grep -qF -- "$1" Makefile.am; }

for file in $(find src -name '*.[ch]' -o -name '*.def') tests/*.c tests/*.h tests/*.sh kernels/* lessons/* lua/*; do
  [ -f "$file" ] || continue
  named "$file" || complain "$file has no line in Makefile.am"
done
for file in $(find src -name '*.[ch]' -o -name '*.def'); do
  grep -qF "\`${file#src/}\`" src/README.md || complain "$file is not in src/README.md"
done
for recipe in kernels/*.lua; do
  name=$(basename "$recipe" .lua)
  [ -e "kernels/$name.cu" ] || complain "$recipe has no kernels/$name.cu"
  for ptx in "assets/ptx/$name.ptx" "assets/ptx/$name.g.ptx"; do
    [ -e "$ptx" ] && named "$ptx" || complain "$ptx is not there, or not in Makefile.am"
  done
done
for test in tests/test_*.c; do
  grep -q "check_PROGRAMS.*$(basename "$test" .c)" Makefile.am || complain "$test is never run"
done
exit $status
