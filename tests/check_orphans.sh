#!/bin/sh
# check_orphans.sh: every file of the tree has its line in its local.mk and in the code map, and its companions.
# src/make-map writes the code map.
set -eu
cd "${srcdir:-.}"
status=0
complain() { echo "check_orphans: $1" >&2; status=1; }
# in_list FRAGMENT FILE: the fragment, which stands in a folder above the file, names it.
in_list() { grep -qE "%D%/$(printf %s "${2#"${1%/local.mk}"/}" | sed 's/[.]/[.]/g')( |\$)" "$1" || complain "$2 has no line in $1"; }

for file in $(find src -name '*.[ch]' -o -name '*.def' -o -name '*.inc'); do
  layer=${file#src/}
  in_list "src/${layer%%/*}/local.mk" "$file"
done
for file in $(find tests/bench tests/gpu -name '*.[ch]' -o -name '*.def'); do in_list "${file%/*}/local.mk" "$file"; done
for file in tests/*.sh $(find tests/support tests/fake_cuda -name '*.[ch]' -o -name '*.def'); do in_list tests/local.mk "$file"; done
for file in assets/portable/*; do [ "$file" = assets/portable/local.mk ] || in_list assets/portable/local.mk "$file"; done
for test in $(find tests/unit tests/runs -name 'test_*.c'); do in_list tests/local.mk "${test%.c}"; done
for recipe in kernels/*.lua; do
  name=$(basename "$recipe" .lua)
  [ -e "kernels/$name.cu" ] || complain "$recipe has no kernels/$name.cu"
  for ptx in "assets/ptx/$name.ptx" "assets/ptx/$name.g.ptx"; do [ -e "$ptx" ] || complain "$ptx is not there"; done
done
sh src/make-map --check || status=1
exit $status
