#!/bin/sh
# bench_cost.sh: what the host executes for a warp instruction: with and without the coverage of results, and of
# approximate functions beside those that round correctly.
#   sh tests/bench/bench_cost.sh ./bench_cost
# Instructions are counted by callgrind, so other work on the machine changes nothing.
set -eu
LC_ALL=C
export LC_ALL
bench=${1:-./bench_cost}
if ! command -v valgrind >/dev/null 2>&1; then
  echo "what checks and approximations cost: left out, there is no valgrind here"
  exit 0
fi
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT

# cost WORDS...: host instructions and warp instructions
cost() {
  warps=$(valgrind --tool=callgrind --callgrind-out-file="$out/calls" --collect-atstart=no --toggle-collect=measured \
    "$bench" "$@" 2>"$out/err") || { cat "$out/err" >&2; exit 1; }
  sed -n 's/^totals: //p; s/^summary: //p' "$out/calls" | awk -v warps="$warps" 'NR == 1 { print $1, warps }'
}

printf '%-18s %12s %16s %16s %8s\n' recipe 'warp instr.' 'host instr. each' 'without coverage' cost
for recipe in vec_add transpose_32x33 reduce2 matmul_tiled histogram; do
  echo "$recipe $(cost run $recipe) $(cost uncovered $recipe)"
done | awk '{ printf "%-18s %12d %16.1f %16.1f %7.1f%%\n", $1, $3, $2 / $3, $4 / $5, 100 * ($2 / $4 - 1) }'

printf '\n%-24s %16s %24s %16s %8s\n' approximate 'host instr. each' 'correctly rounded' 'host instr. each' ratio
for pair in rcp.approx.ftz.f32:rcp.rn.ftz.f32 rcp.approx.f32:rcp.rn.f32 sqrt.approx.ftz.f32:sqrt.rn.ftz.f32 \
  sqrt.approx.f32:sqrt.rn.f32 div.approx.ftz.f32:div.rn.ftz.f32 div.approx.f32:div.rn.f32 div.full.f32:div.rn.f32; do
  echo "${pair%:*} $(cost chain "${pair%:*}") ${pair#*:} $(cost chain "${pair#*:}")"
done | awk '{ printf "%-24s %16.1f %24s %16.1f %7.2fx\n", $1, $2 / $3, $4, $5 / $6, $2 / $3 / ($5 / $6) }'
