#!/bin/sh
# check_measure.sh: tests/gpu/measure goes on where a call was cut short, loses nothing by a part that fails, and keeps to its time.
# The program that it runs is a stand-in of a few lines.
set -eu
command -v timeout >/dev/null 2>&1 || { echo "check_measure: no timeout here, so nothing is cut off"; exit 77; }
source=${srcdir:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "check_measure: $1"; exit 1; }

cat >"$work/measure_gpu" <<'EOF'
#!/bin/sh
echo "$1" >>"$CALLS"
echo "GPU, compute capability 9.0" >&2
case $1 in
  lock) exit "${LOCK:-0}" ;;
  rows) echo "rows differ"; exit 1 ;;
  cost) echo "cost;vecadd;1000;3000;9000;0;1.25"; sleep "${NAP:-0}" ;;
  *) echo "$1 is fine" ;;
esac
EOF
chmod +x "$work/measure_gpu"
CALLS=$work/calls
export CALLS
measure() { PATH=/usr/bin:/bin sh "$source/tests/gpu/measure" "$work/measure_gpu" "$@"; }

LOCK=77 measure "$work/none" >/dev/null 2>&1 && fail "no GPU is not said"
measure "$work/m" lock traced rows >"$work/report" 2>"$work/said" && fail "a part that differs is no failure"
status=0
NAP=30 LIMIT=3 SPARE=0 measure "$work/m" cost >"$work/report" 2>"$work/said" || status=$?
[ $status -eq 1 ] || fail "a part that was cut off is no failure ($status)"
grep -q 'cost.*status 124' "$work/said" || fail "the part that takes too long is not cut off"
grep -q '| vecadd | 1.0 | 3.0 x | 9.0 x | 0 | 1.25 | not run | not run |' "$work/report" || fail "what was found before the cut is lost"
grep -q 'traced is fine' "$work/report" || fail "a part is missing in the report"
: >"$CALLS"
status=0
measure "$work/m" lock traced rows cost >"$work/report" 2>"$work/said" || status=$?
[ "$(cat "$CALLS")" = cost ] || fail "parts that were there ran again"
[ $status -eq 1 ] && grep -q 'Status 1' "$work/report" && grep -q 'rows differ' "$work/report" || fail "a part that differs is not told"
grep -q 'Cut off' "$work/report" && fail "the part is still said to be cut off"
exit 0
