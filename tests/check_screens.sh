#!/bin/sh
# check_screens.sh: pictures of real runs are those that a person looked at (tests/screens/run-*.txt).
#
#   UPDATE_SCREENS=1 tests/check_screens.sh     writes them anew; look at what git diff says before committing
set -eu
here=${srcdir:-.}/tests/screens
program=./lanescope
[ -x "$program" ] || { echo "check_screens: build lanescope first"; exit 77; }
new=$(mktemp) || exit 99
trap 'rm -f "$new"' EXIT
failed=0

# screen NAME WHAT OPTION...: one picture
screen() {
  file=$here/run-$1.txt what=$2
  shift 2
  "$program" export "$what" --device emu --format text "$@" > "$new" || { echo "cannot draw $file"; failed=1; return; }
  if [ -n "${UPDATE_SCREENS:-}" ]; then cp "$new" "$file"; fi
  diff -u "$file" "$new" || failed=1
}

for size in 120x36 80x24 200x60; do
  screen "reduce2-$size" reduce2 --at 1184 --view screen --size $size
  screen "reduce2-$size-ascii" reduce2 --at 1184 --view screen --size $size --ascii
done
screen compiled-120x36 matmul_tiled --code compiled --at 300 --view screen --size 120x36
screen lane-120x36 transpose_32x33 --at 900 --lane 7 --view screen --size 120x36
screen variables scan4 --at 60 --view variables --size 80x12
screen memory transpose_32x32 --at 5000 --view memory --size 100x16
screen lanes diverge_nested --at 120 --view lanes --size 70x6
screen source histogram --at end --view source --size 60x14
for size in 120x36 80x24 200x60; do
  screen "timeline-$size" stream_pipeline --view timeline --size $size
done
screen timeline-80x24-ascii stream_pipeline --view timeline --size 80x24 --ascii
screen timeline-priority-100x30 stream_priority --view timeline --size 100x30
screen timeline-chain-120x36 sums -p version=0 --view timeline --size 120x36
for size in 120x36 80x24; do
  screen "timeline-children-$size" quicksort_tree --view timeline --size $size
done
exit $failed
