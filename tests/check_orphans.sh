#!/bin/sh
# check_orphans.sh: every file of the tree has its line in its local.mk and in the code map, and its companions.
# src/make-map writes the code map.
set -eu
cd "${srcdir:-.}"
status=0
complain() { echo "check_orphans: $1" >&2; status=1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# listed FRAGMENT FILE...: the fragment, which stands in a folder above the files, names each of them.
listed() {
  list=$1
  shift
  for file; do echo "$file"; done | awk -v list="$list" -v above="${list%local.mk}" '
    BEGIN {
      while ((getline line < list) > 0)
        for (count = split(line, word, " "); count; count--) if (sub(/^%D%\//, "", word[count])) known[word[count]] = 1
    }
    !(substr($0, length(above) + 1) in known) { print $0 " has no line in " list }' >"$work/missing"
  while read -r line; do complain "$line"; done <"$work/missing"
}

for layer in src/*/; do listed "${layer}local.mk" $(find "$layer" -name '*.[ch]' -o -name '*.def' -o -name '*.inc' | sed 's|//|/|'); done
for folder in tests/bench tests/gpu; do listed $folder/local.mk $(find $folder -name '*.[ch]' -o -name '*.def'); done
listed tests/local.mk tests/*.sh $(find tests/support tests/fake_cuda -name '*.[ch]' -o -name '*.def') \
  $(find tests/unit tests/runs -name 'test_*.c' | sed 's/[.]c$//')
listed assets/portable/local.mk $(ls assets/portable/* | grep -v '/local.mk$')
for recipe in kernels/*.lua; do
  name=$(basename "$recipe" .lua)
  [ -e "kernels/$name.cu" ] || complain "$recipe has no kernels/$name.cu"
  for ptx in "assets/ptx/$name.ptx" "assets/ptx/$name.g.ptx"; do [ -e "$ptx" ] || complain "$ptx is not there"; done
done
sh src/make-map --check || status=1
exit $status
