#!/bin/sh
# bench_play.sh: how many bytes a frame takes that the terminal is sent while a kernel is played, at most and on average.
#   sh tests/bench/bench_play.sh ./lanescope
# The recordings of `lanescope cast` hold the same frames, in 24-bit color, so the counts hang on nothing but the pictures. The
# reference is the same frame sent whole: what a program without differences would send.
set -eu
LC_ALL=C
export LC_ALL
lanescope=${1:-./lanescope}
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
printf '%-18s %-8s %7s %12s %12s %12s %8s\n' kernel size frames 'mean bytes' 'most bytes' 'whole bytes' ratio
for what in transpose_32x32:400 warp_reduce:end reduce2:400 histogram:400 matmul_tiled:400; do
  kernel=${what%:*} to=${what#*:}
  for size in 80x24 120x36; do
    "$lanescope" cast "$kernel" --from 0 --to "$to" --speed 4 --size $size -o "$out/a.cast" 2>/dev/null || continue
    awk -v kernel="$kernel" -v size="$size" '
      function bytes(line) { gsub(/\\u001b/, "e", line); return length(line) - 12 }
      NR == 2 { whole = bytes($0) }
      NR > 2 && /"o", "."/ || NR > 2 && length($0) > 20 { n++; b = bytes($0); sum += b; if (b > most) most = b }
      END { printf "%-18s %-8s %7d %12.0f %12d %12d %7.1f%%\n", kernel, size, n, sum / n, most, whole, 100 * sum / n / whole }' "$out/a.cast"
  done
done
